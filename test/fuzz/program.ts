import { N } from '../../src/engine/protocol/name.ts'

/** Builds a program of the probe contract: opcodes with their operands, little-endian. */
export class Program {
  private readonly parts: number[] = []

  u8(value: number): this {
    this.parts.push(value & 0xff)
    return this
  }

  u32(value: number): this {
    for (let i = 0; i < 4; i++) this.parts.push((value >>> (8 * i)) & 0xff)
    return this
  }

  u64(value: bigint): this {
    return this.wide(value, 8)
  }

  u128(value: bigint): this {
    return this.wide(value, 16)
  }

  name(value: string): this {
    return this.u64(N(value))
  }

  /** An integer of that many bytes. */
  wide(value: bigint, bytes: number): this {
    for (let i = 0; i < bytes; i++) this.parts.push(Number((value >> BigInt(8 * i)) & 0xffn))
    return this
  }

  raw(bytes: Iterable<number>): this {
    this.parts.push(...bytes)
    return this
  }

  /** Bytes with their length before them. */
  bytes(bytes: Uint8Array | readonly number[]): this {
    return this.u32(bytes.length).raw(bytes)
  }

  get length(): number {
    return this.parts.length
  }

  done(): Uint8Array {
    return new Uint8Array(this.parts)
  }
}
