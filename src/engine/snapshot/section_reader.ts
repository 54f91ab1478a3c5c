import { AssertionError } from 'node:assert'
import { ChainError, check } from '../errors.ts'
import { Reader } from '../protocol/reader.ts'

/** Bytes of the file that are held at least, where the section has so many. */
const WINDOW = 256 * 1024
/** With fewer bytes than this ahead, the window moves on: rows are mostly shorter. */
const LOW = 4096

/** Fills `to` from a position of the file. */
export type ReadAt = (to: Uint8Array, position: number) => void

/** A cursor over the rows of a section, front to back. */
export class SectionReader {
  readonly name: string
  private readonly read: ReadAt
  private readonly end: number
  private rows_left: number
  /** Position in the file of the window's end. */
  private window_end: number
  private window = new Uint8Array(0)
  private reader = new Reader(this.window)

  constructor(name: string, rows: number, start: number, end: number, read: ReadAt) {
    this.name = name
    this.read = read
    this.end = end
    this.rows_left = rows
    this.window_end = start
  }

  /** Rows not read yet. */
  get remaining(): number {
    return this.rows_left
  }

  /** Bytes not read yet. */
  get bytes_left(): number {
    return this.end - this.window_end + this.reader.remaining()
  }

  /**
   * Reads the next row. The result of `parse` may contain views of bytes, which never change.
   * `parse` is called again if the row continues beyond the window, so it must read the whole row
   * first.
   * @throws ChainError snapshot_exception, also for errors of `parse` about the bytes
   */
  row<T>(parse: (r: Reader) => T): T {
    check(this.rows_left > 0, 'snapshot_exception', `section ${this.name} has too few rows`)
    this.rows_left--
    if (this.reader.remaining() < LOW) this.moveWindow(WINDOW)
    for (;;) {
      const start = this.reader.pos
      try {
        return parse(this.reader)
      } catch (error) {
        // Codecs assert what holds for bytes that they packed; these are anyone's.
        if (!(error instanceof ChainError || error instanceof AssertionError)) throw error
        check(
          this.window_end < this.end && isCutOff(error),
          'snapshot_exception',
          () => `section ${this.name}: ${error.message}`,
        )
        // The row is longer than the window: read it again in a larger one.
        this.reader.pos = start
        this.moveWindow(2 * this.window.length)
      }
    }
  }

  /**
   * Ends the section.
   * @throws ChainError `snapshot_exception` unless everything was read
   */
  finish(): void {
    const { rows_left, bytes_left } = this
    check(
      rows_left === 0 && bytes_left === 0,
      'snapshot_exception',
      () => `section ${this.name} has ${rows_left} rows and ${bytes_left} bytes too many`,
    )
  }

  /** Moves the window to the cursor, with `length` bytes if the section has as many. */
  private moveWindow(length: number): void {
    if (this.window_end === this.end) return
    const kept = this.reader.slice(this.reader.pos, this.window.length)
    const fresh = Math.min(Math.max(length - kept.length, 0), this.end - this.window_end)
    const window = new Uint8Array(kept.length + fresh)
    window.set(kept)
    this.read(window.subarray(kept.length), this.window_end)
    this.window = window
    this.window_end += fresh
    this.reader = new Reader(window)
  }
}

function isCutOff(error: Error): boolean {
  return error instanceof ChainError && error.errorName === 'out_of_range_exception'
}
