import assert from 'node:assert/strict'
import type { Writer } from '../protocol/writer.ts'
import type { StateView } from '../state/state_view.ts'
import type { ContractTableName } from '../state/tables.ts'
import type { JsonType } from './json_type.ts'

/** Bytes of primary key and payer, before the content of a row. */
const ROW_HEAD = 16

/**
 * Rows of a contract table or index: for each table that has any, the number of the table, how many
 * rows follow, and they in the order of their primary keys. The number of a table is its place among
 * the tables, which is its id after the snapshot is read.
 * spring: libraries/chain/controller.cpp (add_contract_rows_to_snapshot)
 */
export function* contractRows(
  view: StateView,
  name: ContractTableName,
  types: { number: JsonType; count: JsonType; row: JsonType },
  out: Writer,
): Generator<JsonType> {
  const tables = view.objectTable('table_id')
  const rows = view.contractTable(name)
  const has_length = name === 'key_value'
  let row = 0
  for (let number = 0; number < tables.size && row < rows.size; number++) {
    const id = tables.id(number)
    let end = row
    while (end < rows.size && rows.t_id(end) === id) end++
    if (end === row) continue
    out.u64(BigInt(number))
    yield types.number
    out.varuint32(end - row)
    yield types.count
    for (; row < end; row++) {
      const stored = rows.stored(row)
      if (has_length) {
        out.raw(stored.subarray(0, ROW_HEAD))
        out.varuint32(stored.length - ROW_HEAD)
        out.raw(stored.subarray(ROW_HEAD))
      } else {
        out.raw(stored)
      }
      yield types.row
    }
  }
  assert.equal(row, rows.size, 'every row belongs to a table')
}
