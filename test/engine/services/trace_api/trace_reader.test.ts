import { writeFileSync } from 'node:fs'
import { expect } from 'chai'
import { systemClock } from '../../../../src/engine/clock.ts'
import { Writer } from '../../../../src/engine/protocol/writer.ts'
import { AtMost } from '../../../../src/engine/services/trace_api/at_most.ts'
import { SliceFolder } from '../../../../src/engine/services/trace_api/slice_files.ts'
import {
  packBlockEntry,
  packLibEntry,
  packTrxsEntry,
} from '../../../../src/engine/services/trace_api/trace_format.ts'
import { SliceIndex, indexEntries } from '../../../../src/engine/services/trace_api/slice_index.ts'
import { TraceReader } from '../../../../src/engine/services/trace_api/trace_reader.ts'
import type { TraceWriter } from '../../../../src/engine/services/trace_api/trace_writer.ts'
import { ManualClock } from '../../../support/manual_clock.ts'
import { until } from '../../../support/wait.ts'
import { temporaryFolder } from '../../store/temporary_folder.ts'
import { Traced } from './traced_chain.ts'

/** The id of a transaction: bytes that occur in no other id at another place. */
function idOf(number: number): Uint8Array {
  const id = new Uint8Array(32).fill(0xee)
  new DataView(id.buffer).setUint32(0, number)
  new DataView(id.buffer).setUint32(28, ~number)
  return id
}

describe('reader of traces', () => {
  it('finds each transaction, wherever its id is in a file of several pieces', async () => {
    const slices = new SliceFolder(temporaryFolder(), 100)
    const w = new Writer()
    const PER_BLOCK = 900
    for (let block_num = 1; block_num < 80; block_num++) {
      const ids = Array.from({ length: PER_BLOCK }, (_, i) => idOf(block_num * PER_BLOCK + i))
      packTrxsEntry(w, ids, block_num)
      packLibEntry(w, Math.max(1, block_num - 1))
    }
    writeFileSync(slices.path('trx_id', 0), w.view())
    slices.made('trx_id', 0)
    expect(w.length).greaterThan(2 * 1024 * 1024)
    const reader = new TraceReader(
      { slices, openIndex: () => undefined } as unknown as TraceWriter,
      systemClock,
    )
    // Among them that at the border of two pieces of a megabyte.
    const at_border = Math.floor((1024 * 1024) / 32)
    const numbers = [PER_BLOCK, PER_BLOCK * 80 - 1]
    for (let i = -40; i <= 10; i++) numbers.push(PER_BLOCK + at_border + i)
    for (const number of numbers) {
      expect(await reader.blockOf(idOf(number)), `${number}`).equal(Math.floor(number / PER_BLOCK))
    }
    expect(await reader.blockOf(idOf(PER_BLOCK * 80))).equal(undefined)
  })

  it('reads blocks of the same task, which wait to be written', async () => {
    const traced = await Traced.open(temporaryFolder())
    const { test, traces } = traced
    test.produce(2)
    const { head } = test
    const found = await traces.reader.block(head.block_num)
    expect(found?.block).include({ number: head.block_num })
    await traced.close()
  })

  it('reads an index as its entries say, at any length', () => {
    const w = new Writer()
    w.u32(1)
    for (let n = 1; n < 6; n++) {
      packBlockEntry(w, idOf(n), n, 100 * n)
      if (n % 2 === 0) packLibEntry(w, n - 1)
    }
    packBlockEntry(w, idOf(2), 2, 900)
    packBlockEntry(w, idOf(5), 5, 950)
    for (let size = 0; size <= w.length; size++) {
      const bytes = Buffer.from(w.view().subarray(0, size))
      const expected = new SliceIndex()
      for (const { entry } of indexEntries(bytes, 'index')) expected.add(entry)
      const index = SliceIndex.read(bytes, 'index')
      expect(index.lib).equal(expected.lib)
      for (let n = 0; n < 10; n++) {
        const [ours, theirs] = [index.get(n), expected.get(n)]
        expect(ours && [...ours.id, ours.offset]).deep.equal(
          theirs && [...theirs.id, theirs.offset],
        )
        expect(index.endOf(100 * n)).equal(expected.endOf(100 * n))
      }
    }
  })

  describe('searches', () => {
    const LIMITS = { most: 2, max_waiting: 2, max_wait_s: 10 }
    let clock: ManualClock
    let limit: AtMost
    let began: number[]
    let ends: (() => void)[]
    beforeEach(() => {
      clock = new ManualClock(0)
      limit = new AtMost('searches', LIMITS, clock)
      began = []
      ends = []
    })
    const search = (i: number): Promise<number> =>
      limit.run(async () => {
        began.push(i)
        await new Promise<void>((resolve) => ends.push(resolve))
        if (i === 0) throw new Error('damaged')
        return i
      })
    const messageOf = (work: Promise<unknown>): Promise<unknown> =>
      work.catch((error: Error) => `${error.name}: ${error.message}`)

    it('are two at a time at most, in the order of the requests', async () => {
      const works = [0, 1, 2, 3].map(search)
      const failed = messageOf(works[0]!)
      expect(began).deep.equal([0, 1])
      ends[0]!()
      expect(await failed).equal('Error: damaged')
      await until('the third', () => began.length === 3)
      for (let i = 1; i < 4; i++) {
        await until('it begins', () => ends.length > i)
        ends[i]!()
      }
      expect(await Promise.all(works.slice(1))).deep.equal([1, 2, 3])
      expect(await limit.run(() => Promise.resolve(5))).equal(5)
      // None of those that have ended has an alarm.
      expect(clock.fire()).equal(false)
    })

    it('that are too many, or wait too long, are refused, and others continue', async () => {
      const works = [1, 2, 3, 4].map(search)
      expect(await messageOf(search(5))).equal('BusyError: Too many searches in flight: 4')
      expect(clock.fire(9_999_999)).equal(false)
      expect(clock.fire(10_000_010)).equal(true)
      expect(await messageOf(works[2]!)).equal(
        'BusyError: Too many searches in flight: this one waited 10 s',
      )
      const last = search(6)
      ends.forEach((end) => end())
      await until('the others begin', () => began.length === 4)
      expect(began).deep.equal([1, 2, 4, 6])
      ends.forEach((end) => end())
      expect(await Promise.all([works[0], works[1], works[3], last])).deep.equal([1, 2, 4, 6])
    })
  })

  it('refuses searches and reads of compressed traces where too many wait', async () => {
    const slices = new SliceFolder(temporaryFolder(), 100)
    const w = new Writer()
    w.u32(1)
    packBlockEntry(w, idOf(1), 1, 0)
    writeFileSync(slices.path('index', 0), w.view())
    writeFileSync(slices.path('compressed', 0), Buffer.alloc(2))
    const writer = { slices, openIndex: () => undefined } as unknown as TraceWriter
    const reader = new TraceReader(writer, systemClock)
    for (const work of [() => reader.block(1), () => reader.blockOf(idOf(5))]) {
      const results = await Promise.all(
        Array.from({ length: 300 }, () => work().catch((error: Error) => error.name)),
      )
      expect(results.filter((result) => result === 'BusyError')).have.length(300 - 2 - 256)
    }
  })
})
