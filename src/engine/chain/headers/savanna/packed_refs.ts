/** Bytes of a packed reference. */
const SIZE = 68
/** References for which a new buffer has room at least. */
const MIN_ROOM = 8

/** Bytes that lists share: each list is a part of what is used. */
interface Shared {
  readonly bytes: Uint8Array
  used: number
}

/** What of a reference is hashed. */
interface PackedFields {
  readonly block_id: Uint8Array
  /** Slot. */
  readonly timestamp: number
  readonly finality_digest: Uint8Array
}

/**
 * References to blocks, packed one after the other, for base digests: these contain all references to blocks that are
 * not final, of which there are many where votes are late. A list never changes. It shares its bytes with those
 * that it follows from, so to add a reference takes the same time however many there are.
 */
export class PackedRefs {
  static readonly EMPTY = new PackedRefs({ bytes: new Uint8Array(0), used: 0 }, 0, 0)

  private readonly shared: Shared
  private readonly begin: number
  private readonly end: number

  private constructor(shared: Shared, begin: number, end: number) {
    this.shared = shared
    this.begin = begin
    this.end = end
  }

  /** The packed references; not to be changed. */
  get bytes(): Uint8Array {
    return this.shared.bytes.subarray(this.begin, this.end)
  }

  /** The list without its first `dropped` references, and with one more at its end. */
  next(dropped: number, ref: PackedFields): PackedRefs {
    const begin = this.begin + dropped * SIZE
    const { shared, end } = this
    const is_free = shared.used === end && end + SIZE <= shared.bytes.length
    return is_free
      ? new PackedRefs(shared, begin, append(shared, ref))
      : this.copyFrom(begin).next(0, ref)
  }

  /** The bytes from a position on, in a buffer of their own with room for as many again. */
  private copyFrom(begin: number): PackedRefs {
    const used = this.end - begin
    const bytes = new Uint8Array(2 * used + MIN_ROOM * SIZE)
    bytes.set(this.shared.bytes.subarray(begin, this.end))
    return new PackedRefs({ bytes, used }, 0, used)
  }
}

/** Writes a reference behind what is used. Returns the end of what is used then. */
function append(shared: Shared, { block_id, timestamp, finality_digest }: PackedFields): number {
  const { bytes, used } = shared
  bytes.set(block_id, used)
  bytes[used + 32] = timestamp
  bytes[used + 33] = timestamp >>> 8
  bytes[used + 34] = timestamp >>> 16
  bytes[used + 35] = timestamp >>> 24
  bytes.set(finality_digest, used + 36)
  return (shared.used = used + SIZE)
}
