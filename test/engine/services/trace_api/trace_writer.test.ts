import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { systemClock } from '../../../../src/engine/clock.ts'
import type { BlockState } from '../../../../src/engine/chain/headers/block_state.ts'
import {
  indexEntries,
  trxIdEntries,
} from '../../../../src/engine/services/trace_api/slice_index.ts'
import {
  SliceFolder,
  type SliceFile,
} from '../../../../src/engine/services/trace_api/slice_files.ts'
import { FollowedTraces } from '../../../../src/engine/services/trace_api/trace_api.ts'
import { TraceWriter } from '../../../../src/engine/services/trace_api/trace_writer.ts'
import { recordedFile } from '../../../support/recorded_history.ts'
import { temporaryFolder } from '../../store/temporary_folder.ts'
import { loudEvents } from '../../chain/support/loud_events.ts'
import { TRACE_SETTINGS } from './traced_chain.ts'

const STRIDE = 10
const RANGE = '0000000000-0000010000'
const PREFIX = { index: 'index_', trace: '', trx_id: 'trx_id_' }
let places = 0

describe('writer of trace slices', () => {
  const root = temporaryFolder()
  const opened = (name: string) =>
    new TraceWriter(new SliceFolder(join(root, name), STRIDE), () => {})

  it('closes its files after a sync that runs', async () => {
    const writer = opened('closed')
    writer.appendLib(5, 6)
    writer.appendLib(15, 16)
    await Promise.all([writer.sync(), writer.close()])
    // The numbers of closed files are used again: they must not be closed twice.
    await writer.close()
  })

  it('closes the oldest slice after a sync that runs', async () => {
    const writer = opened('oldest')
    writer.appendLib(5, 6)
    writer.appendLib(15, 16)
    const synced = writer.sync()
    writer.appendLib(25, 26)
    await Promise.all([synced, writer.sync()])
    await writer.close()
    expect(writer.openIndex(2)).equal(undefined)
  })

  /** A folder with the recorded slice, of which an entry is damaged: of the index, of the traces or of the ids. */
  function damaged(kind: SliceFile, block_num: number): { slices: SliceFolder; bytes: Buffer } {
    const slices = new SliceFolder(join(root, `${kind}-${block_num}-${places++}`), 10_000)
    mkdirSync(slices.folder)
    for (const each of ['index', 'trace', 'trx_id'] as const)
      writeFileSync(slices.path(each, 0), recordedFile(`files/trace_${PREFIX[each]}${RANGE}.log`))
    const bytes = readFileSync(slices.path(kind, 0))
    bytes[placeOf(slices, kind, block_num)]! ^= 0x40
    writeFileSync(slices.path(kind, 0), bytes)
    return { slices, bytes }
  }

  /** Where the entry of a block begins. */
  function placeOf(slices: SliceFolder, kind: SliceFile, block_num: number): number {
    const index = indexEntries(readFileSync(slices.path('index', 0)), '')
    const at = index.findIndex(({ entry }) => entry.kind === 'block' && entry.number === block_num)
    if (kind === 'index') return index[at - 1]?.end ?? 4
    if (kind === 'trace') return (index[at]!.entry as { offset: number }).offset
    const ids = trxIdEntries(readFileSync(slices.path('trx_id', 0)))
    const trxs = ids.findIndex(
      ({ entry }) => entry.kind === 'trxs' && entry.block_num === block_num,
    )
    return ids[trxs - 1]?.end ?? 0
  }

  /** In the middle, the last block of the slice, and the first one. Only the last traces are read. */
  const PLACES = [
    ['index', 120],
    ['trace', 120],
    ['trx_id', 120],
    ['index', 140],
    ['trace', 140],
    ['trx_id', 140],
    ['index', 2],
    ['trx_id', 2],
  ] as const
  for (const [kind, block_num] of PLACES)
    it(`reports that block ${block_num} is damaged, in the file ${kind}, and cuts nothing off`, async () => {
      const { slices, bytes } = damaged(kind, block_num)
      const path = slices.path(kind, 0)

      // The chain is behind it, so it does not come again: nothing is lost, and it is told what to do.
      for (const [lib, next] of [
        [140, 141],
        [120, 141],
        // The slice of the irreversible block is older than that of the head.
        [140, 25_000],
      ] as const) {
        const writer = new TraceWriter(slices, () => undefined)
        expect(() => writer.appendLib(lib, next)).throw(
          new RegExp(
            `^the traces in .* are damaged after block ${block_num - 1}: ` +
              'put .* back, or delete this folder$',
          ),
        )
        await writer.close()
        expect(readFileSync(path).equals(bytes)).equal(true)
      }

      // It comes again, as after a power loss.
      const again = new TraceWriter(slices, () => undefined)
      again.appendLib(Math.min(120, block_num), block_num)
      if (kind !== 'trx_id') {
        expect(again.openIndex(0)!.get(block_num - 1) !== undefined).equal(block_num > 2)
        expect(again.openIndex(0)!.get(block_num)).equal(undefined)
      }
      await again.close()
      expect(readFileSync(path).length).lessThan(bytes.length)
    })

  it('cuts nothing before it is known which block comes next', async () => {
    const { slices, bytes } = damaged('index', 140)
    const events = loudEvents()
    const settings = { ...TRACE_SETTINGS, folder: slices.folder, stride: 10_000 }
    const followed = new FollowedTraces(settings, {
      events,
      clock: systemClock,
      log: () => undefined,
    })
    events.emit('blockIrreversible', { block_num: 130 } as BlockState)
    followed.checkFailure()
    await followed.close()
    expect(readFileSync(slices.path('index', 0)).equals(bytes)).equal(true)
  })

  it('takes zeros at the end of files, which a power loss may leave, for no blocks', async () => {
    const { slices } = damaged('index', 140)
    for (const kind of ['index', 'trx_id'] as const) {
      const whole = recordedFile(`files/trace_${PREFIX[kind]}${RANGE}.log`)
      writeFileSync(slices.path(kind, 0), Buffer.concat([whole, Buffer.alloc(8192)]))
    }
    const writer = new TraceWriter(slices, () => undefined)
    writer.appendLib(140, 141)
    expect(writer.openIndex(0)!.get(0)).equal(undefined)
    expect(writer.openIndex(0)!.get(140)).not.equal(undefined)
    await writer.close()
  })

  /** A folder whose files end with their state after these blocks, as after a power loss. */
  function shortened(kind: SliceFile, block_num: number): SliceFolder {
    const { slices } = damaged('index', 140)
    writeFileSync(slices.path('index', 0), recordedFile(`files/trace_${PREFIX.index}${RANGE}.log`))
    const end = placeOf(slices, kind, block_num + 1)
    writeFileSync(slices.path(kind, 0), readFileSync(slices.path(kind, 0)).subarray(0, end))
    return slices
  }

  it('keeps the traces that are whole where those of many blocks after them are lost', async () => {
    const slices = shortened('trace', 20)
    const before = readFileSync(slices.path('trace', 0))
    const writer = new TraceWriter(slices, () => undefined)
    writer.appendLib(20, 21)
    expect(writer.openIndex(0)!.get(20)).not.equal(undefined)
    for (const block_num of [21, 60, 100]) {
      expect(writer.openIndex(0)!.get(block_num)).equal(undefined)
    }
    await writer.close()
    expect(readFileSync(slices.path('trace', 0)).equals(before)).equal(true)
  })

  it('takes blocks again of whose transactions the ids are lost', async () => {
    const slices = shortened('trx_id', 20)
    const writer = new TraceWriter(slices, () => undefined)
    // The chain has block 30, and applies the next ones again.
    writer.appendLib(30, 31)
    expect(writer.openIndex(0)!.get(30)).not.equal(undefined)
    expect(writer.openIndex(0)!.get(31)).equal(undefined)
    await writer.close()
  })
})
