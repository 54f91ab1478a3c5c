/**
 * The SHA-256 of a snapshot, in a file beside it in the format of `sha256sum --check`:
 * `.NAME.sha256` or `NAME.sha256`. The reference's format of snapshots has no checksum.
 */
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Sha256 } from '../crypto/hash.ts'
import { check } from '../errors.ts'
import { toHex } from '../protocol/hex.ts'

const PIECE = 1 << 20

/** The path of the checksum of a saved state. */
export function checksumPath(snapshot: string): string {
  return `${snapshot}.sha256`
}

/**
 * The path of the checksum of a snapshot in the folder of snapshots. Programs that take the last name in this folder,
 * as those for the reference do, get a snapshot.
 */
export function hiddenChecksumPath(snapshot: string): string {
  return join(dirname(snapshot), `.${basename(snapshot)}.sha256`)
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
 * Compares a snapshot with its checksum files, if there are any.
 * @throws snapshot_exception when they differ
 */
export function checkChecksum(snapshot: string): void {
  if (!existsSync(snapshot)) return
  let digest: string | undefined
  for (const path of [hiddenChecksumPath(snapshot), checksumPath(snapshot)]) {
    if (!existsSync(path)) continue
    const expected = /^([0-9a-f]{64}) [ *]/.exec(readFileSync(path, 'latin1'))?.[1]
    digest ??= digestOf(snapshot)
    check(
      expected === digest,
      'snapshot_exception',
      `${snapshot} is not the file of which ${path} has the checksum: one of them is damaged, ` +
        'put a copy of both back, or remove the checksum if the snapshot is known to be good',
    )
  }
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
