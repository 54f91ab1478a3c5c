import { refuse } from '../refuse.ts'

/** As many numbers are compared faster one by one. */
const FEW = 8

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
  private readonly tables: KnownTable[] = []
  /** End iterators by table; made when tables are more than a few. */
  private end_by_table: Map<number, number> | undefined
  /** Row of each iterator, -1 once removed. */
  private readonly rows: number[] = []
  /** Iterators by row; made when rows are more than a few. */
  private iterators: Map<number, number> | undefined

  /** The table's end iterator. */
  cacheTable(table: KnownTable): number {
    const known = this.knownEnd(table.id)
    if (known !== undefined) return known
    const { tables } = this
    const end = -(tables.push({ id: table.id, code: table.code }) + 1)
    if (this.end_by_table) this.end_by_table.set(table.id, end)
    else if (tables.length > FEW)
      this.end_by_table = new Map(tables.map(({ id }, i) => [id, -(i + 2)]))
    return end
  }

  private knownEnd(t_id: number): number | undefined {
    if (this.end_by_table) return this.end_by_table.get(t_id)
    const { tables } = this
    for (let i = 0; i < tables.length; i++) if (tables[i]!.id === t_id) return -(i + 2)
    return undefined
  }

  /** A table whose row was met, so it is known. */
  tableOf(t_id: number): KnownTable {
    return this.tables[-this.endOf(t_id) - 2]!
  }

  /**
   * The end iterator of a known table.
   * @throws ChainError table_not_in_cache
   */
  endOf(t_id: number): number {
    const end = this.knownEnd(t_id)
    if (end === undefined) {
      refuse('table_not_in_cache', 'an invariant was broken, table should be in cache')
    }
    return end
  }

  /**
   * The table of an end iterator, a number below -1.
   * @throws ChainError invalid_table_iterator
   */
  tableByEnd(end: number): KnownTable {
    const table = this.tables[-end - 2]
    if (table === undefined) refuse('invalid_table_iterator', 'not a valid end iterator')
    return table
  }

  /**
   * The iterator's row.
   * @throws ChainError invalid_table_iterator, or table_operation_not_permitted for an end iterator
   *   or a removed row
   */
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

  /**
   * Makes an iterator invalid. Nothing happens if it is invalid already.
   * @throws ChainError invalid_table_iterator, or table_operation_not_permitted for an end iterator
   */
  remove(iterator: number): void {
    this.checkRange(iterator, 'cannot call remove on end iterators')
    const row = this.rows[iterator]!
    if (row < 0) return
    this.rows[iterator] = -1
    this.iterators?.delete(row)
  }

  /** The iterator of a row: the one that it has, or a new one. */
  add(row: number): number {
    const known = this.known(row)
    if (known !== undefined) return known
    const { rows } = this
    const iterator = rows.push(row) - 1
    if (this.iterators) this.iterators.set(row, iterator)
    else if (rows.length > FEW) {
      this.iterators = new Map()
      for (let i = 0; i < rows.length; i++) if (rows[i]! >= 0) this.iterators.set(rows[i]!, i)
    }
    return iterator
  }

  private known(row: number): number | undefined {
    if (this.iterators) return this.iterators.get(row)
    const found = this.rows.indexOf(row)
    return found < 0 ? undefined : found
  }
}
