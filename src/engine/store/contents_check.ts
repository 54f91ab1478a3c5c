/**
 * A check of the contents of a store: the number of records, the number of bytes, and the sum of
 * their checksums. Each batch writes it. A store whose records do not match it has lost a batch, or
 * some of its bytes.
 */
import { crc32 } from 'node:zlib'

/**
 * A changed record: its new value, absent if it is removed, and its old value, absent if it is new.
 */
export interface RecordChange {
  key: Buffer
  value?: Buffer | undefined
  before?: Buffer | undefined
}

const PACKED_BYTES = 24

/**
 * A checksum over all records of a store: their number, their bytes, and the sum of their checksums
 * modulo 2^32. It does not depend on the order of records.
 */
export class ContentsCheck {
  private records = 0
  private bytes = 0
  /** Modulo 2^32. */
  private sum = 0

  /** Adds a record. */
  add(key: Uint8Array, value: Uint8Array): void {
    this.records++
    this.bytes += key.length + value.length
    this.sum = (this.sum + checksum(key, value)) >>> 0
  }

  /** The check of the contents after the changes. */
  after(changes: readonly RecordChange[]): ContentsCheck {
    const next = Object.assign(new ContentsCheck(), this)
    for (const { key, value, before } of changes) {
      if (before) next.subtract(key, before)
      if (value) next.add(key, value)
    }
    return next
  }

  /** Whether the contents are the same, as far as a checksum shows it. */
  equals(other: ContentsCheck): boolean {
    return this.records === other.records && this.bytes === other.bytes && this.sum === other.sum
  }

  /** [records u64][bytes u64][sum u32][checksum of the bytes before u32], little-endian. */
  pack(): Buffer {
    const packed = Buffer.alloc(PACKED_BYTES)
    packed.writeBigUInt64LE(BigInt(this.records), 0)
    packed.writeBigUInt64LE(BigInt(this.bytes), 8)
    packed.writeUInt32LE(this.sum, 16)
    packed.writeUInt32LE(crc32(packed.subarray(0, 20)), 20)
    return packed
  }

  /** Undefined for bytes that are not a packed check. */
  static unpack(packed: Buffer): ContentsCheck | undefined {
    if (packed.length !== PACKED_BYTES) return undefined
    if (packed.readUInt32LE(20) !== crc32(packed.subarray(0, 20))) return undefined
    const check = new ContentsCheck()
    check.records = Number(packed.readBigUInt64LE(0))
    check.bytes = Number(packed.readBigUInt64LE(8))
    check.sum = packed.readUInt32LE(16)
    return check
  }

  private subtract(key: Uint8Array, value: Uint8Array): void {
    this.records--
    this.bytes -= key.length + value.length
    this.sum = (this.sum - checksum(key, value)) >>> 0
  }
}

/** Of both: a value under another's key is noticed. */
function checksum(key: Uint8Array, value: Uint8Array): number {
  return crc32(value, crc32(key))
}
