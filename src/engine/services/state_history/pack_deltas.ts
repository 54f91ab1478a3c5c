/**
 * The changed rows of a block, or all rows of a state, as state history has them.
 * spring: libraries/state_history/create_deltas.cpp
 *
 * Within a table the order is that of the reference's undo sessions: changed rows, the one that was touched
 * last first; removed rows, the last one first; new rows in the order of their creation.
 */
import assert from 'node:assert/strict'
import type { Database } from '../../state/database.ts'
import type { RowDelta } from '../../state/row_deltas.ts'
import type { TableName } from '../../state/tables.ts'
import { Writer } from '../../protocol/writer.ts'
import * as forms from './pack_rows.ts'
import type { HistoryTable, RowContext } from './pack_rows.ts'

/** The tables in the order of the deltas: name, table of the state, and form of the rows. */
const TABLES: readonly (readonly [name: string, table: TableName, form: HistoryTable])[] = [
  ['account', 'account', forms.ACCOUNT],
  ['account_metadata', 'account_metadata', forms.ACCOUNT_METADATA],
  ['code', 'code', forms.CODE],
  ['contract_table', 'table_id', forms.CONTRACT_TABLE],
  ['contract_row', 'key_value', forms.CONTRACT_ROW],
  ['contract_index64', 'index64', forms.CONTRACT_INDEX],
  ['contract_index128', 'index128', forms.CONTRACT_INDEX],
  ['contract_index256', 'index256', forms.CONTRACT_INDEX256],
  ['contract_index_double', 'index_double', forms.CONTRACT_INDEX],
  ['contract_index_long_double', 'index_long_double', forms.CONTRACT_INDEX],
  ['global_property', 'global_property', forms.GLOBAL_PROPERTY],
  ['generated_transaction', 'generated_transaction', forms.GENERATED_TRANSACTION],
  ['protocol_state', 'protocol_state', forms.PROTOCOL_STATE],
  ['permission', 'permission', forms.PERMISSION],
  ['permission_link', 'permission_link', forms.PERMISSION_LINK],
  ['resource_limits', 'resource_limits', forms.RESOURCE_LIMITS],
  ['resource_usage', 'resource_usage', forms.RESOURCE_USAGE],
  ['resource_limits_state', 'resource_limits_state', forms.RESOURCE_LIMITS_STATE],
  ['resource_limits_config', 'resource_limits_config', forms.RESOURCE_LIMITS_CONFIG],
]

const FORMS = new Map(TABLES.map(([, table, form]) => [table, form]))

/** The tables of the state whose rows are part of the deltas. */
export const HISTORY_TABLES: ReadonlySet<TableName> = new Set(FORMS.keys())

/** The rows of one table that a block changed, removed and created, each in the order of the changes. */
interface TableChanges {
  readonly changed: RowDelta[]
  readonly removed: RowDelta[]
  readonly created: RowDelta[]
}

/** A writer for one row, whose length precedes it. */
const row_writer = new Writer(4096)

/** Writes the changes of a block. Only tables with changes are named. */
export function packDeltas(w: Writer, db: Database, deltas: Iterable<RowDelta>): void {
  const by_table = new Map<TableName, TableChanges>()
  for (const delta of deltas) add(by_table, delta)
  const context = contextOf(db, by_table)
  w.varuint32(by_table.size)
  for (const [name, table, form] of TABLES) {
    const found = by_table.get(table)
    if (!found) continue
    const { changed, removed, created } = found
    packHead(w, name, changed.length + removed.length + created.length)
    for (const delta of [...changed.reverse(), ...removed.reverse(), ...created]) {
      packRow(w, form, delta, context)
    }
  }
}

/** Writes all rows of a state as created. Object rows are in the order of their ids, contracts' rows in the
 *  order of tables and primary keys. */
export function packWholeState(w: Writer, db: Database): void {
  const context = contextOf(db, new Map())
  const filled = TABLES.filter(([, table]) => db[table].size > 0)
  w.varuint32(filled.length)
  for (const [name, table, form] of filled) {
    packHead(w, name, db[table].size)
    for (const row of db.rowsOf(table)) packRow(w, form, row, context)
  }
}

function add(by_table: Map<TableName, TableChanges>, delta: RowDelta): void {
  const { table, row, old_row } = delta
  const form = FORMS.get(table)
  if (!form) return
  if (row && old_row && form.differs?.(old_row, row) === false) return
  let changes = by_table.get(table)
  if (!changes) by_table.set(table, (changes = { changed: [], removed: [], created: [] }))
  if (!row) changes.removed.push(delta)
  else if (!old_row) changes.created.push(delta)
  else changes.changed.push(delta)
}

function packHead(w: Writer, name: string, count: number): void {
  w.varuint32(0)
  w.string(name)
  w.varuint32(count)
}

function packRow(w: Writer, form: HistoryTable, delta: RowDelta, context: RowContext): void {
  row_writer.reset()
  form.pack(row_writer, (delta.row ?? delta.old_row)!, delta.key, context)
  w.bool(delta.row !== undefined)
  w.varuint32(row_writer.length)
  w.raw(row_writer.view())
}

function contextOf(db: Database, by_table: ReadonlyMap<TableName, TableChanges>): RowContext {
  const removed_tables = new Map<number, Uint8Array>()
  for (const { key, old_row } of by_table.get('table_id')?.removed ?? []) {
    removed_tables.set(idOf(key), old_row!.subarray(0, 24))
  }
  const tables = new Map<number, Uint8Array>()
  return {
    tableOf(t_id) {
      const known = tables.get(t_id) ?? removed_tables.get(t_id)
      if (known) return known
      const w = new Writer(24)
      const { code, scope, table } = db.table_id.getById(t_id)
      for (const name of [code, scope, table]) w.u64(name)
      const bytes = w.view()
      tables.set(t_id, bytes)
      return bytes
    },
    permissionName(id) {
      const row = db.permission.byId(id)
      if (row) return row.name
      const found = by_table.get('permission')?.removed.find(({ key }) => idOf(key) === id)
      assert(found, `there is no permission ${id}`)
      return new DataView(found.old_row!.buffer, found.old_row!.byteOffset).getBigUint64(24, true)
    },
  }
}

/** The id in an object's stored key. */
function idOf(key: Uint8Array): number {
  const view = new DataView(key.buffer, key.byteOffset, key.byteLength)
  return view.getUint32(0) * 0x1_0000_0000 + view.getUint32(4)
}
