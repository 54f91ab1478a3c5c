/**
 * The memory that {@link DigestThread} and its worker share. The chain's thread writes groups of records; the worker
 * hashes each record of a group, and the digests up to the root of their tree. A full group is a whole subtree of the
 * tree of its list, because groups are of a power of two.
 */
import { sha256Into } from './hash.ts'
import { DIGEST, nextLevel } from './merkle_levels.ts'
import type { TreeKind } from './merkle_levels.ts'

/** Records of a group. */
export const GROUP = 64
/** Levels of the tree of a group above its records. */
export const GROUP_HEIGHT = 6

/** The word of the memory that is 1 when the worker is ready. */
export const WORKER_IS_READY = 0
/** The word with the number of groups for the worker, or {@link CLOSED}. */
export const GIVEN = 1
/** In place of a number of groups: the worker shall end. */
export const CLOSED = -1

/** States of a group. Who takes it has it alone. */
const OPEN = 0
const TAKEN_BY_WORKER = 1
const TAKEN_BY_CHAIN = 2
const DONE = 3

/** The groups of one list at most; the memory of later ones begins at the start again. */
export const MAX_GROUPS = 1024
const STATES_AT = 4
const GROUPS_AT = STATES_AT + MAX_GROUPS
const WORDS = GROUPS_AT + MAX_GROUPS
const ROOTS_AT = 4 * WORDS
const RECORDS_AT = ROOTS_AT + MAX_GROUPS * DIGEST
/** Most of it never becomes memory: only what was written to does. */
const ARENA_BYTES = 8 * 1024 * 1024

/** A record is its length, then its bytes. */
const LENGTH_BYTES = 2
/** Maximum number of bytes of a record. */
export const MAX_RECORD = 0xffff

const nodes = new Uint8Array(GROUP * DIGEST)
const node_words = new Uint32Array(nodes.buffer)

/** The shared memory as one of the two threads sees it. */
export class DigestArena {
  readonly memory: SharedArrayBuffer
  readonly words: Int32Array
  private readonly bytes: Uint8Array

  constructor(memory = new SharedArrayBuffer(ARENA_BYTES)) {
    this.memory = memory
    this.words = new Int32Array(memory, 0, WORDS)
    this.bytes = new Uint8Array(memory)
  }

  /** Where the first record of a block goes. */
  get start(): number {
    return RECORDS_AT
  }

  /** Writes a record. Returns where the next one goes; 0 if there is no room. */
  write(at: number, data: Uint8Array): number {
    const { bytes } = this
    const { length } = data
    const end = at + LENGTH_BYTES + length
    if (length > MAX_RECORD || end > bytes.length) return 0
    bytes[at] = length
    bytes[at + 1] = length >>> 8
    bytes.set(data, at + LENGTH_BYTES)
    return end
  }

  /** The record at a place, and where the next one is. */
  read(at: number): { data: Uint8Array; next: number } {
    const start = at + LENGTH_BYTES
    const next = start + this.lengthAt(at)
    return { data: this.bytes.subarray(start, next), next }
  }

  private lengthAt(at: number): number {
    return (this.bytes[at] as number) | ((this.bytes[at + 1] as number) << 8)
  }

  /** Describes a group and gives it to the worker. @param at the place of its first record */
  give(group: number, kind: TreeKind, at: number): void {
    const { words } = this
    words[descriptionOf(group)] = at * 2 + (kind === 'legacy' ? 1 : 0)
    Atomics.store(words, stateOf(group), OPEN)
    if (words[GIVEN] !== CLOSED) Atomics.store(words, GIVEN, group + 1)
  }

  /**
   * For the chain's thread: takes a group from the worker.
   * @param wait_ms how long to wait for the worker if it has taken the group
   * @returns `done`: its root is there; `late`: the worker still writes to it
   */
  take(group: number, wait_ms: number): 'taken' | 'done' | 'late' {
    const { words } = this
    const state = Atomics.compareExchange(words, stateOf(group), OPEN, TAKEN_BY_CHAIN)
    if (state === OPEN || state === TAKEN_BY_CHAIN) return 'taken'
    if (state === TAKEN_BY_WORKER && wait_ms > 0) {
      Atomics.wait(words, stateOf(group), TAKEN_BY_WORKER, wait_ms)
    }
    return Atomics.load(words, stateOf(group)) === DONE ? 'done' : 'late'
  }

  /** For the worker: finds the root of a group that the chain's thread has not taken. */
  work(group: number): void {
    const { words } = this
    const state = stateOf(group)
    if (Atomics.compareExchange(words, state, OPEN, TAKEN_BY_WORKER) !== OPEN) return
    this.hash(group, this.bytes, rootPlace(group))
    Atomics.store(words, state, DONE)
    Atomics.notify(words, state)
  }

  /** The place of the first record of a group. */
  placeOf(group: number): number {
    return (this.words[descriptionOf(group)] as number) >>> 1
  }

  /** Writes the root of a group's tree to `out`. */
  hash(group: number, out: Uint8Array, to: number): void {
    const word = this.words[descriptionOf(group)] as number
    const kind = (word & 1) === 1 ? 'legacy' : 'savanna'
    let at = word >>> 1
    for (let i = 0; i < GROUP; i++) {
      const start = at + LENGTH_BYTES
      at = start + this.lengthAt(at)
      sha256Into(this.bytes.subarray(start, at), nodes, i * DIGEST)
    }
    let count = GROUP
    for (let i = 0; i < GROUP_HEIGHT; i++) count = nextLevel(kind, nodes, node_words, count)
    out.set(nodes.subarray(0, DIGEST), to)
  }

  /** The root of a group that is done: a view. */
  root(group: number): Uint8Array {
    const at = rootPlace(group)
    return this.bytes.subarray(at, at + DIGEST)
  }
}

function stateOf(group: number): number {
  return STATES_AT + (group % MAX_GROUPS)
}

function descriptionOf(group: number): number {
  return GROUPS_AT + (group % MAX_GROUPS)
}

function rootPlace(group: number): number {
  return ROOTS_AT + (group % MAX_GROUPS) * DIGEST
}
