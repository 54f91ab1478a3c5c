/** The used part of the npm package `rocksdb-native`, which has no types. */
declare module 'rocksdb-native' {
  export interface RocksOptions {
    createIfMissing?: boolean
    /** The treatment of damaged or incomplete records of the write-ahead log at the start. */
    walRecoveryMode?: number
    blockCache?: boolean
    tableCacheIndexAndFilterBlocks?: boolean
    filterPolicy?: null
    /** Bytes of a memory table before it is written to a file. */
    writeBufferSize?: number
  }

  export interface Range {
    gte?: Uint8Array
    lt?: Uint8Array
  }

  export interface BatchOptions {
    /** Operations for which memory is taken at once. */
    capacity?: number
    /** Frees the batch after its flush. */
    autoDestroy?: boolean
  }

  export interface WriteBatch {
    tryPut(key: Uint8Array, value: Uint8Array): void
    tryDelete(key: Uint8Array): void
    tryDeleteRange(start: Uint8Array, end: Uint8Array): void
    /** Hands the batch to RocksDB. Rejects with an error whose cause has RocksDB's reason. */
    flush(): Promise<void>
  }

  export interface ReadBatch {
    /** Null if there is none. */
    get(key: Uint8Array): Promise<Buffer | null>
    tryFlush(): void
  }

  export default class RocksDB {
    static readonly constants: { walRecoveryMode: { POINT_IN_TIME: number } }
    constructor(path: string, options?: RocksOptions)
    ready(): Promise<void>
    close(): Promise<void>
    write(options?: BatchOptions): WriteBatch
    read(options?: BatchOptions): ReadBatch
    iterator(
      range: Range,
      options?: { capacity?: number },
    ): AsyncIterable<{ key: Buffer; value: Buffer }>
    /** Writes the memory table to a file, which is synced. */
    flush(): Promise<void>
    getProperty(name: string): Promise<string>
  }
}
