/**
 * Contract tables as plain arrays, searched from one end to the other. Nothing of the engine is used.
 */

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

/** Everything that is in the tables, in an order of its own, as text. */
export function describeState(state: NaiveState): string[] {
  return state.rows
    .map((row) => {
      const table = state.tables.find(({ id }) => id === row.t_id)!
      const content = row.kind === 'i64' ? Buffer.from(row.value).toString('hex') : row.key
      const place = [table.code, table.scope, table.table, table.payer].join('/')
      return `${place} ${row.kind} ${row.primary} ${row.payer} ${content}`
    })
    .sort()
}
