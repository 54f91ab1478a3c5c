import { check } from '../errors.ts'
import type { Reader } from '../protocol/reader.ts'
import type { Database } from '../state/database.ts'
import { table_id } from '../state/row_codecs.ts'
import { CONTRACT_TABLES } from '../state/tables.ts'
import type { ContractTableName } from '../state/tables.ts'
import { CONTRACT_TABLES_SECTION } from './format.ts'
import type { SectionReader } from './section_reader.ts'
import type { SnapshotReader } from './snapshot_reader.ts'

/** Reads a row, then adds it to a table. */
type LoadRow = (r: Reader, t_id: number) => void

/**
 * Loads rows of one kind: for each table its number, the number of its rows, and the rows.
 * @throws ChainError snapshot_exception
 */
export function loadContractSection(
  rows: SectionReader,
  name: ContractTableName,
  db: Database,
): void {
  const load = rowLoader(name, db)
  let above = -1n
  while (rows.remaining > 0) {
    const number = rows.row((r) => r.i64())
    check(
      number > above && number < BigInt(db.table_id.size),
      'snapshot_exception',
      () => `section ${rows.name} has rows of table ${number} after those of table ${above}`,
    )
    above = number
    loadRows(rows, Number(number), load)
  }
}

/** Up to version 6: every table with its rows of all kinds behind it. */
export function loadContractTables(snapshot: SnapshotReader, db: Database): void {
  const rows = snapshot.section(CONTRACT_TABLES_SECTION)
  const kinds = Object.keys(CONTRACT_TABLES) as ContractTableName[]
  const loaders = kinds.map((name) => rowLoader(name, db))
  while (rows.remaining > 0) {
    const table = rows.row((r) => ({ ...table_id.unpack(r), id: 0 }))
    db.table_id.add(table)
    for (const load of loaders) loadRows(rows, table.id, load)
  }
  rows.finish()
}

function loadRows(rows: SectionReader, t_id: number, load: LoadRow): void {
  const count = rows.row((r) => r.varuint32())
  const loadOne = (r: Reader): void => load(r, t_id)
  for (let i = 0; i < count; i++) rows.row(loadOne)
}

function rowLoader(name: ContractTableName, db: Database): LoadRow {
  switch (name) {
    case 'key_value':
      return (r, t_id) => {
        const primary = r.u64()
        const payer = r.u64()
        db.key_value.insert(t_id, primary, payer, r.blob())
      }
    case 'index256':
      return (r, t_id) => {
        const primary = r.u64()
        const payer = r.u64()
        const high = r.u128()
        db.index256.insert(t_id, primary, payer, [high, r.u128()])
      }
    case 'index64':
      return secondaryLoader(db.index64, (r) => r.u64())
    case 'index128':
      return secondaryLoader(db.index128, (r) => r.u128())
    case 'index_double':
      return secondaryLoader(db.index_double, (r) => refuseNan(r.u64(), 0x7ffn << 52n))
    case 'index_long_double':
      return secondaryLoader(db.index_long_double, (r) => refuseNan(r.u128(), 0x7fffn << 112n))
  }
}

function secondaryLoader(table: Database['index64'], key: (r: Reader) => bigint): LoadRow {
  return (r, t_id) => {
    const primary = r.u64()
    const payer = r.u64()
    table.insert(t_id, primary, payer, key(r))
  }
}

/** Contracts cannot store it, and it has no place in an order.
 *  @param infinity the bits of positive infinity */
function refuseNan(bits: bigint, infinity: bigint): bigint {
  const magnitude = bits & (infinity | ((infinity & -infinity) - 1n))
  check(magnitude <= infinity, 'snapshot_exception', 'a secondary key is not a number')
  return bits
}
