import { join } from 'node:path'
import { spawn, spawnSync } from 'node:child_process'
import { expect } from 'chai'
import { ChainError } from '../../../src/engine/errors.ts'
import type { ChangeSet } from '../../../src/engine/state/changes.ts'
import {
  CHECK_KEY,
  HEAD_KEY,
  VERSION_KEY,
  packVersion,
  pageKey,
  segmentKey,
} from '../../../src/engine/store/layout.ts'
import { Rocks } from '../../../src/engine/store/rocks.ts'
import { RocksStore } from '../../../src/engine/store/rocks_store.ts'
import { temporaryFolder } from './temporary_folder.ts'
import { MapSink, at, changeSet, hex, rowsOf, type Change } from './store_contents.ts'
import { FROM_SOURCES } from '../../support/from_sources.ts'

const root = temporaryFolder()

describe('store: rocksdb alone', () => {
  const value = new Uint8Array(5)
  const one = { ...at(1), changes: [changeSet([{ table: 7, key: 1, value }])] }

  it('reports that another process has it open', async () => {
    const folder = join(root, 'locked')
    const store = await RocksStore.open(folder)
    const program = `
      import { RocksStore } from './src/engine/store/rocks_store.ts'
      try { await RocksStore.open(${JSON.stringify(folder)}); console.log('opened') }
      catch (error) { console.log(error.errorName + ' ' + error.message) }`
    const args = [...FROM_SOURCES, '--input-type=module', '-e', program]
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

  it('reports that a path cannot be a folder', async () => {
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

  describe('whose records are not those that were written', () => {
    const folder = join(root, 'tampered')
    before(async () => {
      const store = await RocksStore.open(folder)
      for (let block = 1; block <= 6; block++) {
        const row = { table: 7, key: block, value }
        await store.commit({ ...at(block), changes: [changeSet([row])] })
        if (block === 3) await store.merged()
      }
      await store.close()
    })

    /** What a load of the store says after the change, which is undone. */
    async function told(key: Buffer, change: (value: Buffer) => Buffer | undefined) {
      let rocks = await Rocks.open(folder)
      const before = (await rocks.get(key))!
      const changed = change(before)
      const put = (bytes: Buffer) => [{ type: 'put' as const, key, value: bytes }]
      await rocks.batch(changed ? put(changed) : [{ type: 'del', key }], true)
      await rocks.close()
      const store = await RocksStore.open(folder)
      const rows = await rowsOf(store).catch((error: unknown) => error as Error)
      await store.close()
      rocks = await Rocks.open(folder)
      await rocks.batch(put(before), true)
      await rocks.close()
      return rows instanceof ChainError ? rows.message : rows
    }

    const damaged = new RegExp(
      `^the state in ${folder} is damaged: start once with --replay-blockchain, ` +
        '.*: its records are not those that were written$',
    )
    const garbled = (bytes: Buffer) => {
      const other = Buffer.from(bytes)
      other[other.length - 1]! ^= 1
      return other
    }
    const lost = () => undefined
    const page = pageKey(7, new Uint8Array(12))
    const cases: [string, Buffer, (value: Buffer) => Buffer | undefined][] = [
      ['a segment that is lost', segmentKey(4), lost],
      ['the last segment, lost', segmentKey(5), lost],
      ['a segment with another value', segmentKey(4), garbled],
      ['a page that is lost', page, lost],
      ['a page with another value', page, garbled],
      ['another head', HEAD_KEY, garbled],
      ['no check', CHECK_KEY, lost],
      ['another check', CHECK_KEY, garbled],
    ]
    for (const [what, key, change] of cases) {
      it(`${what}: is damaged`, async () => expect(await told(key, change)).match(damaged))
    }

    it('and as they were: has all rows', async () => {
      expect(Object.keys((await told(HEAD_KEY, (head) => head)) as object).length).equal(6)
    })
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
  const args = [...FROM_SOURCES, 'test/engine/store/kill_me.ts', folder]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (data: Buffer) => {
    if (output === '') setTimeout(() => child.kill('SIGKILL'), delay_ms)
    output += String(data)
  })
  await new Promise((resolve) => child.on('close', resolve))
  return Number(output.split('\n').at(-2) ?? 0)
}
