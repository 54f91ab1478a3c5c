import type { Database } from '../engine/state/database.ts'
import { clearRows, restoreRows, saveRows } from './machine/contract_rows.ts'
import type { SavedRows } from './machine/contract_rows.ts'

/**
 * The rows of all contracts of a blockchain. A store that no blockchain uses keeps its rows until one
 * gets it by `resetTables(store)`.
 */
export class TableStore {
  private db: Database | undefined
  private rows: SavedRows | undefined
  private readonly snapshots: SavedRows[] = []

  /** Remembers the present rows.
   *  @returns the number for {@link revertTo} */
  snapshot(): number {
    this.snapshots.push(this.used(saveRows))
    return this.snapshots.length
  }

  /**
   * Goes back to the rows of a snapshot, any number of times; 0 is the empty store.
   * @throws Error for the number of no snapshot
   */
  revertTo(snapshot = 0): void {
    const rows = this.snapshots[snapshot - 1]
    if (rows === undefined && snapshot !== 0) throw new Error(`there is no snapshot ${snapshot}`)
    this.used((db) => (rows === undefined ? clearRows(db) : restoreRows(db, rows)))
    this.snapshots.length = snapshot
  }

  /** @internal A blockchain begins to use this store. */
  attach(db: Database): void {
    if (this.rows === undefined) clearRows(db)
    else restoreRows(db, this.rows)
    this.rows = undefined
    this.db = db
  }

  /** @internal The blockchain takes another store. */
  detach(keeps_rows: boolean): void {
    if (this.db !== undefined && keeps_rows) this.rows = saveRows(this.db)
    this.db = undefined
  }

  private used<T>(act: (db: Database) => T): T {
    if (this.db === undefined) throw new Error('no blockchain uses this TableStore')
    return act(this.db)
  }
}
