/** Which parts of the node's state each operation may change. Operations that are not named change nothing. */
import { operations } from '../support.ts'

/** Categories whose operations change nothing. All operations of other categories must be in `CHANGES`. */
const READING = new Set([
  'node',
  'chain_info',
  'chain_ro',
  'producer_ro',
  'trace_api',
  'net_ro',
  'db_size',
])

/** Parts of the fingerprint that a request may change when it succeeds. */
export const CHANGES: { [operation: string]: readonly string[] } = {
  push_transaction: ['state', 'waiting'],
  send_transaction: ['state', 'waiting'],
  send_transaction2: ['state', 'waiting'],
  push_transactions: ['state', 'waiting'],
  push_block: ['state', 'head'],
  // The block in work is made, so that what was accepted is in it.
  pause: ['paused', 'state', 'head'],
  resume: ['paused'],
  pause_at_block: ['paused'],
  update_runtime_options: ['options'],
  add_greylist_accounts: ['greylist'],
  remove_greylist_accounts: ['greylist'],
  set_whitelist_blacklist: ['lists'],
  schedule_protocol_feature_activations: ['features'],
  create_snapshot: [],
  get_integrity_hash: ['state', 'head'],
  schedule_snapshot: ['snapshots'],
  unschedule_snapshot: ['snapshots'],
  connect: [],
  disconnect: [],
  get_controls: [],
  set_production_mode: ['controls', 'state', 'waiting'],
  mine_blocks: ['state', 'head', 'waiting', 'snapshots'],
  advance_time: ['state', 'head', 'waiting', 'snapshots'],
  save_state: ['state', 'head', 'waiting', 'snapshots'],
  // What the node begins with after a start.
  load_state: [
    ...['controls', 'state', 'head', 'waiting', 'lists', 'greylist', 'options', 'snapshots'],
    ...['paused', 'features'],
  ],
  take_checkpoint: ['controls'],
  go_back_to_checkpoint: ['controls', 'state', 'head', 'waiting', 'lists', 'greylist', 'options'],
  drop_checkpoint: ['controls', 'head'],
  act_as: ['controls'],
  create_account: ['state', 'head', 'waiting', 'snapshots'],
  set_authority: ['state', 'head', 'waiting', 'snapshots'],
  set_balance: ['state', 'head', 'waiting', 'snapshots'],
}

export const changing = operations.filter(({ category }) => !READING.has(category))

/** Whether so many blocks are made for a request that its test would take long; those of more are refused. */
export function makesManyBlocks(operation: string, body: unknown): boolean {
  if (operation !== 'mine_blocks') return false
  const { blocks, until_block_num, until_time } = (body ?? {}) as { [field: string]: unknown }
  // The chain begins on this day; the time that the contract shows is 1,200 blocks later.
  if (String(until_time).startsWith('2026-01-01')) return true
  return [blocks, until_block_num].some((n) => Number(n) > 300 && Number(n) < 40_000)
}

/** Whether the answer of a request waits until blocks are made. */
export function waitsForBlocks(operation: string, body: unknown): boolean {
  if (operation === 'send_transaction2') {
    const { retry_trx } = (body ?? {}) as { retry_trx?: unknown }
    return retry_trx !== undefined && retry_trx !== null
  }
  return operation === 'create_snapshot' || operation === 'get_integrity_hash'
}
