import { check } from '../../errors.ts'
import { refuseDuplicate } from '../../state/refuse_duplicate.ts'
import type { DatabaseContext } from './database_context.ts'
import { refuse } from '../refuse.ts'
import { BILLABLE_KEY_VALUE } from './billable.ts'
import { IteratorCache } from './iterator_cache.ts'
import type { TableDirectory } from './table_directory.ts'

/**
 * The primary index calls of one action (spring: apply_context.cpp db_*_i64). Iterators that find a
 * row also leave its key in `primary`.
 */
export class PrimaryIndex {
  /** Key of the row that the last call found. */
  primary = 0n
  private readonly ctx: DatabaseContext
  private readonly tables: TableDirectory
  private readonly cache = new IteratorCache()
  private readonly checktime = (): void => this.ctx.checktime()

  constructor(ctx: DatabaseContext, tables: TableDirectory) {
    this.ctx = ctx
    this.tables = tables
  }

  private found(row: number): number {
    this.primary = this.ctx.db.key_value.primary(row)
    return this.cache.add(row)
  }

  /**
   * Adds a row to a table of the receiver, and bills it to `payer`. Returns its iterator.
   * @throws ChainError table_operation_not_permitted in a read-only transaction,
   *   invalid_table_payer without a payer, std_exception if the key exists, or an error of billing
   */
  store(scope: bigint, table: bigint, payer: bigint, id: bigint, value: Uint8Array): number {
    const { ctx } = this
    if (ctx.read_only) {
      refuse(
        'table_operation_not_permitted',
        'cannot store a db record when executing a readonly transaction',
      )
    }
    const tab = this.tables.findOrCreate(scope, table, payer)
    check(payer !== 0n, 'invalid_table_payer', NO_PAYER)
    if (ctx.db.key_value.find(tab.id, id) >= 0) refuseDuplicate('insert')
    const row = ctx.db.key_value.insert(tab.id, id, payer, value, this.checktime)
    this.tables.addRow(tab)
    ctx.updateDbUsage(payer, value.length + BILLABLE_KEY_VALUE)
    this.cache.cacheTable(tab)
    return this.cache.add(row)
  }

  /** The row of an iterator that may be changed: of the receiver's own table. */
  private ownRow(iterator: number): number {
    const row = this.cache.get(iterator)
    const table = this.cache.tableOf(this.ctx.db.key_value.t_id(row))
    check(table.code === this.ctx.receiver, 'table_access_violation', 'db access violation')
    return row
  }

  /**
   * Replaces the value of a row of the receiver. A `new_payer` of 0 keeps the payer.
   * @throws ChainError table_operation_not_permitted in a read-only transaction or for an end
   *   iterator, invalid_table_iterator, table_access_violation for a row of another contract, or an
   *   error of billing
   */
  update(iterator: number, new_payer: bigint, value: Uint8Array): void {
    const { ctx } = this
    if (ctx.read_only) {
      refuse(
        'table_operation_not_permitted',
        'cannot update a db record when executing a readonly transaction',
      )
    }
    const row = this.ownRow(iterator)
    const rows = ctx.db.key_value
    const old_payer = rows.payer(row)
    const payer = new_payer === 0n ? old_payer : new_payer
    const old_size = rows.valueSize(row) + BILLABLE_KEY_VALUE
    const new_size = value.length + BILLABLE_KEY_VALUE
    if (old_payer !== payer) {
      ctx.updateDbUsage(old_payer, -old_size)
      ctx.updateDbUsage(payer, new_size)
    } else if (old_size !== new_size) ctx.updateDbUsage(old_payer, new_size - old_size)
    rows.update(row, payer, value, this.checktime)
  }

  /**
   * Removes a row of the receiver and refunds its payer.
   * @throws ChainError table_operation_not_permitted in a read-only transaction or for an end
   *   iterator, invalid_table_iterator, table_access_violation for a row of another contract
   */
  remove(iterator: number): void {
    const { ctx } = this
    if (ctx.read_only) {
      refuse(
        'table_operation_not_permitted',
        'cannot remove a db record when executing a readonly transaction',
      )
    }
    const row = this.ownRow(iterator)
    const rows = ctx.db.key_value
    const t_id = rows.t_id(row)
    ctx.updateDbUsage(rows.payer(row), -(rows.valueSize(row) + BILLABLE_KEY_VALUE))
    rows.remove(row)
    this.tables.removeRow(t_id)
    this.cache.remove(iterator)
  }

  /** Bytes of the value of the iterator's row. */
  size(iterator: number): number {
    return this.ctx.db.key_value.valueSize(this.cache.get(iterator))
  }

  /** The value of the iterator's row; valid until the next write to the database. */
  get(iterator: number): Uint8Array {
    return this.ctx.db.key_value.value(this.cache.get(iterator))
  }

  /**
   * The iterator of the next row of the same table, or its end iterator; -1 for an end iterator.
   * @throws ChainError invalid_table_iterator, or table_operation_not_permitted for a removed row
   */
  next(iterator: number): number {
    if (iterator < -1) return -1
    const rows = this.ctx.db.key_value
    const row = this.cache.get(iterator)
    const next = rows.next(row)
    return next < 0 ? this.cache.endOf(rows.t_id(row)) : this.found(next)
  }

  /**
   * The iterator of the previous row of the same table, or of the last row for an end iterator; -1
   * if there is none.
   * @throws ChainError invalid_table_iterator, or table_operation_not_permitted for a removed row
   */
  previous(iterator: number): number {
    const rows = this.ctx.db.key_value
    const row =
      iterator < -1
        ? rows.last(this.cache.tableByEnd(iterator).id)
        : rows.prev(this.cache.get(iterator))
    return row < 0 ? -1 : this.found(row)
  }

  /** The iterator of the row with this key. Without it: the table's end iterator, or -1 if there is no such table. */
  find(code: bigint, scope: bigint, table: bigint, id: bigint): number {
    const tab = this.tables.find(code, scope, table)
    if (tab === undefined) return -1
    const end = this.cache.cacheTable(tab)
    const row = this.ctx.db.key_value.find(tab.id, id)
    return row < 0 ? end : this.cache.add(row)
  }

  /** The iterator of the first row whose key is not below `id`; else as {@link find}. */
  lowerBound(code: bigint, scope: bigint, table: bigint, id: bigint): number {
    const tab = this.tables.find(code, scope, table)
    if (tab === undefined) return -1
    const end = this.cache.cacheTable(tab)
    const row = this.ctx.db.key_value.lowerBound(tab.id, id)
    return row < 0 ? end : this.cache.add(row)
  }

  /** The iterator of the first row whose key is above `id`; else as {@link find}. */
  upperBound(code: bigint, scope: bigint, table: bigint, id: bigint): number {
    const tab = this.tables.find(code, scope, table)
    if (tab === undefined) return -1
    const end = this.cache.cacheTable(tab)
    const row = this.ctx.db.key_value.upperBound(tab.id, id)
    return row < 0 ? end : this.cache.add(row)
  }

  /** The end iterator of a table, or -1 if there is no such table. */
  end(code: bigint, scope: bigint, table: bigint): number {
    const tab = this.tables.find(code, scope, table)
    return tab === undefined ? -1 : this.cache.cacheTable(tab)
  }
}

/** The text of the error for a row without a payer. */
export const NO_PAYER = 'must specify a valid account to pay for new record'
