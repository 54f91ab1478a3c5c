/**
 * File operations: complete reads and writes at positions, atomic replacement, and errors of the
 * system.
 */
import {
  closeSync,
  existsSync,
  fsync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { ChainError } from '../errors.ts'
import type { ErrorName } from '../errors.ts'

/** Whether the system refused something: the disk is full or broken, a permission is missing. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}

/**
 * Throws an error of the system as a ChainError that names the failed operation, and other errors
 * unchanged.
 * @throws ChainError for an error of the system
 */
export function failAs(name: ErrorName, what: string, error: unknown): never {
  if (!isSystemError(error)) throw error
  throw new ChainError(name, `${what}: ${error.message}`, { cause: error })
}

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

/**
 * Replaces the contents of a file atomically: a crash at any moment leaves the old file or the new
 * one, and an error leaves the old one. On return, the contents and the name are on the disk.
 * @returns the size of the file
 */
export function replaceFile(path: string, chunks: Iterable<Uint8Array>): number {
  const temporary = `${path}.new`
  let size = 0
  try {
    const fd = openSync(temporary, 'w')
    try {
      for (const chunk of chunks) {
        writeAt(fd, size, chunk)
        size += chunk.length
      }
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  syncFolder(dirname(path))
  return size
}

/** The u64 at `position`, undefined past the end of the file. */
export function readPosition(fd: number, position: number): number | undefined {
  const bytes = readAt(fd, position, 8)
  return bytes.length === 8 ? Number(bytes.readBigUInt64LE()) : undefined
}

/** Packs file positions as little-endian u64. */
export function packPositions(positions: readonly number[]): Buffer {
  const bytes = Buffer.alloc(8 * positions.length)
  positions.forEach((position, i) => bytes.writeBigUInt64LE(BigInt(position), 8 * i))
  return bytes
}

/** Resolves when all written data is on the disk. */
export function syncFile(fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fsync(fd, (error) => (error ? reject(error) : resolve()))
  })
}

/**
 * Makes a folder and its parents, and syncs their names. Each is made separately: Node.js's
 * recursive `mkdir` never returns if the system reports ENOENT below an existing folder, as in
 * /proc.
 * @throws Error of node:fs
 */
export function makeFolder(folder: string): void {
  const missing: string[] = []
  for (let path = resolve(folder); !existsSync(path); path = dirname(path)) missing.push(path)
  if (missing.length === 0 && !statSync(folder).isDirectory()) mkdirSync(folder)
  for (const path of missing.reverse()) {
    makeOne(path)
    syncFolder(dirname(path))
  }
}

/** Another process may make the same folder at the same time. */
function makeOne(path: string): void {
  try {
    mkdirSync(path)
  } catch (error) {
    if (!(isSystemError(error) && error.code === 'EEXIST' && isFolder(path))) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Windows cannot open folders, and journals their changes itself. */
const OPENS_FOLDERS = process.platform !== 'win32'

/** Makes names in a folder (new and renamed files) lasting. */
export function syncFolder(folder: string): void {
  if (!OPENS_FOLDERS) return
  const fd = openSync(folder, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** The same asynchronously. */
export async function syncFolderLater(folder: string): Promise<void> {
  if (!OPENS_FOLDERS) return
  const names = await open(folder, 'r')
  await names.sync().finally(() => names.close())
}
