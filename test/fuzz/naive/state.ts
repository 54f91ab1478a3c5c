/**
 * Contract tables as plain arrays, searched from one end to the other. Nothing of the engine is used.
 */
import { compare } from './float_arithmetic.ts'
import { FLOAT128, FLOAT64 } from './float_format.ts'

/** The primary index and the five kinds of secondary ones, by the probe's opcodes. */
export type Kind = 'i64' | 'idx64' | 'idx128' | 'idx_double' | 'idx_long_double' | 'idx256'

export interface NaiveTable {
  id: number
  code: bigint
  scope: bigint
  table: bigint
  payer: bigint
}

export interface NaiveRow {
  kind: Kind
  t_id: number
  primary: bigint
  payer: bigint
  /** Of the primary index. */
  value: Uint8Array
  /** Of the others, as a little-endian integer. */
  key: bigint
}

export interface NaiveState {
  next_id: number
  tables: NaiveTable[]
  rows: NaiveRow[]
}

export function emptyState(): NaiveState {
  return { next_id: 0, tables: [], rows: [] }
}

export function copyState({ next_id, tables, rows }: NaiveState): NaiveState {
  return { next_id, tables: tables.map((t) => ({ ...t })), rows: rows.map((r) => ({ ...r })) }
}

/** Everything that is in the tables, in an order of its own, and the order of each index, as text. */
export function describeState(state: NaiveState): string[] {
  return [...orders(state), ...describeRows(state)].sort()
}

function describeRows(state: NaiveState): string[] {
  return state.rows.map((row) => {
    const table = state.tables.find(({ id }) => id === row.t_id)!
    const content = row.kind === 'i64' ? Buffer.from(row.value).toString('hex') : row.key
    const place = [table.code, table.scope, table.table, table.payer].join('/')
    return `${place} ${row.kind} ${row.primary} ${row.payer} ${content}`
  })
}

/** Primary keys of each table's rows in the order of each secondary index. */
function orders(state: NaiveState): string[] {
  const kinds = new Set(state.rows.map(({ kind }) => kind))
  kinds.delete('i64')
  return state.tables.flatMap(({ id, code, scope, table }) =>
    [...kinds].flatMap((kind) => {
      const rows = rowsInOrder(state, kind, id).map(({ primary }) => primary)
      return rows.length > 0 ? [`${[code, scope, table].join('/')} ${kind}: ${rows.join()}`] : []
    }),
  )
}

/** Rows of a table in the order of the index. */
export function rowsInOrder({ rows }: NaiveState, kind: Kind, t_id: number): NaiveRow[] {
  return rows
    .filter((row) => row.kind === kind && row.t_id === t_id)
    .sort((a, b) => compareKeys(kind, a.key, b.key) || (a.primary < b.primary ? -1 : 1))
}

/** Of 256 bits, the 128 that come first weigh more. */
const halves = (key: bigint): bigint => (BigInt.asUintN(128, key) << 128n) | (key >> 128n)

export function compareKeys(kind: Kind, a: bigint, b: bigint): number {
  if (kind === 'i64') return 0
  if (kind === 'idx_double') return compare(a, b, FLOAT64)!
  if (kind === 'idx_long_double') return compare(a, b, FLOAT128)!
  const [x, y] = kind === 'idx256' ? [halves(a), halves(b)] : [a, b]
  return x < y ? -1 : x > y ? 1 : 0
}
