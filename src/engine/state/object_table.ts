import assert from 'node:assert/strict'
import type { KeyPrefix } from './index_key.ts'

/** A live row: the same object for the same row while a session is open. */
export type Row<T> = T & { readonly id: number }

/** Key values of each index of a table; every table has `by_id`. */
export type IndexKeys = Record<string, readonly unknown[]> & { by_id: readonly [number] }

/** A table of objects: rows by id and by unique ordered indices. */
export class ObjectTable<T, K extends IndexKeys> {
  /** Number of rows. */
  get size(): number {
    return notBuilt()
  }

  /** Id of the next row created. */
  get next_id(): number {
    return notBuilt()
  }

  byId(_id: number): Row<T> | undefined {
    return notBuilt()
  }

  getById(_id: number): Row<T> {
    return notBuilt()
  }

  /** The row with exactly this key. */
  find<N extends keyof K>(_index: N, ..._key: K[N]): Row<T> | undefined {
    return notBuilt()
  }

  /** The row with this key, which must exist. */
  get<N extends keyof K>(_index: N, ..._key: K[N]): Row<T> {
    return notBuilt()
  }

  /** The only row of a table that has exactly one. */
  single(): Row<T> {
    return notBuilt()
  }

  /** Adds a row; the keys must be new. The answer is a copy of `fields` with its id. */
  create(_fields: T): Row<T> {
    return notBuilt()
  }

  /** Changes a row through `change`; if that throws, the row is as before. */
  modify(_row: Row<T>, _change: (row: T) => void): void {
    notBuilt()
  }

  remove(_row: Row<T>): void {
    notBuilt()
  }

  /** The first row whose key is not below the prefix. */
  lowerBound<N extends keyof K>(_index: N, ..._prefix: KeyPrefix<K[N]>): Row<T> | undefined {
    return notBuilt()
  }

  /** The first row whose key is above every key that starts with the prefix. */
  upperBound<N extends keyof K>(_index: N, ..._prefix: KeyPrefix<K[N]>): Row<T> | undefined {
    return notBuilt()
  }

  first(_index: keyof K): Row<T> | undefined {
    return notBuilt()
  }

  last(_index: keyof K): Row<T> | undefined {
    return notBuilt()
  }

  next(_index: keyof K, _row: Row<T>): Row<T> | undefined {
    return notBuilt()
  }

  prev(_index: keyof K, _row: Row<T>): Row<T> | undefined {
    return notBuilt()
  }

  /**
   * Rows from the first key not below `lower` to the last that is not above `upper` (keys that start
   * with `upper` included), or backwards. The row just yielded may be modified or removed meanwhile.
   */
  range<N extends keyof K>(
    _index: N,
    _lower: KeyPrefix<K[N]>,
    _upper: KeyPrefix<K[N]>,
    _reverse = false,
  ): Generator<Row<T>> {
    return notBuilt()
  }

  /** All rows in the order of an index. */
  all(_index: keyof K = 'by_id'): Generator<Row<T>> {
    return notBuilt()
  }
}

function notBuilt(): never {
  return assert.fail('the state is not built yet')
}
