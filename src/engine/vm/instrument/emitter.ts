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

  byte(value: number): this {
    this.room(1)
    this.data[this.length++] = value
    return this
  }

  bytes(...values: number[]): this {
    for (const value of values) this.byte(value)
    return this
  }

  /** Copies `source[start..end)`. */
  copy(source: Uint8Array, start = 0, end = source.length): this {
    if (start >= end) return this
    this.room(end - start)
    this.data.set(source.subarray(start, end), this.length)
    this.length += end - start
    return this
  }

  u32(value: number): this {
    let rest = value >>> 0
    while (rest >= 0x80) {
      this.byte((rest & 0x7f) | 0x80)
      rest >>>= 7
    }
    return this.byte(rest)
  }

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

  /** Another emitter's bytes with their length. */
  sized(inner: Emitter): this {
    this.u32(inner.length)
    return this.copy(inner.view())
  }

  view(): Uint8Array {
    return this.data.subarray(0, this.length)
  }
}
