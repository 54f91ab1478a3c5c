import type { Body } from '../contract.ts'
import type { Json } from '../abi/json.ts'
import { check } from '../errors.ts'
import { toHex } from '../protocol/hex.ts'
import { nameToString } from '../protocol/name.ts'
import { packedAbiOf, requiredAbi, tableIndexType } from './contract_abi.ts'
import { nameKeyFromText, uint64FromText } from './key_text.ts'
import type { IndexWalk } from './next_page.ts'
import { placeFromText, placeToText } from './next_page.ts'
import { parseParams } from './params.ts'
import type { StateChain, QueryOptions } from './query.ts'
import { MAX_PAGE_BYTES, MAX_ROWS, MAX_WALKED_ROWS, abisOf, defaultOptions } from './query.ts'
import type { SecondaryBound, SecondaryKeys } from './secondary_keys.ts'
import { boundFromPage, excludeEachOther, secondaryKeys } from './secondary_keys.ts'
import { tableIndex } from './table_index.ts'

/** A page of rows: JSON or hex, or `{data, payer}` with it. */
export interface TableRowsJson {
  rows: Json[]
  more: boolean
  next_key: string
  /** Absent at the end. */
  next_page?: string
}

interface TableRowsParams {
  json: boolean
  code: bigint
  scope: string
  table: bigint
  lower_bound: string
  upper_bound: string
  limit: number
  key_type: string
  index_position: string
  encode_type: string
  reverse: boolean
  show_payer: boolean
  next_page: string
}

/** A row that was found: its number in `key_value`, its bytes, who pays for what was walked over. */
interface FoundRow {
  row: number
  size: number
  payer: bigint
}

interface Page {
  rows: FoundRow[]
  /** The first row not returned; undefined at the end. */
  next: NextRow | undefined
}

/** The first row of the next page: its key alone, and its exact position. */
interface NextRow {
  next_key: string
  next_page: string
}

const NOTHING: Page = { rows: [], next: undefined }

/**
 * Rows of a contract's table, by the primary or a secondary index. A page holds up to `limit` rows
 * (1000 rows and some megabytes at most). `next_key` is the key of the first row that is not in it, as
 * the reference prints it. `next_page` is the place of that row: the same request with it gets
 * the next page, also among rows of one secondary key.
 * spring: read_only::get_table_rows
 * @throws ChainError invalid_http_request for a `next_page` of another request
 */
export function getTableRows(
  chain: StateChain,
  params: Body<'get_table_rows'>,
  options: QueryOptions = defaultOptions(),
): TableRowsJson {
  const p = tableRowsParams(params)
  const packed = packedAbiOf(chain, p.code)
  const index = tableIndex(p.table, p.index_position)
  let page: Page | undefined
  if (index.primary) {
    const type = tableIndexType(abisOf(chain).def(packed), p.table)
    const usable = type === 'i64' || p.key_type === 'i64' || p.key_type === 'name'
    check(usable, 'contract_table_query_exception', () => `Invalid table type ${type}`)
    page = primaryPage(chain, p)
  } else {
    check(
      p.key_type !== '',
      'contract_table_query_exception',
      'key type required for non-primary index',
    )
    const keys = secondaryKeys(p.key_type, p.encode_type)
    page = secondaryPage(chain, p, index.index_table, keys as SecondaryKeys<bigint>)
  }
  if (!page) return { rows: [], more: false, next_key: '' }
  const abi = requiredAbi(chain, packed)
  const type = abi.tableType(p.table) ?? ''
  const rows = page.rows.map(({ row, payer }) => {
    const bytes = chain.db.key_value.value(row)
    const data: Json = p.json ? abi.decode(type, bytes, options) : toHex(bytes)
    return p.show_payer ? { data, payer: nameToString(payer) } : data
  })
  return page.next ? { rows, more: true, ...page.next } : { rows, more: false, next_key: '' }
}

function tableRowsParams(params: Body<'get_table_rows'>): TableRowsParams {
  return parseParams(params, (p) => ({
    json: p.bool('json'),
    code: p.name('code'),
    scope: p.string('scope'),
    table: p.name('table'),
    lower_bound: p.string('lower_bound'),
    upper_bound: p.string('upper_bound'),
    limit: Math.min(p.uint32('limit', 10), MAX_ROWS),
    key_type: p.string('key_type'),
    index_position: p.string('index_position'),
    encode_type: p.string('encode_type', 'dec'),
    reverse: p.bool('reverse'),
    show_payer: p.bool('show_payer'),
    next_page: p.string('next_page'),
    // Accepted and without effect: a page is bounded by rows, not by the clock.
    time_limit_ms: p.optionalUint32('time_limit_ms'),
    table_key: p.string('table_key'),
  }))
}

/** Undefined when the bounds exclude each other. */
function primaryPage(chain: StateChain, p: TableRowsParams): Page | undefined {
  const walk = indexWalk(p, 0, p.table)
  const from = p.next_page === '' ? undefined : placeFromText(walk, p.next_page, 0).primary
  const table = chain.db.table_id.find('by_code_scope_table', p.code, walk.scope, p.table)
  if (!table) return NOTHING
  const parse = p.key_type === 'name' ? nameKeyFromText : uint64FromText
  let lower = p.lower_bound === '' ? 0n : parse(p.lower_bound, 'lower_bound')
  let upper = p.upper_bound === '' ? 0xffffffffffffffffn : parse(p.upper_bound, 'upper_bound')
  if (p.reverse) upper = from ?? upper
  else lower = from ?? lower
  if (upper < lower) return undefined
  const rows = chain.db.key_value
  const range = {
    first: rows.lowerBound(table.id, lower),
    end: rows.upperBound(table.id, upper),
    last: () => rows.last(table.id),
    next: (row: number) => rows.next(row),
    prev: (row: number) => rows.prev(row),
  }
  return takeRows(range, p, {
    find: (row) => ({ row, size: rows.valueSize(row), payer: rows.payer(row) }),
    place: (row) => {
      const primary = rows.primary(row)
      return { next_key: String(primary), next_page: placeToText(walk, { key: '', primary }) }
    },
  })
}

/** Undefined when the bounds exclude each other. */
function secondaryPage<K extends bigint | readonly [bigint, bigint]>(
  chain: StateChain,
  p: TableRowsParams,
  index_table: bigint,
  keys: SecondaryKeys<K>,
): Page | undefined {
  const { db } = chain
  const walk = indexWalk(p, keys.kind, index_table)
  const from = p.next_page === '' ? undefined : boundFromPage(walk, p.next_page, keys)
  const table = db.table_id.find('by_code_scope_table', p.code, walk.scope, p.table)
  const index = db.table_id.find('by_code_scope_table', p.code, walk.scope, index_table)
  if (!table || !index) return NOTHING
  const bound = (text: string, what: string): SecondaryBound<K> | undefined =>
    text === '' ? undefined : { key: keys.parse(text, what) }
  let lower = bound(p.lower_bound, 'lower_bound')
  let upper = bound(p.upper_bound, 'upper_bound')
  if (p.reverse) upper = from ?? upper
  else lower = from ?? lower
  if (lower && upper && excludeEachOther(keys, lower, upper)) return undefined
  const rows = keys.table(db)
  const t_id = index.id
  const range = {
    first: lower
      ? rows.lowerBoundSecondary(t_id, lower.key, lower.primary)
      : rows.firstSecondary(t_id),
    end: upper ? rows.upperBoundSecondary(t_id, upper.key, upper.primary) : -1,
    last: () => rows.lastSecondary(t_id),
    next: (row: number) => rows.nextSecondary(row),
    prev: (row: number) => rows.prevSecondary(row),
  }
  return takeRows(range, p, {
    find: (row) => {
      const found = db.key_value.find(table.id, rows.primary(row))
      if (found < 0) return undefined
      return { row: found, size: db.key_value.valueSize(found), payer: rows.payer(row) }
    },
    place: (row) => {
      const key = rows.secondary(row)
      const place = { key: keys.toHex(key), primary: rows.primary(row) }
      return { next_key: keys.print(key), next_page: placeToText(walk, place) }
    },
  })
}

function indexWalk(p: TableRowsParams, kind: number, index_table: bigint): IndexWalk {
  const scope = uint64FromText(p.scope, 'scope')
  return { kind, code: p.code, scope, index_table, reverse: p.reverse }
}

/** Rows from `first` up to `end`, exclusive; -1 means none. */
interface Range {
  first: number
  end: number
  last: () => number
  next: (row: number) => number
  prev: (row: number) => number
}

interface RowReader {
  /** The row to answer; undefined when the index has an entry without a row. */
  find: (row: number) => FoundRow | undefined
  /** The start of the next page, if it starts with this row. */
  place: (row: number) => NextRow
}

/** Reads up to `limit` rows of a range, from its start or from its end. */
function takeRows(range: Range, p: TableRowsParams, reader: RowReader): Page {
  const rows: FoundRow[] = []
  let walked = 0
  let bytes = 0
  for (const row of p.reverse ? backward(range) : forward(range)) {
    if (rows.length >= p.limit || walked >= MAX_WALKED_ROWS || bytes >= MAX_PAGE_BYTES) {
      return { rows, next: reader.place(row) }
    }
    walked++
    const found = reader.find(row)
    if (!found) continue
    rows.push(found)
    bytes += found.size
  }
  return { rows, next: undefined }
}

function* forward({ first, end, next }: Range): Generator<number> {
  for (let row = first; row >= 0 && row !== end; row = next(row)) yield row
}

function* backward({ first, end, last, prev }: Range): Generator<number> {
  if (first < 0 || first === end) return
  for (let row = end < 0 ? last() : prev(end); row >= 0; row = prev(row)) {
    yield row
    if (row === first) return
  }
}
