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

  remove(iterator: number): void {
    this.checkWritable('remove')
    const row = this.ownRow(iterator)
    const t_id = this.rows.t_id(row)
    this.ctx.updateDbUsage(this.rows.payer(row), -this.billable_size)
    this.rows.remove(row)
    this.tables.removeRow(t_id)
    this.cache.remove(iterator)
  }

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

  findSecondary(code: bigint, scope: bigint, table: bigint, secondary: K): number {
    const tab = this.tables.find(code, scope, table)
    if (tab === undefined) return -1
    const end = this.cache.cacheTable(tab)
    const row = this.rows.findSecondary(tab.id, secondary)
    return row < 0 ? end : this.found(row)
  }

  findPrimary(code: bigint, scope: bigint, table: bigint, primary: bigint): number {
    const tab = this.tables.find(code, scope, table)
    if (tab === undefined) return -1
    const end = this.cache.cacheTable(tab)
    const row = this.rows.find(tab.id, primary)
    return row < 0 ? end : this.found(row)
  }

  lowerBound(code: bigint, scope: bigint, table: bigint, secondary: K): number {
    const tab = this.tables.find(code, scope, table)
    if (tab === undefined) return -1
    const end = this.cache.cacheTable(tab)
    const row = this.rows.lowerBoundSecondary(tab.id, secondary)
    return row < 0 ? end : this.found(row)
  }

  upperBound(code: bigint, scope: bigint, table: bigint, secondary: K): number {
    const tab = this.tables.find(code, scope, table)
    if (tab === undefined) return -1
    const end = this.cache.cacheTable(tab)
    const row = this.rows.upperBoundSecondary(tab.id, secondary)
    return row < 0 ? end : this.found(row)
  }

  end(code: bigint, scope: bigint, table: bigint): number {
    const tab = this.tables.find(code, scope, table)
    return tab === undefined ? -1 : this.cache.cacheTable(tab)
  }

  next(iterator: number): number {
    if (iterator < -1) return -1
    const row = this.cache.get(iterator)
    const next = this.rows.nextSecondary(row)
    return next < 0 ? this.cache.endOf(this.rows.t_id(row)) : this.found(next)
  }

  previous(iterator: number): number {
    const row =
      iterator < -1
        ? this.rows.lastSecondary(this.cache.tableByEnd(iterator).id)
        : this.rows.prevSecondary(this.cache.get(iterator))
    return row < 0 ? -1 : this.found(row)
  }
}
