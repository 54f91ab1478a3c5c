import assert from 'node:assert/strict'
import { ChangeReader } from '../state/changes.ts'
import type { CheckedRecords } from './checked_records.ts'
import type { RecordChange } from './contents_check.ts'
import { pageKey } from './layout.ts'
import { SPLIT_PAGE } from './pages.ts'
import type { PageDirectory } from './pages.ts'

/** Pages that are written at a time. */
const PAGES_AT_A_TIME = 512

/** Writes rows that come table by table, in key order, straight into new pages. Nothing is synced. */
export class PageFiller {
  private readonly records: CheckedRecords
  private readonly directory: PageDirectory
  private readonly tables = new Set<number>()
  private table = -1
  private last_key: Uint8Array = new Uint8Array(0)
  private bound: Uint8Array = new Uint8Array(0)
  private page: Uint8Array[] = []
  private page_size = 0
  private changes: RecordChange[] = []

  constructor(records: CheckedRecords, directory: PageDirectory) {
    this.records = records
    this.directory = directory
  }

  /** Adds packed rows, without removals. */
  async add(bytes: Uint8Array): Promise<void> {
    const reader = new ChangeReader(bytes)
    while (reader.next()) {
      const record = reader.record()
      const key = reader.key()
      assert(reader.value() !== undefined, 'a new store has nothing to remove')
      const is_first = reader.table !== this.table
      if (is_first || this.page_size + record.length > SPLIT_PAGE) {
        this.endPage()
        this.bound = is_first ? new Uint8Array(key.length) : key.slice()
      }
      if (is_first) this.beginTable(reader.table)
      else assert(Buffer.compare(this.last_key, key) < 0, 'rows come in the order of their keys')
      this.last_key = key
      this.page.push(record)
      this.page_size += record.length
    }
    // The last key must outlive the bytes that it is a view of.
    this.last_key = this.last_key.slice()
    // So must the rows of the page that is not full yet.
    this.page = [Buffer.concat(this.page, this.page_size)]
    if (this.changes.length >= PAGES_AT_A_TIME) await this.write()
  }

  /** Writes what is left. */
  async end(): Promise<void> {
    this.endPage()
    await this.write()
  }

  private beginTable(table: number): void {
    assert(!this.tables.has(table), 'rows come table by table')
    this.tables.add(table)
    this.table = table
  }

  private endPage(): void {
    if (this.page_size === 0) return
    const value = Buffer.concat(this.page, this.page_size)
    this.changes.push({ key: pageKey(this.table, this.bound), value })
    this.directory.add(this.table, this.bound)
    this.page = []
    this.page_size = 0
  }

  private async write(): Promise<void> {
    const { changes } = this
    this.changes = []
    await this.records.write(changes, false)
  }
}
