import assert from 'node:assert/strict'

/**
 * Rows of contract tables (`key_value`), by `(t_id, primary)`. A row is a number; it stays valid
 * until the row is removed, and undo brings the same number back. -1 = no row.
 */
export class KeyValueTable {
  get size(): number {
    return notBuilt()
  }

  find(_t_id: number, _primary: bigint): number {
    return notBuilt()
  }

  /** First row of table `t_id` whose primary key is not below `primary`. */
  lowerBound(_t_id: number, _primary: bigint): number {
    return notBuilt()
  }

  /** First row of table `t_id` whose primary key is above `primary`. */
  upperBound(_t_id: number, _primary: bigint): number {
    return notBuilt()
  }

  first(_t_id: number): number {
    return notBuilt()
  }

  last(_t_id: number): number {
    return notBuilt()
  }

  /** The next row of the same table. */
  next(_row: number): number {
    return notBuilt()
  }

  /** The previous row of the same table. */
  prev(_row: number): number {
    return notBuilt()
  }

  t_id(_row: number): number {
    return notBuilt()
  }

  primary(_row: number): bigint {
    return notBuilt()
  }

  payer(_row: number): bigint {
    return notBuilt()
  }

  /** A view, valid until the next write to the database. */
  value(_row: number): Uint8Array {
    return notBuilt()
  }

  valueSize(_row: number): number {
    return notBuilt()
  }

  /** Adds a row; the key must be new. */
  insert(_t_id: number, _primary: bigint, _payer: bigint, _value: Uint8Array): number {
    return notBuilt()
  }

  update(_row: number, _payer: bigint, _value: Uint8Array): void {
    notBuilt()
  }

  remove(_row: number): void {
    notBuilt()
  }
}

function notBuilt(): never {
  return assert.fail('the state is not built yet')
}
