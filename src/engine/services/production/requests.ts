/**
 * Requests of the producer group, read as leniently as the reference reads them, in their flat and
 * their wrapped forms.
 */
import type { Body, FieldOf } from '../../contract.ts'
import { asArray, asBool, asString, asUint64, strictString } from '../../abi/lenient_json.ts'
import { parseLists, type GivenLists } from './lists.ts'
import type { RamCorrectionsQuery, UnappliedQuery } from './operations.ts'
import type { RuntimeOptionsUpdate } from './runtime_options.ts'
import { fromHex } from '../../protocol/hex.ts'
import { nameFromString } from '../../protocol/name.ts'
import { nameKeyFromText } from '../../queries/key_text.ts'
import { parseParams, present, signedFromJson, unwrapped } from '../../queries/params.ts'

type Lists = Body<'set_whitelist_blacklist'>

const texts = (value: unknown): string[] => asArray(value).map(strictString)

/** `{options: {…}}` or `{…}`. */
export function runtimeOptionsRequest(
  params: Body<'update_runtime_options'>,
): RuntimeOptionsUpdate {
  return parseParams(unwrapped(params, 'options'), (p) => {
    const integer = (key: keyof RuntimeOptionsUpdate) =>
      p.optional(key, (value) => signedFromJson(value, 32))
    return present<RuntimeOptionsUpdate>({
      max_transaction_time: integer('max_transaction_time'),
      max_irreversible_block_age: integer('max_irreversible_block_age'),
      produce_block_offset_ms: integer('produce_block_offset_ms'),
      produce_time_offset_us: integer('produce_time_offset_us'),
      last_block_time_offset_us: integer('last_block_time_offset_us'),
      max_scheduled_transaction_time_per_block_ms: integer(
        'max_scheduled_transaction_time_per_block_ms',
      ),
      incoming_defer_ratio: integer('incoming_defer_ratio'),
      subjective_cpu_leeway_us: integer('subjective_cpu_leeway_us'),
      greylist_limit: integer('greylist_limit'),
    })
  })
}

/** `{schedule: {protocol_features_to_activate}}` or `{protocol_features_to_activate}`. */
export function featuresRequest(
  params: Body<'schedule_protocol_feature_activations'>,
): Uint8Array[] {
  return parseParams(unwrapped(params, 'schedule'), (p) =>
    asArray(p.raw('protocol_features_to_activate')).map((digest) => fromHex(asString(digest))),
  )
}

/** `{params: {…}}` or `{…}`. */
export function supportedFeaturesRequest(params: Body<'get_supported_protocol_features'>) {
  return parseParams(unwrapped(params, 'params'), (p) => ({
    exclude_disabled: p.optional('exclude_disabled', asBool) ?? false,
    exclude_unactivatable: p.optional('exclude_unactivatable', asBool) ?? false,
  }))
}

/**
 * Reads the accounts of a greylist request.
 * @throws ChainError invalid_http_request for another form
 */
export function accountsRequest(
  params: Body<'add_greylist_accounts' | 'remove_greylist_accounts'>,
): bigint[] {
  return parseParams(params, (p) =>
    p.has('accounts') ? texts(p.raw('accounts')).map(nameFromString) : [],
  )
}

/**
 * Reads the lists of set_whitelist_blacklist; an absent list is null.
 * @throws ChainError for another form
 */
export function whitelistBlacklistRequest(params: Lists): GivenLists {
  return parseParams(params, (p) => {
    const list = (key: FieldOf<Lists>) => p.optional(key, texts) ?? null
    return parseLists({
      actor_whitelist: list('actor_whitelist'),
      actor_blacklist: list('actor_blacklist'),
      contract_whitelist: list('contract_whitelist'),
      contract_blacklist: list('contract_blacklist'),
      action_blacklist: p.optional('action_blacklist', actions) ?? null,
      key_blacklist: list('key_blacklist'),
    })
  })
}

const actions = (value: unknown) =>
  asArray(value).map((entry) => (typeof entry === 'string' ? entry : texts(entry)))

/**
 * Reads the parameters of get_unapplied_transactions.
 * @throws ChainError invalid_http_request for another form
 */
export function unappliedRequest(params: Body<'get_unapplied_transactions'>): UnappliedQuery {
  return parseParams(params, (p) =>
    present<UnappliedQuery>({
      limit: p.optionalUint32('limit'),
      lower_bound: p.optionalString('lower_bound'),
      time_limit_ms: p.optionalUint32('time_limit_ms'),
    }),
  )
}

/**
 * Reads the parameters of get_account_ram_corrections.
 * @throws ChainError invalid_http_request for another form
 */
export function ramCorrectionsRequest(
  params: Body<'get_account_ram_corrections'>,
): RamCorrectionsQuery {
  return parseParams(params, (p) =>
    present<RamCorrectionsQuery>({
      lower_bound: p.optional('lower_bound', nameOrNumber),
      upper_bound: p.optional('upper_bound', nameOrNumber),
      limit: p.optionalUint32('limit'),
      reverse: p.optional('reverse', asBool),
    }),
  )
}

/** Bounds are numbers in the specification and names in the reference. */
function nameOrNumber(value: unknown): bigint | undefined {
  if (value === '') return undefined
  return typeof value === 'string' ? nameKeyFromText(value) : asUint64(value)
}

/**
 * Reads the height in pause_at_block; 0 if absent.
 * @throws ChainError invalid_http_request for another form
 */
export function pauseAtBlockRequest(params: Body<'pause_at_block'>): number {
  return parseParams(params, (p) => p.uint32('block_num', 0))
}
