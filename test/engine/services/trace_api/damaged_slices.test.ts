import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { systemClock } from '../../../../src/engine/clock.ts'
import { ChainError } from '../../../../src/engine/errors.ts'
import { Writer } from '../../../../src/engine/protocol/writer.ts'
import { compressFile } from '../../../../src/engine/services/trace_api/compressed_slice.ts'
import { SliceFolder } from '../../../../src/engine/services/trace_api/slice_files.ts'
import {
  packBlockEntry,
  packLibEntry,
  packTrxsEntry,
} from '../../../../src/engine/services/trace_api/trace_format.ts'
import { TraceReader } from '../../../../src/engine/services/trace_api/trace_reader.ts'
import type { TraceWriter } from '../../../../src/engine/services/trace_api/trace_writer.ts'
import { temporaryFolder } from '../../store/temporary_folder.ts'

/** The id of a block, which begins with its number. */
function idOf(block_num: number): Uint8Array {
  const id = new Uint8Array(32).fill(5)
  new DataView(id.buffer).setUint32(0, block_num)
  return id
}
const ID = idOf(1)

describe('damaged files of trace slices are reported', () => {
  const slices = new SliceFolder(temporaryFolder(), 100)
  const writer = { slices, openIndex: () => undefined } as unknown as TraceWriter

  const reason = async (work: Promise<unknown>): Promise<unknown> => {
    const error = await work.catch((failure: unknown) => failure)
    return error instanceof ChainError ? error.errorName : error
  }

  it('transaction ids: a count that is too large', async () => {
    const w = new Writer()
    w.varuint32(2)
    w.varuint32(0xffffffff)
    packTrxsEntry(w, [ID], 7)
    writeFileSync(slices.path('trx_id', 0), w.bytes())
    slices.made('trx_id', 0)
    expect(await reason(new TraceReader(writer, systemClock).blockOf(ID))).equal('plugin_exception')
  })

  it('index: an entry of no kind before others', async () => {
    const w = new Writer()
    w.u32(1)
    packBlockEntry(w, ID, 1, 0)
    const whole = w.bytes().slice()
    w.varuint32(77)
    packBlockEntry(w, idOf(2), 2, 100)
    writeFileSync(slices.path('index', 0), w.bytes())
    expect(await reason(new TraceReader(writer, systemClock).block(2))).equal('plugin_exception')
    // An entry that was not written to its end is left out.
    writeFileSync(slices.path('index', 0), Buffer.concat([whole, Buffer.alloc(44)]))
    expect(await reason(new TraceReader(writer, systemClock).block(2))).equal(undefined)
  })

  for (const [what, number, lib] of [
    ['a number that is not that of the id', 3, 1],
    ['a block of another slice', 100, 1],
    ['an irreversible block of another slice', 2, 100],
  ] as const)
    it(`index: ${what}`, async () => {
      const w = new Writer()
      w.u32(1)
      packBlockEntry(w, ID, 1, 0)
      packLibEntry(w, lib)
      packBlockEntry(w, idOf(number === 3 ? 2 : number), number, 100)
      packBlockEntry(w, idOf(4), 4, 200)
      writeFileSync(slices.path('index', 0), w.bytes())
      expect(await reason(new TraceReader(writer, systemClock).block(4))).equal('plugin_exception')
    })

  it('transaction ids: an entry of a slice before the last one that is longer than its file', async () => {
    const w = new Writer()
    packTrxsEntry(w, [ID], 2)
    w.varuint32(2)
    w.varuint32(1000)
    w.raw(idOf(7))
    w.u32(7)
    writeFileSync(slices.path('trx_id', 0), w.bytes())
    expect(await reason(new TraceReader(writer, systemClock).blockOf(idOf(7)))).equal(undefined)
    // It may be incomplete in the last slice alone.
    writeFileSync(slices.path('trx_id', 1), '')
    slices.made('trx_id', 1)
    expect(await reason(new TraceReader(writer, systemClock).blockOf(idOf(7)))).equal(
      'plugin_exception',
    )
  })

  it('compressed traces: bytes that are not a stream of deflate, and a stream that is cut', async () => {
    const w = new Writer()
    w.u32(1)
    packBlockEntry(w, ID, 1, 0)
    writeFileSync(slices.path('index', 0), w.bytes())
    writeFileSync(join(slices.folder, 'plain'), Buffer.alloc(1_000_000, 'block'))
    const path = slices.path('compressed', 0)
    await compressFile(join(slices.folder, 'plain'), path)
    const bytes = readFileSync(path)
    for (const damaged of [Buffer.alloc(100, 255), bytes.subarray(0, 300)]) {
      writeFileSync(path, Buffer.concat([damaged, Buffer.alloc(2)]))
      expect(await reason(new TraceReader(writer, systemClock).block(1))).equal('plugin_exception')
    }
  })
})
