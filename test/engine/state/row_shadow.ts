import { expect } from 'chai'
import { ChangeReader } from '../../../src/engine/state/changes.ts'
import type { Database } from '../../../src/engine/state/database.ts'
import type { RowDelta } from '../../../src/engine/state/row_deltas.ts'
import { toHex } from '../../../src/engine/protocol/hex.ts'
import { CONTRACT_TABLES, OBJECT_TABLES } from '../../../src/engine/state/tables.ts'

const NAMES = new Map(
  Object.entries({ ...OBJECT_TABLES, ...CONTRACT_TABLES }).map(([name, t]) => [t.number, name]),
)

/** Every row of a database as text, by table and key. */
export function rowsOf(db: Database): Map<string, string> {
  const rows = new Map<string, string>()
  for (const { bytes } of db.allRows()) {
    const reader = new ChangeReader(bytes)
    while (reader.next()) {
      rows.set(`${NAMES.get(reader.table)} ${toHex(reader.key())}`, toHex(reader.value()!))
    }
  }
  return rows
}

/** The rows of a database, kept by deltas alone. */
export class RowShadow {
  readonly rows: Map<string, string>
  /** What takes each session back, by its name. */
  private readonly undo = new Map<string, { key: string; old_row: string | undefined }[]>()

  constructor(rows = new Map<string, string>()) {
    this.rows = rows
  }

  /**
   * Takes over the deltas of a session that `name` stands for. Each row must be there once, as it was
   * before the session; a key may be removed and then created again as another row.
   */
  apply(name: string, deltas: Iterable<RowDelta>): void {
    const undo: { key: string; old_row: string | undefined }[] = []
    const seen = new Set<string>()
    for (const delta of deltas) {
      const key = `${delta.table} ${toHex(delta.key)}`
      const what = `${key} ${delta.old_row ? 'existed' : 'is new'}`
      expect(seen.has(what), `${what}, twice`).to.equal(false)
      seen.add(what)
      const old_row = delta.old_row && toHex(delta.old_row)
      expect(old_row, `old row of ${key}`).to.equal(this.rows.get(key))
      undo.unshift({ key, old_row })
      this.set(key, delta.row && toHex(delta.row))
    }
    this.undo.set(name, undo)
  }

  undone(name: string): void {
    for (const { key, old_row } of this.undo.get(name)!) this.set(key, old_row)
    this.undo.delete(name)
  }

  private set(key: string, row: string | undefined): void {
    if (row === undefined) this.rows.delete(key)
    else this.rows.set(key, row)
  }
}
