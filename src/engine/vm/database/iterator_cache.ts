import { refuse } from '../refuse.ts'

/** A contract table as the caches know it. */
export interface KnownTable {
  id: number
  code: bigint
}

/**
 * Iterators of one action: rows count from 0, end iterators are -2, -3, ... in the order in which
 * tables were first met; -1 is "no table" (spring: apply_context.hpp iterator_cache). Entries stay
 * when their table or row goes away.
 */
export class IteratorCache {
  private readonly end_by_table = new Map<number, number>()
  private readonly tables: KnownTable[] = []
  /** Row of each iterator, -1 once removed. */
  private readonly rows: number[] = []
  private readonly iterators = new Map<number, number>()

  /** The table's end iterator. */
  cacheTable(table: KnownTable): number {
    const known = this.end_by_table.get(table.id)
    if (known !== undefined) return known
    const end = -(this.tables.length + 2)
    this.tables.push({ id: table.id, code: table.code })
    this.end_by_table.set(table.id, end)
    return end
  }

  /** A table whose row was met, so it is known. */
  tableOf(t_id: number): KnownTable {
    return this.tables[-this.endOf(t_id) - 2]!
  }

  endOf(t_id: number): number {
    const end = this.end_by_table.get(t_id)
    if (end === undefined) {
      refuse('table_not_in_cache', 'an invariant was broken, table should be in cache')
    }
    return end
  }

  /** `end` is below -1. */
  tableByEnd(end: number): KnownTable {
    const table = this.tables[-end - 2]
    if (table === undefined) refuse('invalid_table_iterator', 'not a valid end iterator')
    return table
  }

  /** The iterator's row. */
  get(iterator: number): number {
    this.checkRange(iterator, 'dereference of end iterator')
    const row = this.rows[iterator]!
    if (row < 0) refuse('table_operation_not_permitted', 'dereference of deleted object')
    return row
  }

  private checkRange(iterator: number, at_end: string): void {
    if (iterator === -1) refuse('invalid_table_iterator', 'invalid iterator')
    if (iterator < 0) refuse('table_operation_not_permitted', at_end)
    if (iterator >= this.rows.length) refuse('invalid_table_iterator', 'iterator out of range')
  }

  remove(iterator: number): void {
    this.checkRange(iterator, 'cannot call remove on end iterators')
    const row = this.rows[iterator]!
    if (row < 0) return
    this.rows[iterator] = -1
    this.iterators.delete(row)
  }

  add(row: number): number {
    const known = this.iterators.get(row)
    if (known !== undefined) return known
    this.iterators.set(row, this.rows.length)
    return this.rows.push(row) - 1
  }
}
