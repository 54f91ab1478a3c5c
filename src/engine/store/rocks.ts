/** RocksDB with errors that say what to do. */
import type RocksDB from 'rocksdb-native'
import type { Range } from 'rocksdb-native'
import { ChainError, fail } from '../errors.ts'
import { NativePackageError, loadNativePackage } from '../native_package.ts'
import { isSystemError, makeFolder } from './file.ts'
import { WriteAheadLog } from './write_ahead_log.ts'

const WRITE_BUFFER_BYTES = 32 << 20
/** Records that an iterator reads at a time: with pages about 1 MiB. */
const RECORDS_AT_A_TIME = 128
/** All keys are less than this. */
const KEYS_END = Buffer.from([0xff])

/** On Windows, only RocksDB can sync a file that it writes. */
const SYNCS_LOGS = process.platform !== 'win32'

/** One operation of a batch. */
export interface PutOrDelete {
  type: 'put' | 'del'
  key: Buffer
  /** Of a put. */
  value?: Buffer
}

/**
 * RocksDB with synced batches, and errors that say what the operator can do.
 * @throws ChainError database_exception from its methods
 */
export class Rocks {
  private readonly db: RocksDB
  private readonly folder: string
  private readonly log: WriteAheadLog
  private closed = false

  private constructor(db: RocksDB, folder: string) {
    this.db = db
    this.folder = folder
    this.log = new WriteAheadLog(folder)
  }

  /**
   * Opens or creates a database in a folder.
   * @throws ChainError `database_exception`
   */
  static async open(folder: string): Promise<Rocks> {
    try {
      const Database = loadNativePackage('rocksdb-native') as typeof RocksDB
      makeFolder(folder)
      const db = new Database(folder, {
        createIfMissing: true,
        // After a power loss, the log is applied up to the first incomplete record.
        walRecoveryMode: Database.constants.walRecoveryMode.POINT_IN_TIME,
        writeBufferSize: WRITE_BUFFER_BYTES,
        // Rows are read only once, at the start, so nothing is cached except the positions of
        // blocks.
        blockCache: false,
        tableCacheIndexAndFilterBlocks: false,
        filterPolicy: null,
      })
      await db.ready()
      return new Rocks(db, folder)
    } catch (error) {
      if (error instanceof NativePackageError) fail('database_exception', error.message)
      fail('database_exception', messageOf(folder, 'cannot be opened', error))
    }
  }

  /** The value of a key; undefined if it is absent. */
  async get(key: Buffer): Promise<Buffer | undefined> {
    return (await this.getMany([key]))[0]
  }

  /**
   * The values of keys, in their order.
   * @throws ChainError database_exception
   */
  async getMany(keys: Buffer[]): Promise<(Buffer | undefined)[]> {
    this.checkOpen()
    try {
      const batch = this.db.read({ capacity: keys.length, autoDestroy: true })
      const values = keys.map((key) => batch.get(key))
      batch.tryFlush()
      return (await Promise.all(values)).map((value) => value ?? undefined)
    } catch (error) {
      throw this.unreadable(error)
    }
  }

  /**
   * Writes a batch atomically. With `sync`, this batch and all earlier ones are on disk when the
   * promise resolves.
   * @throws ChainError database_exception
   */
  async batch(operations: PutOrDelete[], sync: boolean): Promise<void> {
    this.checkOpen()
    try {
      const batch = this.db.write({ capacity: operations.length, autoDestroy: true })
      for (const { type, key, value } of operations) {
        if (type === 'put') batch.tryPut(key, value as Buffer)
        else batch.tryDelete(key)
      }
      await batch.flush()
      if (sync) await this.sync()
    } catch (error) {
      fail('database_exception', messageOf(this.folder, 'cannot be written', error))
    }
  }

  /** Calls `visit` for each record within the bounds, in key order. */
  async each(bounds: Range, visit: (key: Buffer, value: Buffer) => void): Promise<void> {
    this.checkOpen()
    const records = this.db.iterator(bounds, { capacity: RECORDS_AT_A_TIME })
    const next = records[Symbol.asyncIterator]()
    try {
      for (;;) {
        const { done, value } = await next.next().catch((error: unknown) => {
          throw this.unreadable(error)
        })
        if (done) return
        visit(value.key, value.value)
      }
    } finally {
      await next.return?.()
    }
  }

  /** About how many records there are, one at least. */
  async estimatedRecords(): Promise<number> {
    this.checkOpen()
    return Math.max(1, Number(await this.db.getProperty('rocksdb.estimate-num-keys')) || 1)
  }

  /**
   * Removes all records; not synced.
   * @throws ChainError database_exception
   */
  async clear(): Promise<void> {
    this.checkOpen()
    try {
      const batch = this.db.write({ capacity: 1, autoDestroy: true })
      batch.tryDeleteRange(Buffer.alloc(1), KEYS_END)
      await batch.flush()
    } catch (error) {
      fail('database_exception', messageOf(this.folder, 'cannot be written', error))
    }
  }

  /** Waits for the work that is under way. */
  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    await this.db.close()
  }

  private async sync(): Promise<void> {
    if (SYNCS_LOGS) await this.log.sync()
    else await this.db.flush()
  }

  /** The error of a start whose contents differ from what was written. */
  damaged(reason: string): ChainError {
    return new ChainError('database_exception', damageText(this.folder, reason))
  }

  private unreadable(error: unknown): ChainError {
    return new ChainError('database_exception', messageOf(this.folder, 'cannot be read', error))
  }

  private checkOpen(): void {
    if (this.closed) fail('database_exception', 'the database is closed')
  }
}

const IN_USE = 'is in use by another process'

/** Whether a database could not be opened because another process has it open. */
export function isInUse(error: unknown): boolean {
  return error instanceof ChainError && error.message.includes(IN_USE)
}

/** Messages of RocksDB about its lock file, and those of the C libraries of systems. */
const LOCKED = /\/LOCK: |lock hold by current process/
const REFUSED =
  /permission denied|not permitted|no space|too large|too many open|read-only file|quota|cannot allocate|input\/output error|not a directory|is a directory/i

function messageOf(folder: string, what: string, error: unknown): string {
  const reason = reasonOf(error)
  if (LOCKED.test(reason)) return `the state in ${folder} ${IN_USE}: ${reason}`
  if (isSystemError(error) || REFUSED.test(reason.replaceAll(folder, ''))) {
    return `the state in ${folder} ${what}: ${reason}`
  }
  // The package `rocksdb`, with which earlier versions wrote, compressed.
  if (reason.startsWith('Snappy not supported')) return oldStateText(folder)
  return damageText(folder, reason)
}

const AGAIN =
  'start once with --replay-blockchain, and with --snapshot if the blocks do not begin with block 1'

function damageText(folder: string, reason: string): string {
  return `the state in ${folder} is damaged: ${AGAIN}: ${reason}`
}

/** The error of a start with a state that an earlier version of this program wrote. */
export function oldStateText(folder: string): string {
  return `the state in ${folder} was written by an earlier version of pronghorn: ${AGAIN}`
}

/** RocksDB's reason is the cause of what the binding throws. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message
}

/** The same bytes as a Buffer, as the binding requires. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
