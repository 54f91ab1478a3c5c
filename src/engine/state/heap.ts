/**
 * Memory of the rows: blocks of bytes in 1 MiB chunks of shared memory, outside of the JavaScript heap.
 *
 * Invariants:
 * - An address is a u32 that counts units of 8 bytes: chunk number, then unit in the chunk. 0 is
 *   the null address. 32 GiB can be addressed.
 * - A block starts with a u32: its size in bytes, this word included. It has the capacity of its
 *   size class: multiples of 8 bytes up to 512 bytes, then eight classes per doubling. Blocks
 *   beyond 256 KiB have a chunk of their own.
 * - Free blocks of a class form a list, linked through their first word; a block never changes its
 *   class.
 * - A view of a block is valid until the block is freed or written; chunks never move.
 * - While the heap is held, no block that existed at the start of the hold is written or reused. A
 *   block of that time becomes free at the end of the hold, and a changed row gets another block.
 */
import assert from 'node:assert/strict'
import type { SharedBuffers, SharedMemory } from './shared_memory.ts'

const CHUNK_BITS = 17
const CHUNK_UNITS = 1 << CHUNK_BITS
const UNIT_MASK = CHUNK_UNITS - 1
const MAX_CHUNKS = 1 << (32 - CHUNK_BITS)

/** Exact classes up to this many units, geometric ones above. */
const EXACT_UNITS = 64
const EXACT_BITS = 6
const STEP_BITS = 3
/** Blocks above this have their own chunk: a quarter of a chunk. */
const MAX_CLASS_UNITS = CHUNK_UNITS / 4
const CLASSES = sizeClass(MAX_CLASS_UNITS) + 1

/** Up to this many bytes, a loop copies faster than a view that is made for it. */
const SHORT = 128

/** The memory of one database. Fields are read by the tables directly, for speed. */
export class Heap implements SharedBuffers {
  /** The chunks as bytes, u32 words and u64 units; one buffer behind the three. */
  readonly u8: Uint8Array<SharedArrayBuffer>[] = []
  readonly u32: Uint32Array[] = []
  readonly u64: BigUint64Array[] = []
  /** First free block of each class; 0 means none. */
  private readonly free_heads = new Uint32Array(CLASSES)
  /** The position of the next new block, in units, and the end of its chunk. */
  private cut = 0
  private cut_end = 0
  /** Numbers of chunks that huge blocks gave back. */
  private readonly free_chunks: number[] = []
  private allocated_bytes = 0
  private holds = 0
  /** Blocks of chunks below this are held: all that existed, and some that did not. */
  private held_chunks = 0
  /** Held blocks that were freed. */
  private held_back: number[] = []
  /** The memory of the whole database. */
  readonly memory: SharedMemory
  private readonly holder: number

  constructor(memory: SharedMemory) {
    this.memory = memory
    this.holder = memory.register(this)
  }

  /** Bytes of all chunks. */
  get capacity(): number {
    return this.allocated_bytes
  }

  /** A block of `size` bytes (its first word, the size, included and set). */
  alloc(size: number): number {
    const units = (size + 7) >>> 3
    const address = units > MAX_CLASS_UNITS ? this.allocHuge(units) : this.allocClass(units)
    this.words(address)[wordOffset(address)] = size
    return address
  }

  /** Frees a block. */
  free(address: number): void {
    if (this.isHeld(address)) {
      this.held_back.push(address)
      return
    }
    const words = this.words(address)
    const offset = wordOffset(address)
    const units = ((words[offset] as number) + 7) >>> 3
    if (units > MAX_CLASS_UNITS) return this.freeHuge(address)
    this.pushFree(address, sizeClass(units))
  }

  /** Size of a block in bytes. */
  size(address: number): number {
    return this.words(address)[wordOffset(address)] as number
  }

  /** Keeps every block unchanged until {@link release}. Holds may overlap. */
  hold(): void {
    this.held_chunks = this.u8.length
    this.holds++
  }

  /** Ends a hold; with the last one, blocks that were freed meanwhile become free. */
  release(): void {
    assert(this.holds > 0, 'the heap is held')
    if (--this.holds > 0) return
    this.held_chunks = 0
    const freed = this.held_back
    this.held_back = []
    for (const address of freed) this.free(address)
  }

  /** Whether a block of `address` may be written with `size` bytes without wasting any class. */
  fits(address: number, size: number): boolean {
    if (this.isHeld(address)) return false
    const units = (size + 7) >>> 3
    const old = (this.size(address) + 7) >>> 3
    if (units > MAX_CLASS_UNITS || old > MAX_CLASS_UNITS) return units === old
    return sizeClass(units) === sizeClass(old)
  }

  /** The words of the chunk that `address` is in; see {@link wordOffset}. */
  words(address: number): Uint32Array {
    return this.u32[address >>> CHUNK_BITS] as Uint32Array
  }

  /** The 64-bit units of the chunk that `address` is in; see {@link unitOffset}. */
  units(address: number): BigUint64Array {
    return this.u64[address >>> CHUNK_BITS] as BigUint64Array
  }

  /** The bytes of the chunk that `address` is in; see {@link byteOffset}. */
  bytes(address: number): Uint8Array {
    return this.u8[address >>> CHUNK_BITS] as Uint8Array
  }

  /** A view of a block's bytes from `start` to its size. */
  view(address: number, start: number): Uint8Array {
    const offset = byteOffset(address)
    return this.bytes(address).subarray(offset + start, offset + this.size(address))
  }

  /** Copies a block's bytes from `start` to its size to `out`. */
  copyTo(out: Uint8Array, at: number, address: number, start: number): void {
    const size = this.size(address)
    if (size > SHORT) return out.set(this.view(address, start), at)
    const bytes = this.bytes(address)
    const from = byteOffset(address)
    for (let i = start; i < size; i++) out[at + i - start] = bytes[from + i] as number
  }

  private allocClass(units: number): number {
    const index = sizeClass(units)
    const head = this.free_heads[index] as number
    if (head !== 0) {
      this.free_heads[index] = this.words(head)[wordOffset(head)] as number
      return head
    }
    const capacity = classUnits(index)
    if (this.cut_end - this.cut < capacity) this.newChunk()
    const address = this.cut
    this.cut += capacity
    return address
  }

  private pushFree(address: number, index: number): void {
    this.words(address)[wordOffset(address)] = this.free_heads[index] as number
    this.free_heads[index] = address
  }

  private isHeld(address: number): boolean {
    return address >>> CHUNK_BITS < this.held_chunks
  }

  private newChunk(): void {
    // The rest of the chunk becomes free blocks, the largest classes first.
    while (this.cut < this.cut_end) {
      const index = largestClass(this.cut_end - this.cut)
      this.pushFree(this.cut, index)
      this.cut += classUnits(index)
    }
    const chunk = this.addChunk(CHUNK_UNITS)
    this.cut = chunk * CHUNK_UNITS
    this.cut_end = this.cut + CHUNK_UNITS
    // Address 0 means no block.
    if (this.cut === 0) this.cut = 1
  }

  private addChunk(units: number): number {
    const chunk = this.free_chunks.pop() ?? this.u8.length
    assert(chunk < MAX_CHUNKS, 'the state is larger than 32 GiB')
    this.setChunk(chunk, units * 8)
    this.allocated_bytes += units * 8
    return chunk
  }

  private allocHuge(units: number): number {
    // Chunk 0 must be a common one, because there is no block at address 0.
    if (this.u8.length === 0) this.newChunk()
    return this.addChunk(units) * CHUNK_UNITS
  }

  private freeHuge(address: number): void {
    assert.equal(address & UNIT_MASK, 0)
    const chunk = address >>> CHUNK_BITS
    this.allocated_bytes -= (this.u8[chunk] as Uint8Array).length
    this.setChunk(chunk, 0)
    this.free_chunks.push(chunk)
  }

  private setChunk(chunk: number, bytes: number): void {
    const buffer = new SharedArrayBuffer(bytes)
    this.attach(chunk, buffer)
    this.memory.changed(this.holder, chunk, buffer)
  }

  buffers(): SharedArrayBuffer[] {
    return this.u8.map(({ buffer }) => buffer)
  }

  attach(chunk: number, buffer: SharedArrayBuffer): void {
    this.u8[chunk] = new Uint8Array(buffer)
    this.u32[chunk] = new Uint32Array(buffer)
    this.u64[chunk] = new BigUint64Array(buffer)
  }
}

/** Index of a block's first byte in its chunk's bytes. */
export function byteOffset(address: number): number {
  return (address & UNIT_MASK) << 3
}

/** Index of a block's first word in its chunk's words. */
export function wordOffset(address: number): number {
  return (address & UNIT_MASK) << 1
}

/** Index of a block's first unit in its chunk's units. */
export function unitOffset(address: number): number {
  return address & UNIT_MASK
}

/** The smallest class whose blocks have at least `units` units. */
function sizeClass(units: number): number {
  if (units <= EXACT_UNITS) return units
  const last = units - 1
  const bits = 31 - Math.clz32(last)
  const step = (last >>> (bits - STEP_BITS)) - (1 << STEP_BITS)
  return EXACT_UNITS + 1 + ((bits - EXACT_BITS) << STEP_BITS) + step
}

/** Units of the blocks of a class. */
function classUnits(index: number): number {
  if (index <= EXACT_UNITS) return index
  const rest = index - EXACT_UNITS - 1
  const bits = (rest >>> STEP_BITS) + EXACT_BITS
  const step = (rest & ((1 << STEP_BITS) - 1)) + (1 << STEP_BITS)
  return (step + 1) << (bits - STEP_BITS)
}

/** The largest class whose blocks fit in `units` units. */
function largestClass(units: number): number {
  if (units >= MAX_CLASS_UNITS) return CLASSES - 1
  const index = sizeClass(units)
  return classUnits(index) === units ? index : index - 1
}
