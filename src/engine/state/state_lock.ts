/**
 * The lock between the thread that changes the state and threads that read it.
 *
 * The writer holds it for one change, such as a transaction; readers for a short turn. A writer that wants it
 * waits for the readers that have it, and new readers wait. Readers that have waited during GIVE_WAY_AFTER changes
 * in a row get a turn; for it the writer waits at most GIVE_WAY_MS. If a reader does not end its turn, because its
 * thread ended or hangs, the writer continues and readers are refused.
 */

/** Words: WRITER, if the writer has or wants the lock, plus the number of readers that have it. */
const STATE = 0
/** Number of readers that wait. */
const WAITING = 1
/** Turns that readers have ended. */
const TURNS = 2
/** Not 0: from then on all readers are refused, for one of the reasons below. */
const BROKEN = 3
/** A reader did not end its turn. */
const FAILED = 1
/** The chain was closed. */
const CLOSED = 2
/** Words of a lock. */
export const LOCK_WORDS = 4

const WRITER = 0x40000000

/** Changes in a row after which readers that wait get a turn. */
const GIVE_WAY_AFTER = 8
/** Milliseconds for which the writer waits for a reader to take its turn. */
const GIVE_WAY_MS = 2
/** A reader that has the lock for so many milliseconds has failed. */
const READER_FAILED_MS = 10_000

/** The writer no longer waits for readers, so nothing can be read. */
export class BrokenLockError extends Error {
  constructor() {
    super('the state is not read by other threads any more: a turn took too long')
  }
}

/** The chain was closed: another one may be opened in its place. */
export class ClosedStateError extends Error {
  constructor() {
    super('the chain was closed')
  }
}

/** The lock as one thread sees it. */
export class StateLock {
  private readonly words: Int32Array
  /** How often the writer has taken it without giving it back. */
  private depth = 0
  /** Changes that began while a reader waited, since the last turn for it. */
  private overtakings = 0

  /** @param words at least LOCK_WORDS, in shared memory */
  constructor(words: Int32Array) {
    this.words = words
  }

  /** Takes the lock for a change; the thread that has it may take it again. Waits for readers. */
  write(): void {
    if (this.depth++ > 0 || this.isBroken) return
    const { words } = this
    if (Atomics.load(words, WAITING) > 0) this.giveWay()
    else this.overtakings = 0
    let state = Atomics.or(words, STATE, WRITER) | WRITER
    while (state !== WRITER) {
      if (Atomics.wait(words, STATE, state, READER_FAILED_MS) === 'timed-out') {
        return this.refuseReaders()
      }
      state = Atomics.load(words, STATE)
    }
  }

  /** Whether the writer gives the lock back with the next {@link endWrite}. */
  get is_outermost(): boolean {
    return this.depth === 1
  }

  /** Gives the lock back. */
  endWrite(): void {
    if (--this.depth > 0 || this.isBroken) return
    const { words } = this
    Atomics.and(words, STATE, ~WRITER)
    if (Atomics.load(words, WAITING) > 0) Atomics.notify(words, STATE)
  }

  /** Takes the lock for reading; waits for the writer. Not on the writer's thread.
   *  @throws BrokenLockError, ClosedStateError */
  read(): void {
    const { words } = this
    for (;;) {
      this.refuseBroken()
      const state = Atomics.load(words, STATE)
      if ((state & WRITER) === 0) {
        if (Atomics.compareExchange(words, STATE, state, state + 1) === state) return
        continue
      }
      Atomics.add(words, WAITING, 1)
      Atomics.wait(words, STATE, state)
      Atomics.sub(words, WAITING, 1)
    }
  }

  /** Ends the turn of a reader.
   *  @throws BrokenLockError if the writer did not wait for it, ClosedStateError */
  endRead(): void {
    const { words } = this
    if (Atomics.sub(words, STATE, 1) - 1 === WRITER) Atomics.notify(words, STATE)
    Atomics.add(words, TURNS, 1)
    Atomics.notify(words, TURNS)
    this.refuseBroken()
  }

  /** The writer waits for readers no more. They are refused from now on, those that wait too. */
  refuseReaders(): void {
    this.refuse(FAILED)
  }

  /** The chain is closed: readers are refused from now on, those that wait too. */
  close(): void {
    if (!this.isBroken) this.refuse(CLOSED)
  }

  /** Whether the writer waits. */
  get isWanted(): boolean {
    return (Atomics.load(this.words, STATE) & WRITER) !== 0
  }

  /** Whether readers are refused. */
  get isBroken(): boolean {
    return Atomics.load(this.words, BROKEN) !== 0
  }

  private refuse(reason: number): void {
    Atomics.store(this.words, BROKEN, reason)
    // A reader that is about to wait sees another number then, and does not.
    Atomics.and(this.words, STATE, ~WRITER)
    Atomics.notify(this.words, STATE)
  }

  private refuseBroken(): void {
    const reason = Atomics.load(this.words, BROKEN)
    if (reason === CLOSED) throw new ClosedStateError()
    if (reason !== 0) throw new BrokenLockError()
  }

  private giveWay(): void {
    if (++this.overtakings < GIVE_WAY_AFTER) return
    this.overtakings = 0
    Atomics.wait(this.words, TURNS, Atomics.load(this.words, TURNS), GIVE_WAY_MS)
  }
}
