/**
 * Snapshots of a large state: `node --expose-gc --import tsx bench/snapshot.ts [rows]`.
 * Prints what it measures, one line each. While a snapshot is written, blocks go on: they change rows,
 * and the longest wait for a turn of the event loop is what a block may be late.
 */
import {
  copyFileSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  closeSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Chain } from '../src/engine/chain/chain.ts'
import { snapshotToJson } from '../src/engine/json/snapshot.ts'
import { integrityHash } from '../src/engine/snapshot/integrity_hash.ts'
import { writeSnapshot } from '../src/engine/snapshot/write_snapshot.ts'
import type { Database } from '../src/engine/state/database.ts'
import { MemoryStore } from '../src/engine/store/memory_store.ts'
import { RocksStore } from '../src/engine/store/rocks_store.ts'
import { FILLED_TABLES, VALUE, fillState } from './support/large_state.ts'

const ROWS = Number(process.argv[2] ?? 1_000_000)
/** Rows that a block changes, and how often there is one: as 10,000 transfers a second would. */
const CHANGES = 2000
const BLOCK_MS = 50
const LOG = fileURLToPath(new URL('../test/fixtures/recordings/one/blocks.log', import.meta.url))
const MB = 1e6

function report(name: string, value: number, unit: string): void {
  console.log(`${name.padEnd(52)} ${value.toFixed(value < 10 ? 2 : 0).padStart(10)} ${unit}`)
}

function rss(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  return process.memoryUsage.rss()
}

/** A block that changes rows. */
function makeBlock(db: Database, number: number): void {
  const session = db.startSession()
  const first = db.table_id.next_id - FILLED_TABLES
  for (let i = 0; i < CHANGES; i++) {
    const n = number * CHANGES + i
    const row = db.key_value.find(
      first + (n % FILLED_TABLES),
      BigInt((n * 7919) % (ROWS / FILLED_TABLES / 2)),
    )
    if (row >= 0) db.key_value.update(row, 6n, VALUE)
  }
  session.push()
  db.commit(db.revision - 2)
}

interface Turns {
  longest_ms: number
  peak_rss: number
  blocks: number
}

/** Makes blocks until `work` is done; the wait is the time between the end of a turn and the next. */
async function whileBlocksGoOn(db: Database, work: Promise<unknown>): Promise<Turns> {
  const seen: Turns = { longest_ms: 0, peak_rss: 0, blocks: 0 }
  let done = false
  const finished = work.finally(() => (done = true))
  let last_block = 0
  let idle_since = performance.now()
  while (!done) {
    await new Promise((resolve) => setImmediate(resolve))
    seen.longest_ms = Math.max(seen.longest_ms, performance.now() - idle_since)
    if (performance.now() - last_block > BLOCK_MS) {
      last_block = performance.now()
      makeBlock(db, seen.blocks++)
      seen.peak_rss = Math.max(seen.peak_rss, process.memoryUsage.rss())
    }
    idle_since = performance.now()
  }
  await finished
  return seen
}

async function timed<T>(work: () => T | Promise<T>): Promise<[T, number]> {
  const start = performance.now()
  const result = await work()
  return [result, performance.now() - start]
}

function copyAndSync(from: string, to: string): void {
  copyFileSync(from, to)
  const fd = openSync(to, 'r+')
  fsyncSync(fd)
  closeSync(fd)
}

async function writing(chain: Chain, folder: string): Promise<{ path: string; rows: number }> {
  const { db } = chain
  const before = rss()
  const [source, view_ms] = await timed(() => chain.snapshotSource())
  report('a view of the state: the chain stands for', view_ms, 'ms')
  const path = join(folder, 'snapshot.bin')
  const alone = join(folder, 'alone.bin')
  const [, alone_ms] = await timed(() => writeSnapshot(source, alone))
  const { size } = statSync(alone)
  const rows = ROWS + 65_536
  report('write', (rows / alone_ms) * 1e3, 'rows/s')
  report('write', size / MB / (alone_ms / 1e3), 'MB/s')
  const [, copy_ms] = await timed(() => copyAndSync(alone, join(folder, 'copy.bin')))
  report('plain copy of the file, synced', size / MB / (copy_ms / 1e3), 'MB/s')
  const [seen, busy_ms] = await timed(() => whileBlocksGoOn(db, writeSnapshot(source, path)))
  report('write while blocks go on', size / MB / (busy_ms / 1e3), 'MB/s')
  report(`longest wait of a turn, ${seen.blocks} blocks meanwhile`, seen.longest_ms, 'ms')
  report('memory meanwhile, of memory before', seen.peak_rss / before, 'x')
  const [hashing, hash_ms] = await timed(() => whileBlocksGoOn(db, integrityHash(source)))
  report('integrity hash while blocks go on', size / MB / (hash_ms / 1e3), 'MB/s')
  report(`longest wait of a turn, ${hashing.blocks} blocks meanwhile`, hashing.longest_ms, 'ms')
  const [, release_ms] = await timed(() => source.view.release())
  report('end of the view', release_ms, 'ms')
  return { path, rows }
}

async function reading(path: string, rows: number, folder: string): Promise<void> {
  const { size } = statSync(path)
  const start = async (): Promise<void> => {
    const store = await RocksStore.open(join(folder, 'state'))
    const blocks_dir = join(folder, 'blocks')
    const chain = await Chain.open({ snapshot: path, blocks_dir }, { store, now: () => 0 })
    await chain.close()
  }
  let texts = 0
  const [, json_ms] = await timed(() => {
    for (const text of snapshotToJson(path)) texts += text.length
  })
  const [, load_ms] = await timed(async () => {
    const chain = await Chain.open(
      { snapshot: path },
      { store: new ForgetfulStore(), now: () => 0 },
    )
    await chain.close()
  })
  report('load', (rows / load_ms) * 1e3, 'rows/s')
  report('load', size / MB / (load_ms / 1e3), 'MB/s')
  const [, start_ms] = await timed(start)
  report('start of a node from it, with its store on disk', start_ms, 'ms')
  report('to JSON, reading included', texts / MB / (json_ms / 1e3), 'MB/s')
}

/** Keeps nothing: reading alone is measured. */
class ForgetfulStore extends MemoryStore {
  override fill(): Promise<void> {
    return Promise.resolve()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'pronghorn-bench-'))
try {
  const store = new ForgetfulStore()
  const options = { replay: LOG, terminate_at_block: 36 }
  const chain = await Chain.open(options, { store, now: () => 0 })
  fillState(chain.db, ROWS)
  const { path, rows } = await writing(chain, folder)
  await chain.close()
  await reading(path, rows, folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
