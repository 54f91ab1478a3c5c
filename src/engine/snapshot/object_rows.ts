/** Rows of object tables in the form of snapshots. Most are stored in that form. */
import assert from 'node:assert/strict'
import { Reader } from '../protocol/reader.ts'
import type { Writer } from '../protocol/writer.ts'
import * as codecs from '../state/row_codecs.ts'
import type { ObjectTableView, StateView } from '../state/state_view.ts'
import type { JsonType } from './json_type.ts'
import type { SnapshotTableName } from './row_json.ts'

/** Rows that are stored in the form of snapshots. */
export function* objectRows(
  view: StateView,
  name: SnapshotTableName,
  type: JsonType,
  out: Writer,
): Generator<JsonType> {
  const table = view.objectTable(name)
  for (let row = 0; row < table.size; row++) {
    out.raw(table.packed(row))
    yield type
  }
}

/** Transactions that have not expired: the reference removes the others before it writes. */
export function* liveTransactions(
  view: StateView,
  block_time_us: number,
  type: JsonType,
  out: Writer,
): Generator<JsonType> {
  const table = view.objectTable('transaction')
  for (let row = 0; row < table.size; row++) {
    const packed = table.packed(row)
    const { expiration } = codecs.transaction.unpack(new Reader(packed))
    if (block_time_us > expiration * 1_000_000) continue
    out.raw(packed)
    yield type
  }
}

/** Limits without their mark, which no row has after a block. */
export function* resourceLimitsRows(
  view: StateView,
  type: JsonType,
  out: Writer,
): Generator<JsonType> {
  const table = view.objectTable('resource_limits')
  for (let row = 0; row < table.size; row++) {
    const packed = table.packed(row)
    assert.equal(packed.at(-1), 0, 'no limits are pending after a block')
    out.raw(packed.subarray(0, -1))
    yield type
  }
}

/** Permissions with the name of their parent and when they were last used. */
export function* permissionRows(view: StateView, type: JsonType, out: Writer): Generator<JsonType> {
  const table = view.objectTable('permission')
  const usages = view.objectTable('permission_usage')
  for (let row = 0; row < table.size; row++) {
    const packed = new Reader(table.packed(row))
    const usage_id = uint53(packed)
    const parent = rowOf(table, uint53(packed))
    // Ids of usage and parent, owner and name: 8 bytes each.
    out.raw(table.packed(parent).subarray(24, 32))
    out.raw(packed.bytes(24))
    out.raw(usages.packed(rowOf(usages, usage_id)))
    out.raw(packed.bytes(packed.remaining()))
    yield type
  }
}

function rowOf(table: ObjectTableView, id: number): number {
  const row = table.find(id)
  assert(row >= 0, 'permissions name rows that exist')
  return row
}

function uint53(r: Reader): number {
  const low = r.u32()
  return r.u32() * 0x1_0000_0000 + low
}
