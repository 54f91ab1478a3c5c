import { closeSync, openSync } from 'node:fs'
import { createInflate, inflateSync } from 'node:zlib'
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
  private readonly plain: Buffer | undefined
  private fd = -1

  constructor(path: string, fd: number, place: PayloadPlace) {
    this.place = place
    // Entries of old versions are compressed, and do not tell their size: they are read in pieces.
    const is_small = place.size <= SMALL && (place.plain_size ?? Infinity) <= SMALL
    if (is_small) this.plain = inflateSync(readAt(fd, place.position, place.size))
    else this.fd = openSync(path, 'r')
  }

  /** Bytes of the payload. Entries of old versions are read to count them. */
  async size(): Promise<number> {
    if (this.plain) return this.plain.length
    if (this.place.plain_size !== undefined) return this.place.plain_size
    let size = 0
    for await (const piece of this.inflate()) size += piece.length
    return size
  }

  /** The payload in pieces. @throws Error of zlib or node:fs if it cannot be read any more */
  async *pieces(): AsyncGenerator<Buffer> {
    if (this.plain) yield this.plain
    else yield* this.inflate()
  }

  /** Releases the file. */
  close(): void {
    if (this.fd >= 0) closeSync(this.fd)
    this.fd = -1
  }

  private inflate(): AsyncIterable<Buffer> {
    const { fd, place } = this
    const { position, size } = place
    return transformed(readPieces(fd, position, position + size), createInflate())
  }
}
