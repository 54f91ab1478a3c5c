import { check } from '../../errors.ts'
import { refuseDuplicate } from '../../state/refuse_duplicate.ts'
import type { SecondaryTable } from '../../state/secondary_table.ts'
import type { DatabaseContext } from './database_context.ts'
import { refuse } from '../refuse.ts'
import { IteratorCache } from './iterator_cache.ts'
import { NO_PAYER } from './primary_index.ts'
import type { TableDirectory } from './table_directory.ts'

/** The value of a secondary key; 256-bit keys are two numbers of 128 bits. */
export type SecondaryKey = bigint | readonly [bigint, bigint]

/**
 * The calls of one action on one kind of secondary index (spring: apply_context.hpp generic_index).
 * Calls that find a row leave its keys in `primary` and `secondary`.
 */
export class SecondaryIndex<K extends SecondaryKey> {
  primary = 0n
  private readonly ctx: DatabaseContext
  private readonly tables: TableDirectory
  private readonly rows: SecondaryTable<K>
  private readonly billable_size: number
  private readonly cache = new IteratorCache()
  private found_row = -1

  constructor(
    ctx: DatabaseContext,
    tables: TableDirectory,
    rows: SecondaryTable<K>,
    billable_size: number,
  ) {
    this.ctx = ctx
    this.tables = tables
    this.rows = rows
    this.billable_size = billable_size
  }

  /** Secondary key of the row that the last call found. */
  get secondary(): K {
    return this.rows.secondary(this.found_row)
  }

  private found(row: number): number {
    this.primary = this.rows.primary(row)
    this.found_row = row
    return this.cache.add(row)
  }

  private checkWritable(what: string): void {
    if (!this.ctx.read_only) return
    refuse(
      'table_operation_not_permitted',
      `cannot ${what} a db record when executing a readonly transaction`,
    )
  }

  /**
   * Adds a row to a table of the receiver, and bills it to `payer`. Returns its iterator.
   * @param id the primary key
   * @throws ChainError table_operation_not_permitted in a read-only transaction,
   *   invalid_table_payer without a payer, std_exception if the primary key exists, or an error of
   *   billing
   */
  store(scope: bigint, table: bigint, payer: bigint, id: bigint, secondary: K): number {
    this.checkWritable('store')
    check(payer !== 0n, 'invalid_table_payer', NO_PAYER)
    const tab = this.tables.findOrCreate(scope, table, payer)
    if (this.rows.find(tab.id, id) >= 0) refuseDuplicate('insert')
    const row = this.rows.insert(tab.id, id, payer, secondary)
    this.tables.addRow(tab)
    this.ctx.updateDbUsage(payer, this.billable_size)
    this.cache.cacheTable(tab)
    return this.cache.add(row)
  }

  private ownRow(iterator: number): number {
    const row = this.cache.get(iterator)
    const table = this.cache.tableOf(this.rows.t_id(row))
    check(table.code === this.ctx.receiver, 'table_access_violation', 'db access violation')
    return row
  }

  /**
   * Removes a row of the receiver and refunds its payer.
   * @throws ChainError table_operation_not_permitted in a read-only transaction or for an end
   *   iterator, invalid_table_iterator, table_access_violation for a row of another contract
   */
  remove(iterator: number): void {
    this.checkWritable('remove')
    const row = this.ownRow(iterator)
    const t_id = this.rows.t_id(row)
    this.ctx.updateDbUsage(this.rows.payer(row), -this.billable_size)
    this.rows.remove(row)
    this.tables.removeRow(t_id)
    this.cache.remove(iterator)
  }

  /**
   * Replaces the secondary key of a row of the receiver. A `new_payer` of 0 keeps the payer.
   * @throws ChainError as {@link remove}, or an error of billing
   */
  update(iterator: number, new_payer: bigint, secondary: K): void {
    this.checkWritable('update')
    const row = this.ownRow(iterator)
    const old_payer = this.rows.payer(row)
    const payer = new_payer === 0n ? old_payer : new_payer
    if (old_payer !== payer) {
      this.ctx.updateDbUsage(old_payer, -this.billable_size)
      this.ctx.updateDbUsage(payer, this.billable_size)
    }
    this.rows.update(row, payer, secondary)
  }

  /**
   * The iterator of the first row with this secondary key. Without it: the table's end iterator, or
   * -1 if there is no such table.
   */
  findSecondary(code: bigint, scope: bigint, table: bigint, secondary: K): number {
    const tab = this.tables.find(code, scope, table)
    if (tab === undefined) return -1
    const end = this.cache.cacheTable(tab)
    const row = this.rows.findSecondary(tab.id, secondary)
    return row < 0 ? end : this.found(row)
  }

  /** The iterator of the row with this primary key; else as {@link findSecondary}. */
  findPrimary(code: bigint, scope: bigint, table: bigint, primary: bigint): number {
    const tab = this.tables.find(code, scope, table)
    if (tab === undefined) return -1
    const end = this.cache.cacheTable(tab)
    const row = this.rows.find(tab.id, primary)
    return row < 0 ? end : this.found(row)
  }

  /** The iterator of the first row whose secondary key is not below `secondary`; else as {@link findSecondary}. */
  lowerBound(code: bigint, scope: bigint, table: bigint, secondary: K): number {
    const tab = this.tables.find(code, scope, table)
    if (tab === undefined) return -1
    const end = this.cache.cacheTable(tab)
    const row = this.rows.lowerBoundSecondary(tab.id, secondary)
    return row < 0 ? end : this.found(row)
  }

  /** The iterator of the first row whose secondary key is above `secondary`; else as {@link findSecondary}. */
  upperBound(code: bigint, scope: bigint, table: bigint, secondary: K): number {
    const tab = this.tables.find(code, scope, table)
    if (tab === undefined) return -1
    const end = this.cache.cacheTable(tab)
    const row = this.rows.upperBoundSecondary(tab.id, secondary)
    return row < 0 ? end : this.found(row)
  }

  /** The end iterator of a table, or -1 if there is no such table. */
  end(code: bigint, scope: bigint, table: bigint): number {
    const tab = this.tables.find(code, scope, table)
    return tab === undefined ? -1 : this.cache.cacheTable(tab)
  }

  /**
   * The iterator of the next row in the order of the secondary keys, or the end iterator; -1 for an
   * end iterator.
   * @throws ChainError invalid_table_iterator, or table_operation_not_permitted for a removed row
   */
  next(iterator: number): number {
    if (iterator < -1) return -1
    const row = this.cache.get(iterator)
    const next = this.rows.nextSecondary(row)
    return next < 0 ? this.cache.endOf(this.rows.t_id(row)) : this.found(next)
  }

  /**
   * The iterator of the previous row in the order of the secondary keys, or of the last row for an
   * end iterator; -1 if there is none.
   * @throws ChainError invalid_table_iterator, or table_operation_not_permitted for a removed row
   */
  previous(iterator: number): number {
    const row =
      iterator < -1
        ? this.rows.lastSecondary(this.cache.tableByEnd(iterator).id)
        : this.rows.prevSecondary(this.cache.get(iterator))
    return row < 0 ? -1 : this.found(row)
  }
}
