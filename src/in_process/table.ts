import { ConversionBudget, getTableRows } from '../engine/index.ts'
import type { EngineChain, Json } from '../engine/index.ts'

/** A key or a scope: a number, or text that is a number, a name or a symbol code. */
export type TableKey = string | number | bigint

/** Selects rows. */
export interface RowQuery {
  /** The first key. Default: the lowest. */
  lower_bound?: TableKey
  /** The last key. Default: the highest. */
  upper_bound?: TableKey
  /** Most rows. Default: all. */
  limit?: number
  /** From the highest key down. */
  reverse?: boolean
  /** The index: 1 is the primary one, 2 the first secondary one. Default 1. */
  index?: number
  /**
   * The type of the index's keys; needed for secondary indices: `i64`, `name`, `i128`, `i256`,
   * `float64`, `float128`, `sha256` or `ripemd160`.
   */
  key_type?: string
}

/** Most rows of one page of the engine. */
const PAGE = 1000

/** A table of a contract in one scope. Reads see what the pending block changed. */
export class Table<Row = Record<string, Json>> {
  private readonly chain: EngineChain
  private readonly place: { code: string; scope: string; table: string }

  /** @internal */
  constructor(chain: EngineChain, place: { code: string; scope: string; table: string }) {
    this.chain = chain
    this.place = place
  }

  /**
   * The row with this primary key, by the ABI; undefined if there is none.
   * @throws ChainError the ABI cannot read the row
   */
  get(key: TableKey): Row | undefined {
    return this.rows({ lower_bound: key, upper_bound: key, limit: 1 })[0]
  }

  /**
   * The rows, by the ABI, in the order of the index.
   * @throws ChainError the ABI cannot read a row, or a bound is not of the index's type
   */
  rows({ limit = Infinity, lower_bound, upper_bound, ...query }: RowQuery = {}): Row[] {
    const rows: Row[] = []
    const request = {
      ...this.place,
      json: true,
      ...(lower_bound === undefined ? {} : { lower_bound: String(lower_bound) }),
      ...(upper_bound === undefined ? {} : { upper_bound: String(upper_bound) }),
      ...(query.reverse === undefined ? {} : { reverse: query.reverse }),
      ...(query.key_type === undefined ? {} : { key_type: query.key_type }),
      ...(query.index === undefined ? {} : { index_position: String(query.index) }),
    }
    let next_page: string | undefined
    do {
      const page = getTableRows(
        this.chain,
        { ...request, limit: Math.min(limit - rows.length, PAGE), ...(next_page && { next_page }) },
        { budget: new ConversionBudget(Infinity) },
      )
      rows.push(...(page.rows as Row[]))
      next_page = page.next_page
    } while (next_page !== undefined && rows.length < limit)
    return rows
  }
}
