/** Requests that get the errors which the descriptions of operations name. */
import { signatureToString } from '../../../src/engine/protocol/key.ts'
import { Writer } from '../../../src/engine/protocol/writer.ts'
import { transfer } from './development_chain.ts'
import { type ExampleNode, keyOf } from './example_node.ts'

/** What is asked: a body, or how it is made on the chain. */
type Asked = object | ((on: ExampleNode) => Promise<object>)
/** By operation and error. */
type ByError<T> = { [operation: string]: { [error: string]: T } }

const WEB_AUTHN = 2
const NOBODY = { account_name: 'nobody' }
const UNKNOWN = '00'.repeat(32)
const FAR_BLOCK = { block_num_or_id: 99999999 }
const NO_BLOCK = { block_num_or_id: 'neither' }
const NO_TRANSACTION = {
  signatures: [],
  compression: 'none',
  packed_context_free_data: '',
  packed_trx: '00',
}
const block = { unknown_block_exception: FAR_BLOCK, block_id_type_exception: NO_BLOCK }

/** What is wrong with one signed transaction. */
const SUBMITTED: { [error: string]: Asked } = {
  packed_transaction_type_exception: NO_TRANSACTION,
  tx_duplicate: async (on) => {
    const twice = await transferred(on, '0.0001 SYS')
    await on.get('send_transaction', twice)
    return twice
  },
  expired_tx_exception: async (on) => {
    const late = await on.signed(['alice'], [await transfer(on, '0.0001 SYS', '')], {
      lasts_sec: 1,
    })
    await on.produce(3)
    return late
  },
  invalid_ref_block_exception: async (on) => {
    const action = await transfer(on, '0.0001 SYS', '')
    return on.signed(['alice'], [action], { ref_block_prefix: 1 })
  },
  unsatisfied_authorization: async (on) =>
    on.signed(['bob'], [await transfer(on, '0.0001 SYS', '')]),
  tx_irrelevant_sig: async (on) =>
    on.signed(['alice', 'bob'], [await transfer(on, '0.0001 SYS', '')]),
  eosio_assert_message_exception: (on) => transferred(on, '99999999.0000 SYS'),
}

const delayed = async (on: ExampleNode) =>
  on.signed([], [await transfer(on, '0.0001 SYS', '')], { delay_sec: 1 })

/** What is wrong with one before it is computed. */
const COMPUTED: { [error: string]: Asked } = {
  packed_transaction_type_exception: NO_TRANSACTION,
  transaction_exception: delayed,
  tx_duplicate_sig: async (on) =>
    on.signed(['alice', 'alice'], [await transfer(on, '0.0001 SYS', '')]),
  sig_variable_size_limit_exception: async (on) => ({
    ...(await transferred(on, '0.0001 SYS')),
    signatures: [longSignature()],
  }),
}

const QUIET = { return_failure_trace: false }
/** The same, as send_transaction2 takes it. */
const SUBMITTED2 = Object.entries(SUBMITTED).map(([error, asked]) => {
  const body = async (on: ExampleNode) => ({ ...QUIET, transaction: await made(on, asked) })
  return [error, body] as const
})

export const CASES: ByError<Asked> = {
  get_account: { account_query_exception: NOBODY },
  get_block: block,
  get_block_info: { unknown_block_exception: { block_num: 99999999 } },
  get_block_header: block,
  get_block_header_state: block,
  get_raw_block: block,
  get_code: {
    account_query_exception: { ...NOBODY, code_as_wasm: 1 },
    unsupported_feature: { account_name: 'hello', code_as_wasm: 0 },
  },
  get_code_hash: { account_query_exception: {} },
  get_abi: { account_query_exception: NOBODY },
  get_raw_abi: { account_query_exception: NOBODY },
  get_raw_code_and_abi: { account_query_exception: NOBODY },
  get_table_rows: {
    account_query_exception: { code: 'nobody', scope: '', table: 'accounts' },
    unsupported_abi_version_exception: {
      ...{ code: 'alice', scope: 'alice', table: 'accounts' },
      ...{ index_position: 2, key_type: 'i64' },
    },
    contract_table_query_exception: { code: 'eosio.token', scope: 'alice', table: 'nothing' },
    invalid_http_request: {
      ...{ code: 'eosio.token', scope: 'alice', table: 'accounts' },
      next_page: 'no place',
    },
    chain_type_exception: {
      ...{ code: 'eosio.token', scope: 'alice', table: 'accounts' },
      lower_bound: 'no key!',
    },
  },
  get_table_by_scope: { chain_type_exception: { code: 'eosio.token', lower_bound: 'no scope!' } },
  get_currency_balance: {
    account_query_exception: { code: 'nobody', account: 'alice' },
    contract_table_query_exception: { code: 'hello', account: 'alice' },
  },
  get_currency_stats: {
    account_query_exception: { code: 'nobody', symbol: 'SYS' },
    contract_table_query_exception: { code: 'hello', symbol: 'SYS' },
    symbol_type_exception: { code: 'eosio.token', symbol: '1' },
  },
  get_transaction_id: {
    invalid_http_request: {
      actions: [{ account: 'hello', name: 'hi', authorization: [], data: { user: 'alice' } }],
    },
    name_type_exception: {
      ...{ expiration: '2030-01-01T00:00:00', ref_block_num: 1, ref_block_prefix: 2 },
      actions: [{ account: 'Hello', name: 'hi', authorization: [], data: '' }],
    },
  },
  get_required_keys: {
    unsatisfied_authorization: async (on) => ({
      transaction: plain(await on.transaction([await transfer(on, '1.0000 SYS', '')])),
      available_keys: [String(keyOf('bob').toPublic())],
    }),
    packed_transaction_type_exception: (on) => withArguments(on, null),
    transaction_type_exception: (on) => withArguments(on, { from: 1 }),
    pack_exception: (on) => withArguments(on, { to: 'alice' }),
    name_type_exception: (on) => withArguments(on, { from: 'NO NAME' }),
  },
  get_transaction_status: { invalid_http_request: { id: UNKNOWN } },
  push_transaction: SUBMITTED,
  send_transaction: SUBMITTED,
  send_transaction2: {
    ...Object.fromEntries(SUBMITTED2),
    tx_exp_too_far_exception: async (on) => ({
      retry_trx: true,
      transaction: await on.signed(['alice'], [await transfer(on, '1.0000 SYS', '')], {
        lasts_sec: 3000,
      }),
    }),
  },
  push_transactions: { too_many_tx_at_once: Array.from({ length: 1001 }, () => NO_TRANSACTION) },
  compute_transaction: COMPUTED,
  send_read_only_transaction: {
    packed_transaction_type_exception: { transaction: NO_TRANSACTION },
    transaction_exception: async (on) => ({ transaction: await delayed(on) }),
  },
  push_block: {
    unlinkable_block_exception: (on) =>
      changedBlock(on, { previous: `000000ff${UNKNOWN.slice(8)}` }),
  },
  pause_at_block: { invalid_pause_at_block_request: { block_num: 1 } },
  update_runtime_options: {
    plugin_config_exception: { produce_block_offset_ms: 900_000 },
    misc_exception: { greylist_limit: 5000 },
  },
  add_greylist_accounts: { invalid_http_request: { accounts: [] } },
  remove_greylist_accounts: { invalid_http_request: { accounts: [] } },
  set_whitelist_blacklist: { invalid_http_request: {} },
  schedule_snapshot: {
    invalid_snapshot_request: { start_block_num: 5, end_block_num: 3 },
    duplicate_snapshot_request: async (on) => {
      const twice = { start_block_num: 100_000 }
      await on.node.producer('schedule_snapshot', twice)
      return twice
    },
  },
  unschedule_snapshot: { snapshot_request_not_found: { snapshot_request_id: 77 } },
  mine_blocks: { misc_exception: { blocks: 20_001 } },
  advance_time: { misc_exception: { seconds: 0 } },
  create_account: {
    invalid_http_request: { name: 'erin', key: 'no key' },
    account_name_exists_exception: { name: 'alice' },
  },
  set_authority: { invalid_http_request: { account: 'bob' } },
  set_balance: { contract_table_query_exception: { account: 'bob', quantity: '1.0000 NONE' } },
  go_back_to_checkpoint: { misc_exception: { checkpoint: 77 } },
  drop_checkpoint: { misc_exception: { checkpoint: 77 } },
  schedule_protocol_feature_activations: {
    protocol_feature_exception: { protocol_features_to_activate: [UNKNOWN] },
    invalid_protocol_features_to_activate: { protocol_features_to_activate: [UNKNOWN, UNKNOWN] },
  },
}

const CHANGED_BY_CONTROLS = ['create_account', 'set_authority', 'set_balance']

/** Errors that this chain does not get into; who tests them. */
export const ELSEWHERE: ByError<string> = {
  ...controls('unsupported_feature', [
    'get_controls',
    'set_production_mode',
    'take_checkpoint',
    'go_back_to_checkpoint',
    'drop_checkpoint',
    'act_as',
  ]),
  ...controls('unsupported_feature', ['save_state'], {
    producer_exception: 'test/engine/services/production/on_demand',
    snapshot_exception: 'test/engine/services/dev/saved_states',
  }),
  ...controls('unsupported_feature', ['load_state'], {
    misc_exception: 'test/engine/services/dev/load_state',
    snapshot_exception: 'test/engine/services/dev/load_state',
  }),
  ...controls('unsupported_feature', ['mine_blocks', 'advance_time', ...CHANGED_BY_CONTROLS], {
    producer_exception: 'test/engine/services/production/on_demand',
  }),
  get_block_trace: { unsupported_feature: 'test/engine/services/trace_api/requests' },
  get_transaction_trace: { unsupported_feature: 'test/engine/services/trace_api/requests' },
  connect: { unsupported_feature: 'test/node/fork' },
  get_producers: { contract_table_query_exception: 'test/engine/queries' },
  get_transaction_status: {
    plugin_config_exception: 'test/engine/services/transaction_status/transaction_status',
  },
  get_accounts_by_authorizers: { plugin_config_exception: 'test/engine/queries' },
  push_block: {
    wrong_signing_key: 'test/engine/chain/blocks/bad_blocks',
    block_validate_exception: 'test/engine/chain/blocks/bad_blocks',
  },
  create_snapshot: {
    snapshot_finalization_exception: 'test/engine/services/snapshots/snapshots',
    snapshot_exists_exception: 'test/engine/services/snapshots/snapshots',
    snapshot_execution_exception: 'test/engine/services/snapshots/snapshots',
  },
}

/** Errors of the control over development chains, which its own tests cause. */
function controls(
  error: string,
  operations: readonly string[],
  others: { [error: string]: string } = {},
): ByError<string> {
  const tests = { [error]: 'test/engine/services/dev/development_controls', ...others }
  return Object.fromEntries(operations.map((name) => [name, tests]))
}

/** The body of a case, made on the chain where it has to be. */
export const made = (on: ExampleNode, asked: Asked): Promise<object> =>
  typeof asked === 'function'
    ? (asked as (on: ExampleNode) => Promise<object>)(on)
    : Promise.resolve(asked)

const plain = (value: unknown): object => JSON.parse(JSON.stringify(value)) as object

async function transferred(on: ExampleNode, quantity: string): Promise<object> {
  return on.signed(['alice'], [await transfer(on, quantity, '')])
}

/** A WebAuthn signature whose texts are longer than a node lets them be. */
function longSignature(): string {
  const w = new Writer()
  w.u8(WEB_AUTHN)
  w.raw(new Uint8Array(65).fill(1))
  w.blob(new Uint8Array(0))
  w.string('x'.repeat(20_000))
  return signatureToString(w.bytes())
}

/** Asks for the keys of a transfer with other arguments. */
async function withArguments(on: ExampleNode, data: unknown): Promise<object> {
  const action = { ...plain(await transfer(on, '1.0000 SYS', '')), data }
  const transaction = { ...plain(await on.transaction([])), actions: [action] }
  return { transaction, available_keys: [] }
}

/** The newest block with something else in it. */
async function changedBlock(on: ExampleNode, changes: object): Promise<object> {
  const block_num_or_id = on.node.head_block_num
  return { ...(await on.get<object>('get_raw_block', { block_num_or_id })), ...changes }
}
