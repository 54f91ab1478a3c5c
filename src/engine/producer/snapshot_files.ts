import { existsSync } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { toHex } from '../protocol/hex.ts'

/** The names of a snapshot while it is written, while its block may be undone, and for good.
 *  spring: libraries/chain/include/eosio/chain/pending_snapshot.hpp */
export class SnapshotFiles {
  private readonly folder: string
  private readonly name: string

  constructor(folder: string, block_id: Uint8Array) {
    this.folder = folder
    this.name = `snapshot-${toHex(block_id)}.bin`
  }

  get incomplete(): string {
    return join(this.folder, `.incomplete-${this.name}`)
  }

  get pending(): string {
    return join(this.folder, `.pending-${this.name}`)
  }

  get final(): string {
    return join(this.folder, this.name)
  }

  get is_final(): boolean {
    return existsSync(this.final)
  }

  async makeFolder(): Promise<void> {
    await mkdir(this.folder, { recursive: true })
  }

  /** What was written is whole. */
  async complete(): Promise<void> {
    await rename(this.incomplete, this.pending)
  }

  /** The block is irreversible; the name lasts. */
  async finalize(): Promise<void> {
    await rename(this.pending, this.final)
    const folder = await open(this.folder, 'r')
    await folder.sync().finally(() => folder.close())
  }

  /** Nobody will finalize it. */
  async discard(): Promise<void> {
    await rm(this.pending, { force: true })
  }
}
