/**
 * The changes of a session to the rows of the database, read from the undo journal before the
 * session is undone or made final. Each row occurs once, with its content before the session and
 * its current content.
 */
import { MAX_KEY } from './changes.ts'
import type { ChangeSource } from './changes.ts'
import type { TableName } from './tables.ts'

/** A table as a source of deltas. */
export interface DeltaSource extends ChangeSource {
  readonly name: TableName
  readonly table: ChangeSource['table'] & {
    stored(row: number): Uint8Array
    storedIn(block: number): Uint8Array
  }
}

/**
 * A row that was created (`old_row` is undefined), changed, or removed (`row` is undefined). A
 * contract's row that was removed and inserted again with its key is two deltas in this order.
 */
export interface RowDelta {
  readonly table: TableName
  /** Key of the row as the store has it: the id of an object (u64), or t_id (u32) and primary key (u64)
   *  of a contract's row; big end first. */
  readonly key: Uint8Array
  /** Packed bytes as the store has them. A view that ends with the next write to the database. */
  readonly row: Uint8Array | undefined
  /** The same, with the content before the session. */
  readonly old_row: Uint8Array | undefined
}

/**
 * The delta of a row that a session touched; undefined where the session created the row and removed it.
 * @param old_block of the row's content before the session; undefined where there was no row
 */
export function rowDelta(
  source: DeltaSource,
  row: number,
  old_block: number | undefined,
): RowDelta | undefined {
  const { name, table } = source
  const exists = table.rows.has(row)
  if (!exists && old_block === undefined) return undefined
  const key = new Uint8Array(MAX_KEY)
  const size = table.storedKey(row, key, 0)
  return {
    table: name,
    key: key.subarray(0, size),
    row: exists ? table.stored(row) : undefined,
    old_row: old_block === undefined ? undefined : table.storedIn(old_block),
  }
}
