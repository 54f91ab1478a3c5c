/**
 * A binary snapshot as a file: its sections by name, and cursors over their rows that hold a window
 * of the file. Files are anyone's: sizes and counts are checked against the file before they are used.
 * spring: libraries/chain/snapshot.cpp (threaded_snapshot_reader)
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { check, fail } from '../errors.ts'
import { END_MARK, FRAME_HEADER_SIZE, FRAME_VERSION, MAGIC } from './format.ts'
import { SectionReader } from './section_reader.ts'

/** Snapshots have 25 sections. */
const MAX_SECTIONS = 100
/** Longest section name, its 0 included. */
const MAX_NAME = 128

interface SectionPlace {
  rows: number
  start: number
  end: number
}

/**
 * Reads the sections of a binary snapshot file. Sizes and counts are checked against the file
 * before they are used.
 * @throws ChainError snapshot_exception for a file that is not a valid snapshot
 */
export class SnapshotReader {
  private readonly fd: number
  private readonly size: number
  private readonly sections = new Map<string, SectionPlace>()
  private readonly onProgress: (share: number) => void
  private read_bytes = 0

  /**
   * Opens the file and finds its sections.
   * @param onProgress is called after each read with the share of the file that is done
   * @throws ChainError snapshot_exception
   */
  constructor(path: string, onProgress: (share: number) => void = () => {}) {
    this.onProgress = onProgress
    this.fd = openForReading(path)
    try {
      const stat = fstatSync(this.fd)
      check(stat.isFile(), 'snapshot_exception', `${path} is not a file`)
      this.size = stat.size
      this.checkHeader()
      this.findSections()
    } catch (error) {
      closeSync(this.fd)
      throw error
    }
  }

  /** Number of rows of all sections. */
  get row_count(): number {
    let rows = 0
    for (const section of this.sections.values()) rows += section.rows
    return rows
  }

  /** Whether the snapshot has a section of this name. */
  has(name: string): boolean {
    return this.sections.has(name)
  }

  /**
   * A cursor at the first row of a section.
   * @throws ChainError snapshot_exception if there is no such section
   */
  section(name: string): SectionReader {
    const place = this.sections.get(name)
    check(place, 'snapshot_exception', `Binary snapshot has no section named ${name}`)
    const read = (to: Uint8Array, position: number) => this.read(to, position)
    return new SectionReader(name, place.rows, place.start, place.end, read)
  }

  /** Closes the file. Section readers must not be used after that. */
  close(): void {
    closeSync(this.fd)
  }

  private checkHeader(): void {
    const header = this.bytesAt(0, FRAME_HEADER_SIZE)
    check(
      header.readUInt32LE(0) === MAGIC,
      'snapshot_exception',
      'Binary snapshot has unexpected magic number!',
    )
    const version = header.readUInt32LE(4)
    check(
      version === FRAME_VERSION,
      'snapshot_exception',
      'Binary snapshot is an unsupported version.  ' +
        `Expected : ${FRAME_VERSION}, Got: ${version}`,
    )
  }

  private findSections(): void {
    let position = FRAME_HEADER_SIZE
    for (;;) {
      const size = this.bytesAt(position, 8).readBigUInt64LE()
      if (size === END_MARK) return
      const start = position + 8
      check(
        size >= 9n && size <= BigInt(this.size - start),
        'snapshot_exception',
        () => `a section of ${size} bytes at ${position} does not fit in a file of ${this.size}`,
      )
      const end = start + Number(size)
      this.addSection(start, end)
      position = end
    }
  }

  private addSection(start: number, end: number): void {
    const head = this.bytesAt(start, Math.min(8 + MAX_NAME, end - start))
    const rows = head.readBigUInt64LE(0)
    const name_end = head.indexOf(0, 8)
    check(name_end > 0, 'snapshot_exception', `the section at ${start} has no name`)
    const name = head.toString('latin1', 8, name_end)
    const first = start + name_end + 1
    check(
      rows <= BigInt(end - first),
      'snapshot_exception',
      () => `section ${name} has ${end - first} bytes, too few for ${rows} rows`,
    )
    check(!this.sections.has(name), 'snapshot_exception', `there are two sections named ${name}`)
    check(this.sections.size < MAX_SECTIONS, 'snapshot_exception', 'there are too many sections')
    this.sections.set(name, { rows: Number(rows), start: first, end })
  }

  private bytesAt(position: number, length: number): Buffer {
    const bytes = Buffer.alloc(length)
    this.read(bytes, position)
    return bytes
  }

  /** Fills `to` from the file. */
  private read(to: Uint8Array, position: number): void {
    let done = 0
    while (done < to.length) {
      const count = readSync(this.fd, to, done, to.length - done, position + done)
      check(
        count > 0,
        'snapshot_exception',
        () => `the snapshot is cut off: ${this.size} bytes, ${position + to.length} are needed`,
      )
      done += count
    }
    this.read_bytes += to.length
    this.onProgress(Math.min(1, this.read_bytes / this.size))
  }
}

function openForReading(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (error) {
    fail('snapshot_exception', `Failed to open snapshot: ${(error as Error).message}`)
  }
}
