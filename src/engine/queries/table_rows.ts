import type { Json } from '../abi/json.ts'
import { check } from '../errors.ts'
import { toHex } from '../protocol/hex.ts'
import { nameToString } from '../protocol/name.ts'
import { packedAbiOf, requiredAbi, tableIndexType } from './contract_abi.ts'
import { nameKeyFromText, nameKeyToText, uint64FromText } from './key_text.ts'
import { parseParams } from './params.ts'
import type { QueryChain, QueryOptions } from './query.ts'
import { MAX_PAGE_BYTES, MAX_ROWS, MAX_WALKED_ROWS, abisOf, defaultOptions } from './query.ts'
import type { SecondaryKeys } from './secondary_keys.ts'
import { excludeEachOther, secondaryBound, secondaryKeys } from './secondary_keys.ts'
import { tableIndex } from './table_index.ts'

/** A page of rows: JSON or hex, or `{data, payer}` with it. */
export interface TableRowsJson {
  rows: Json[]
  more: boolean
  next_key: string
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
}

/** A row that was found: its number in `key_value`, its bytes, who pays for what was walked over. */
interface FoundRow {
  row: number
  size: number
  payer: bigint
}

interface Page {
  rows: FoundRow[]
  /** The key of the first row not returned; undefined at the end. */
  next_key: string | undefined
}

const NOTHING: Page = { rows: [], next_key: undefined }

/**
 * Rows of a contract's table, by the primary or a secondary index. A page holds up to `limit` rows
 * (1000 rows and some megabytes at most); `next_key` is the first row that is not in it, in the form
 * that the request's bounds have: the next page's `lower_bound`, or its `upper_bound` when reading in
 * reverse. Where a page ends among rows of one secondary key, the primary key follows: `key:primary`.
 * spring: read_only::get_table_rows
 */
export function getTableRows(
  chain: QueryChain,
  params: unknown,
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
  return { rows, more: page.next_key !== undefined, next_key: page.next_key ?? '' }
}

function tableRowsParams(params: unknown): TableRowsParams {
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
    // Accepted and without effect: a page is bounded by rows, not by the clock.
    time_limit_ms: p.optionalUint32('time_limit_ms'),
    table_key: p.string('table_key'),
  }))
}

/** Undefined when the bounds exclude each other. */
function primaryPage(chain: QueryChain, p: TableRowsParams): Page | undefined {
  const scope = uint64FromText(p.scope, 'scope')
  const table = chain.db.table_id.find('by_code_scope_table', p.code, scope, p.table)
  if (!table) return NOTHING
  const [parse, print] =
    p.key_type === 'name' ? [nameKeyFromText, nameKeyToText] : [uint64FromText, String]
  const lower = p.lower_bound === '' ? 0n : parse(p.lower_bound, 'lower_bound')
  const upper = p.upper_bound === '' ? 0xffffffffffffffffn : parse(p.upper_bound, 'upper_bound')
  if (upper < lower) return undefined
  const rows = chain.db.key_value
  const range = {
    first: rows.lowerBound(table.id, lower),
    end: rows.upperBound(table.id, upper),
    last: () => rows.last(table.id),
    next: (row: number) => rows.next(row),
    prev: (row: number) => rows.prev(row),
  }
  return walk(range, p, {
    find: (row) => ({ row, size: rows.valueSize(row), payer: rows.payer(row) }),
    key: (row) => print(rows.primary(row)),
  })
}

/** Undefined when the bounds exclude each other. */
function secondaryPage<K extends bigint | readonly [bigint, bigint]>(
  chain: QueryChain,
  p: TableRowsParams,
  index_table: bigint,
  keys: SecondaryKeys<K>,
): Page | undefined {
  const { db } = chain
  const scope = uint64FromText(p.scope, 'scope')
  const table = db.table_id.find('by_code_scope_table', p.code, scope, p.table)
  const index = db.table_id.find('by_code_scope_table', p.code, scope, index_table)
  if (!table || !index) return NOTHING
  const bound = (text: string, what: string) =>
    text === '' ? undefined : secondaryBound(keys, text, what)
  const lower = bound(p.lower_bound, 'lower_bound')
  const upper = bound(p.upper_bound, 'upper_bound')
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
  return walk(range, p, {
    find: (row) => {
      const found = db.key_value.find(table.id, rows.primary(row))
      if (found < 0) return undefined
      return { row: found, size: db.key_value.valueSize(found), payer: rows.payer(row) }
    },
    key: (row, last) => {
      const key = rows.secondary(row)
      const within = last >= 0 && keys.compare(rows.secondary(last), key) === 0
      return within ? `${keys.print(key)}:${rows.primary(row)}` : keys.print(key)
    },
  })
}

/** Rows from `first` up to and without `end`; -1 where there is none. */
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
  /** Where to go on with `row`, after the row `last` was the last of this page (-1: none was). */
  key: (row: number, last: number) => string
}

/** Takes up to `limit` rows of a range, from its begin or from its end. */
function walk(range: Range, p: TableRowsParams, reader: RowReader): Page {
  const rows: FoundRow[] = []
  let walked = 0
  let bytes = 0
  let last = -1
  for (const row of p.reverse ? backward(range) : forward(range)) {
    if (rows.length >= p.limit || walked >= MAX_WALKED_ROWS || bytes >= MAX_PAGE_BYTES) {
      return { rows, next_key: reader.key(row, last) }
    }
    walked++
    last = row
    const found = reader.find(row)
    if (!found) continue
    rows.push(found)
    bytes += found.size
  }
  return { rows, next_key: undefined }
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
