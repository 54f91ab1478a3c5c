/**
 * The records of a state store with a check of all of them, which each batch writes and a start compares
 * with what it reads. Batches are written one after another, in the order of the calls.
 */
import { ContentsCheck } from './contents_check.ts'
import type { RecordChange } from './contents_check.ts'
import { CHECK_KEY } from './layout.ts'
import type { PutOrDelete, Rocks } from './rocks.ts'

/**
 * The records of a state store with a checksum over all of them, which each batch updates and a
 * start verifies. Batches are written in the order of the calls.
 */
export class CheckedRecords {
  private readonly rocks: Rocks
  private check = new ContentsCheck()
  private last: Promise<void> = Promise.resolve()

  /** @param rocks a database that is empty, or whose records are confirmed before they are changed */
  constructor(rocks: Rocks) {
    this.rocks = rocks
  }

  /**
   * Writes a batch atomically. With `sync`, this batch and all earlier ones are on disk when the
   * promise resolves.
   * @throws ChainError database_exception
   */
  write(changes: readonly RecordChange[], sync: boolean): Promise<void> {
    const written = this.last.then(() => this.writeNext(changes, sync))
    this.last = written.catch(() => {
      // The caller gets this error.
    })
    return written
  }

  /** The values of keys in their order; undefined for those that are absent. */
  getMany(keys: Buffer[]): Promise<(Buffer | undefined)[]> {
    return this.rocks.getMany(keys)
  }

  /** Calls `visit` for each record within the bounds, in key order. */
  each(
    bounds: { gte: Buffer; lt: Buffer },
    visit: (key: Buffer, value: Buffer) => void,
  ): Promise<void> {
    return this.rocks.each(bounds, visit)
  }

  /**
   * Compares what was found with what the last batch left.
   * @throws ChainError `database_exception`
   */
  async confirm(found: ContentsCheck): Promise<void> {
    const packed = await this.rocks.get(CHECK_KEY)
    const expected = packed && ContentsCheck.unpack(packed)
    if (!expected?.equals(found))
      throw this.rocks.damaged('its records are not those that were written')
    this.check = found
  }

  private async writeNext(changes: readonly RecordChange[], sync: boolean): Promise<void> {
    const check = this.check.after(changes)
    const operations = changes.map(({ key, value }): PutOrDelete => {
      return value ? { type: 'put', key, value } : { type: 'del', key }
    })
    operations.push({ type: 'put', key: CHECK_KEY, value: check.pack() })
    await this.rocks.batch(operations, sync)
    this.check = check
  }
}
