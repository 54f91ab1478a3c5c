import { isNan } from './float_arithmetic.ts'
import { FLOAT128, FLOAT64 } from './float_format.ts'
import { Failure } from './failure.ts'
import { nameText } from './printing.ts'
import { rowsInOrder } from './state.ts'
import type { Kind, NaiveRow, NaiveState, NaiveTable } from './state.ts'

/** Bytes that a row of each kind costs, besides its value. */
const BILLED: Record<Kind, number> = {
  i64: 112,
  idx64: 128,
  idx128: 144,
  idx_double: 128,
  idx_long_double: 144,
  idx256: 160,
}
const TABLE_BILLED = 112

/** Iterators of one action on one kind of index. */
class Iterators {
  readonly rows: (NaiveRow | undefined)[] = []
  readonly tables: NaiveTable[] = []

  ofRow(row: NaiveRow): number {
    const known = this.rows.indexOf(row)
    return known >= 0 ? known : this.rows.push(row) - 1
  }

  endOf(table: NaiveTable): number {
    let index = this.tables.findIndex(({ id }) => id === table.id)
    if (index < 0) index = this.tables.push(table) - 1
    return -2 - index
  }

  row(iterator: number): NaiveRow {
    if (iterator === -1) throw new Failure('invalid_table_iterator', 'invalid iterator')
    if (iterator < -1) throw notPermitted('dereference of end iterator')
    if (iterator >= this.rows.length) {
      throw new Failure('invalid_table_iterator', 'iterator out of range')
    }
    const row = this.rows[iterator]
    if (!row) throw notPermitted('dereference of deleted object')
    return row
  }
}

const notPermitted = (message: string): Failure =>
  new Failure('table_operation_not_permitted', message)

/** What a call answers: an iterator, and the row that it found if it tells one. */
export interface Found {
  iterator: number
  row?: NaiveRow
}

/** Database calls of one action of `receiver`. */
export class NaiveDatabase {
  /** RAM billed, by account; accounts whose sum is zero stay. */
  readonly ram = new Map<bigint, number>()
  private readonly state: NaiveState
  private readonly receiver: bigint
  private readonly iterators = new Map<Kind, Iterators>()
  private readonly mayPay: (account: bigint) => boolean

  /** `mayPay` is asked at once for who will have more RAM. */
  constructor(state: NaiveState, receiver: bigint, mayPay: (account: bigint) => boolean) {
    this.state = state
    this.receiver = receiver
    this.mayPay = mayPay
  }

  store(
    kind: Kind,
    scope: bigint,
    table: bigint,
    payer: bigint,
    primary: bigint,
    content: { value: Uint8Array; key: bigint },
  ): number {
    refuseNan(kind, content.key)
    const nobody = payer === 0n
    const no_payer = new Failure(
      'invalid_table_payer',
      'must specify a valid account to pay for new record',
    )
    if (kind !== 'i64' && nobody) throw no_payer
    let found = this.findTable(this.receiver, scope, table)
    if (!found) {
      this.bill(payer, TABLE_BILLED)
      found = { id: this.state.next_id++, code: this.receiver, scope, table, payer }
      this.state.tables.push(found)
    }
    if (nobody) throw no_payer
    if (this.inTable(kind, found.id).some((row) => row.primary === primary)) {
      throw new Failure(
        'std_exception',
        'could not insert object, most likely a uniqueness constraint was violated',
      )
    }
    const row = { kind, t_id: found.id, primary, payer, ...content }
    this.state.rows.push(row)
    this.bill(payer, sizeOf(row))
    this.of(kind).endOf(found)
    return this.of(kind).ofRow(row)
  }

  update(
    kind: Kind,
    iterator: number,
    new_payer: bigint,
    content: { value: Uint8Array; key: bigint },
  ): void {
    refuseNan(kind, content.key)
    const row = this.ownRow(kind, iterator)
    const payer = new_payer === 0n ? row.payer : new_payer
    const before = sizeOf(row)
    const after = sizeOf({ ...row, ...content })
    if (payer !== row.payer) {
      this.bill(row.payer, -before)
      this.bill(payer, after)
    } else if (before !== after) this.bill(payer, after - before)
    Object.assign(row, content, { payer })
  }

  remove(kind: Kind, iterator: number): void {
    const row = this.ownRow(kind, iterator)
    const { rows, tables } = this.state
    this.bill(row.payer, -sizeOf(row))
    rows.splice(rows.indexOf(row), 1)
    if (!rows.some(({ t_id }) => t_id === row.t_id)) {
      const index = tables.findIndex(({ id }) => id === row.t_id)
      this.bill(tables[index]!.payer, -TABLE_BILLED)
      tables.splice(index, 1)
    }
    this.of(kind).rows[iterator] = undefined
  }

  get(iterator: number): Uint8Array {
    return this.of('i64').row(iterator).value
  }

  next(kind: Kind, iterator: number): Found {
    if (iterator < -1) return { iterator: -1 }
    const row = this.of(kind).row(iterator)
    const rows = this.inTable(kind, row.t_id)
    const next = rows[rows.indexOf(row) + 1]
    if (next) return this.found(next)
    return { iterator: this.of(kind).endOf(this.state.tables.find((t) => t.id === row.t_id)!) }
  }

  previous(kind: Kind, iterator: number): Found {
    let previous: NaiveRow | undefined
    if (iterator < -1) {
      const table = this.of(kind).tables[-2 - iterator]
      if (!table) throw new Failure('invalid_table_iterator', 'not a valid end iterator')
      previous = this.inTable(kind, table.id).at(-1)
    } else {
      const row = this.of(kind).row(iterator)
      const rows = this.inTable(kind, row.t_id)
      previous = rows[rows.indexOf(row) - 1]
    }
    return previous ? this.found(previous) : { iterator: -1 }
  }

  end(kind: Kind, code: bigint, scope: bigint, table: bigint): number {
    const found = this.findTable(code, scope, table)
    return found ? this.of(kind).endOf(found) : -1
  }

  /** The first row that fits, in the order of the index. */
  search(
    kind: Kind,
    place: [code: bigint, scope: bigint, table: bigint],
    fits: (row: NaiveRow) => boolean,
  ): Found {
    const table = this.findTable(...place)
    if (!table) return { iterator: -1 }
    const iterator = this.of(kind).endOf(table)
    const row = this.inTable(kind, table.id).find(fits)
    return row ? this.found(row) : { iterator }
  }

  private found(row: NaiveRow): Found {
    return { iterator: this.of(row.kind).ofRow(row), row }
  }

  private ownRow(kind: Kind, iterator: number): NaiveRow {
    const row = this.of(kind).row(iterator)
    const { code } = this.state.tables.find(({ id }) => id === row.t_id)!
    if (code !== this.receiver) throw new Failure('table_access_violation', 'db access violation')
    return row
  }

  private of(kind: Kind): Iterators {
    let iterators = this.iterators.get(kind)
    if (!iterators) this.iterators.set(kind, (iterators = new Iterators()))
    return iterators
  }

  private findTable(code: bigint, scope: bigint, table: bigint): NaiveTable | undefined {
    return this.state.tables.find((t) => t.code === code && t.scope === scope && t.table === table)
  }

  /** Rows of a table in the order of the index. */
  private inTable(kind: Kind, t_id: number): NaiveRow[] {
    return rowsInOrder(this.state, kind, t_id)
  }

  private bill(account: bigint, bytes: number): void {
    if (bytes > 0 && !this.mayPay(account)) {
      throw new Failure('missing_auth_exception', `missing authority of ${nameText(account)}`)
    }
    // Nobody has no resources to look up.
    if (account === 0n) throw new Failure('std_exception', 'unknown key (eosio::chain::name): ')
    this.ram.set(account, (this.ram.get(account) ?? 0) + bytes)
  }
}

function sizeOf({ kind, value }: { kind: Kind; value: Uint8Array }): number {
  return BILLED[kind] + (kind === 'i64' ? value.length : 0)
}

export function refuseNan(kind: Kind, key: bigint): void {
  const nan =
    (kind === 'idx_double' && isNan(key, FLOAT64)) ||
    (kind === 'idx_long_double' && isNan(key, FLOAT128))
  if (!nan) return
  throw new Failure('transaction_exception', 'NaN is not an allowed value for a secondary key')
}
