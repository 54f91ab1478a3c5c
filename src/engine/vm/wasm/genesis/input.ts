import { WasmParseError } from '../parse_error.ts'

const MALFORMED = 'wasm serialization failure'
/** Longest string and largest array. */
const MAX_ELEMENTS = 8192
/** Raw bytes that are read at once, at most. */
const MAX_RAW_BYTES = 65_536

/**
 * Refuses a module as the parser before configurable limits does.
 * @throws WasmParseError always
 */
export function malformed(message: string): never {
  throw new WasmParseError(MALFORMED, message)
}

/**
 * Reads a module's bytes with the habits and words of the parser that was used before limits were
 * configurable. spring: libraries/wasm-jit/Include/Inline/Serialization.h
 */
export class GenesisInput {
  readonly bytes: Uint8Array
  pos: number
  readonly end: number

  constructor(bytes: Uint8Array, pos = 0, end = bytes.length) {
    this.bytes = bytes
    this.pos = pos
    this.end = end
  }

  /** Bytes that are left. */
  get capacity(): number {
    return this.end - this.pos
  }

  /**
   * Moves over `n` bytes and gives the position before them.
   * @throws WasmParseError beyond the end
   */
  advance(n: number): number {
    if (n > this.capacity) malformed('expected data but found end of stream')
    this.pos += n
    return this.pos - n
  }

  /** The next `n` bytes as a separate stream. */
  part(n: number): GenesisInput {
    const start = this.advance(n)
    return new GenesisInput(this.bytes, start, start + n)
  }

  /**
   * The next byte, which stays.
   * @throws WasmParseError at the end
   */
  peek(): number {
    if (this.capacity < 1) malformed('expected data but found end of stream')
    return this.bytes[this.pos]!
  }

  /**
   * The next byte.
   * @throws WasmParseError at the end
   */
  u8(): number {
    return this.bytes[this.advance(1)]!
  }

  /**
   * Four bytes, little endian, unsigned.
   * @throws WasmParseError beyond the end
   */
  u32(): number {
    const p = this.advance(4)
    const b = this.bytes
    return (b[p]! | (b[p + 1]! << 8) | (b[p + 2]! << 16) | (b[p + 3]! << 24)) >>> 0
  }

  /**
   * The remaining bytes, of which a limited part is read at once.
   * @throws WasmParseError there are too many
   */
  rest(): void {
    const n = this.capacity
    if (n >= MAX_RAW_BYTES) malformed(`Trying to deserialize bytes of size : ${n}`)
    this.advance(n)
  }

  /**
   * A LEB128 number of one bit.
   * @throws WasmParseError its byte has other bits, or the bytes end
   */
  varuint1(): number {
    return this.unsigned(1)
  }

  /**
   * A LEB128 number of seven bits.
   * @throws WasmParseError its byte has other bits, or the bytes end
   */
  varuint7(): number {
    return this.unsigned(7)
  }

  /**
   * An unsigned LEB128 number of 32 bits, at most five bytes.
   * @throws WasmParseError it is larger, or the bytes end
   */
  varuint32(): number {
    return this.unsigned(32)
  }

  /** A number from -64 to 63. */
  varint7(): number {
    this.checkSign(this.leb(1), 7)
    const byte = this.bytes[this.pos - 1]!
    return byte < 64 ? byte : byte - 128
  }

  /**
   * Moves over a signed LEB128 number of 32 bits, at most five bytes.
   * @throws WasmParseError it is larger, or the bytes end
   */
  skipVarint32(): void {
    this.checkSign(this.leb(5), 4)
  }

  /**
   * Moves over a signed LEB128 number of 64 bits, at most ten bytes.
   * @throws WasmParseError it is larger, or the bytes end
   */
  skipVarint64(): void {
    this.checkSign(this.leb(10), 1)
  }

  /** The value of a varint32. */
  varint32(): number {
    const start = this.pos
    this.skipVarint32()
    const count = this.pos - start
    let value = 0
    for (let i = 0; i < count; i++) value |= (this.bytes[start + i]! & 0x7f) << (7 * i)
    const unused = 32 - 7 * count
    return unused > 0 ? (value << unused) >> unused : value
  }

  /**
   * Moves over a byte that must have this value.
   * @param what names it in the error
   * @throws WasmParseError it has another value, or the bytes end
   */
  constant8(what: string, expected: number): void {
    const loaded = this.u8()
    if (loaded !== expected) malformed(mismatch(what, loaded, expected))
  }

  /**
   * Moves over four bytes, little endian, that must have this value.
   * @param what names it in the error
   * @throws WasmParseError it has another value, or the bytes end
   */
  constant32(what: string, expected: number): void {
    const loaded = this.u32()
    if (loaded !== expected) malformed(mismatch(what, loaded, expected))
  }

  /**
   * Bytes with their length before them, one character each.
   * @throws WasmParseError it is too long, or the bytes end
   */
  string(): string {
    const size = this.varuint32()
    const start = this.advance(size)
    if (size >= MAX_ELEMENTS) malformed(tooLong('string', size))
    return String.fromCharCode(...this.bytes.subarray(start, start + size))
  }

  /** Moves over an array of bytes and gives its length. */
  byteArray(): number {
    const size = this.arraySize()
    this.advance(size)
    return size
  }

  private arraySize(): number {
    const size = this.varuint32()
    if (size >= MAX_ELEMENTS) malformed(tooLong('array', size))
    return size
  }

  /**
   * An array with its length before it.
   * @param element reads the next element
   * @throws WasmParseError it has 8192 elements or more, or the bytes end
   */
  array<T>(element: () => T): T[] {
    const size = this.arraySize()
    const items: T[] = []
    for (let i = 0; i < size; i++) items.push(element())
    return items
  }

  /** Moves over a LEB128 number; answers its last byte if it has all that it may have, else 0. */
  private leb(max_bytes: number): number {
    for (let count = 1; ; count++) {
      const byte = this.u8()
      if (count === max_bytes) return byte
      if ((byte & 0x80) === 0) return 0
    }
  }

  private unsigned(bits: number): number {
    const { pos } = this
    if (bits >= 7 && pos < this.end && this.bytes[pos]! < 0x80) {
      this.pos = pos + 1
      return this.bytes[pos]!
    }
    const start = this.pos
    const max_bytes = Math.ceil(bits / 7)
    const last = this.leb(max_bytes)
    const used = (1 << (bits - (max_bytes - 1) * 7)) - 1
    if ((last & ~used) !== 0) {
      malformed('Invalid unsigned LEB encoding: unused bits in final byte must be 0')
    }
    let value = 0
    for (let p = start; p < this.pos; p++) value += (this.bytes[p]! & 0x7f) * 2 ** (7 * (p - start))
    return value
  }

  private checkSign(last: number, used_bits: number): void {
    const used = (1 << used_bits) - 1
    const sign = last & (1 << (used_bits - 1)) ? ~used & 0x7f : 0
    if ((last & ~used) === sign) return
    malformed(
      'Invalid signed LEB encoding: unused bits in final byte must match the most-significant used bit',
    )
  }
}

function mismatch(what: string, loaded: number, expected: number): string {
  return `${what}: loaded ${loaded} but was expecting ${expected}`
}

function tooLong(what: string, size: number): string {
  const over = size - MAX_ELEMENTS
  return `Trying to deserialize ${what} of size : ${size}, which is over by ${over} bytes`
}
