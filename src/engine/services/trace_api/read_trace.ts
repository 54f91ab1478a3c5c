import { ChainError } from '../../errors.ts'
import { Reader } from '../../protocol/reader.ts'
import { readAt } from '../../store/file.ts'
import { unpackBlock, type TracedBlock } from './trace_format.ts'

/** Bytes that are read first; more if the block is longer. */
const FIRST_READ = 64 * 1024
const GROWTH = 4

/** The block at a position of a trace file, and the position after it; undefined if it is not whole.
 *  @param size a position at or before the end of the file, beyond which nothing is read */
export function readTrace(
  fd: number,
  position: number,
  size: number,
): { block: TracedBlock; end: number } | undefined {
  for (let length = FIRST_READ; position < size; length *= GROWTH) {
    const bytes = readAt(fd, position, Math.min(length, size - position))
    const found = unpackWhole(bytes)
    if (found) return { block: found.block, end: position + found.length }
    if (position + bytes.length >= size) break
  }
  return undefined
}

/** The block at the begin of plain bytes that come in pieces; undefined if they end before it.
 *  @param size bytes after which no more pieces are taken */
export async function readTraceFrom(
  pieces: AsyncIterable<Buffer>,
  size = Infinity,
): Promise<TracedBlock | undefined> {
  const parts: Buffer[] = []
  let length = 0
  let wanted = FIRST_READ
  for await (const piece of pieces) {
    parts.push(piece)
    length += piece.length
    if (length >= size) break
    if (length < wanted) continue
    const found = unpackWhole(Buffer.concat(parts))
    if (found) return found.block
    wanted = length * GROWTH
  }
  return unpackWhole(Buffer.concat(parts))?.block
}

function unpackWhole(bytes: Buffer): { block: TracedBlock; length: number } | undefined {
  const r = new Reader(bytes)
  try {
    const block = unpackBlock(r)
    return { block, length: bytes.length - r.remaining() }
  } catch (error) {
    if (error instanceof ChainError) return undefined
    throw error
  }
}
