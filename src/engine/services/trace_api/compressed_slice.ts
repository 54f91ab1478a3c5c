/**
 * Compressed trace files: a stream of raw deflate that can be read from some points on, their positions (in the
 * plain file and in this one), and the number of points.
 * spring: plugins/trace_api_plugin/{compressed_file.cpp, include/eosio/trace_api/compressed_file.hpp}
 */
import { closeSync, fstatSync, openSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { constants, createInflateRaw, deflateRaw } from 'node:zlib'
import { fail } from '../../errors.ts'
import { isZlibError } from '../../protocol/zlib_error.ts'
import { readAt, syncFolder } from '../../store/file.ts'
import { readPieces, transformed } from '../../store/read_pieces.ts'

/** Plain bytes between two points. */
export const SEEK_STRIDE = 6 * 1024 * 1024
const POINT = 16
const COUNT = 2

const compress = promisify<Uint8Array, { level: number; finishFlush: number }, Buffer>(deflateRaw)

/**
 * Compresses a file, on other threads. The compressed file appears under its name when it is whole.
 * @throws Error of node:fs or zlib; nothing is left then
 */
export async function compressFile(from: string, to: string, stride = SEEK_STRIDE): Promise<void> {
  const temporary = `${to}.new`
  const source = await open(from, 'r')
  try {
    const target = await open(temporary, 'w')
    try {
      const { size } = await source.stat()
      const points: Buffer[] = []
      let written = 0
      for (let at = 0; at < size || at === 0; at += stride) {
        const is_last = at + stride >= size
        if (at > 0) points.push(pointOf(at, written))
        const plain = Buffer.alloc(Math.min(stride, size - at))
        const { bytesRead } = await source.read(plain, 0, plain.length, at)
        if (bytesRead < plain.length) throw new Error(`${from} became shorter`)
        // A full flush: what follows can be read without what is before.
        const finishFlush = is_last ? constants.Z_FINISH : constants.Z_FULL_FLUSH
        const piece = await compress(plain, { level: constants.Z_BEST_COMPRESSION, finishFlush })
        await target.writeFile(piece)
        written += piece.length
      }
      const count = Buffer.alloc(COUNT)
      count.writeUInt16LE(points.length)
      await target.writeFile(Buffer.concat([...points, count]))
      await target.sync()
    } finally {
      await target.close()
    }
    renameSync(temporary, to)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  } finally {
    await source.close()
  }
  syncFolder(dirname(to))
}

function pointOf(plain: number, compressed: number): Buffer {
  const bytes = Buffer.alloc(POINT)
  bytes.writeBigUInt64LE(BigInt(plain))
  bytes.writeBigUInt64LE(BigInt(compressed), 8)
  return bytes
}

/**
 * The plain bytes from a position on, in pieces.
 * @throws Error of node:fs; ChainError plugin_exception if the file is damaged
 */
export async function* plainBytes(path: string, position: number): AsyncGenerator<Buffer> {
  const fd = openSync(path, 'r')
  try {
    const { start, end, skip } = placeOf(fd, position, path)
    let left = skip
    for await (const piece of transformed(readPieces(fd, start, end), createInflateRaw())) {
      if (piece.length > left) yield piece.subarray(left)
      left = Math.max(0, left - piece.length)
    }
  } catch (error) {
    if (isZlibError(error)) fail('plugin_exception', `${path} is damaged`)
    throw error
  } finally {
    closeSync(fd)
  }
}

/** Where to begin to read, where the stream ends, and how many plain bytes are before the position. */
function placeOf(
  fd: number,
  position: number,
  path: string,
): { start: number; end: number; skip: number } {
  const { size } = fstatSync(fd)
  const count = size >= COUNT ? readAt(fd, size - COUNT, COUNT).readUInt16LE() : -1
  const end = size - COUNT - count * POINT
  if (count < 0 || end < 0) fail('plugin_exception', `${path} is damaged`)
  const points = readAt(fd, end, count * POINT)
  let place = { start: 0, end, skip: position }
  for (let at = 0; at < points.length; at += POINT) {
    const plain = Number(points.readBigUInt64LE(at))
    if (plain > position) break
    place = { start: Number(points.readBigUInt64LE(at + 8)), end, skip: position - plain }
  }
  return place
}
