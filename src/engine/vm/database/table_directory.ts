import type { Row } from '../../state/object_table.ts'
import type { TableId } from '../../state/rows.ts'
import type { DatabaseContext } from './database_context.ts'
import { BILLABLE_TABLE_ID } from './billable.ts'

/** A row of the directory of contract tables. */
export type TableRow = Row<TableId>

/** Tables found again and again in one action are looked up once; more than this many are rare. */
const REMEMBERED = 8

/** Finds, creates and removes contract tables, and counts their rows (spring: apply_context.cpp). */
export class TableDirectory {
  private readonly ctx: DatabaseContext
  private readonly recent: TableRow[] = []

  constructor(ctx: DatabaseContext) {
    this.ctx = ctx
  }

  /** The row of a table; undefined if there is none. */
  find(code: bigint, scope: bigint, table: bigint): TableRow | undefined {
    for (const row of this.recent) {
      if (row.scope === scope && row.table === table && row.code === code) return row
    }
    const row = this.ctx.db.table_id.find('by_code_scope_table', code, scope, table)
    if (row !== undefined) this.remember(row)
    return row
  }

  private remember(row: TableRow): void {
    if (this.recent.length === REMEMBERED) this.recent.shift()
    this.recent.push(row)
  }

  /**
   * The row of a table of the receiver. A new one has no rows and is billed to `payer`.
   * @throws ChainError an error of billing
   */
  findOrCreate(scope: bigint, table: bigint, payer: bigint): TableRow {
    const code = this.ctx.receiver
    const found = this.find(code, scope, table)
    if (found !== undefined) return found
    this.ctx.updateDbUsage(payer, BILLABLE_TABLE_ID)
    const row = this.ctx.db.table_id.create({ code, scope, table, payer, count: 0 })
    this.remember(row)
    return row
  }

  /** Increments the row count. */
  addRow(row: TableRow): void {
    this.ctx.db.table_id.modify(row, (r) => {
      r.count += 1
    })
  }

  /** Decrements the row count. A table without rows is removed and its payer refunded. */
  removeRow(t_id: number): void {
    const row = this.ctx.db.table_id.getById(t_id)
    this.ctx.db.table_id.modify(row, (r) => {
      r.count -= 1
    })
    if (row.count !== 0) return
    this.ctx.updateDbUsage(row.payer, -BILLABLE_TABLE_ID)
    this.recent.length = 0
    this.ctx.db.table_id.remove(row)
  }
}
