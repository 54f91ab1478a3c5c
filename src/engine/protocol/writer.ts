/**
 * Writes the protocol's binary form into one growing buffer.
 * spring: libraries/libfc/include/fc/io/raw.hpp
 */
import { check } from '../errors.ts'
import { latin1ToBytes, utf8ToBytes } from './hex.ts'
import { MAX_ARRAY_ELEMENTS, MAX_BYTES } from './constants.ts'

// Eight bytes seen as every kind of number: the cheapest way between bytes and wide numbers. They
// are this module's own because V8 treats only local constants as constants.
const scratch = new ArrayBuffer(8)
const scratchI32 = new Int32Array(scratch)
const scratchU64 = new BigUint64Array(scratch)
const scratchF32 = new Float32Array(scratch)
const scratchF64 = new Float64Array(scratch)

/** A loop beats the overhead of `set` up to this length. */
const SHORT = 16
/** Views shorter than this are kept: to make one takes longer than to hash it. */
const KEPT_VIEWS = 256

/** Bytes of the largest buffer that a writer keeps when it is used again: that of a large block fits. */
const KEPT_BUFFER = 16 * 1024 * 1024

/** An append-only buffer. Numbers are wrapped to their width, as a cast would. */
export class Writer {
  private data: Uint8Array
  private readonly first_capacity: number
  private readonly kept_capacity: number
  private pos = 0
  /** Views of `data` by their length, kept by writers that are used again. */
  private views: (Uint8Array | undefined)[] | undefined

  /**
   * @param capacity bytes of the buffer at first
   * @param kept_capacity bytes of the largest buffer that {@link reset} keeps
   */
  constructor(capacity = 256, kept_capacity = KEPT_BUFFER) {
    this.data = new Uint8Array(capacity)
    this.first_capacity = capacity
    this.kept_capacity = kept_capacity
  }

  /** Bytes written so far. */
  get length(): number {
    return this.pos
  }

  /** Reserves `n` more bytes and returns the position of the first. */
  private reserve(n: number): number {
    const p = this.pos
    const needed = p + n
    if (needed > this.data.length) {
      const grown = new Uint8Array(Math.max(needed, this.data.length * 2, 64))
      grown.set(this.data.subarray(0, p))
      this.data = grown
      this.views = undefined
    }
    this.pos = needed
    return p
  }

  /** One byte. */
  u8(v: number): void {
    const p = this.reserve(1)
    this.data[p] = v
  }

  /** Two bytes, little endian. */
  u16(v: number): void {
    const p = this.reserve(2)
    const d = this.data
    d[p] = v
    d[p + 1] = v >>> 8
  }

  /** Four bytes, little endian. */
  u32(v: number): void {
    const p = this.reserve(4)
    this.word(p, v)
  }

  private word(p: number, v: number): void {
    const d = this.data
    d[p] = v
    d[p + 1] = v >>> 8
    d[p + 2] = v >>> 16
    d[p + 3] = v >>> 24
  }

  /** One byte; negative numbers in two's complement. */
  i8(v: number): void {
    this.u8(v)
  }

  /** Two bytes, little endian; negative numbers in two's complement. */
  i16(v: number): void {
    this.u16(v)
  }

  /** Four bytes, little endian; negative numbers in two's complement. */
  i32(v: number): void {
    this.u32(v)
  }

  /** Eight bytes, little endian. */
  u64(v: bigint): void {
    const p = this.reserve(8)
    scratchU64[0] = v
    this.word(p, scratchI32[0] as number)
    this.word(p + 4, scratchI32[1] as number)
  }

  /** Eight bytes, little endian; negative numbers in two's complement. */
  i64(v: bigint): void {
    this.u64(v)
  }

  /** A safe integer of 64 bits, signed or not: without the cost of a bigint. */
  safeInteger(v: number): void {
    const p = this.reserve(8)
    // Small ones, the most frequent, need no division of floating point numbers.
    const low = v | 0
    this.word(p, low)
    this.word(p + 4, low === v ? low >> 31 : Math.floor(v / 0x1_0000_0000) | 0)
  }

  /** Sixteen bytes, little endian. */
  u128(v: bigint): void {
    this.u64(v)
    this.u64(v >> 64n)
  }

  /** Sixteen bytes, little endian; negative numbers in two's complement. */
  i128(v: bigint): void {
    this.u128(v)
  }

  /** A 32-bit floating point number, rounded to the nearest one. */
  f32(v: number): void {
    scratchF32[0] = v
    this.u32(scratchI32[0] as number)
  }

  /** A 64-bit floating point number. */
  f64(v: number): void {
    const p = this.reserve(8)
    scratchF64[0] = v
    this.word(p, scratchI32[0] as number)
    this.word(p + 4, scratchI32[1] as number)
  }

  /** A byte: 1 or 0. */
  bool(v: boolean): void {
    this.u8(v ? 1 : 0)
  }

  /** A number of 32 bits in one to five bytes, seven bits each, the low ones first. */
  varuint32(v: number): void {
    let rest = v >>> 0
    while (rest >= 0x80) {
      this.u8((rest & 0x7f) | 0x80)
      rest >>>= 7
    }
    this.u8(rest)
  }

  /** A signed number of 32 bits as a varuint32, in the zigzag form (0, -1, 1, -2, ...). */
  varint32(v: number): void {
    this.varuint32((v << 1) ^ (v >> 31))
  }

  /** Bytes as they are, without a length. */
  raw(bytes: Uint8Array): void {
    const p = this.reserve(bytes.length)
    if (bytes.length > SHORT) {
      this.data.set(bytes, p)
      return
    }
    // A loop beats the call overhead of set() for keys, ids and names.
    const d = this.data
    for (let i = 0; i < bytes.length; i++) d[p + i] = bytes[i] as number
  }

  /**
   * Length-prefixed bytes.
   * @throws ChainError assert_exception if there are too many
   */
  blob(bytes: Uint8Array): void {
    check(
      bytes.length <= MAX_BYTES,
      'assert_exception',
      'value.size() <= MAX_SIZE_OF_BYTE_ARRAYS: ',
    )
    this.varuint32(bytes.length)
    this.raw(bytes)
  }

  /** Length-prefixed UTF-8. */
  string(s: string): void {
    if (s.length >= 0x80 || !this.shortAscii(s)) this.blob(utf8ToBytes(s))
  }

  /** Length-prefixed bytes, one a character. */
  byteString(s: string): void {
    this.blob(latin1ToBytes(s))
  }

  /** Writes a string whose characters are all ASCII and fewer than 128; else writes nothing. */
  private shortAscii(s: string): boolean {
    const length = s.length
    const p = this.reserve(1 + length)
    const d = this.data
    d[p] = length
    for (let i = 0; i < length; i++) {
      const code = s.charCodeAt(i)
      if (code >= 0x80) {
        this.pos = p
        return false
      }
      d[p + 1 + i] = code
    }
    return true
  }

  /** A name from its number of 64 bits. */
  name(n: bigint): void {
    this.u64(n)
  }

  /** A digest: its bytes as they are. */
  checksum256(b: Uint8Array): void {
    this.raw(b)
  }

  /**
   * A length-prefixed list.
   * @throws ChainError assert_exception if there are too many elements
   */
  array<T>(items: readonly T[], f: (w: Writer, item: T) => void): void {
    check(
      items.length <= MAX_ARRAY_ELEMENTS,
      'assert_exception',
      'value.size() <= MAX_NUM_ARRAY_ELEMENTS: ',
    )
    this.varuint32(items.length)
    for (const item of items) f(this, item)
  }

  /** A presence flag, then the value. */
  optional<T>(v: T | undefined, f: (w: Writer, v: T) => void): void {
    if (v === undefined) {
      this.u8(0)
      return
    }
    this.u8(1)
    f(this, v)
  }

  /** A copy of what was written. */
  bytes(): Uint8Array {
    return this.data.slice(0, this.pos)
  }

  /** The written bytes, shared: valid until the next write or reset. */
  view(): Uint8Array {
    const { pos, views } = this
    if (views === undefined || pos >= KEPT_VIEWS) return this.data.subarray(0, pos)
    return (views[pos] ??= this.data.subarray(0, pos))
  }

  /** Copies the written bytes to `out` from `at` on. */
  copyTo(out: Uint8Array, at: number): void {
    const { data, pos } = this
    if (pos > SHORT) out.set(this.view(), at)
    else for (let i = 0; i < pos; i++) out[at + i] = data[i] as number
  }

  /** Forgets what was written. The buffer is kept, unless it has become too large. */
  reset(): void {
    this.pos = 0
    if (this.data.length > this.kept_capacity) {
      this.data = new Uint8Array(this.first_capacity)
      this.views = undefined
    }
    this.views ??= new Array<Uint8Array | undefined>(KEPT_VIEWS)
  }
}

/** The writer of {@link packOne}: a new buffer takes longer than most values. Undefined while it is used. */
let shared: Writer | undefined = new Writer(4096, 1 << 20)

/** Packs one value with its own function, for example `packOne(packTransaction, trx)`. */
export function packOne<T>(pack: (w: Writer, v: T) => void, v: T): Uint8Array {
  const own = shared
  if (own === undefined) return packInto(new Writer(), pack, v)
  shared = undefined
  try {
    return packInto(own, pack, v)
  } finally {
    own.reset()
    shared = own
  }
}

function packInto<T>(w: Writer, pack: (w: Writer, v: T) => void, v: T): Uint8Array {
  pack(w, v)
  return w.bytes()
}

/** Bytes of a varuint32. */
export function varuint32Size(v: number): number {
  let size = 1
  for (let rest = v >>> 7; rest > 0; rest >>>= 7) size++
  return size
}
