import { BOUNDS, LEB, PARSE, WasmParseError, parseCheck } from './parse_error.ts'

/** Reads a module's bytes; every read is checked against `end` (eos-vm: guarded_ptr.hpp, leb128.hpp). */
export class ByteCursor {
  readonly bytes: Uint8Array
  pos: number
  end: number

  constructor(bytes: Uint8Array, pos = 0, end = bytes.length) {
    this.bytes = bytes
    this.pos = pos
    this.end = end
  }

  /**
   * The next byte.
   * @throws WasmParseError beyond the end
   */
  u8(): number {
    if (this.pos >= this.end) throw new WasmParseError(BOUNDS, 'overbounding pointer')
    return this.bytes[this.pos++]!
  }

  /**
   * The next byte, which stays.
   * @throws WasmParseError beyond the end, with another text than {@link u8}, as in the reference
   */
  peek(): number {
    if (this.pos >= this.end) throw new WasmParseError(BOUNDS, 'accessing out of bounds')
    return this.bytes[this.pos]!
  }

  /**
   * Moves over `n` bytes.
   * @throws WasmParseError beyond the end
   */
  skip(n: number): void {
    parseCheck(n <= this.end - this.pos, 'overbounding pointer', BOUNDS)
    this.pos += n
  }

  /**
   * The bounds check of a sub-range that starts here.
   * @throws WasmParseError there are fewer than `n` bytes
   */
  need(n: number): void {
    parseCheck(n <= this.end - this.pos, 'guarded ptr out of bounds', BOUNDS)
  }

  private lebByte(count: number, max: number): number {
    parseCheck(count < max, 'incorrect leb128 encoding', LEB)
    if (this.pos + count >= this.end) throw new WasmParseError(LEB, 'pointer out of bounds')
    return this.bytes[this.pos + count]!
  }

  /**
   * A LEB128 number of one bit.
   * @throws WasmParseError it has other bits, or the bytes end
   */
  varuint1(): boolean {
    const byte = this.lebByte(0, 1)
    parseCheck((byte & 0x80) === 0, 'incorrect leb128 encoding', LEB)
    parseCheck((byte & 0x7e) === 0, 'unused bits of unsigned leb128 must be 0', PARSE)
    this.pos += 1
    return byte !== 0
  }

  /**
   * An unsigned LEB128 number of 32 bits, at most five bytes.
   * @throws WasmParseError it is longer or larger, or the bytes end
   */
  varuint32(): number {
    const { pos } = this
    if (pos < this.end) {
      const first = this.bytes[pos]!
      if (first < 0x80) {
        this.pos = pos + 1
        return first
      }
    }
    return this.longVaruint32()
  }

  private longVaruint32(): number {
    let result = 0
    let count = 0
    for (;;) {
      const byte = this.lebByte(count, 5)
      result += (byte & 0x7f) * 2 ** (7 * count)
      count += 1
      if ((byte & 0x80) === 0) {
        if (count === 5) {
          parseCheck((byte & 0x70) === 0, 'unused bits of unsigned leb128 must be 0')
        }
        break
      }
    }
    this.pos += count
    return result
  }

  /**
   * A signed LEB128 number of 32 bits, at most five bytes.
   * @throws WasmParseError it is longer or larger, or the bytes end
   */
  varint32(): number {
    let result = 0
    let count = 0
    for (;;) {
      const byte = this.lebByte(count, 5)
      result |= (byte & 0x7f) << (7 * count)
      count += 1
      if ((byte & 0x80) === 0) {
        if (count === 5) this.checkSignBits(byte, 4)
        else if ((byte & 0x40) !== 0) result |= -1 << (7 * count)
        break
      }
    }
    this.pos += count
    return result | 0
  }

  /**
   * A signed LEB128 number of 64 bits, at most ten bytes.
   * @throws WasmParseError it is longer or larger, or the bytes end
   */
  varint64(): bigint {
    let result = 0n
    let count = 0
    for (;;) {
      const byte = this.lebByte(count, 10)
      result |= BigInt(byte & 0x7f) << BigInt(7 * count)
      count += 1
      if ((byte & 0x80) === 0) {
        if (count === 10) this.checkSignBits(byte, 1)
        else if ((byte & 0x40) !== 0) result |= -1n << BigInt(7 * count)
        break
      }
    }
    this.pos += count
    return BigInt.asIntN(64, result)
  }

  /** In the last byte of a full-length signed number, bits above the value repeat its sign. */
  private checkSignBits(byte: number, used: number): void {
    const mask = (0xff << used) & 0x7f
    const expected = (byte & (1 << (used - 1))) !== 0 ? mask : 0
    parseCheck(
      (byte & mask) === expected,
      'unused bits of signed leb128 must be the same as the sign bit',
    )
  }

  /**
   * A length-prefixed name, checked to be UTF-8; the bytes as a latin1 string.
   * @throws WasmParseError it is too long or not UTF-8, or the bytes end
   */
  name(max_bytes: number): string {
    const length = this.varuint32()
    parseCheck(length <= max_bytes, 'name too long')
    this.need(length)
    const end = this.pos + length
    const start = this.pos
    while (this.pos < end) {
      if (this.bytes[this.pos]! < 0x80) this.pos += 1
      else this.utf8CodePoint(end)
    }
    return latin1(this.bytes, start, end)
  }

  private utf8CodePoint(end: number): void {
    const lead = this.bytes[this.pos++]!
    if (lead < 0x80) return
    const extra = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3
    parseCheck(lead >= 0xc0 && lead < 0xf8, 'invalid utf8 encoding')
    let point = lead & (0x3f >> extra)
    for (let i = 0; i < extra; i++) {
      if (this.pos >= end) throw new WasmParseError(BOUNDS, 'overbounding pointer')
      const byte = this.bytes[this.pos++]!
      parseCheck((byte & 0xc0) === 0x80, 'invalid utf8 encoding')
      point = (point << 6) | (byte & 0x3f)
    }
    const min = extra === 1 ? 0x80 : extra === 2 ? 0x800 : 0x10000
    const surrogate = point >= 0xd800 && point < 0xe000
    parseCheck(point >= min && point < 0x110000 && !surrogate, 'invalid utf8 encoding')
  }
}

/** Bytes as a string of one character each. */
export function latin1(bytes: Uint8Array, start: number, end: number): string {
  let text = ''
  // Arguments of `apply` are passed on the stack.
  for (let from = start; from < end; from += 4096) {
    text += String.fromCharCode.apply(null, [...bytes.subarray(from, Math.min(end, from + 4096))])
  }
  return text
}
