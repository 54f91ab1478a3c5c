/** Items for which a new buffer has room at least. */
const MIN_ROOM = 8

/** How references are packed: in so many bytes each. */
export interface PackedForm<T> {
  readonly size: number
  write(bytes: Uint8Array, at: number, item: T): void
}

/** Bytes that lists share: each list is a part of what is used. */
interface Shared {
  readonly bytes: Uint8Array
  used: number
}

const NO_BYTES = new Uint8Array(0)

/**
 * References to blocks, or links between them, packed one after the other, for base digests: these contain all of blocks
 * that are not final, of which there are many where votes are late. A list never changes. It shares its bytes with those
 * that it follows from, so to add an item takes the same time however many there are.
 */
export class PackedRefs<T> {
  private readonly form: PackedForm<T>
  private readonly shared: Shared
  private readonly begin: number
  private readonly end: number

  private constructor(form: PackedForm<T>, shared: Shared, begin: number, end: number) {
    this.form = form
    this.shared = shared
    this.begin = begin
    this.end = end
  }

  /** A list without items. */
  static empty<T>(form: PackedForm<T>): PackedRefs<T> {
    return new PackedRefs(form, { bytes: NO_BYTES, used: 0 }, 0, 0)
  }

  /** The packed items; not to be changed. */
  get bytes(): Uint8Array {
    return this.shared.bytes.subarray(this.begin, this.end)
  }

  /** The list without its first `dropped` items, and with one more at its end. */
  next(dropped: number, item: T): PackedRefs<T> {
    const { form, shared, end } = this
    const begin = this.begin + dropped * form.size
    const new_end = end + form.size
    if (shared.used !== end || new_end > shared.bytes.length) {
      return this.copyFrom(begin).next(0, item)
    }
    form.write(shared.bytes, end, item)
    shared.used = new_end
    return new PackedRefs(form, shared, begin, new_end)
  }

  /** The bytes from a position on, in a buffer of their own with room for as many again. */
  private copyFrom(begin: number): PackedRefs<T> {
    const used = this.end - begin
    const bytes = new Uint8Array(2 * used + MIN_ROOM * this.form.size)
    bytes.set(this.shared.bytes.subarray(begin, this.end))
    return new PackedRefs(this.form, { bytes, used }, 0, used)
  }
}

/** Writes a number of 32 bits. */
export function writeU32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value
  bytes[at + 1] = value >>> 8
  bytes[at + 2] = value >>> 16
  bytes[at + 3] = value >>> 24
}
