import { NONE, OrderedIndex } from '../state/ordered_index.ts'
import { ChangeReader } from '../state/changes.ts'
import { pageKey, parsePageKey } from './layout.ts'
import { PageDirectory, mergePage, setRowKey } from './pages.ts'
import type { PutOrDelete, Rocks } from './rocks.ts'

/** Pages that are read, merged and written at a time. */
const PAGES_AT_A_TIME = 256

/** The last change of each row among many, in key order. */
export class LatestChanges {
  private readonly index = new OrderedIndex(4)
  private readonly records: Uint8Array[] = []

  /** Adds packed changes, which are newer than those added before. The bytes are kept. */
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

  *inOrder(): Generator<Uint8Array> {
    for (let at = this.index.first(); at !== NONE; at = this.index.nextHinted(at)) {
      yield this.records[at] as Uint8Array
    }
  }
}

interface PageChanges {
  /** Key of the page's record. */
  key: Buffer
  records: Uint8Array[]
}

/**
 * Merges changes into the pages, some at a time. Where it stops midway the pages are a mixture of old
 * and new, which the segments that the changes are from make right again: they are removed later.
 * `stopped` is asked between the steps; the answer is whether all is merged.
 */
export async function mergeIntoPages(
  rocks: Rocks,
  directory: PageDirectory,
  changes: LatestChanges,
  stopped: () => boolean,
): Promise<boolean> {
  let group: PageChanges[] = []
  for (const record of changes.inOrder()) {
    const reader = new ChangeReader(record)
    reader.next()
    const key = pageKey(reader.table, directory.boundOf(reader.table, reader.key()))
    const last = group.at(-1)
    if (last?.key.equals(key)) {
      last.records.push(record)
      continue
    }
    if (group.length === PAGES_AT_A_TIME) {
      if (stopped()) return false
      await mergeGroup(rocks, directory, group)
      group = []
    }
    group.push({ key, records: [record] })
  }
  if (stopped()) return false
  await mergeGroup(rocks, directory, group)
  return true
}

async function mergeGroup(
  rocks: Rocks,
  directory: PageDirectory,
  group: PageChanges[],
): Promise<void> {
  const pages = await rocks.getMany(group.map(({ key }) => key))
  const operations: PutOrDelete[] = []
  group.forEach(({ key, records }, i) => {
    const { table, bound } = parsePageKey(key)
    const [first, ...rest] = mergePage(pages[i], records)
    if (first) {
      operations.push({
        type: 'put',
        key,
        value: Buffer.from(first.buffer, first.byteOffset, first.length),
      })
    } else {
      operations.push({ type: 'del', key })
      directory.remove(table, bound)
    }
    for (const piece of rest) {
      const reader = new ChangeReader(piece)
      reader.next()
      const value = Buffer.from(piece.buffer, piece.byteOffset, piece.length)
      operations.push({ type: 'put', key: pageKey(table, reader.key()), value })
      directory.add(table, reader.key())
    }
  })
  await rocks.batch(operations, false)
}
