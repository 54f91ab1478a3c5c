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

  next(iterator: number): number {
    if (iterator < -1) return -1
    const rows = this.ctx.db.key_value
    const row = this.cache.get(iterator)
    const next = rows.next(row)
    return next < 0 ? this.cache.endOf(rows.t_id(row)) : this.found(next)
  }

  previous(iterator: number): number {
    const rows = this.ctx.db.key_value
    const row =
      iterator < -1
        ? rows.last(this.cache.tableByEnd(iterator).id)
        : rows.prev(this.cache.get(iterator))
    return row < 0 ? -1 : this.found(row)
  }

  find(code: bigint, scope: bigint, table: bigint, id: bigint): number {
    const tab = this.tables.find(code, scope, table)
    if (tab === undefined) return -1
    const end = this.cache.cacheTable(tab)
    const row = this.ctx.db.key_value.find(tab.id, id)
    return row < 0 ? end : this.cache.add(row)
  }

  lowerBound(code: bigint, scope: bigint, table: bigint, id: bigint): number {
    const tab = this.tables.find(code, scope, table)
    if (tab === undefined) return -1
    const end = this.cache.cacheTable(tab)
    const row = this.ctx.db.key_value.lowerBound(tab.id, id)
    return row < 0 ? end : this.cache.add(row)
  }

  upperBound(code: bigint, scope: bigint, table: bigint, id: bigint): number {
    const tab = this.tables.find(code, scope, table)
    if (tab === undefined) return -1
    const end = this.cache.cacheTable(tab)
    const row = this.ctx.db.key_value.upperBound(tab.id, id)
    return row < 0 ? end : this.cache.add(row)
  }

  end(code: bigint, scope: bigint, table: bigint): number {
    const tab = this.tables.find(code, scope, table)
    return tab === undefined ? -1 : this.cache.cacheTable(tab)
  }
}

/** The text of the error for a row without a payer. */
export const NO_PAYER = 'must specify a valid account to pay for new record'
