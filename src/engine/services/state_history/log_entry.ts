import { closeSync, openSync } from 'node:fs'
import { createInflate, inflateSync } from 'node:zlib'
import { check, fail } from '../../errors.ts'
import { isZlibError } from '../../protocol/zlib_error.ts'
import { readAt } from '../../store/file.ts'
import { readPieces, transformed } from '../../store/read_pieces.ts'
import type { PayloadPlace } from './log_format.ts'

/** Payloads up to this size are read at once. */
const SMALL = 512 * 1024

/**
 * The payload of a block in a history log. A small one is read when the entry is looked up. A large one is read
 * in pieces while it is sent, from a file handle of its own: the log may be renamed or removed meanwhile.
 */
export class LogEntry {
  private readonly place: PayloadPlace
  private readonly what: string
  private readonly plain: Buffer | undefined
  private fd = -1

  /**
   * @param what the block and its log, for the error
   * @throws ChainError plugin_exception if a small payload is damaged
   */
  constructor(path: string, fd: number, place: PayloadPlace, what: string) {
    this.place = place
    this.what = what
    // Entries of old versions are compressed, and do not tell their size: they are read in pieces.
    const is_small = place.size <= SMALL && (place.plain_size ?? Infinity) <= SMALL
    if (!is_small) this.fd = openSync(path, 'r')
    else {
      try {
        this.plain = inflateSync(readAt(fd, place.position, place.size))
      } catch (error) {
        this.fail(error)
      }
      this.checkSize(this.plain.length)
    }
  }

  /** Bytes of the payload. Entries of old versions are read to count them. */
  async size(): Promise<number> {
    if (this.plain) return this.plain.length
    if (this.place.plain_size !== undefined) return this.place.plain_size
    let size = 0
    for await (const piece of this.inflate()) size += piece.length
    return size
  }

  /** The payload in pieces. @throws Error of node:fs; ChainError plugin_exception where it is damaged */
  async *pieces(): AsyncGenerator<Buffer> {
    if (this.plain) yield this.plain
    else yield* this.inflate()
  }

  /** Releases the file. */
  close(): void {
    if (this.fd >= 0) closeSync(this.fd)
    this.fd = -1
  }

  private async *inflate(): AsyncGenerator<Buffer> {
    const { fd, place } = this
    const { position, size } = place
    let count = 0
    try {
      const pieces = readPieces(fd, position, position + size)
      for await (const piece of transformed(pieces, createInflate())) {
        count += piece.length
        yield piece
      }
    } catch (error) {
      this.fail(error)
    }
    this.checkSize(count)
  }

  private checkSize(size: number): void {
    const { plain_size = size } = this.place
    check(size === plain_size, 'plugin_exception', `${this.what} is damaged`)
  }

  private fail(error: unknown): never {
    if (isZlibError(error)) fail('plugin_exception', `${this.what} is damaged`)
    throw error
  }
}
