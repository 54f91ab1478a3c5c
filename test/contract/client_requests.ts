/** Bodies in the form in which real clients send them, and as the specification shows them. */

const ID = '0000008caa8b83fd341ae4ee477e8b262112dbc6d317c2d67a45ffad5faeb50b'
const LEGACY = 'EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV'
const MODERN = 'PUB_K1_5XcCsYEYyiQzychPUs5BiUtA1RhTsbHmWc7bP22fDgCLHKtH4r'
const SIGNATURE =
  'SIG_K1_JynDFvjxkHxVdP4q96ydAquKHLvgmDGLx3sqDmHSDYbkEUzbVRu1j8onqvfQJvKZX3wTeTQse2dnoTJcz14LTQzE5qvUYG'
export const packed = (compression: unknown, packed_context_free_data = '') => ({
  signatures: [SIGNATURE],
  compression,
  packed_context_free_data,
  packed_trx: '391c0a6b2300177d1c8800000000',
})
export const transaction = {
  expiration: '2030-01-01T00:00:00.000',
  ref_block_num: 1,
  ref_block_prefix: 2,
  max_net_usage_words: 0,
  max_cpu_usage_ms: 0,
  delay_sec: 0,
  context_free_actions: [],
  actions: [
    {
      account: 'eosio.token',
      name: 'transfer',
      authorization: [{ actor: 'alice', permission: 'active' }],
      data: '00',
    },
  ],
  transaction_extensions: [],
}
/** It has no limits and no delay unless the caller sets them. */
const eosjsTransaction = {
  expiration: '2030-01-01T00:00:00.000',
  ref_block_num: 1,
  ref_block_prefix: 2,
  actions: transaction.actions,
  transaction_extensions: [],
  context_free_actions: [],
}
const eosjsRows = {
  json: true,
  code: 'eosio.token',
  scope: 'alice',
  table: 'accounts',
  lower_bound: '',
  upper_bound: '',
  index_position: 1,
  key_type: '',
  limit: 10,
  reverse: false,
  show_payer: false,
}

/** Bodies by client and operation. An empty object stands for an absent body too. */
export const REQUESTS: { [client: string]: { [operation: string]: unknown[] } } = {
  wharfkit: {
    get_info: [{}],
    get_account: [{ account_name: 'alice' }],
    get_block: [{ block_num_or_id: 5 }, { block_num_or_id: ID }],
    get_block_info: [{ block_num: 5 }],
    get_block_header_state: [{ block_num_or_id: 5 }, { block_num_or_id: ID }],
    get_table_rows: [
      {
        code: 'eosio.token',
        table: 'accounts',
        scope: 'eosio.token',
        limit: 1000,
        key_type: 'name',
        json: false,
        lower_bound: '6138663577826885632',
        index_position: 'secondary',
        reverse: true,
        show_payer: true,
      },
    ],
    get_table_by_scope: [{ code: 'probe', table: 'points', lower_bound: 'a', limit: 10 }],
    get_abi: [{ account_name: 'eosio.token' }],
    get_raw_abi: [{ account_name: 'eosio.token' }],
    get_code: [{ account_name: 'eosio.token' }],
    get_currency_balance: [{ account: 'alice', code: 'eosio.token' }],
    get_currency_stats: [{ code: 'eosio.token', symbol: 'SYS' }],
    get_producer_schedule: [{}],
    get_activated_protocol_features: [{}, { lower_bound: 1, reverse: true }],
    get_accounts_by_authorizers: [{ accounts: ['alice'], keys: [MODERN, LEGACY] }],
    get_transaction_status: [{ id: ID }],
    push_transaction: [packed(1)],
    send_transaction: [packed(1)],
    send_transaction2: [
      {
        return_failure_trace: true,
        retry_trx: false,
        retry_trx_num_blocks: 0,
        transaction: packed(1),
      },
    ],
    compute_transaction: [{ transaction: packed(1) }],
    send_read_only_transaction: [{ transaction: { ...packed(1), signatures: [] } }],
  },
  eosjs: {
    get_info: [{}],
    get_account: [{ account_name: 'alice' }],
    get_block: [{ block_num_or_id: 5 }, { block_num_or_id: '5' }],
    get_block_info: [{ block_num: 5 }],
    get_block_header_state: [{ block_num_or_id: '5' }],
    get_table_rows: [eosjsRows],
    get_table_by_scope: [
      { code: 'probe', table: 'points', lower_bound: '', upper_bound: '', limit: 10 },
    ],
    get_abi: [{ account_name: 'eosio.token' }],
    get_raw_abi: [{ account_name: 'eosio.token' }],
    get_raw_code_and_abi: [{ account_name: 'eosio.token' }],
    get_code: [{ account_name: 'eosio.token', code_as_wasm: true }],
    get_code_hash: [{ account_name: 'eosio.token' }],
    get_currency_balance: [{ code: 'eosio.token', account: 'alice', symbol: null }],
    get_currency_stats: [{ code: 'eosio.token', symbol: 'SYS' }],
    get_producers: [{ json: true, lower_bound: '', limit: 50 }],
    get_producer_schedule: [{}],
    get_scheduled_transactions: [{ json: true, lower_bound: '', limit: 50 }],
    get_activated_protocol_features: [
      {
        lower_bound: null,
        upper_bound: null,
        limit: 10,
        search_by_block_num: false,
        reverse: false,
      },
    ],
    get_accounts_by_authorizers: [
      { accounts: ['alice', { actor: 'bob', permission: 'active' }], keys: [LEGACY] },
    ],
    get_required_keys: [{ transaction: eosjsTransaction, available_keys: [LEGACY, MODERN] }],
    push_transaction: [packed(0), packed(1)],
    send_transaction: [packed(0)],
    push_transactions: [[packed(0), packed(1)]],
  },
  cleos: {
    get_info: [{}],
    get_account: [{ account_name: 'alice', expected_core_symbol: '4,EOS' }],
    get_block: [{ block_num_or_id: '5' }],
    get_block_info: [{ block_num: '5' }],
    get_block_header_state: [{ block_num_or_id: '5' }],
    get_raw_block: [{ block_num_or_id: '5' }],
    get_block_header: [{ block_num_or_id: '5', include_extensions: true }],
    get_table_rows: [
      { ...eosjsRows, index_position: '', table_key: '', encode_type: 'dec', limit: -1 },
    ],
    get_code: [{ account_name: 'eosio.token', code_as_wasm: true }],
    get_currency_balance: [{ code: 'eosio.token', account: 'alice', symbol: null }],
    get_currency_stats: [{ json: false, code: 'eosio.token', symbol: 'SYS' }],
    get_producers: [{ json: true, lower_bound: '', limit: 50 }],
    get_required_keys: [{ transaction, available_keys: [LEGACY] }],
    get_transaction_id: [transaction],
    get_consensus_parameters: [{}],
    get_finalizer_info: [{}],
    push_transaction: [packed('none', '00')],
    push_transactions: [[packed('zlib')]],
    send_transaction2: [
      { return_failure_trace: true, retry_trx: false, transaction: packed('none') },
    ],
    compute_transaction: [{ transaction: packed('none') }],
    send_read_only_transaction: [{ transaction: packed('none') }],
    get_supported_protocol_features: [{ exclude_disabled: true, exclude_unactivatable: true }],
  },
  others: {
    get_block: [{ block_num_or_id: '123' }],
    get_table_rows: [{ code: 'a', scope: 'a', table: 't', json: false, limit: '10' }],
    get_table_by_scope: [{ code: 'a', lower_bound: '3617214756542218240', limit: 1000 }],
    schedule_protocol_feature_activations: [{ protocol_features_to_activate: [ID] }],
    schedule_snapshot: [{}, { block_spacing: 100 }],
    unschedule_snapshot: [{ snapshot_request_id: 0 }],
    pause: [{}],
  },
}

/** Bodies as the specification shows them where clients send another form. */
export const SPECIFIED: { [operation: string]: unknown[] } = {
  update_runtime_options: [{ options: { max_transaction_time: 150, incoming_defer_ratio: 1 } }],
  schedule_protocol_feature_activations: [{ schedule: { protocol_features_to_activate: [] } }],
  get_supported_protocol_features: [{ params: { exclude_disabled: true } }],
  get_activated_protocol_features: [{ params: { limit: 10 } }],
  compute_transaction: [packed(false)],
  push_transactions: [[transaction], [{ ...transaction, signatures: [SIGNATURE] }]],
  send_read_only_transaction: [
    { transaction: { compression: false, packed_context_free_data: '', packed_trx: '00' } },
  ],
  get_producers: [{ limit: 10, lower_bound: 0, json: true }],
  get_account_ram_corrections: [{}, { lower_bound: 1, upper_bound: 2, limit: 10, reverse: false }],
  get_currency_balance: [{ code: 'eosio.token', account: 'alice', symbol: '1.0000 SYS' }],
  get_currency_stats: [{ code: 'eosio.token' }],
  get_code: [{ account_name: 'eosio.token', code_as_wasm: 1 }],
  get_code_hash: [{}],
  set_whitelist_blacklist: [
    { action_blacklist: ['transfer', ['a', 'b'], 'a::b'], key_blacklist: [] },
  ],
}
