import { join } from 'node:path'
import { slotToUs } from '../../protocol/time.ts'
import { NET } from '../net/definition.ts'
import { DevelopmentClock } from '../production/development_clock.ts'
import { PRODUCTION } from '../production/definition.ts'
import { defineService } from '../service.ts'
import { AnyAccountMark } from './any_account_mark.ts'
import { DevelopmentControls } from './development_controls.ts'
import { LoadingState } from './loading_state.ts'
import { devSettings } from './settings.ts'
import { StateFiles } from './state_files.ts'

/** A chain that is further ahead of the clock than this was moved; microseconds. */
const AHEAD_US = 1_000_000

/** Control over a development chain: time, blocks, checkpoints, transactions of any account. */
export const DEV = defineService({
  name: 'dev',
  plugins: [
    {
      name: 'dev_api',
      needs: ['producer', 'http'],
      categories: [{ name: 'dev', control: true, local: true }],
    },
  ],
  options: [
    {
      name: 'any-account',
      kind: 'list',
      group: 'Chain',
      value: 'NAME',
      help: 'Account for which anyone may act on a development chain: its transactions are accepted without signatures, or with any. all: every account.',
    },
    {
      name: 'load-state',
      kind: 'text',
      group: 'Development',
      value: 'FILE',
      commandLineOnly: true,
      help: 'State of a development chain that save_state wrote (NAME.bin, with NAME.json beside it); the data folder must have no chain.',
    },
  ],
  settings: devSettings,
  operations: [
    'get_controls',
    'set_production_mode',
    'mine_blocks',
    'advance_time',
    'save_state',
    'load_state',
    'take_checkpoint',
    'go_back_to_checkpoint',
    'drop_checkpoint',
    'act_as',
    'create_account',
    'set_authority',
    'set_balance',
  ],
  needs: [PRODUCTION, NET],
  open: async ({ settings, chain, rules, clock, log, in_memory, services }) => {
    const mark = new AnyAccountMark(in_memory ? undefined : settings.data_dir, log)
    if (clock instanceof DevelopmentClock) {
      const ahead_us = slotToUs(chain.head.timestamp) - clock.now()
      if (ahead_us > AHEAD_US) clock.advanceTo(slotToUs(chain.head.timestamp))
    }
    mark.report()
    const { production, net } = services
    const controls = new DevelopmentControls(settings, {
      chain,
      rules,
      clock,
      log,
      mark,
      producer: production,
      net,
      states: in_memory ? undefined : new StateFiles(join(settings.data_dir, 'states')),
      loading: in_memory ? undefined : new LoadingState(settings.data_dir),
    })
    if (settings.load) controls.load(settings.load)
    if (settings.any_account === 'all' || settings.any_account.length > 0) {
      controls.allowAnyAccount(settings.any_account)
    }
    return controls
  },
})
