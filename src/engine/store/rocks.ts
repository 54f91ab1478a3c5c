/** RocksDB with promises, and with errors that say what to do. */
import { mkdirSync } from 'node:fs'
import rocksdb from 'rocksdb'
import type { IteratorOptions, PutOrDelete, RocksBinding } from 'rocksdb'
import { ChainError, fail } from '../errors.ts'

export type { PutOrDelete } from 'rocksdb'

/** Rows are read once, at the start, so a small cache is enough. */
const CACHE_BYTES = 4 << 20
const WRITE_BUFFER_BYTES = 32 << 20
const READ_AHEAD_BYTES = 4 << 20

export class Rocks {
  private readonly db: RocksBinding
  private readonly folder: string
  /** The binding does not look: work on a closed database would end the process. */
  private closed = false

  private constructor(db: RocksBinding, folder: string) {
    this.db = db
    this.folder = folder
  }

  /** Opens or creates a database in a folder. Errors: `database_exception`. */
  static async open(folder: string): Promise<Rocks> {
    const db = rocksdb(folder)
    const options = {
      createIfMissing: true,
      compression: true,
      cacheSize: CACHE_BYTES,
      writeBufferSize: WRITE_BUFFER_BYTES,
    }
    try {
      mkdirSync(folder, { recursive: true })
      await call<[]>((done) => db.open(options, done))
    } catch (error) {
      fail('database_exception', messageOf(folder, 'cannot be opened', error))
    }
    return new Rocks(db, folder)
  }

  async get(key: Buffer): Promise<Buffer | undefined> {
    return (await this.getMany([key]))[0]
  }

  async getMany(keys: Buffer[]): Promise<(Buffer | undefined)[]> {
    this.checkOpen()
    const [values] = await this.reading(() =>
      call<[(Buffer | undefined)[]]>((done) => this.db.getMany(keys, { fillCache: false }, done)),
    )
    return values
  }

  /** All or nothing; with `sync` it is on disk when the promise resolves, and all batches before too.
   *  Errors: `database_exception`. */
  async batch(operations: PutOrDelete[], sync: boolean): Promise<void> {
    this.checkOpen()
    try {
      await call<[]>((done) => this.db.batch(operations, { sync }, done))
    } catch (error) {
      fail('database_exception', messageOf(this.folder, 'cannot be written', error))
    }
  }

  /** Calls `visit` for each record within the bounds, in key order. */
  async each(bounds: IteratorOptions, visit: (key: Buffer, value: Buffer) => void): Promise<void> {
    this.checkOpen()
    const options = { fillCache: false, highWaterMark: READ_AHEAD_BYTES, ...bounds }
    const iterator = this.db.iterator(options)
    try {
      await new Promise<void>((resolve, reject) => {
        const step = (error: Error | null | undefined, key?: Buffer, value?: Buffer): void => {
          if (error) return reject(this.unreadable(error))
          if (key === undefined || value === undefined) return resolve()
          try {
            visit(key, value)
          } catch (thrown) {
            return reject(thrown as Error)
          }
          iterator.next(step)
        }
        iterator.next(step)
      })
    } finally {
      await call<[]>((done) => iterator.end(done))
    }
  }

  /** About how many records there are, one at least. */
  estimatedRecords(): number {
    this.checkOpen()
    return Math.max(1, Number(this.db.getProperty('rocksdb.estimate-num-keys')) || 1)
  }

  async clear(): Promise<void> {
    this.checkOpen()
    await call<[]>((done) => this.db.clear(done))
  }

  /** Waits for the work that is under way. */
  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    await call<[]>((done) => this.db.close(done))
  }

  private async reading<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read()
    } catch (error) {
      throw this.unreadable(error)
    }
  }

  private unreadable(error: unknown): ChainError {
    return new ChainError('database_exception', messageOf(this.folder, 'cannot be read', error))
  }

  private checkOpen(): void {
    if (this.closed) fail('database_exception', 'the database is closed')
  }
}

function call<T extends unknown[]>(
  start: (done: (error: Error | null | undefined, ...values: T) => void) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, ...values) => (error ? reject(error) : resolve(values)))
  })
}

const IN_USE = 'is in use by another process'

/** Whether a database could not be opened because somebody else has it open. */
export function isInUse(error: unknown): boolean {
  return error instanceof ChainError && error.message.includes(IN_USE)
}

function messageOf(folder: string, what: string, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error)
  if (/lock/i.test(reason)) return `the state in ${folder} ${IN_USE}: ${reason}`
  if (/corruption|io error: no such file/i.test(reason)) {
    return `the state in ${folder} is damaged: remove the folder and replay the blocks: ${reason}`
  }
  return `the state in ${folder} ${what}: ${reason}`
}

/** The same bytes as a Buffer, which the binding asks for. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
