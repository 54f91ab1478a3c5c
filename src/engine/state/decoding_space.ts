import { Reader } from '../protocol/reader.ts'

/** Bytes of an array that many rows share. */
const SHARED_BYTES = 16 * 1024
/** A longer row gets an array of its own. */
const MAX_SHARED = 1024

/**
 * Bytes from which the rows of one table are decoded. If decoded rows have views of them, each row has a part of its own.
 * Short rows share an array: memory from the system for each of them would take longer than to decode it.
 */
export class DecodingSpace {
  /** The array in which a row is, and a reader of it. */
  bytes = new Uint8Array(MAX_SHARED)
  reader = new Reader(this.bytes)
  /** Where the row begins. */
  at = 0
  private shared = this.bytes
  private shared_reader = this.reader
  private shared_end = 0
  private readonly keeps_rows: boolean

  /** @param keeps_rows whether decoded rows have views, so that no part is used twice */
  constructor(keeps_rows: boolean) {
    this.keeps_rows = keeps_rows
  }

  /** Sets {@link bytes} and {@link at} to where the next row of `length` bytes is to be written. */
  reserve(length: number): void {
    this.at = 0
    if (length > MAX_SHARED) {
      this.bytes = new Uint8Array(length)
      this.reader = new Reader(this.bytes)
      return
    }
    if (this.keeps_rows) {
      if (this.shared_end + length > this.shared.length) this.renewShared()
      this.at = this.shared_end
      this.shared_end += length
    }
    this.bytes = this.shared
    this.reader = this.shared_reader
  }

  private renewShared(): void {
    this.shared = new Uint8Array(SHARED_BYTES)
    this.shared_reader = new Reader(this.shared)
    this.shared_end = 0
  }
}
