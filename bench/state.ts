/**
 * Speed and memory of the state: `node --expose-gc --import tsx bench/state.ts [rows]`.
 * Prints what it measures, one line each. Nanoseconds are CPU time per operation, collection of garbage
 * included; milliseconds are wall time.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase } from '../src/engine/state/database.ts'
import type { Database } from '../src/engine/state/database.ts'
import { RocksStore } from '../src/engine/store/rocks_store.ts'

const ROWS = Number(process.argv[2] ?? 1_000_000)
const VALUE = new Uint8Array(100).fill(7)
const OPERATIONS = 1_000_000

function report(name: string, value: number, unit: string): void {
  console.log(`${name.padEnd(52)} ${value.toFixed(value < 10 ? 2 : 0).padStart(10)} ${unit}`)
}

function time(name: string, operations: number, run: () => void): void {
  const start = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(start)
  report(name, ((user + system) * 1e3) / operations, 'ns')
}

function memory(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  return process.memoryUsage.rss()
}

/** A permutation of 0 … n - 1 without a table: n must not share a factor with the step. */
function scattered(i: number, n: number): number {
  return (i * 7_368_787) % n
}

function fill(db: Database, order: (i: number) => number): void {
  for (let i = 0; i < ROWS; i++) db.key_value.insert(1, BigInt(order(i)), 5n, VALUE)
}

function insertions(): Database {
  const before = memory()
  const sequential = createDatabase()
  time('insert, ascending keys, no session', ROWS, () => fill(sequential, (i) => i))
  report('memory of a row of 100 bytes, ascending', (memory() - before) / ROWS, 'bytes')
  const between = memory()
  const random = createDatabase()
  time('insert, scattered keys, no session', ROWS, () => fill(random, (i) => scattered(i, ROWS)))
  report('memory of a row of 100 bytes, scattered', (memory() - between) / ROWS, 'bytes')
  return random
}

function reads(db: Database): void {
  const table = db.key_value
  time('find, scattered', OPERATIONS, () => {
    for (let i = 0; i < OPERATIONS; i++) table.find(1, BigInt(scattered(i, ROWS)))
  })
  time('find, the same 1000 rows', OPERATIONS, () => {
    for (let i = 0; i < OPERATIONS; i++) table.find(1, BigInt(i % 1000))
  })
  time('next, through the table', ROWS, () => {
    for (let row = table.first(1); row >= 0; row = table.next(row));
  })
  time('next and value, through the table', ROWS, () => {
    let sum = 0
    for (let row = table.first(1); row >= 0; row = table.next(row)) sum += table.value(row)[0]!
    if (sum === 0) throw new Error('values are there')
  })
}

function sessions(db: Database): void {
  const table = db.key_value
  time('start and squash of an empty session', OPERATIONS, () => {
    const outer = db.startSession()
    for (let i = 0; i < OPERATIONS; i++) db.startSession().squash()
    outer.undo()
  })
  const count = Math.min(ROWS, 200_000)
  const update = (i: number) => table.update(table.find(1, BigInt(scattered(i, ROWS))), 5n, VALUE)
  time('find and update, scattered, no session', count, () => {
    for (let i = 0; i < count; i++) update(i)
  })
  time('find and update, scattered, in a session, undone', count, () => {
    const session = db.startSession()
    for (let i = 0; i < count; i++) update(i)
    session.undo()
  })
  time('the same in sessions of 10 rows, squashed', count, () => {
    const block = db.startSession()
    for (let i = 0; i < count;) {
      const session = db.startSession()
      for (let j = 0; j < 10; j++) update(i++)
      session.squash()
    }
    block.push()
  })
  time('commit, for each row', count, () => db.commit(db.revision))
}

function objects(): void {
  const db = createDatabase()
  const usage = () => ({ last_ordinal: 0, value_ex: 0n, consumed: 0n })
  const accounts = 100_000
  for (let i = 0; i < accounts; i++) {
    db.resource_usage.create({
      owner: BigInt(i),
      net_usage: usage(),
      cpu_usage: usage(),
      ram_usage: 0n,
    })
  }
  const { resource_usage } = db
  const touch = (owner: bigint) => {
    const row = resource_usage.get('by_owner', owner)
    resource_usage.modify(row, (r) => {
      r.cpu_usage.consumed += 1n
      r.ram_usage += 2n
    })
  }
  time('object: get by name, hot', OPERATIONS, () => {
    for (let i = 0; i < OPERATIONS; i++) resource_usage.get('by_owner', BigInt(i % 100))
  })
  time('object: get by name and modify, hot, no session', OPERATIONS, () => {
    for (let i = 0; i < OPERATIONS; i++) touch(BigInt(i % 100))
  })
  time('object: get and modify, 3 rows a transaction', OPERATIONS, () => {
    const block = db.startSession()
    for (let i = 0; i < OPERATIONS / 3; i++) {
      const session = db.startSession()
      for (let j = 0; j < 3; j++) touch(BigInt((i + j) % 100))
      session.squash()
    }
    block.undo()
  })
  time('object: get and modify, scattered over 100,000', 200_000, () => {
    const block = db.startSession()
    for (let i = 0; i < 200_000; i++) touch(BigInt(scattered(i, accounts)))
    block.undo()
  })
  time('object: create a transaction row', 200_000, () => {
    const block = db.startSession()
    const trx_id = new Uint8Array(32)
    const view = new DataView(trx_id.buffer)
    for (let i = 0; i < 200_000; i++) {
      view.setUint32(0, scattered(i, 1_000_003))
      db.transaction.create({ expiration: i >> 8, trx_id })
    }
    block.undo()
  })
}

async function store(db: Database): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pronghorn-bench-'))
  const head = { block_num: 1, block_id: new Uint8Array(32), head: new Uint8Array(0) }
  try {
    const written = await RocksStore.open(folder)
    let start = performance.now()
    await written.fill(head, db.allRows())
    report('store: fill with all rows', performance.now() - start, 'ms')
    await written.close()
    start = performance.now()
    const read = await RocksStore.open(folder)
    const copy = createDatabase()
    const rows = await read.load(copy)
    report(`store: open and load ${rows} rows`, performance.now() - start, 'ms')
    const session = copy.startSession()
    const count = Math.min(ROWS, 100_000)
    for (let i = 0; i < count; i++) {
      copy.key_value.update(copy.key_value.find(1, BigInt(scattered(i, ROWS))), 6n, VALUE)
    }
    start = performance.now()
    const changes = copy.collectChanges()
    report(`store: collect ${count} changes`, performance.now() - start, 'ms')
    session.push()
    start = performance.now()
    await read.commit({ ...head, changes: [changes] })
    report(`store: commit ${count} changes`, performance.now() - start, 'ms')
    start = performance.now()
    await read.merged()
    report('store: merge them into pages', performance.now() - start, 'ms')
    await read.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const db = insertions()
reads(db)
sessions(db)
objects()
await store(db)
