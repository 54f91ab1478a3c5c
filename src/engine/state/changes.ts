/**
 * What a session changed, packed: rows with their new bytes, removed rows, and the next ids of the
 * object tables. It is independent of the database and of row numbers, so it may wait until its
 * block is irreversible; applied in order, change sets give the state.
 */
export interface ChangeSet {
  /** Number of records in `bytes`. */
  readonly count: number
  /** Records: table u8, key length u8, key, then u32 size + 1 (0 = removed), bytes. */
  readonly bytes: Uint8Array
  /** `[table number, next id]` of every object table. */
  readonly next_ids: readonly (readonly [number, number])[]
}
