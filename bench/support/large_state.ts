import type { Database } from '../../src/engine/state/database.ts'

/** Number of tables that {@link fillState} makes. */
export const FILLED_TABLES = 100

/** The value of each row. */
export const VALUE = new Uint8Array(100).fill(7)

/** Makes rows in tables of a contract, every tenth with a secondary key too. */
export function fillState(db: Database, rows: number): void {
  for (let table = 0; table < FILLED_TABLES; table++) {
    const names = { code: 1n, scope: BigInt(table), table: 1n, payer: 1n }
    const count = rows / FILLED_TABLES
    const { id } = db.table_id.create({ ...names, count })
    for (let i = 0; i < (count * 10) / 11; i++) {
      db.key_value.insert(id, BigInt(i), 5n, VALUE)
      if (i % 10 === 0) db.index64.insert(id, BigInt(i), 5n, BigInt(i * 7))
    }
  }
}
