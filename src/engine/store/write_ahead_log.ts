/**
 * Syncs the write-ahead logs of RocksDB, whose binding has no synced writes. RocksDB has handed a batch
 * to the operating system when its write returns; a sync of the files puts it on the disk.
 */
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolderLater } from './file.ts'

const LOG_NAME = /^\d+\.log$/

/** Syncs the write-ahead log of RocksDB. After `sync`, all earlier writes are on the disk. */
export class WriteAheadLog {
  private readonly folder: string
  /** The logs whose names are on the disk. */
  private named = ''

  /** @param folder the folder of the database */
  constructor(folder: string) {
    this.folder = folder
  }

  /**
   * Resolves when everything that was written before is on the disk.
   * @throws Error a file cannot be synced
   */
  async sync(): Promise<void> {
    // More than one while a full memory table is being written to a file.
    const names = (await readdir(this.folder)).filter((name) => LOG_NAME.test(name)).sort()
    for (const name of names) await this.syncLog(name)
    if (names.join() === this.named) return
    await syncFolderLater(this.folder)
    this.named = names.join()
  }

  private async syncLog(name: string): Promise<void> {
    let log
    try {
      log = await open(join(this.folder, name), 'r')
    } catch (error) {
      // RocksDB removes a log when its rows are in a table file that is synced.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
      throw error
    }
    await log.sync().finally(() => log.close())
  }
}
