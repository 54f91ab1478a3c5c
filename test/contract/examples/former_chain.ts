/** A chain without any protocol feature, for what a development chain is past. */
import { Action, Serializer } from '@wharfkit/antelope'
import { N } from '../../../src/engine/protocol/name.ts'
import { alarmContract } from './contracts.ts'
import { authorityOf, ExampleNode } from './example_node.ts'
import type { ContextReader } from './story.ts'

const RING = { account: 'alarm', name: 'ring', data: '' }
const QUIET = { prefer: 'return=minimal', request: null, response: 'minimal' }

export async function formerChain(story: ContextReader, folder: string): Promise<void> {
  const on = await ExampleNode.start(folder, [
    ...['--genesis-timestamp=2026-01-01T00:00:00.000', '--contracts-console'],
    ...['--producer-name=eosio', '--enable-stale-production'],
  ])
  try {
    await on.createAccount('alarm')
    await on.produce()
    const authorization = [{ actor: 'alarm', permission: 'active' }]
    const later = await on.transaction([Action.from({ ...RING, authorization })], {
      delay_sec: 3600,
    })
    await mayActByCode(on)
    await on.deploy('alarm', alarmContract(Serializer.encode({ object: later }).array))
    await on.produce()
    await on.act('alarm', 'set', 'alarm', {})
    await on.produce()
    await story.ask(on, 'get_scheduled_transactions')
    // The fault that is corrected is of chains of long ago: no node makes it any more.
    const { db } = on.node.engine.chain
    db.account_ram_correction.create({ name: N('alarm'), ram_correction: 270n })
    await story.ask(on, 'get_account_ram_corrections')
    await story.ask(on, 'schedule_protocol_feature_activations')
    await story.ask(on, 'get_scheduled_protocol_feature_activations')
    await story.ask(on, 'schedule_protocol_feature_activations', { request: 'other' })
    const none = { protocol_features_to_activate: [] }
    await story.ask(on, 'schedule_protocol_feature_activations', { ...QUIET, body: none })
  } finally {
    await on.node.stop()
  }
}

/** Alarm's code may do what alarm may: before protocol features it must be allowed to. */
async function mayActByCode(on: ExampleNode): Promise<void> {
  const accounts = [{ permission: { actor: 'alarm', permission: 'eosio.code' }, weight: 1 }]
  const auth = { ...authorityOf('alarm'), accounts }
  const permission = { account: 'alarm', permission: 'active', parent: 'owner' }
  await on.act('eosio', 'updateauth', 'alarm', { ...permission, auth })
}
