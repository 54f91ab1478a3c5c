/** Files with positions: whole reads and writes, and little-endian positions in them. */
import { closeSync, fsync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'

/** Reads up to `length` bytes at `position`; fewer at the end of the file. */
export function readAt(fd: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length)
  let done = 0
  while (done < length) {
    const count = readSync(fd, buffer, done, length - done, position + done)
    if (count === 0) break
    done += count
  }
  return done === length ? buffer : buffer.subarray(0, done)
}

/** Writes all bytes at `position`. */
export function writeAt(fd: number, position: number, bytes: Uint8Array): void {
  let done = 0
  while (done < bytes.length) {
    done += writeSync(fd, bytes, done, bytes.length - done, position + done)
  }
}

/** The u64 at `position`, undefined past the end of the file. */
export function readPosition(fd: number, position: number): number | undefined {
  const bytes = readAt(fd, position, 8)
  return bytes.length === 8 ? Number(bytes.readBigUInt64LE()) : undefined
}

export function packPositions(positions: readonly number[]): Buffer {
  const bytes = Buffer.alloc(8 * positions.length)
  positions.forEach((position, i) => bytes.writeBigUInt64LE(BigInt(position), 8 * i))
  return bytes
}

/** Resolves when what was written is on the disk itself. */
export function syncFile(fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fsync(fd, (error) => (error ? reject(error) : resolve()))
  })
}

/** Makes names in a folder (new and renamed files) lasting. */
export function syncFolder(folder: string): void {
  // Windows opens no folders, and journals their changes itself.
  if (process.platform === 'win32') return
  const fd = openSync(folder, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
