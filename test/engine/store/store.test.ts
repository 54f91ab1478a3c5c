import { join } from 'node:path'
import { spawn, spawnSync } from 'node:child_process'
import { expect } from 'chai'
import fc from 'fast-check'
import { ChainError } from '../../../src/engine/errors.ts'
import { ChangeWriter } from '../../../src/engine/state/changes.ts'
import type { ChangeSet } from '../../../src/engine/state/changes.ts'
import { createDatabase } from '../../../src/engine/state/database.ts'
import { HEAD_KEY, VERSION_KEY, packVersion } from '../../../src/engine/store/layout.ts'
import { MemoryStore } from '../../../src/engine/store/memory_store.ts'
import { Rocks } from '../../../src/engine/store/rocks.ts'
import { RocksStore } from '../../../src/engine/store/rocks_store.ts'
import type { RowSink, Store } from '../../../src/engine/store/store.ts'
import { temporaryFolder } from './temporary_folder.ts'

type Change = { table: number; key: number; value: Uint8Array | undefined }

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** Keys of 12 bytes in tables 7 to 9, of 8 bytes in the others, as the state has. */
function keyBytes(table: number, key: number): Uint8Array {
  const bytes = Buffer.alloc(table >= 7 && table <= 9 ? 12 : 8)
  bytes.writeUInt32BE((key * 0x01010101) >>> 0, bytes.length - 8)
  return bytes
}

function changeSet(changes: Change[], next_ids: [number, number][] = []): ChangeSet {
  const writer = new ChangeWriter()
  for (const { table, key, value } of changes) {
    const bytes = keyBytes(table, key)
    const source = {
      rows: { has: () => value !== undefined },
      stored: () => value!,
      storedKey(_row: number, out: Uint8Array, at: number) {
        out.set(bytes, at)
        return bytes.length
      },
    }
    writer.add({ number: table, table: source }, 0)
  }
  return writer.finish(next_ids)
}

/** Takes rows into a map, as text. */
class MapSink implements RowSink {
  readonly rows = new Map<string, string>()
  readonly next_ids = new Map<number, number>()

  putRow(table: number, key: Uint8Array, value: Uint8Array): void {
    this.rows.set(`${table} ${hex(key)}`, hex(value))
  }

  removeRow(table: number, key: Uint8Array): void {
    this.rows.delete(`${table} ${hex(key)}`)
  }

  loadNextId(table: number, next_id: number): void {
    this.next_ids.set(table, next_id)
  }
}

async function rowsOf(store: Store): Promise<Record<string, string>> {
  const sink = new MapSink()
  await store.load(sink)
  return Object.fromEntries([...sink.rows].sort())
}

const at = (block_num: number) => ({
  block_num,
  block_id: new Uint8Array(32).fill(block_num),
  head: new Uint8Array([1, 2, block_num]),
})

const change = fc.record({
  table: fc.constantFrom(1, 7, 8, 38),
  key: fc.nat(40),
  value: fc.option(
    fc.oneof(
      fc.uint8Array({ maxLength: 20 }),
      fc.nat(3000).map((size) => new Uint8Array(size).fill(size)),
    ),
    { nil: undefined, freq: 4 },
  ),
})
const commits = fc.array(
  fc.record({
    sets: fc.array(fc.array(change, { maxLength: 30, size: 'max' }), { maxLength: 3 }),
    reopen: fc.boolean(),
  }),
  { maxLength: 6, size: 'max' },
)

interface Backend {
  name: string
  /** Opens the store in the place again, or the first time. */
  open(place: string): Promise<Store>
  /** What is left when the process ends and begins again. */
  reopen(store: Store, place: string): Promise<Store>
}

const root = temporaryFolder()
const reopenRocks = async (store: Store, place: string, bytes?: number) => {
  await store.close()
  const again = await RocksStore.open(join(root, place), bytes ? { segment_bytes: bytes } : {})
  await again.load(new MapSink())
  return again
}
const BACKENDS: Backend[] = [
  {
    name: 'memory',
    open: () => Promise.resolve(new MemoryStore()),
    reopen: (store) => Promise.resolve(store),
  },
  {
    name: 'rocksdb',
    open: (place) => RocksStore.open(join(root, place)),
    reopen: (store, place) => reopenRocks(store, place),
  },
  {
    name: 'rocksdb that merges segments early',
    open: (place) => RocksStore.open(join(root, place), { segment_bytes: 500 }),
    reopen: (store, place) => reopenRocks(store, place, 500),
  },
]

let count = 0
for (const backend of BACKENDS) {
  describe(`store: ${backend.name}`, () => {
    const newPlace = () => `store${count++}`

    it('begins empty', async () => {
      const store = await backend.open(newPlace())
      expect(store.head).equal(undefined)
      expect(await rowsOf(store)).deep.equal({})
      await store.close()
    })

    it('has the rows of all commits, in order, also when opened again', async () => {
      const property = fc.asyncProperty(commits, async (list) => {
        const place = newPlace()
        let store = await backend.open(place)
        const model = new MapSink()
        let block_num = 0
        for (const { sets, reopen } of list) {
          block_num++
          for (const { table, key, value } of sets.flat()) {
            if (value) model.putRow(table, keyBytes(table, key), value)
            else model.removeRow(table, keyBytes(table, key))
          }
          const next_ids: [number, number][] = [[1, block_num * 10]]
          const changes = sets.map((set) => changeSet(set, next_ids))
          await store.commit({ ...at(block_num), changes })
          if (reopen) store = await backend.reopen(store, place)
        }
        store = await backend.reopen(store, place)
        expect(await rowsOf(store)).deep.equal(Object.fromEntries([...model.rows].sort()))
        if (block_num > 0) {
          const { head } = store
          expect(head!.block_num).equal(block_num)
          expect(hex(head!.block_id)).equal(hex(at(block_num).block_id))
          expect(hex(head!.head)).equal(hex(at(block_num).head))
        }
        await store.close()
      })
      await fc.assert(property, { numRuns: 25 })
    })

    it('keeps the next ids', async () => {
      const place = newPlace()
      let store = await backend.open(place)
      await store.commit({
        ...at(1),
        changes: [
          changeSet([], [[1, 5]]),
          changeSet(
            [],
            [
              [1, 7],
              [2, 2 ** 40],
            ],
          ),
        ],
      })
      await store.commit({ ...at(2), changes: [] })
      store = await backend.reopen(store, place)
      const sink = new MapSink()
      await store.load(sink)
      expect([...sink.next_ids]).deep.equal([
        [1, 7],
        [2, 2 ** 40],
      ])
      await store.close()
    })

    it('is empty after it was cleared, and usable', async () => {
      const place = newPlace()
      let store = await backend.open(place)
      const value = new Uint8Array(5)
      await store.commit({ ...at(1), changes: [changeSet([{ table: 7, key: 1, value }])] })
      await store.clear()
      expect(store.head).equal(undefined)
      expect(await rowsOf(store)).deep.equal({})
      await store.commit({ ...at(1), changes: [changeSet([{ table: 7, key: 2, value }])] })
      store = await backend.reopen(store, place)
      expect(Object.keys(await rowsOf(store))).deep.equal([`7 ${hex(keyBytes(7, 2))}`])
      await store.close()
    })

    it('is filled set by set', async () => {
      const place = newPlace()
      let store = await backend.open(place)
      const db = createDatabase()
      for (let i = 0n; i < 500n; i++) db.key_value.insert(1, i, 5n, new Uint8Array(Number(i)))
      db.account_ram_correction.create({ name: 1n, ram_correction: 2n })
      await store.fill(at(7), db.allRows(100))
      expect(store.head!.block_num).equal(7)
      const value = new Uint8Array(5)
      await store.commit({ ...at(8), changes: [changeSet([{ table: 7, key: 1, value }])] })
      store = await backend.reopen(store, place)
      expect(store.head!.block_num).equal(8)
      const copy = createDatabase()
      await store.load(copy)
      expect(copy.key_value.size).equal(501)
      expect(copy.key_value.value(copy.key_value.find(1, 400n)).length).equal(400)
      await store.close()
    })

    it('carries a database', async () => {
      const place = newPlace()
      let store = await backend.open(place)
      const db = createDatabase()
      const session = db.startSession()
      for (let i = 0n; i < 500n; i++) {
        db.key_value.insert(Number(i % 3n), i, 5n, new Uint8Array(Number(i)).fill(3))
        db.account_ram_correction.create({ name: i, ram_correction: i * 2n })
      }
      await store.commit({ ...at(1), changes: [db.collectChanges()] })
      session.push()
      store = await backend.reopen(store, place)
      const copy = createDatabase()
      await store.load(copy)
      expect(copy.key_value.size).equal(500)
      expect(copy.account_ram_correction.next_id).equal(500)
      expect(copy.account_ram_correction.get('by_name', 77n).ram_correction).equal(154n)
      expect(copy.key_value.value(copy.key_value.find(1, 400n)).length).equal(400)
      await store.close()
    })
  })
}

describe('store: rocksdb alone', () => {
  const value = new Uint8Array(5)
  const one = { ...at(1), changes: [changeSet([{ table: 7, key: 1, value }])] }

  it('tells that another process has it', async () => {
    const folder = join(root, 'locked')
    const store = await RocksStore.open(folder)
    const program = `
      import { RocksStore } from './src/engine/store/rocks_store.ts'
      try { await RocksStore.open(${JSON.stringify(folder)}); console.log('opened') }
      catch (error) { console.log(error.errorName + ' ' + error.message) }`
    const args = ['--import', 'tsx', '--input-type=module', '-e', program]
    const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect(stdout).match(/^database_exception the state in .*locked is in use by another process/)
    await store.close()
  })

  it('refuses work after its end instead of ending the process', async () => {
    const rocks = await Rocks.open(join(root, 'ended'))
    const put = { type: 'put' as const, key: Buffer.from('k'), value: Buffer.from('v') }
    await rocks.batch([put], true)
    await rocks.close()
    await rocks.close()
    const refused = await rocks.batch([put], true).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(refused).instanceOf(ChainError).with.property('message', 'the database is closed')
  })

  it('refuses what a newer program wrote, and leaves it alone', async () => {
    const folder = join(root, 'newer')
    const store = await RocksStore.open(folder)
    await store.commit(one)
    await store.close()
    let rocks = await Rocks.open(folder)
    await rocks.batch([{ type: 'put', key: VERSION_KEY, value: packVersion(99) }], true)
    await rocks.close()
    await RocksStore.open(folder).then(
      () => expect.fail('it was opened'),
      (error: unknown) => {
        expect(error).instanceOf(ChainError)
        expect((error as ChainError).errorName).equal('bad_database_version_exception')
        expect((error as ChainError).message).match(/version 99, written by a newer program/)
      },
    )
    rocks = await Rocks.open(folder)
    expect((await rocks.get(VERSION_KEY))!.readUInt32LE()).equal(99)
    await rocks.close()
  })

  it('tells that a place cannot be a folder', async () => {
    await RocksStore.open('/dev/null/state').then(
      () => expect.fail('it was opened'),
      (error: unknown) => expect((error as ChainError).message).match(/cannot be opened/),
    )
  })

  it('is loaded before it is written', async () => {
    const folder = join(root, 'unloaded')
    const store = await RocksStore.open(folder)
    await store.commit(one)
    await store.close()
    const again = await RocksStore.open(folder)
    await again.commit(one).then(
      () => expect.fail('it was written'),
      (error: unknown) => expect(String(error)).match(/loaded before/),
    )
    await again.close()
  })

  it('has nothing when clearing it was interrupted', async () => {
    const folder = join(root, 'cleared')
    const store = await RocksStore.open(folder, { segment_bytes: 1 })
    await store.commit(one)
    await store.merged()
    await store.commit({ ...one, ...at(2) })
    await store.close()
    const rocks = await Rocks.open(folder)
    await rocks.batch([{ type: 'del', key: HEAD_KEY }], true)
    await rocks.close()
    const again = await RocksStore.open(folder)
    expect(again.head).equal(undefined)
    expect(await rowsOf(again)).deep.equal({})
    await again.close()
  })

  it('has nothing when filling it was interrupted', async () => {
    const folder = join(root, 'half filled')
    const store = await RocksStore.open(folder)
    const [set] = one.changes
    const failing = function* (): Generator<ChangeSet> {
      yield set!
      throw new Error('interrupted')
    }
    await store.fill(at(1), failing()).then(
      () => expect.fail('it was filled'),
      (error: unknown) => expect(String(error)).match(/interrupted/),
    )
    await store.close()
    const again = await RocksStore.open(folder)
    expect(again.head).equal(undefined)
    expect(await rowsOf(again)).deep.equal({})
    await again.close()
  })

  it('is filled in the order of keys, table by table', async () => {
    const row = (table: number, key: number) => changeSet([{ table, key, value }])
    for (const sets of [
      [row(7, 2), row(7, 1)],
      [row(7, 1), row(7, 1)],
      [row(7, 1), row(8, 1), row(7, 2)],
      [changeSet([{ table: 7, key: 1, value: undefined }])],
    ]) {
      const store = await RocksStore.open(join(root, 'misfilled'))
      await store.fill(at(1), sets).then(
        () => expect.fail('it was filled'),
        (error: unknown) => expect(String(error)).match(/order|table by table|remove/),
      )
      await store.close()
    }
  })

  it('merges segments into pages of bounded size', async () => {
    const folder = join(root, 'merged')
    const store = await RocksStore.open(folder, { segment_bytes: 1 })
    const writer = new Map<number, Uint8Array>()
    for (let block = 1; block <= 20; block++) {
      const changes: Change[] = []
      for (let i = 0; i < 100; i++) {
        const key = (block * 37 + i * 11) % 1000
        const bytes = new Uint8Array(100).fill(block)
        writer.set(key, bytes)
        changes.push({ table: 7, key, value: bytes })
      }
      await store.commit({ ...at(block), changes: [changeSet(changes)] })
    }
    await store.close()
    const rocks = await Rocks.open(folder)
    let pages = 0
    let largest = 0
    await rocks.each({ gte: Buffer.from('p'), lt: Buffer.from('q') }, (_key, page) => {
      pages++
      largest = Math.max(largest, page.length)
    })
    await rocks.close()
    expect(pages).greaterThan(writer.size / 100)
    expect(largest).lessThan(8193)
    const again = await RocksStore.open(folder)
    expect(Object.keys(await rowsOf(again)).length).equal(writer.size)
    await again.close()
  })

  it('has every step that it confirmed after the process was killed', async () => {
    for (const delay_ms of [150, 400, 800]) {
      const folder = join(root, `killed${delay_ms}`)
      const confirmed = await killWriter(folder, delay_ms)
      const store = await RocksStore.open(folder)
      const sink = new MapSink()
      await store.load(sink)
      const head = store.head?.block_num ?? 0
      expect(head).least(confirmed)
      // The writer's step n sets rows n % 50 and (n * 7) % 50 to n.
      const model = new Map<number, number>()
      for (let n = 1; n <= head; n++) model.set(n % 50, n).set((n * 7) % 50, n)
      const expected = [...model].map(([row, n]) => {
        const key = Buffer.alloc(12)
        key.writeUInt32BE(row)
        const value = Buffer.alloc(300)
        value.writeUInt32BE(n)
        return [`7 ${hex(key)}`, hex(value)] as const
      })
      expect(Object.fromEntries([...sink.rows].sort())).deep.equal(
        Object.fromEntries(expected.sort()),
      )
      await store.close()
    }
  })
})

/** Runs a process that commits steps as fast as it can, kills it, and answers the last confirmed. */
async function killWriter(folder: string, delay_ms: number): Promise<number> {
  const args = ['--import', 'tsx', 'test/engine/store/kill_me.ts', folder]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (data: Buffer) => {
    if (output === '') setTimeout(() => child.kill('SIGKILL'), delay_ms)
    output += String(data)
  })
  await new Promise((resolve) => child.on('close', resolve))
  return Number(output.split('\n').at(-2) ?? 0)
}
