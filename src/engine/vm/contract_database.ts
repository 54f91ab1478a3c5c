import type { DatabaseContext } from './database/database_context.ts'
import * as billable from './database/billable.ts'
import { PrimaryIndex } from './database/primary_index.ts'
import { SecondaryIndex } from './database/secondary_index.ts'
import type { SecondaryKey } from './database/secondary_index.ts'
import { TableDirectory } from './database/table_directory.ts'
import type { SecondaryTable } from '../state/secondary_table.ts'

/**
 * The database of one action context. Iterators exist as long as the context, and RAM is billed
 * through it. Indices are created at their first use, because most actions use few.
 */
export class ContractDatabase {
  private readonly ctx: DatabaseContext
  private readonly tables: TableDirectory
  private readonly cache: {
    primary?: PrimaryIndex
    idx64?: SecondaryIndex<bigint>
    idx128?: SecondaryIndex<bigint>
    idx256?: SecondaryIndex<readonly [bigint, bigint]>
    idx_double?: SecondaryIndex<bigint>
    idx_long_double?: SecondaryIndex<bigint>
  } = {}

  constructor(ctx: DatabaseContext) {
    this.ctx = ctx
    this.tables = new TableDirectory(ctx)
  }

  /** The rows of contracts by their primary keys. */
  get primary(): PrimaryIndex {
    return (this.cache.primary ??= new PrimaryIndex(this.ctx, this.tables))
  }

  /** The secondary index of 64-bit integers. */
  get idx64(): SecondaryIndex<bigint> {
    return (this.cache.idx64 ??= this.index(this.ctx.db.index64, billable.BILLABLE_INDEX64))
  }

  /** The secondary index of 128-bit integers. */
  get idx128(): SecondaryIndex<bigint> {
    return (this.cache.idx128 ??= this.index(this.ctx.db.index128, billable.BILLABLE_INDEX128))
  }

  /** The secondary index of 256-bit integers, as two numbers of 128 bits. */
  get idx256(): SecondaryIndex<readonly [bigint, bigint]> {
    return (this.cache.idx256 ??= this.index(this.ctx.db.index256, billable.BILLABLE_INDEX256))
  }

  /** Keys are the bits. */
  get idx_double(): SecondaryIndex<bigint> {
    const size = billable.BILLABLE_INDEX_DOUBLE
    return (this.cache.idx_double ??= this.index(this.ctx.db.index_double, size))
  }

  /** The secondary index of 128-bit floating point numbers; keys are their bits. */
  get idx_long_double(): SecondaryIndex<bigint> {
    const size = billable.BILLABLE_INDEX_LONG_DOUBLE
    return (this.cache.idx_long_double ??= this.index(this.ctx.db.index_long_double, size))
  }

  private index<K extends SecondaryKey>(rows: SecondaryTable<K>, size: number): SecondaryIndex<K> {
    return new SecondaryIndex(this.ctx, this.tables, rows, size)
  }
}
