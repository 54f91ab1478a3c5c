import { MessageChannel } from 'node:worker_threads'
import { expect } from 'chai'
import type { Database } from '../../../src/engine/state/database.ts'
import { createDatabase } from '../../../src/engine/state/database.ts'
import { startThread } from '../../../src/engine/start_thread.ts'
import { stateDigest } from './support/state_digest.ts'

const READERS = 2
/** Turns of each reader while the state changes. */
const TURNS = 40

describe('state: shared with threads that read it', () => {
  it('is seen as after one change or another, never between, whatever is changed and undone', async () => {
    const db = createDatabase()
    const random = randomNumbers(7)
    for (let i = 0; i < 200; i++) changeRows(db, random)
    const expected = new Map<number, number>()
    let version = 0
    const step = () => {
      const { shared } = db
      shared.lock.write()
      try {
        changeState(db, random)
        shared.version = ++version
        shared.publish(version)
        expected.set(version, stateDigest(db))
      } finally {
        shared.lock.endWrite()
      }
    }
    step()
    const readers = Array.from({ length: READERS }, () => startReader(db))
    for (const { counters } of readers) {
      while (Atomics.load(counters, 0) === 0) {
        step()
        await new Promise(setImmediate)
      }
    }
    while (readers.some(({ counters }) => Atomics.load(counters, 0) < TURNS)) step()
    for (const { counters } of readers) Atomics.store(counters, 1, 1)
    for (const reader of readers) {
      const seen = await reader.seen
      for (const [at, digest, news] of seen) {
        expect(digest, `the state of version ${at}`).to.equal(expected.get(at))
        expect(news).to.equal(at)
      }
      expect(seen.at(-1)![0]).to.equal(version)
      expect(new Set(seen.map(([at]) => at)).size).to.be.greaterThan(1)
      db.shared.removeReader(reader.port)
    }
    expect(db.shared.isRead).to.equal(false)
  })

  it('waits for a reader in the middle of its turn, and may be locked again by its own thread', () => {
    const { shared } = createDatabase()
    shared.lock.write()
    shared.lock.write()
    shared.lock.endWrite()
    expect(shared.lock.isWanted).to.equal(true)
    shared.lock.endWrite()
    expect(shared.lock.isWanted).to.equal(false)
    shared.lock.read()
    shared.lock.read()
    shared.lock.endRead()
    shared.lock.endRead()
    shared.lock.write()
    shared.lock.endWrite()
  })
})

function startReader(db: Database) {
  const { port1: port, port2 } = new MessageChannel()
  const control = new SharedArrayBuffer(8)
  const words = db.shared.addReader(port, db.shared.version)
  const worker = startThread('./support/reading_thread', import.meta.url, {
    workerData: { words, port: port2, control },
    transferList: [port2],
  })
  const seen = new Promise<[number, number, number][]>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject)
  })
  return { port, counters: new Int32Array(control), seen }
}

/** Changes in nested sessions, some of which are undone. */
function changeState(db: Database, random: (below: number) => number): void {
  if (db.depth > 5) {
    if (random(2) === 0) db.commit(db.revision)
    else db.undoAll()
  }
  const block = db.startSession()
  for (let i = 0; i < 3; i++) {
    const session = db.startSession()
    changeRows(db, random)
    if (random(3) === 0) session.undo()
    else session.squash()
  }
  if (random(4) === 0) block.undo()
  else block.push()
}

function changeRows(db: Database, random: (below: number) => number): void {
  const { key_value, index64, account } = db
  for (let i = 0; i < 10; i++) {
    const t_id = random(4)
    const primary = BigInt(random(500))
    const row = key_value.find(t_id, primary)
    // Now and then a row with a chunk of its own.
    const size = random(200) === 0 ? 300_000 : random(60)
    const value = new Uint8Array(size).fill(random(256))
    if (row < 0) key_value.insert(t_id, primary, 1n, value)
    else if (random(3) === 0) key_value.remove(row)
    else key_value.update(row, 2n, value)
    const indexed = index64.find(1, primary)
    if (indexed < 0) index64.insert(1, primary, 1n, BigInt(random(100)))
    else if (random(3) === 0) index64.remove(indexed)
    else index64.update(indexed, 1n, BigInt(random(100)))
    const known = account.find('by_name', primary)
    const abi = new Uint8Array(random(20))
    if (!known) account.create({ name: primary, creation_date: random(1000), abi })
    else account.modify(known, (changed) => void (changed.abi = abi))
  }
}

function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
