const SIZE_BYTES = 5
/** Up to this length, a loop copies faster than a view that is made for it. */
const SHORT_BYTES = 32

/** A growing byte array with the binary format's encodings. */
export class Emitter {
  private data: Uint8Array
  length = 0

  constructor(capacity = 256) {
    this.data = new Uint8Array(capacity)
  }

  private room(n: number): void {
    if (this.length + n <= this.data.length) return
    const data = new Uint8Array(Math.max(this.data.length * 2, this.length + n))
    data.set(this.data.subarray(0, this.length))
    this.data = data
  }

  /** Appends a byte. */
  byte(value: number): this {
    this.room(1)
    this.data[this.length++] = value
    return this
  }

  /** Appends bytes. */
  bytes(...values: number[]): this {
    for (const value of values) this.byte(value)
    return this
  }

  /** Copies `source[start..end)`. */
  copy(source: Uint8Array, start = 0, end = source.length): this {
    const count = end - start
    if (count <= 0) return this
    this.room(count)
    const { data, length } = this
    if (count <= SHORT_BYTES) {
      for (let i = 0; i < count; i++) data[length + i] = source[start + i]!
    } else data.set(source.subarray(start, end), length)
    this.length = length + count
    return this
  }

  /** Appends an unsigned LEB128 number of at most 32 bits. */
  u32(value: number): this {
    if (value >>> 0 < 0x80) return this.byte(value)
    let rest = value >>> 0
    while (rest >= 0x80) {
      this.byte((rest & 0x7f) | 0x80)
      rest >>>= 7
    }
    return this.byte(rest)
  }

  /** Appends a signed LEB128 number of 32 bits. */
  i32(value: number): this {
    let rest = value | 0
    for (;;) {
      const byte = rest & 0x7f
      rest >>= 7
      if ((rest === 0 && (byte & 0x40) === 0) || (rest === -1 && (byte & 0x40) !== 0)) {
        return this.byte(byte)
      }
      this.byte(byte | 0x80)
    }
  }

  /** Appends a signed LEB128 number of 64 bits. */
  i64(value: bigint): this {
    let rest = BigInt.asIntN(64, value)
    for (;;) {
      const byte = Number(rest & 0x7fn)
      rest >>= 7n
      if ((rest === 0n && (byte & 0x40) === 0) || (rest === -1n && (byte & 0x40) !== 0)) {
        return this.byte(byte)
      }
      this.byte(byte | 0x80)
    }
  }

  /** Little-endian bits of a constant, `size` bytes. */
  raw(value: bigint, size: number): this {
    for (let i = 0; i < size; i++) this.byte(Number((value >> BigInt(8 * i)) & 0xffn))
    return this
  }

  /** A latin1 string with its length. */
  name(text: string): this {
    this.u32(text.length)
    for (let i = 0; i < text.length; i++) this.byte(text.charCodeAt(i))
    return this
  }

  /** The output of `write`, preceded by its length. */
  sized(write: (e: this) => void): this {
    this.room(SIZE_BYTES)
    const start = (this.length += SIZE_BYTES)
    write(this)
    this.patchSize(start)
    return this
  }

  /** All five bytes of a LEB128 number, so that nothing has to move. */
  private patchSize(start: number): void {
    const size = this.length - start
    for (let i = 0; i < SIZE_BYTES; i++) {
      const more = i < SIZE_BYTES - 1 ? 0x80 : 0
      this.data[start - SIZE_BYTES + i] = ((size >>> (7 * i)) & 0x7f) | more
    }
  }

  /** The bytes so far: a view, valid until more is appended. */
  view(): Uint8Array {
    return this.data.subarray(0, this.length)
  }
}
