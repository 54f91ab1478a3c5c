import { read } from 'node:fs'
import { Readable, type Transform } from 'node:stream'
import { promisify } from 'node:util'

const PIECE = 64 * 1024
const readPart = promisify(read)

/** The bytes of a file between two positions, in pieces that are read while they are used. */
export async function* readPieces(fd: number, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end;) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE, end - at))
    const { bytesRead } = await readPart(fd, piece, 0, piece.length, at)
    if (bytesRead === 0) return
    at += bytesRead
    yield piece.subarray(0, bytesRead)
  }
}

/** The pieces after a transformation, such as decompression. @throws its errors, and those of the pieces */
export async function* transformed(
  pieces: AsyncIterable<Buffer>,
  transform: Transform,
): AsyncGenerator<Buffer> {
  const source = Readable.from(pieces, { objectMode: false })
  source.on('error', (error) => transform.destroy(error))
  transform.on('close', () => source.destroy())
  yield* source.pipe(transform) as AsyncIterable<Buffer>
}
