import assert from 'node:assert/strict'

/**
 * Rows of a secondary index of contract tables, by `(t_id, primary)` and by
 * `(t_id, secondary, primary)`. Rows are numbers as in KeyValueTable; -1 = no row.
 *
 * The secondary key `K` is a bigint for u64 and u128 and for the raw bits of float64 and float128,
 * and a pair of u128 for 256 bits. Floats are ordered as numbers, with -0 equal to +0.
 */
export class SecondaryTable<K extends bigint | readonly [bigint, bigint]> {
  get size(): number {
    return notBuilt()
  }

  find(_t_id: number, _primary: bigint): number {
    return notBuilt()
  }

  lowerBound(_t_id: number, _primary: bigint): number {
    return notBuilt()
  }

  upperBound(_t_id: number, _primary: bigint): number {
    return notBuilt()
  }

  first(_t_id: number): number {
    return notBuilt()
  }

  last(_t_id: number): number {
    return notBuilt()
  }

  next(_row: number): number {
    return notBuilt()
  }

  prev(_row: number): number {
    return notBuilt()
  }

  /** First row of the table with this secondary key. */
  findSecondary(_t_id: number, _secondary: K): number {
    return notBuilt()
  }

  lowerBoundSecondary(_t_id: number, _secondary: K): number {
    return notBuilt()
  }

  upperBoundSecondary(_t_id: number, _secondary: K): number {
    return notBuilt()
  }

  firstSecondary(_t_id: number): number {
    return notBuilt()
  }

  lastSecondary(_t_id: number): number {
    return notBuilt()
  }

  nextSecondary(_row: number): number {
    return notBuilt()
  }

  prevSecondary(_row: number): number {
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

  secondary(_row: number): K {
    return notBuilt()
  }

  insert(_t_id: number, _primary: bigint, _payer: bigint, _secondary: K): number {
    return notBuilt()
  }

  update(_row: number, _payer: bigint, _secondary: K): void {
    notBuilt()
  }

  remove(_row: number): void {
    notBuilt()
  }
}

function notBuilt(): never {
  return assert.fail('the state is not built yet')
}
