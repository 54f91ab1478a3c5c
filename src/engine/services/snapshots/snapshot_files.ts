import { existsSync, readdirSync, rmSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { toHex } from '../../protocol/hex.ts'
import { checksumPath, checksumText, hiddenChecksumPath } from '../../snapshot/file_checksum.ts'
import { makeFolder, replaceFile, syncFolderLater } from '../../store/file.ts'

/** Snapshots that are not announced, under their temporary names. */
const UNFINISHED = /^\.(incomplete|pending)-snapshot-[0-9a-f]{64}\.bin$/
const CHECKSUM = /^\.?(snapshot-[0-9a-f]{64}\.bin)\.sha256(\.new)?$/

/**
 * Removes files of a process that ended before its snapshots were announced, and checksums of
 * snapshots that do not exist.
 */
export function removeUnfinished(folder: string): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    const snapshot = CHECKSUM.exec(name)?.[1]
    const is_left = snapshot !== undefined && !existsSync(join(folder, snapshot))
    if (is_left || UNFINISHED.test(name)) rmSync(join(folder, name), { force: true })
  }
}

/** The names of a snapshot while it is written, while its block may be undone, and for good.
 *  spring: libraries/chain/include/eosio/chain/pending_snapshot.hpp */
export class SnapshotFiles {
  private readonly folder: string
  private readonly name: string

  constructor(folder: string, block_id: Uint8Array) {
    this.folder = folder
    this.name = `snapshot-${toHex(block_id)}.bin`
  }

  /** Path of the file while it is written. */
  get incomplete(): string {
    return join(this.folder, `.incomplete-${this.name}`)
  }

  /** Path of the complete file until its block is irreversible. */
  get pending(): string {
    return join(this.folder, `.pending-${this.name}`)
  }

  /** Path of the file when its block is irreversible. */
  get final(): string {
    return join(this.folder, this.name)
  }

  /** Whether the file has its final name. */
  get is_final(): boolean {
    return existsSync(this.final)
  }

  /** Makes the folder of snapshots if it is missing. */
  makeFolder(): void {
    makeFolder(this.folder)
  }

  /** The file is complete. */
  async complete(): Promise<void> {
    await rename(this.incomplete, this.pending)
  }

  /** The block is irreversible: the file has its final name, and its checksum is beside it. */
  async finalize(): Promise<void> {
    const text = await checksumText(this.pending, this.final)
    replaceFile(hiddenChecksumPath(this.final), [Buffer.from(text)])
    await rename(this.pending, this.final)
    await syncFolderLater(this.folder)
  }

  /** It will not be announced, so its files are removed. */
  async discard(): Promise<void> {
    for (const path of [this.incomplete, this.pending]) await rm(path, { force: true })
    await removeSnapshot(this.final)
  }
}

/** Removes a snapshot and its checksum. */
export async function removeSnapshot(path: string): Promise<void> {
  await rm(path, { force: true })
  // The second name is of earlier versions.
  for (const checksum of [hiddenChecksumPath(path), checksumPath(path)]) {
    await rm(checksum, { force: true })
  }
}
