import { writeFileSync } from 'node:fs'
import { expect } from 'chai'
import { ChainError } from '../../../../src/engine/errors.ts'
import { Writer } from '../../../../src/engine/protocol/writer.ts'
import { SliceFolder } from '../../../../src/engine/services/trace_api/slice_files.ts'
import {
  packBlockEntry,
  packTrxsEntry,
} from '../../../../src/engine/services/trace_api/trace_format.ts'
import { TraceReader } from '../../../../src/engine/services/trace_api/trace_reader.ts'
import type { TraceWriter } from '../../../../src/engine/services/trace_api/trace_writer.ts'
import { temporaryFolder } from '../../store/temporary_folder.ts'

const ID = new Uint8Array(32).fill(5)

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
    expect(await reason(new TraceReader(writer).blockOf(ID))).equal('assert_exception')
  })

  it('index: an entry of no kind before others', async () => {
    const w = new Writer()
    w.u32(1)
    packBlockEntry(w, ID, 1, 0)
    const whole = w.bytes().slice()
    w.varuint32(77)
    packBlockEntry(w, ID, 2, 100)
    writeFileSync(slices.path('index', 0), w.bytes())
    expect(await reason(new TraceReader(writer).block(2))).equal('plugin_exception')
    // An entry that was not written to its end is left out.
    writeFileSync(slices.path('index', 0), Buffer.concat([whole, Buffer.alloc(44)]))
    expect(await reason(new TraceReader(writer).block(2))).equal(undefined)
  })
})
