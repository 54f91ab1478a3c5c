/** What we use of the npm package `rocksdb` 5.2.1, which carries no types. */
declare module 'rocksdb' {
  type Callback<T extends unknown[]> = (error: Error | null | undefined, ...values: T) => void

  export interface PutOrDelete {
    type: 'put' | 'del'
    key: Buffer
    value?: Buffer
  }

  export interface OpenOptions {
    createIfMissing?: boolean
    /** Snappy. */
    compression?: boolean
    /** Bytes of the block cache. */
    cacheSize?: number
    /** Bytes of a memory table before it is written to a file. */
    writeBufferSize?: number
    maxOpenFiles?: number
  }

  export interface RocksIterator {
    /** No key at the end. */
    next(callback: Callback<[key?: Buffer, value?: Buffer]>): this
    end(callback: Callback<[]>): void
  }

  export interface IteratorOptions {
    gte?: Buffer
    lt?: Buffer
    fillCache?: boolean
    /** Bytes to read ahead. */
    highWaterMark?: number
    values?: boolean
  }

  export interface RocksBinding {
    open(options: OpenOptions, callback: Callback<[]>): void
    close(callback: Callback<[]>): void
    get(key: Buffer, options: { fillCache?: boolean }, callback: Callback<[value: Buffer]>): void
    getMany(
      keys: Buffer[],
      options: { fillCache?: boolean },
      callback: Callback<[values: (Buffer | undefined)[]]>,
    ): void
    batch(operations: PutOrDelete[], options: { sync?: boolean }, callback: Callback<[]>): void
    clear(callback: Callback<[]>): void
    /** The empty text for a property that is not known. */
    getProperty(name: string): string
    iterator(options: IteratorOptions): RocksIterator
  }

  export default function rocksdb(location: string): RocksBinding
}
