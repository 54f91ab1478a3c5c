/** The rows of all contracts as plain values, as storage deltas compare them. */
import { nameToString } from '../engine/protocol/name.ts'
import type { Database } from '../engine/state/database.ts'
import { SECONDARY, secondaryTable } from './machine/contract_rows.ts'
import type { SecondaryName } from './machine/contract_rows.ts'
import type { TableView } from './table_view.ts'

/** A secondary key of a row. */
export interface SecondaryValue {
  type: string
  value: unknown
  rawValue?: Uint8Array
}

/** A row with its keys. */
export interface StoredRow {
  primaryKey: bigint
  payer: string
  value: unknown
  secondaryIndexes?: SecondaryValue[]
}

/** Rows by contract, table and scope. */
export type Storage = Record<string, Record<string, Record<string, StoredRow[]>>>

interface Contract {
  tables: { [key: string]: (scope?: bigint) => TableView }
}

/** Longest name of a table without the number of an index. */
const TABLE_NAME = 12

/** The rows of the contracts that the test created. */
export function storageOf(db: Database, accounts: { [key: string]: Contract }): Storage {
  const storage: Storage = {}
  for (const row of db.table_id.all()) {
    const code = nameToString(row.code)
    const table = nameToString(row.table).slice(0, TABLE_NAME).replace(/\.+$/, '')
    const view = accounts[code]?.tables[table]?.(row.scope)
    if (view === undefined) continue
    const scopes = ((storage[code] ??= {})[table] ??= {})
    const rows = (scopes[nameToString(row.scope) || '.'] ??= [])
    // Secondary indices have tables of their own, without rows of values.
    if (nameToString(row.table) !== table) continue
    for (const { primaryKey, payer, value } of view.rowsFrom(0n)) {
      const stored: StoredRow = { primaryKey, payer: nameToString(payer), value }
      const secondaryIndexes = secondaryOf(db, row, primaryKey)
      if (secondaryIndexes.length > 0) stored.secondaryIndexes = secondaryIndexes
      rows.push(stored)
    }
  }
  return storage
}

/** Number of the low bits of a table's name that number its indices. */
const INDEX_BITS = 0xfn

/** The secondary keys of a row in all indices of its table. */
function secondaryOf(
  db: Database,
  table: { code: bigint; scope: bigint; table: bigint },
  primary: bigint,
): SecondaryValue[] {
  const values: SecondaryValue[] = []
  const base = table.table & ~INDEX_BITS
  for (let index = 0n; index <= INDEX_BITS; index++) {
    const found = db.table_id.find('by_code_scope_table', table.code, table.scope, base | index)
    if (found === undefined) continue
    for (const name of SECONDARY) {
      const rows = secondaryTable(db, name)
      const row = rows.find(found.id, primary)
      if (row >= 0) values.push(SHOWN[name](rows.secondary(row) as never))
    }
  }
  return values
}

const SHOWN: Record<SecondaryName, (key: never) => SecondaryValue> = {
  index64: (value: bigint) => ({ type: 'idxu64', value }),
  index128: (value: bigint) => ({ type: 'idxU128', value, rawValue: littleEndian(value, 16) }),
  index256: ([high, low]: readonly [bigint, bigint]) => ({
    type: 'idxU256',
    value: Buffer.concat([
      littleEndian(high, 16).reverse(),
      littleEndian(low, 16).reverse(),
    ]).toString('hex'),
  }),
  index_double: (bits: bigint) => ({
    type: 'idxf64',
    value: String(Buffer.from(littleEndian(bits, 8)).readDoubleLE()),
  }),
  index_long_double: (bits: bigint) => ({
    type: 'idxf128',
    value: Buffer.from(littleEndian(bits, 16)).toString('hex'),
  }),
}

function littleEndian(value: bigint, size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn))
}
