import { SYSTEM_ACCOUNT } from '../protocol/constants.ts'
import type { Body } from '../contract.ts'
import { doubleToText } from '../abi/number_text.ts'
import { asDouble, asString, isObject } from '../abi/lenient_json.ts'
import { ChainError, check, fail } from '../errors.ts'
import { publicKeyToString } from '../protocol/key.ts'
import { toHex } from '../protocol/hex.ts'
import { N, nameFromString, nameToString } from '../protocol/name.ts'
import type { ProducerAuthority, ProducerAuthoritySchedule } from '../protocol/schedule.ts'
import { packedAbiOf, requiredAbi, tableIndexType } from './contract_abi.ts'
import { parseParams } from './params.ts'
import { blockSigningAuthorityToJson, producerAuthorityScheduleToJson } from '../json/protocol.ts'
import type { QueryChain, QueryOptions } from './query.ts'
import { MAX_ROWS, abisOf, defaultOptions } from './query.ts'
import { rowBytes } from './system_tables.ts'

const PRODUCERS = N('producers')
const GLOBAL = N('global')

/** The schedule whose producers produce now. */
function activeSchedule(chain: QueryChain): ProducerAuthoritySchedule {
  return (chain.pending ?? chain.head).active_schedule
}

/** The pending schedule. If there is none, it is empty; under Savanna it is undefined. */
function pendingSchedule(chain: QueryChain): ProducerAuthoritySchedule | undefined {
  return (chain.pending ?? chain.head).pending_schedule
}

/** Active, pending and proposed schedules; those that do not exist are null. */
export function getProducerSchedule(chain: QueryChain) {
  const { proposed_schedule } = chain.db.global_property.single()
  const pending = pendingSchedule(chain)
  return {
    active: producerAuthorityScheduleToJson(activeSchedule(chain)),
    pending: pending ? producerAuthorityScheduleToJson(pending) : null,
    proposed:
      proposed_schedule.producers.length > 0
        ? producerAuthorityScheduleToJson(proposed_schedule)
        : null,
  }
}

/** A producer: the row of the system contract, or the data of the schedule. */
export interface ProducerRowJson {
  owner: string
  [field: string]: unknown
}

/** Producers as JSON, or as hex of their rows. */
export interface ProducersJson {
  rows: (ProducerRowJson | string)[]
  /** A double. */
  total_producer_vote_weight: string
  /** Owner of the first row not returned; empty at the end. */
  more: string
}

interface ProducersParams {
  json: boolean
  lower_bound: unknown
  limit: number
}

/**
 * The producers in the table of the system contract, by votes; those of the active schedule if
 * there is no such contract. spring: read_only::get_producers
 */
export function getProducers(
  chain: QueryChain,
  params: Body<'get_producers'>,
  options: QueryOptions = defaultOptions(),
): ProducersJson {
  const p = parseParams(params, (fields) => ({
    json: fields.bool('json'),
    // Checked here and read below: invalid rows make the answer the active schedule.
    lower_bound: (fields.string('lower_bound'), fields.raw('lower_bound')),
    limit: Math.min(fields.uint32('limit', 50), MAX_ROWS),
    time_limit_ms: fields.optionalUint32('time_limit_ms'),
  }))
  try {
    return producersOfContract(chain, p, options)
  } catch (error) {
    // The reference answers the active schedule after any error.
    if (error instanceof ChainError) return producersOfSchedule(chain)
    throw error
  }
}

/** A producer's name. A number is its decimal text, but 0 is the start. */
function lowerBound(value: unknown): bigint {
  const text = asString(value)
  return text === '' || value === 0 ? 0n : nameFromString(text)
}

function producersOfContract(
  chain: QueryChain,
  p: ProducersParams,
  options: QueryOptions,
): ProducersJson {
  const packed = packedAbiOf(chain, SYSTEM_ACCOUNT)
  const type = tableIndexType(abisOf(chain).def(packed), PRODUCERS)
  const abi = requiredAbi(chain, packed)
  check(
    type === 'i64',
    'contract_table_query_exception',
    () => `Invalid table type ${type} for table producers`,
  )
  const { db } = chain
  const table = db.table_id.find('by_code_scope_table', SYSTEM_ACCOUNT, SYSTEM_ACCOUNT, PRODUCERS)
  check(table, 'contract_table_query_exception', 'Missing producers table')
  const votes = db.index_double
  const lower = lowerBound(p.lower_bound)
  // The by-votes index is the table's first one, and so has the table's own name.
  let row = lower === 0n ? votes.firstSecondary(table.id) : votes.lowerBound(table.id, lower)
  const row_type = abi.tableType(PRODUCERS) ?? ''
  const rows: ProducersJson['rows'] = []
  for (; row >= 0 && rows.length < p.limit; row = votes.nextSecondary(row)) {
    const found = db.key_value.find(table.id, votes.primary(row))
    check(found >= 0, 'contract_table_query_exception', 'Missing row in table producers')
    const bytes = db.key_value.value(found)
    rows.push(p.json ? producerRow(abi.decode(row_type, bytes, options)) : toHex(bytes))
  }
  return {
    rows,
    total_producer_vote_weight: totalVoteWeight(chain, packed, options),
    more: row >= 0 ? nameToString(votes.primary(row)) : '',
  }
}

function producerRow(row: unknown): ProducerRowJson {
  const named = isObject(row) && typeof row['owner'] === 'string'
  check(named, 'contract_table_query_exception', 'Rows of table producers have no owner')
  return row as ProducerRowJson
}

function totalVoteWeight(chain: QueryChain, packed: Uint8Array, options: QueryOptions): string {
  const type = tableIndexType(abisOf(chain).def(packed), GLOBAL)
  check(
    type === 'i64',
    'contract_table_query_exception',
    () => `Invalid table type ${type} for table global`,
  )
  const bytes = rowBytes(chain, SYSTEM_ACCOUNT, SYSTEM_ACCOUNT, GLOBAL, GLOBAL)
  check(bytes, 'contract_table_query_exception', 'Missing row in table global')
  const abi = requiredAbi(chain, packed)
  const row = abi.decode(abi.tableType(GLOBAL) ?? '', bytes, options)
  if (!isObject(row) || !Object.hasOwn(row, 'total_producer_vote_weight')) {
    return fail('key_not_found_exception', 'Key total_producer_vote_weight')
  }
  return doubleToText(asDouble(row['total_producer_vote_weight']))
}

function producersOfSchedule(chain: QueryChain): ProducersJson {
  return {
    rows: activeSchedule(chain).producers.map(scheduledProducerToJson),
    total_producer_vote_weight: doubleToText(0),
    more: '',
  }
}

function scheduledProducerToJson({ producer_name, authority }: ProducerAuthority): ProducerRowJson {
  const row: ProducerRowJson = {
    owner: nameToString(producer_name),
    producer_authority: blockSigningAuthorityToJson(authority),
    url: '',
    total_votes: doubleToText(0),
  }
  const { keys, threshold } = authority[1]
  const only = keys[0]
  // A single key that decides alone is what old schedules held.
  if (only && keys.length === 1 && only.weight === threshold) {
    row.producer_key = publicKeyToString(only.key)
  }
  return row
}
