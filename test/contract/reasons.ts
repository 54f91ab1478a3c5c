/**
 * Where this node answers recorded requests otherwise than the reference did, each with the reason.
 * A difference that is not here is a fault of ours; a reason that no exchange shows is one too.
 *
 * What only a message has otherwise, where both refuse a request as invalid, is here as well.
 */
import { operationOf } from './recordings/compare.ts'
import type { Difference } from './recordings/compare.ts'
import type { Exchange } from './support.ts'

export interface Reason {
  /** What the reference does, and why not we. */
  reason: string
  /** Where that is written. */
  source: string
  /** Requests: operations, and their bodies. */
  operation: string | RegExp
  body?: RegExp
  /** What this node answers instead: status and, in part, what it says. */
  ours: RegExp
}

const INVALID = /^400 .*"Unable to parse valid input from POST body"/

const NO_JSON = 'The text is not JSON, which the reference does not notice.'
const RFC_8259 = 'RFC 8259'
const REQUIRED = 'The specification requires the field; the reference takes a default for it.'
const NO_NUMBER =
  'The specification asks for a whole number or its text; the reference reads flags, fractions, null and negative numbers as one.'

export const REASONS: readonly Reason[] = [
  {
    reason: NO_JSON,
    source: RFC_8259,
    operation: 'get_block',
    body: /^\{"block_num_or_id":"2"(,\}|\} trailing)$/,
    ours: INVALID,
  },
  {
    reason: 'Of two fields with one name the last counts here, as nearly everywhere.',
    source: `${RFC_8259}, section 4`,
    operation: 'get_block',
    body: /"block_num_or_id":"2","block_num_or_id":"3"/,
    ours: /^200 .*"block_num":3,/,
  },
  {
    reason: 'A byte order mark before the text is ignored here.',
    source: `${RFC_8259}, section 8.1`,
    operation: 'get_block',
    body: /^\ufeff/,
    ours: /^200 .*"block_num":2,/,
  },
  {
    reason: 'A body that cannot be read, and one without fields, are refused alike everywhere.',
    source: 'openapi.yaml',
    operation: /^get_transaction_(id|status)$/,
    body: /^\{\}?$/,
    ours: /^400 .*"(Unable to parse valid input from POST body|A Request body is required)"/,
  },
  {
    reason: REQUIRED,
    source: 'specification 4.2: block_num (required)',
    operation: 'get_block_info',
    body: /^\{"unknown_field":1\}$/,
    ours: INVALID,
  },
  {
    reason: REQUIRED,
    source: 'specification 4.2: block_num_or_id: string (required)',
    operation: 'get_block_header',
    body: /^\{"unknown_field":1\}$/,
    ours: INVALID,
  },
  {
    reason: REQUIRED,
    source: 'specification 4.2: code, table, scope (strings, required)',
    operation: 'get_table_rows',
    body: /^\{"unknown_field":1\}$|"scope":null/,
    ours: INVALID,
  },
  {
    reason: REQUIRED,
    source: 'specification 4.2: code: string (required)',
    operation: 'get_table_by_scope',
    body: /^\{"unknown_field":1\}$/,
    ours: INVALID,
  },
  {
    reason: REQUIRED,
    source: 'specification 4.2: limit, lower_bound, json (all required)',
    operation: 'get_producers',
    body: /^\{"(unknown_field|json)":(1|true)\}$/,
    ours: INVALID,
  },
  {
    reason: REQUIRED,
    source: 'specification 4.2: json: boolean',
    operation: 'get_scheduled_transactions',
    body: /^\{"unknown_field":1\}$/,
    ours: INVALID,
  },
  {
    reason: REQUIRED,
    source: 'specification 4.2: transaction, available_keys (both required)',
    operation: 'get_required_keys',
    body: /^\{"(unknown_field|available_keys)":/,
    ours: INVALID,
  },
  {
    reason: REQUIRED,
    source: 'specification 2.3: expiration and others',
    operation: 'get_required_keys',
    body: /^\{"transaction":\{\},/,
    ours: INVALID,
  },
  {
    reason: REQUIRED,
    source: 'specification 2.2: an action has at least its account and its name',
    operation: 'get_transaction_id',
    body: /^\{"actions":\[\{\}\]\}$/,
    ours: /^400 .*"Transaction contains invalid or empty action"/,
  },
  {
    reason: 'A block without any field is not a block; the reference says yes and drops it.',
    source: 'plugins/chain_plugin/chain_plugin.cpp read_write::push_block',
    operation: 'push_block',
    body: /^\{"unknown_field":1\}$/,
    ours: INVALID,
  },
  {
    reason: REQUIRED,
    source: 'specification 4.1: block_num: integer (required)',
    operation: 'pause_at_block',
    body: /^\{"unknown_field":1\}$/,
    ours: INVALID,
  },
  {
    reason: REQUIRED,
    source: 'specification 4.1: snapshot_request_id: integer (required)',
    operation: 'unschedule_snapshot',
    body: /^\{"unknown_field":1\}$/,
    ours: INVALID,
  },
  {
    reason: `${REQUIRED} A misspelt field would clear what is scheduled.`,
    source: 'specification 4.1: {schedule: {protocol_features_to_activate: Sha256[]}}',
    operation: 'schedule_protocol_feature_activations',
    body: /^\{"unknown_field":1\}$/,
    ours: INVALID,
  },
  {
    reason: NO_NUMBER,
    source: 'specification 2.1: WholeNumber; 4.2: block_num: integer',
    operation: 'get_block_info',
    body: /"block_num":(true|1\.5|-1|null)/,
    ours: INVALID,
  },
  {
    reason: NO_NUMBER,
    source: 'specification 4.1: integers',
    operation: /^(pause_at_block|schedule_snapshot|unschedule_snapshot)$/,
    body: /:-1\}$/,
    ours: INVALID,
  },
  {
    reason: 'A flag is not a scope.',
    source: 'specification 4.2: scope is a string',
    operation: 'get_table_rows',
    body: /"scope":true/,
    ours: INVALID,
  },
  {
    reason: 'The specification asks for a digest; the reference ignores other texts.',
    source: 'specification 4.1: lower_bound?: Sha256',
    operation: 'get_unapplied_transactions',
    body: /"lower_bound":"zz"/,
    ours: INVALID,
  },
  {
    reason: 'All fields are optional, so an absent body is one without fields.',
    source: 'specification 4.1: get_account_ram_corrections',
    operation: 'get_account_ram_corrections',
    body: /^(\{\})?$/,
    ours: /^201 \{"rows":\[/,
  },
  {
    reason: 'The specification takes numbers as bounds, the reference names alone.',
    source: 'specification 4.1: lower_bound?: integer',
    operation: 'get_account_ram_corrections',
    body: /"lower_bound":1\}/,
    ours: /^201 \{"rows":\[/,
  },
  {
    reason: 'The field is optional, so an absent body is one without it.',
    source: 'specification 4.2: {account_name?: string}',
    operation: 'get_code_hash',
    body: /^(\{\})?$/,
    ours: /^400 .*"account_query_exception"/,
  },
  {
    reason: 'The specification has action names in this list; the reference takes pairs alone.',
    source: 'specification 2.10: action_blacklist',
    operation: 'set_whitelist_blacklist',
    body: /^\{"action_blacklist":\["alice"\]\}$/,
    ours: /^201 \{"result":"ok"\}/,
  },
  {
    reason: 'A read-only transaction needs no signatures; the reference asks for an empty list.',
    source: 'specification 4.2: {transaction: {compression, packed_context_free_data, packed_trx}}',
    operation: 'send_read_only_transaction',
    body: /^\{"transaction":\{"packed_trx":"odd"\}\}$/,
    ours: /^500 .*"Missing compression"/,
  },
  {
    reason: 'The reference looks at the first of no transactions, and says that it is not there.',
    source: 'plugins/chain_plugin/chain_plugin.cpp push_recurse',
    operation: 'push_transactions',
    body: /^\[\]$/,
    ours: /^202 \[\]/,
  },
  {
    reason: 'The reference does not take a quadruple in the form in which its rows print it.',
    source: 'openapi.yaml',
    operation: 'get_table_rows',
    body: /"key_type":"float128","(lower|upper)_bound":"0x/,
    ours: /^200 /,
  },
  {
    reason: 'The limit of the reference counts tables that it looks at and does not answer.',
    source: 'AntelopeIO/spring issue 615, AntelopeIO/leap issue 608',
    operation: 'get_table_by_scope',
    body: /"table":"points"/,
    ours: /^200 .*"scope":"\.+(1s5|mh)","table":"points","payer":"probe","count":1\}\],"more":"/,
  },
  {
    reason:
      'A page of the reference that ends within a scope is followed by one that repeats rows.',
    source: 'AntelopeIO/spring issue 615',
    operation: 'get_table_by_scope',
    body: /"lower_bound":"r1","limit":3/,
    ours: /^200 .*"more":"r2:tb"/,
  },
  {
    reason: 'This node has operations of its own, and of plugins that the recorded node had not.',
    source: 'openapi.yaml',
    operation: 'get_supported_apis',
    ours: /^200 \{"apis":\[.*"\/v1\/db_size\/get",.*"\/v1\/node\/get_health",.*\]\}/,
  },
  {
    reason: 'A symbol with its precision is taken for its code; the reference finds nothing.',
    source: 'specification 2.1: Symbol; 4.2: symbol?',
    operation: 'get_currency_balance',
    body: /"symbol":"4,SYS"/,
    ours: /^200 \["30.0015 SYS"\]/,
  },
]

/** Fields that the reference lacks: the specification names them, or docs/differences.md. */
export const ADDED_FIELDS: { readonly [operation: string]: readonly string[] } = {
  get_code: ['name'],
  get_table_rows: ['next_page'],
  get_runtime_options: [
    'produce_time_offset_us',
    'last_block_time_offset_us',
    'max_scheduled_transaction_time_per_block_ms',
    'incoming_defer_ratio',
  ],
}

/** The same for the recorded answers of the trace API. */
export const TRACE_REASONS: readonly Reason[] = [
  {
    reason: 'A body that cannot be read, and one without fields, are refused alike everywhere.',
    source: 'openapi.yaml',
    operation: /^get_(block|transaction_trace)$/,
    body: /^(\{\}?)?$/,
    ours: /^400 .*"(Unable to parse valid input from POST body|A Request body is required)"/,
  },
]

/** The reason why an answer differs, if there is one. */
export function reasonFor(
  { path, body }: Pick<Exchange, 'path' | 'body'>,
  { ours }: Pick<Difference, 'ours'>,
  reasons = REASONS,
): Reason | undefined {
  const name = operationOf(path)
  return reasons.find(({ operation, body: pattern, ours: expected }) => {
    const same = typeof operation === 'string' ? operation === name : operation.test(name)
    return same && (pattern?.test(body ?? '') ?? true) && expected.test(ours)
  })
}
