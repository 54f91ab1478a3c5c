import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { utf8ToBytes } from '../../protocol/hex.ts'
import { checksumPath } from '../../snapshot/file_checksum.ts'
import { replaceFile } from '../../store/file.ts'
import { additionsPath } from './state_files.ts'

/**
 * The state that takes the place of a node's chain: a copy in the data folder, there from the decision to load it until
 * the new chain is on the disk. A start that finds it loads it, because the process ended in between.
 */
export class LoadingState {
  /** The snapshot. Its additions are written last, and are what decides. */
  readonly path: string

  constructor(data_dir: string) {
    this.path = join(data_dir, 'loading.bin')
  }

  /** Whether it was decided to load it. */
  get isDecided(): boolean {
    return existsSync(additionsPath(this.path))
  }

  /** Copies a snapshot, and its checksum if it has one; nothing is decided. @throws Error of node:fs */
  copy(snapshot: string): void {
    this.remove()
    copySynced(snapshot, this.path)
    const checksum = checksumPath(snapshot)
    if (existsSync(checksum)) copySynced(checksum, checksumPath(this.path))
  }

  /** Decides to load what was copied; it is on the disk on return. @throws Error of node:fs */
  decide(additions: string): void {
    replaceFile(additionsPath(this.path), [utf8ToBytes(additions)])
  }

  /** The state was loaded, or cannot be. @throws Error of node:fs */
  remove(): void {
    for (const path of [additionsPath(this.path), checksumPath(this.path), this.path]) {
      rmSync(path, { force: true })
    }
  }
}

/** Copies a file; the contents are on the disk on return. */
function copySynced(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_FICLONE)
  const fd = openSync(to, 'r+')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
