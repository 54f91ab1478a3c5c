import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { expect } from 'chai'
import {
  compressFile,
  plainBytes,
} from '../../../../src/engine/services/trace_api/compressed_slice.ts'
import { readTrace, readTraceFrom } from '../../../../src/engine/services/trace_api/read_trace.ts'
import { SliceFolder } from '../../../../src/engine/services/trace_api/slice_files.ts'
import { SliceIndex, indexEntries } from '../../../../src/engine/services/trace_api/slice_index.ts'
import { SliceMaintenance } from '../../../../src/engine/services/trace_api/slice_maintenance.ts'
import { recordedFile } from '../../../support/recorded_history.ts'
import { temporaryFolder } from '../../store/temporary_folder.ts'
import { folderBytes } from '../support/folder_bytes.ts'
import { until } from '../../../support/wait.ts'

const root = temporaryFolder()
const TRACE = recordedFile('files/trace_0000000000-0000010000.log')

async function bytesFrom(path: string, position: number, length: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let count = 0
  for await (const piece of plainBytes(path, position)) {
    pieces.push(piece)
    count += piece.length
    if (count >= length) break
  }
  return Buffer.concat(pieces).subarray(0, length)
}

describe('compressed trace slices', () => {
  const plain = join(root, 'plain.log')
  before(() => writeFileSync(plain, TRACE))

  it('are a stream of deflate, the points to read from, and their number', async () => {
    const path = join(root, 'whole.clog')
    await compressFile(plain, path, 100_000)
    const bytes = readFileSync(path)
    const count = bytes.readUInt16LE(bytes.length - 2)
    expect(count).equal(Math.floor((TRACE.length - 1) / 100_000))
    const end = bytes.length - 2 - 16 * count
    expect(inflateRawSync(bytes.subarray(0, end)).equals(TRACE)).equal(true)
    for (let i = 0; i < count; i++) {
      const position = Number(bytes.readBigUInt64LE(end + 16 * i))
      expect(position).equal((i + 1) * 100_000)
      const from = Number(bytes.readBigUInt64LE(end + 16 * i + 8))
      const rest = inflateRawSync(bytes.subarray(from, end))
      expect(rest.equals(TRACE.subarray(position))).equal(true)
    }
  })

  it('can be read from any position', async () => {
    const path = join(root, 'read.clog')
    await compressFile(plain, path, 50_000)
    for (const position of [0, 1, 49_999, 50_000, 50_001, 123_456, TRACE.length - 10]) {
      const found = await bytesFrom(path, position, 10)
      expect(found.equals(TRACE.subarray(position, position + 10)), `${position}`).equal(true)
    }
    const index = new SliceIndex()
    const entries = recordedFile('files/trace_index_0000000000-0000010000.log')
    for (const { entry } of indexEntries(entries, 'index')) index.add(entry)
    for (const number of [2, 70, 140]) {
      const block = await readTraceFrom(plainBytes(path, index.get(number)!.offset))
      expect(block?.number).equal(number)
    }
  })

  it('a damaged trace is not read beyond the next one', async () => {
    const entries = indexEntries(
      recordedFile('files/trace_index_0000000000-0000010000.log'),
      'index',
    )
    const index = new SliceIndex()
    for (const { entry } of entries) index.add(entry)
    const begin = index.get(70)!.offset
    const end = index.endOf(begin)
    expect(end).equal(index.get(71)!.offset)
    expect(index.endOf(index.get(140)!.offset)).equal(Infinity)
    const damaged = Uint8Array.from(TRACE)
    damaged.fill(255, begin, begin + 40)
    let read = 0
    async function* pieces(): AsyncGenerator<Buffer> {
      for (let at = begin; at < damaged.length; at += 100) {
        read += 100
        yield Buffer.from(damaged.subarray(at, at + 100))
      }
    }
    expect(await readTraceFrom(pieces(), end - begin)).equal(undefined)
    expect(read).within(end - begin, end - begin + 100)
    const path = join(root, 'damaged.log')
    writeFileSync(path, damaged)
    const fd = openSync(path, 'r')
    try {
      expect(readTrace(fd, begin, end)).equal(undefined)
      expect(readTrace(fd, end, index.endOf(end))?.block.number).equal(71)
    } finally {
      closeSync(fd)
    }
  })

  it('are refused where they are damaged', async () => {
    const path = join(root, 'damaged.clog')
    writeFileSync(path, Buffer.alloc(3, 255))
    const read = async (): Promise<void> => {
      await readTraceFrom(plainBytes(path, 0))
    }
    const error = await read().catch((failure: unknown) => failure)
    expect(String(error)).match(/is damaged/)
  })
})

describe('retention of trace slices', () => {
  let places = 0

  /** A folder with slices of ten blocks. */
  function slicesUpTo(last: number): SliceFolder {
    const folder = join(root, `slices${places++}`)
    mkdirSync(folder)
    const slices = new SliceFolder(folder, 10)
    for (let slice = 0; slice <= slices.sliceOf(last); slice++) {
      for (const kind of ['trace', 'index', 'trx_id'] as const) {
        writeFileSync(slices.path(kind, slice), `${kind} ${slice}`)
      }
    }
    return new SliceFolder(folder, 10)
  }

  async function after(
    slices: SliceFolder,
    retention: { kept_blocks: number | undefined; uncompressed_blocks: number | undefined },
    lib: number,
    isDone: () => boolean,
  ): Promise<string[]> {
    const maintenance = new SliceMaintenance(
      slices,
      retention,
      () => undefined,
      () => undefined,
    )
    maintenance.setLib(lib)
    await until('the slices are as they shall be', isDone)
    await maintenance.stop()
    return readdirSync(slices.folder).sort()
  }

  it('removes slices whose blocks are older than the kept ones', async () => {
    const slices = slicesUpTo(59)
    const isDone = (): boolean => !existsSync(slices.path('trx_id', 2))
    const files = await after(
      slices,
      { kept_blocks: 12, uncompressed_blocks: undefined },
      52,
      isDone,
    )
    // 52 - 12 - 10 is in slice 3.
    expect(files).have.length(2 * 3)
    expect(files[0]).equal('trace_0000000040-0000000050.log')
  })

  it('compresses older slices than those that stay as they are', async () => {
    const slices = slicesUpTo(59)
    const isDone = (): boolean => !existsSync(slices.path('trace', 3))
    const files = await after(slices, { kept_blocks: 30, uncompressed_blocks: 12 }, 52, isDone)
    expect(files.filter((name) => name.endsWith('.clog'))).deep.equal([
      'trace_0000000020-0000000030.clog',
      'trace_0000000030-0000000040.clog',
    ])
    expect(existsSync(slices.path('index', 1))).equal(false)
    expect(existsSync(slices.path('index', 2))).equal(true)
    expect(existsSync(slices.path('trace', 4))).equal(true)
  })

  it('passes over a slice that another program has removed, and counts the bytes that are left', async () => {
    const slices = slicesUpTo(59)
    rmSync(slices.path('trace', 2))
    const isDone = (): boolean => !existsSync(slices.path('trace', 3))
    const files = await after(slices, { kept_blocks: 40, uncompressed_blocks: 12 }, 52, isDone)
    expect(files.filter((name) => name.endsWith('.clog'))).deep.equal([
      'trace_0000000010-0000000020.clog',
      'trace_0000000030-0000000040.clog',
    ])
    expect(slices.bytes).equal(folderBytes(slices.folder))
  })

  it('does nothing for -1', async () => {
    const slices = slicesUpTo(39)
    const files = await after(
      slices,
      { kept_blocks: undefined, uncompressed_blocks: undefined },
      39,
      () => true,
    )
    expect(files).have.length(12)
  })
})
