/**
 * The SHA-256 of a snapshot, in a file beside it in the format of `sha256sum --check`:
 * `NAME.sha256`. The reference's format of snapshots has no checksum.
 */
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { Sha256 } from '../crypto/hash.ts'
import { check } from '../errors.ts'
import { toHex } from '../protocol/hex.ts'

const PIECE = 1 << 20

/** The path of the checksum of a snapshot. */
export function checksumPath(snapshot: string): string {
  return `${snapshot}.sha256`
}

/**
 * The contents of a checksum file.
 * @param path the file whose bytes are read, a piece at a time, while other tasks run
 * @param name the path that it will have
 */
export async function checksumText(path: string, name: string): Promise<string> {
  const hash = new Sha256()
  const file = await open(path, 'r')
  try {
    const piece = Buffer.allocUnsafe(PIECE)
    for (;;) {
      const { bytesRead } = await file.read(piece, 0, PIECE)
      if (bytesRead === 0) break
      hash.update(piece.subarray(0, bytesRead))
    }
  } finally {
    await file.close()
  }
  return `${toHex(hash.digest())}  ${basename(name)}\n`
}

/**
 * Compares a snapshot with its checksum file, if there is one.
 * @throws snapshot_exception when they differ
 */
export function checkChecksum(snapshot: string): void {
  const path = checksumPath(snapshot)
  if (!existsSync(snapshot) || !existsSync(path)) return
  const expected = /^([0-9a-f]{64}) [ *]/.exec(readFileSync(path, 'latin1'))?.[1]
  check(
    expected !== undefined && expected === digestOf(snapshot),
    'snapshot_exception',
    `${snapshot} is not the file of which ${path} has the checksum: one of them is damaged, ` +
      'put a copy of both back, or remove the checksum if the snapshot is known to be good',
  )
}

function digestOf(path: string): string {
  const hash = new Sha256()
  const fd = openSync(path, 'r')
  try {
    const piece = Buffer.allocUnsafe(PIECE)
    for (;;) {
      const length = readSync(fd, piece)
      if (length === 0) return toHex(hash.digest())
      hash.update(piece.subarray(0, length))
    }
  } finally {
    closeSync(fd)
  }
}
