import { open, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { check } from '../errors.ts'
import { Writer } from '../protocol/writer.ts'
import { END_MARK, FRAME_VERSION, MAGIC } from './format.ts'
import { snapshotSections } from './sections.ts'
import type { Section } from './sections.ts'
import type { SnapshotSource } from './source.ts'

/** Rows are packed until they are this long, then written while other tasks have their turn. */
const CHUNK_BYTES = 256 * 1024
const SECTION_HEADER_SIZE = 16

/**
 * Writes a binary snapshot and syncs it; an incomplete file is removed. The state may change during
 * the write, because the source is a view.
 * @param stopped called for each chunk; if it returns true, the write fails with
 *   `snapshot_exception`
 */
export async function writeSnapshot(
  source: SnapshotSource,
  path: string,
  stopped: () => boolean = () => false,
): Promise<void> {
  try {
    await writeFile(source, path, stopped)
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

async function writeFile(
  source: SnapshotSource,
  path: string,
  stopped: () => boolean,
): Promise<void> {
  const file = await open(path, 'w')
  try {
    const output = new Output(file, stopped)
    await writeAll(source, output)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function writeAll(source: SnapshotSource, output: Output): Promise<void> {
  output.chunk.u32(MAGIC)
  output.chunk.u32(FRAME_VERSION)
  for (const section of snapshotSections(source)) await writeSection(section, output)
  output.chunk.u64(END_MARK)
  await output.flush()
  await output.settled()
}

async function writeSection(section: Section, output: Output): Promise<void> {
  const { chunk } = output
  const start = output.position
  // Size and number of rows are written last: they are not known before.
  chunk.u64(0n)
  chunk.u64(0n)
  chunk.raw(Buffer.from(section.name, 'latin1'))
  chunk.u8(0)
  let rows = 0
  const packing = section.rows(chunk)
  while (!packing.next().done) {
    rows++
    if (chunk.length >= CHUNK_BYTES) await output.flush()
  }
  await output.flush()
  const header = new Writer(SECTION_HEADER_SIZE)
  header.u64(BigInt(output.position - start - 8))
  header.u64(BigInt(rows))
  await output.writeAt(start, header.view())
}

/** A file that is written from front to back, a chunk while the next one is packed. */
class Output {
  readonly chunk = new Writer(2 * CHUNK_BYTES)
  private readonly file: FileHandle
  private readonly stopped: () => boolean
  private flushed = 0
  /** The chunk that is being written; rejections are met by the next wait for it. */
  private writing: Promise<void> = Promise.resolve()
  private written = Buffer.alloc(2 * CHUNK_BYTES)

  constructor(file: FileHandle, stopped: () => boolean) {
    this.file = file
    this.stopped = stopped
  }

  /** The position of the next byte. */
  get position(): number {
    return this.flushed + this.chunk.length
  }

  /** Begins to write the chunk; other tasks have their turn while the one before it is finished. */
  async flush(): Promise<void> {
    await this.settled()
    const bytes = this.chunk.view()
    if (bytes.length > this.written.length) this.written = Buffer.alloc(2 * bytes.length)
    this.written.set(bytes)
    this.writing = this.write(this.flushed, this.written.subarray(0, bytes.length))
    // It is awaited later, unless another error occurs first.
    this.writing.catch(() => undefined)
    this.flushed += bytes.length
    this.chunk.reset()
  }

  /** Waits for everything that was flushed. */
  async settled(): Promise<void> {
    await this.writing
    check(
      !this.stopped(),
      'snapshot_exception',
      'the snapshot was canceled, because the node stops',
    )
  }

  async writeAt(position: number, bytes: Uint8Array): Promise<void> {
    await this.settled()
    await this.write(position, bytes)
  }

  private async write(position: number, bytes: Uint8Array): Promise<void> {
    let done = 0
    while (done < bytes.length) {
      const rest = bytes.length - done
      const { bytesWritten } = await this.file.write(bytes, done, rest, position + done)
      done += bytesWritten
    }
  }
}
