import { join } from 'node:path'
import { expect } from 'chai'
import fc from 'fast-check'
import { createDatabase } from '../../../src/engine/state/database.ts'
import { MemoryStore } from '../../../src/engine/store/memory_store.ts'
import { RocksStore } from '../../../src/engine/store/rocks_store.ts'
import type { Store } from '../../../src/engine/store/store.ts'
import { temporaryFolder } from './temporary_folder.ts'
import { MapSink, at, changeSet, hex, keyBytes, rowsOf } from './store_contents.ts'

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
