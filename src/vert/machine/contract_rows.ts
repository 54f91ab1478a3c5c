/** All rows of contracts at once: removed, saved, restored. RAM is not counted. */
import type { Database } from '../../engine/state/database.ts'
import type { TableId } from '../../engine/state/rows.ts'
import type { SecondaryKey } from '../../engine/state/secondary_kind.ts'
import type { SecondaryTable } from '../../engine/state/secondary_table.ts'

/** The secondary tables of the state. */
export const SECONDARY = [
  'index64',
  'index128',
  'index256',
  'index_double',
  'index_long_double',
] as const

/** A secondary table. */
export type SecondaryName = (typeof SECONDARY)[number]

interface SavedRow {
  t_id: number
  primary: bigint
  payer: bigint
}

/** The rows of all contract tables. */
export interface SavedRows {
  tables: (TableId & { id: number })[]
  rows: (SavedRow & { value: Uint8Array })[]
  secondary: Record<SecondaryName, (SavedRow & { secondary: SecondaryKey })[]>
}

/** A copy of the rows of all contracts. */
export function saveRows(db: Database): SavedRows {
  const rows = [...db.key_value.numbers()].map((row) => ({
    ...headOf(db.key_value, row),
    value: db.key_value.value(row).slice(),
  }))
  const secondary = {} as SavedRows['secondary']
  for (const name of SECONDARY) {
    const table = secondaryTable(db, name)
    secondary[name] = [...table.numbers()].map((row) => ({
      ...headOf(table, row),
      secondary: table.secondary(row),
    }))
  }
  return { tables: [...db.table_id.all()].map((row) => ({ ...row })), rows, secondary }
}

/** Replaces the rows of all contracts by saved ones. */
export function restoreRows(db: Database, saved: SavedRows): void {
  clearRows(db)
  const ids = new Map<number, number>()
  for (const { id, ...table } of saved.tables) {
    ids.set(id, db.table_id.create(table).id)
  }
  for (const { t_id, primary, payer, value } of saved.rows) {
    db.key_value.insert(ids.get(t_id)!, primary, payer, value)
  }
  for (const name of SECONDARY)
    for (const { t_id, primary, payer, secondary } of saved.secondary[name]) {
      secondaryTable(db, name).insert(ids.get(t_id)!, primary, payer, secondary)
    }
}

/** Removes all rows of contracts. */
export function clearRows(db: Database): void {
  if (db.table_id.size === 0) return
  for (const row of [...db.key_value.numbers()]) {
    db.key_value.remove(row)
  }
  for (const name of SECONDARY) {
    const table = secondaryTable(db, name)
    for (const row of [...table.numbers()]) {
      table.remove(row)
    }
  }
  for (const table of [...db.table_id.all()]) {
    db.table_id.remove(table)
  }
}

/** Writes a row of a contract's table: a new one, or another value of an old one. */
export function writeRow(
  db: Database,
  table: { code: bigint; scope: bigint; table: bigint },
  row: { primary: bigint; payer: bigint; value: Uint8Array },
): void {
  const { primary, payer, value } = row
  let tab = db.table_id.find('by_code_scope_table', table.code, table.scope, table.table)
  if (tab === undefined) {
    tab = db.table_id.create({ ...table, payer, count: 0 })
  }
  const old = db.key_value.find(tab.id, primary)
  if (old < 0) {
    db.key_value.insert(tab.id, primary, payer, value)
    db.table_id.modify(tab, (t) => void (t.count += 1))
  } else {
    db.key_value.update(old, payer, value)
  }
}

/** A secondary table by its name. */
export function secondaryTable(db: Database, name: SecondaryName): SecondaryTable<SecondaryKey> {
  return db[name] as unknown as SecondaryTable<SecondaryKey>
}

function headOf(
  table: Pick<SecondaryTable<SecondaryKey>, 't_id' | 'primary' | 'payer'>,
  row: number,
): SavedRow {
  return { t_id: table.t_id(row), primary: table.primary(row), payer: table.payer(row) }
}
