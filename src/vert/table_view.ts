import type { ABI, ABISerializable } from '@wharfkit/antelope'
import type { Database } from '../engine/state/database.ts'
import { antelope } from './antelope.ts'
import { writeRow } from './machine/contract_rows.ts'
import { nameToBigInt, toUint64 } from './numbers.ts'
import type { Key, NameLike } from './numbers.ts'

/** What a view needs of its contract. */
export interface TableOwner {
  readonly db: Database
  readonly code: bigint
  readonly abi: ABI
}

/** One table of a contract in one scope: its rows as they are at the time of each call. */
export class TableView {
  /** The name of the table. */
  readonly name: string
  /** The table in the ABI. */
  readonly type: ABI.Table
  private readonly owner: TableOwner
  private readonly key: { code: bigint; scope: bigint; table: bigint }

  /** @internal */
  constructor(owner: TableOwner, type: ABI.Table, scope: Key) {
    this.owner = owner
    this.type = type
    this.name = String(type.name)
    this.key = { code: owner.code, scope: toUint64(scope), table: nameToBigInt(this.name) }
  }

  /** The row with this primary key as values of the library of types, or undefined. */
  // oxlint-disable-next-line typescript/no-explicit-any -- rows have any fields, as in VeRT
  get(primaryKey: Key): any {
    const t_id = this.tableId()
    if (t_id === undefined) return undefined
    const { key_value } = this.owner.db
    const row = key_value.find(t_id, toUint64(primaryKey))
    return row < 0 ? undefined : this.decode(key_value.value(row))
  }

  /**
   * Writes a row without the contract; `payer` pays for its RAM. Secondary indices stay as they are,
   * because the ABI does not say what they contain.
   */
  set(primaryKey: Key, payer: NameLike, tableData: object): void {
    const { abi } = this.owner
    const value = antelope.Serializer.encode({ abi, type: this.type.type, object: tableData }).array
    const row = { primary: toUint64(primaryKey), payer: nameToBigInt(payer), value }
    writeRow(this.owner.db, this.key, row)
  }

  /** The row with this primary key as plain values, or undefined. */
  // oxlint-disable-next-line typescript/no-explicit-any -- rows have any fields, as in VeRT
  getTableRow(primaryKey: Key): any {
    const value = this.get(primaryKey) as ABISerializable | undefined
    return value && antelope.Serializer.objectify(value)
  }

  /** The rows from a primary key on, in the order of their keys, as plain values. */
  // oxlint-disable-next-line typescript/no-explicit-any -- rows have any fields, as in VeRT
  getTableRows(lowerBound: Key = 0n, options: { limit?: number } = {}): any {
    return this.rowsFrom(lowerBound, options.limit).map(({ value }) => value)
  }

  /** @internal The same with their keys and payers. */
  rowsFrom(lowerBound: Key, limit = Infinity): TableRow[] {
    const t_id = this.tableId()
    const rows: TableRow[] = []
    if (t_id === undefined) return rows
    const { key_value } = this.owner.db
    const most = limit || Infinity
    let row = key_value.lowerBound(t_id, toUint64(lowerBound))
    for (; row >= 0 && rows.length < most; row = key_value.next(row)) {
      const value: unknown = antelope.Serializer.objectify(this.decode(key_value.value(row)))
      rows.push({ primaryKey: key_value.primary(row), payer: key_value.payer(row), value })
    }
    return rows
  }

  private tableId(): number | undefined {
    const { code, scope, table } = this.key
    return this.owner.db.table_id.find('by_code_scope_table', code, scope, table)?.id
  }

  private decode(value: Uint8Array): ABISerializable {
    const { abi } = this.owner
    return antelope.Serializer.decode({
      abi,
      type: this.type.type,
      data: value.slice(),
    }) as ABISerializable
  }
}

/** A row with its key and the account that pays for it. */
export interface TableRow {
  primaryKey: bigint
  payer: bigint
  value: unknown
}
