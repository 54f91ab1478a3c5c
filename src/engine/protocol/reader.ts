/**
 * Reads the protocol's binary form from a byte array, without copying.
 * spring: libraries/libfc/include/fc/io/{raw,datastream}.hpp
 */
import { ChainError, check, formatLog } from '../errors.ts'
import { NO_BYTES, latin1FromBytes, utf8FromBytes } from './hex.ts'
import { MAX_ARRAY_ELEMENTS, MAX_BYTES } from './constants.ts'

// Eight bytes seen as every kind of number: the cheapest way between bytes and wide numbers. They
// are this module's own because V8 treats only local constants as constants.
const scratch = new ArrayBuffer(8)
const scratchI32 = new Int32Array(scratch)
const scratchI64 = new BigInt64Array(scratch)
const scratchU64 = new BigUint64Array(scratch)
const scratchF32 = new Float32Array(scratch)
const scratchF64 = new Float64Array(scratch)

/** The error of a read or a write beyond the end of a buffer. */
const BEYOND_END = '${method} datastream of length ${len} over by ${over}'

/** Elements of a list between two calls of {@link Reader.between}. */
const ELEMENTS = 256

/** A cursor over bytes. Reading past the end throws `out_of_range_exception`. */
export class Reader {
  pos: number
  /**
   * Stays true while every varuint32 was read from its shortest form, so that packing what was read
   * gives the same bytes again.
   */
  canonical = true
  /** Called while long lists are read: throws where the time for it is over. */
  between: (() => void) | undefined
  /** True after {@link between} threw. */
  interrupted = false
  private readonly data: Uint8Array
  private readonly start: number
  private readonly end: number

  constructor(bytes: Uint8Array, offset = 0, end = bytes.length) {
    this.data = plain(bytes)
    this.pos = offset
    this.start = offset
    this.end = end
  }

  /** Bytes that are left. */
  remaining(): number {
    return this.end - this.pos
  }

  private outOfRange(method: string): never {
    refuseBeyondEnd(method, this.end - this.start, this.remaining())
  }

  /** Moves over `n` bytes and gives the position before them. */
  private take(n: number): number {
    const p = this.pos
    if (n > this.end - p) this.outOfRange('read')
    this.pos = p + n
    return p
  }

  /** One byte. */
  u8(): number {
    const p = this.pos
    if (p >= this.end) this.outOfRange('read')
    this.pos = p + 1
    return this.data[p] as number
  }

  /** A byte of a number of variable length; the reference's message has another word for it. */
  private get(): number {
    const p = this.pos
    if (p >= this.end) this.outOfRange('get')
    this.pos = p + 1
    return this.data[p] as number
  }

  /** Two bytes, little endian, unsigned. */
  u16(): number {
    const p = this.take(2)
    const d = this.data
    return (d[p] as number) | ((d[p + 1] as number) << 8)
  }

  /** Four bytes, little endian, unsigned. */
  u32(): number {
    return this.i32() >>> 0
  }

  /** Four bytes, little endian, signed. */
  i32(): number {
    const p = this.take(4)
    const d = this.data
    return (
      (d[p] as number) |
      ((d[p + 1] as number) << 8) |
      ((d[p + 2] as number) << 16) |
      ((d[p + 3] as number) << 24)
    )
  }

  /** One byte, signed. */
  i8(): number {
    return (this.u8() << 24) >> 24
  }

  /** Two bytes, little endian, signed. */
  i16(): number {
    return (this.u16() << 16) >> 16
  }

  /** Moves the next eight bytes into the scratch number. */
  private load64(): void {
    const p = this.take(8)
    const d = this.data
    scratchI32[0] =
      (d[p] as number) |
      ((d[p + 1] as number) << 8) |
      ((d[p + 2] as number) << 16) |
      ((d[p + 3] as number) << 24)
    scratchI32[1] =
      (d[p + 4] as number) |
      ((d[p + 5] as number) << 8) |
      ((d[p + 6] as number) << 16) |
      ((d[p + 7] as number) << 24)
  }

  /** Eight bytes, little endian, unsigned. */
  u64(): bigint {
    this.load64()
    return scratchU64[0] as bigint
  }

  /** Eight bytes, little endian, signed. */
  i64(): bigint {
    this.load64()
    return scratchI64[0] as bigint
  }

  /** Sixteen bytes, little endian, unsigned. A range error has the 16 bytes as one read. */
  u128(): bigint {
    if (this.remaining() < 16) this.outOfRange('read')
    const low = this.u64()
    return low | (this.u64() << 64n)
  }

  /** Sixteen bytes, little endian, signed. */
  i128(): bigint {
    return BigInt.asIntN(128, this.u128())
  }

  /** A 32-bit floating point number. The bits of a NaN may change. */
  f32(): number {
    scratchI32[0] = this.i32()
    return scratchF32[0] as number
  }

  /** A 64-bit floating point number. The bits of a NaN may change. */
  f64(): number {
    this.load64()
    return scratchF64[0] as number
  }

  /**
   * One byte that must be 0 or 1.
   * @throws ChainError assert_exception
   */
  bool(): boolean {
    const b = this.u8()
    check(b <= 1, 'assert_exception', '(b & ~1) == 0: ')
    return b === 1
  }

  /** At most five bytes; bits above the 32nd are dropped, longer forms than needed are accepted. */
  varuint32(): number {
    const first = this.get()
    if (first < 0x80) return first
    let value = first & 0x7f
    let shift = 7
    let b: number
    do {
      b = this.get()
      value |= (b & 0x7f) << shift
      shift += 7
    } while (b & 0x80 && shift < 32)
    if (b === 0 || b & 0x80 || (shift === 35 && b > 0x0f)) this.canonical = false
    return value >>> 0
  }

  /** Zigzag form of a signed number. */
  varint32(): number {
    let value = 0
    let shift = 0
    let b: number
    do {
      b = this.get()
      value |= (b & 0x7f) << shift
      shift += 7
    } while (b & 0x80)
    return (value >>> 1) ^ -(value & 1)
  }

  /** The next `n` bytes as a view, which is valid while the source does not change. */
  bytes(n: number): Uint8Array {
    const p = this.take(n)
    return this.data.subarray(p, p + n)
  }

  /** Bytes between two positions of the source that were already read: a view. */
  slice(start: number, end: number): Uint8Array {
    return this.data.subarray(start, end)
  }

  /**
   * Length-prefixed bytes: a view.
   * @throws ChainError assert_exception if there are too many
   */
  blob(): Uint8Array {
    const n = this.varuint32()
    // Most transactions have some; an array, even an empty one, takes memory.
    if (n === 0) return NO_BYTES
    check(n <= MAX_BYTES, 'assert_exception', 'size.value <= MAX_SIZE_OF_BYTE_ARRAYS: ')
    return this.bytes(n)
  }

  /**
   * Length-prefixed bytes that the reference keeps as a list of numbers, of which there may be
   * fewer.
   * @throws ChainError assert_exception if there are too many
   */
  byteList(): Uint8Array {
    const n = this.varuint32()
    check(n <= MAX_ARRAY_ELEMENTS, 'assert_exception', 'size.value <= MAX_NUM_ARRAY_ELEMENTS: ')
    return this.bytes(n)
  }

  /** Length-prefixed UTF-8. */
  string(): string {
    return utf8FromBytes(this.blob())
  }

  /** Length-prefixed bytes that need not be UTF-8, one a character. */
  byteString(): string {
    return latin1FromBytes(this.blob())
  }

  /** A name as its number of 64 bits. */
  name(): bigint {
    return this.u64()
  }

  /** 32 bytes as a view, which is valid while the source does not change. */
  checksum256(): Uint8Array {
    return this.bytes(32)
  }

  /**
   * A length-prefixed list.
   * @param most elements that it may have
   * @throws ChainError assert_exception if there are too many elements
   */
  array<T>(f: (r: Reader) => T, most = MAX_ARRAY_ELEMENTS): T[] {
    const n = this.varuint32()
    check(n <= most, 'assert_exception', 'size.value <= MAX_NUM_ARRAY_ELEMENTS: ')
    const out: T[] = []
    for (let i = 0; i < n; i++) {
      if (i % ELEMENTS === ELEMENTS - 1) this.interrupt()
      out.push(f(this))
    }
    return out
  }

  /**
   * Moves over a length-prefixed list of length-prefixed bytes: none of them takes memory. Returns their number.
   * @param before called with the number of each element before it is moved over
   * @throws ChainError the errors of {@link array} and {@link blob}
   */
  skipBlobs(before?: (index: number) => void): number {
    const n = this.varuint32()
    check(n <= MAX_ARRAY_ELEMENTS, 'assert_exception', 'size.value <= MAX_NUM_ARRAY_ELEMENTS: ')
    for (let i = 0; i < n; i++) {
      before?.(i)
      const size = this.varuint32()
      check(size <= MAX_BYTES, 'assert_exception', 'size.value <= MAX_SIZE_OF_BYTE_ARRAYS: ')
      this.take(size)
    }
    return n
  }

  private interrupt(): void {
    if (this.between === undefined) return
    this.interrupted = true
    this.between()
    this.interrupted = false
  }

  /** A value behind a presence flag. */
  optional<T>(f: (r: Reader) => T): T | undefined {
    return this.bool() ? f(this) : undefined
  }
}

/** The views of a Buffer are slow to make, and would be Buffers. */
function plain(bytes: Uint8Array): Uint8Array {
  if (bytes.constructor === Uint8Array) return bytes
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
}

/**
 * Refuses to go past the end of a buffer.
 * spring: libraries/libfc/src/io/datastream.cpp (throw_datastream_range_error)
 * @param method what was done: read, get, write, put
 * @param len bytes of the buffer
 * @param left bytes that were left in it
 * @throws ChainError out_of_range_exception, always
 */
export function refuseBeyondEnd(method: string, len: number, left: number): never {
  const data = { method, len, over: 1 - left }
  throw new ChainError('out_of_range_exception', formatLog(BEYOND_END, data)).withLog(
    BEYOND_END,
    data,
  )
}
