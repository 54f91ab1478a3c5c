/**
 * Lists of digests whose hashes, up to the Merkle root, are found by another thread while the list grows. Any digest
 * that this thread does not give is computed by the caller, so results never depend on it.
 */
import assert from 'node:assert'
import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { endThread, startHelper } from '../start_thread.ts'
import {
  CLOSED,
  DigestArena,
  GIVEN,
  GROUP,
  GROUP_HEIGHT,
  MAX_GROUPS,
  WORKER_IS_READY,
} from './digest_arena.ts'
import { DigestList } from './digest_list.ts'
import { DIGEST, nextLevel } from './merkle_levels.ts'
import type { TreeKind } from './merkle_levels.ts'

/** A group takes the thread 0.1 ms, unless it has to wait for a processor or has ended. */
const MAX_WAIT_MS = 1

/** A thread that hashes. Without a second processor there is none, and lists are usual ones. */
export class DigestThread {
  private running: { worker: Worker; groups: SharedGroups } | undefined

  /** Starts the thread, which takes it some 50 ms. @param processors default: those of the machine */
  start(processors = availableParallelism()): void {
    if (this.running !== undefined || processors < 2) return
    const arena = new DigestArena()
    const worker = startHelper('./digest_worker', import.meta.url, { workerData: arena.memory })
    this.running = { worker, groups: new SharedGroups(arena) }
  }

  /** A list whose root of this kind will be asked for. Earlier lists must not be used any more. */
  newList(kind: TreeKind): DigestList {
    return this.running?.groups.newList(kind) ?? new DigestList()
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    const { running } = this
    this.running = undefined
    running?.groups.close()
    await (running && endThread(running.worker))
  }
}

/** The groups that the thread is given, of one list at a time. */
class SharedGroups {
  readonly arena: DigestArena
  /** The last list, which alone may write to the memory. */
  owner: DigestList | undefined
  private given = 0
  /** Groups before this one belong to no list any more, and the thread does not write to them. */
  private settled = 0

  constructor(arena: DigestArena) {
    this.arena = arena
  }

  /** Undefined while the thread is not ready, or writes to a group of an earlier list. */
  newList(kind: TreeKind): DigestList | undefined {
    const is_ready = Atomics.load(this.arena.words, WORKER_IS_READY) !== 0
    return (this.owner = is_ready && this.settle() ? new SharedDigestList(this, kind) : undefined)
  }

  private settle(): boolean {
    while (this.settled < this.given && this.arena.take(this.settled, 0) !== 'late') this.settled++
    return this.settled === this.given
  }

  /** Gives a group, whose records are written, to the thread. Returns its number. */
  give(kind: TreeKind, at: number): number {
    const group = this.given++
    this.arena.give(group, kind, at)
    return group
  }

  /** Writes the roots of groups to `out`. */
  roots(groups: readonly number[], out: Uint8Array): void {
    let wait_ms = MAX_WAIT_MS
    // The thread has the first ones; of what is left, this one takes the last ones.
    for (let i = groups.length - 1; i >= 0; i--) {
      const group = groups[i] as number
      const state = this.arena.take(group, wait_ms)
      if (state === 'done') out.set(this.arena.root(group), i * DIGEST)
      else this.arena.hash(group, out, i * DIGEST)
      if (state === 'late') wait_ms = 0
    }
  }

  close(): void {
    Atomics.store(this.arena.words, GIVEN, CLOSED)
    Atomics.notify(this.arena.words, GIVEN)
  }
}

/**
 * A list that keeps what is hashed in shared memory, and gives it to the thread group by group. When there is no more
 * room, the rest is a usual list.
 */
class SharedDigestList extends DigestList {
  private readonly shared: SharedGroups
  private readonly kind: TreeKind
  /** Numbers of the groups that the thread has. */
  private readonly groups: number[] = []
  /** Places of the records of the group that is not full. */
  private readonly places: number[] = []
  /** Where the next record goes; 0: there is no more room. */
  private next: number

  constructor(shared: SharedGroups, kind: TreeKind) {
    super()
    this.shared = shared
    this.kind = kind
    this.next = shared.arena.start
  }

  override get length(): number {
    return this.groups.length * GROUP + this.places.length + super.length
  }

  override push(digest: Uint8Array): void {
    this.endSharing()
    super.push(digest)
  }

  override pushHashOf(data: Uint8Array): void {
    const { next, shared } = this
    if (next === 0) return super.pushHashOf(data)
    this.checkOwner()
    const end = shared.arena.write(next, data)
    if (end === 0 || this.groups.length === MAX_GROUPS) {
      this.endSharing()
      return super.pushHashOf(data)
    }
    this.places.push(next)
    this.next = end
    if (this.places.length < GROUP) return
    this.groups.push(shared.give(this.kind, this.places[0] as number))
    this.places.length = 0
  }

  override cut(length: number): void {
    if (length >= this.length) return
    this.endSharing()
    this.checkOwner()
    const { arena } = this.shared
    const whole = Math.floor(length / GROUP)
    if (whole >= this.groups.length) return super.cut(length - this.groups.length * GROUP)
    super.cut(0)
    let at = arena.placeOf(this.groups[whole] as number)
    for (let i = whole * GROUP; i < length; i++) {
      const { data, next } = arena.read(at)
      super.pushHashOf(data)
      at = next
    }
    this.groups.length = whole
  }

  /** A later list has written over the memory of this one. */
  private checkOwner(): void {
    assert(this.shared.owner === this, 'the last list of the thread')
  }

  /** What the thread does not have goes into the usual list. */
  private endSharing(): void {
    const { places, shared } = this
    if (places.length > 0) this.checkOwner()
    for (const place of places) super.pushHashOf(shared.arena.read(place).data)
    places.length = 0
    this.next = 0
  }

  protected override root(kind: TreeKind): Uint8Array {
    this.endSharing()
    const { groups } = this
    if (groups.length === 0) return super.root(kind)
    assert(kind === this.kind, 'the root is of the kind that was announced')
    this.checkOwner()
    const rest = this.level(kind, GROUP_HEIGHT)
    let count = groups.length + rest.count
    const nodes = new Uint8Array(count * DIGEST)
    nodes.set(rest.nodes.subarray(0, rest.count * DIGEST), groups.length * DIGEST)
    this.shared.roots(groups, nodes)
    const words = new Uint32Array(nodes.buffer)
    while (count > 1) count = nextLevel(kind, nodes, words, count)
    return nodes.slice(0, DIGEST)
  }
}
