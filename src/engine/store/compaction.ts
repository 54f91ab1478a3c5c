import { NONE, OrderedIndex } from '../state/ordered_index.ts'
import { ChangeReader } from '../state/changes.ts'
import type { CheckedRecords } from './checked_records.ts'
import type { RecordChange } from './contents_check.ts'
import { pageKey } from './layout.ts'
import { mergePage, setRowKey } from './pages.ts'
import type { PageDirectory, PageRange, RowChange } from './pages.ts'
import { asBuffer } from './rocks.ts'

/** Pages that are read, merged and written at a time. */
const PAGES_AT_A_TIME = 256

/** The last change of each row among many, in key order. */
export class LatestChanges {
  private readonly index = new OrderedIndex(4)
  private readonly records: Uint8Array[] = []

  /** Adds packed changes that are newer than those added before. The bytes are kept. */
  add(bytes: Uint8Array): void {
    const reader = new ChangeReader(bytes)
    const { index, records } = this
    while (reader.next()) {
      const { table } = reader
      const key = reader.key()
      setRowKey(index.key, table, key)
      if (index.insert(records.length)) {
        records.push(reader.record())
        continue
      }
      records[index.find()] = reader.record()
    }
  }

  /** The last change of each row, in the order of tables and keys. */
  *inOrder(): Generator<RowChange> {
    for (let at = this.index.first(); at !== NONE; at = this.index.nextHinted(at)) {
      const reader = new ChangeReader(this.records[at] as Uint8Array)
      reader.next()
      const removed = reader.value() === undefined
      yield { table: reader.table, key: reader.key(), record: reader.record(), removed }
    }
  }
}

interface PageChanges {
  page: PageRange
  changes: RowChange[]
}

/**
 * Merges changes into the pages in steps. If it stops midway, the pages are a mixture of old and
 * new; the segments with the changes, which are removed later, correct them at the next start.
 * `stopped` is called between the steps. Returns whether all changes are merged.
 */
export async function mergeIntoPages(
  records: CheckedRecords,
  directory: PageDirectory,
  changes: LatestChanges,
  stopped: () => boolean,
): Promise<boolean> {
  let group: PageChanges[] = []
  for (const change of changes.inOrder()) {
    const last = group.at(-1)
    if (last && isWithin(last.page, change)) {
      last.changes.push(change)
      continue
    }
    if (group.length === PAGES_AT_A_TIME) {
      if (stopped()) return false
      await mergeGroup(records, directory, group)
      group = []
    }
    group.push({ page: directory.pageOf(change.table, change.key), changes: [change] })
  }
  if (stopped()) return false
  await mergeGroup(records, directory, group)
  return true
}

/** Whether a change is for the page; changes come in key order, so it is not below the bound. */
function isWithin(page: PageRange, change: RowChange): boolean {
  if (change.table !== page.table) return false
  return page.end === undefined || Buffer.compare(change.key, page.end) < 0
}

async function mergeGroup(
  records: CheckedRecords,
  directory: PageDirectory,
  group: PageChanges[],
): Promise<void> {
  const keys = group.map(({ page }) => pageKey(page.table, page.bound))
  const pages = await records.getMany(keys)
  const written: RecordChange[] = []
  group.forEach(({ page, changes }, i) => {
    const key = keys[i] as Buffer
    const [first, ...rest] = mergePage(pages[i], changes)
    written.push({ key, value: first && asBuffer(first), before: pages[i] })
    if (!first) directory.remove(page.table, page.bound)
    for (const piece of rest) {
      const reader = new ChangeReader(piece)
      reader.next()
      const piece_key = pageKey(page.table, reader.key())
      written.push({ key: piece_key, value: asBuffer(piece) })
      directory.add(page.table, reader.key())
    }
  })
  await records.write(written, false)
}
