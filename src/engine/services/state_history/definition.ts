import { checkAddress } from '../../listening.ts'
import { defineService } from '../service.ts'
import { STATE_HISTORY_OPTIONS } from './options.ts'
import { stateHistorySettings } from './settings.ts'
import { FollowedHistory, StateHistory } from './state_history.ts'

/** State history: traces, changed rows and finality data of all blocks, for readers that follow the chain. */
export const STATE_HISTORY = defineService({
  name: 'state_history',
  plugins: [{ name: 'state_history', needs: ['chain'] }],
  options: STATE_HISTORY_OPTIONS,
  settings: stateHistorySettings,
  operations: [],
  needs: [],
  check: async (settings) => {
    for (const { address, option } of settings?.addresses ?? []) await checkAddress(address, option)
  },
  // Subscribed before the chain is opened: blocks that are applied again at the start may be missing in the logs.
  early: async ({ settings, events, log }) =>
    settings && new FollowedHistory(settings, events, log),
  open: async ({ settings, early, chain, version, clock, log }) =>
    settings && early && StateHistory.open(settings, early, { chain, version, clock, log }),
})
