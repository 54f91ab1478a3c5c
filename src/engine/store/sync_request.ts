/** One request to sync a file, in memory that two threads share. */
import { fsyncSync } from 'node:fs'
import { getSystemErrorMap } from 'node:util'
import { isSystemError } from './file.ts'

/** States of the request. */
const IDLE = 0
const GIVEN = 1
const TAKEN = 2
const DONE = 3
const CLOSED = 4

/** Words of the memory. */
const STATE = 0
const FILE = 1
/** The number of the system's error, which is negative; 0: none. */
const ERROR = 2
const WORDS = 3

/** A request, as each of the threads sees it. */
export class SyncRequest {
  readonly memory: SharedArrayBuffer
  private readonly words: Int32Array

  constructor(memory = new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory
    this.words = new Int32Array(memory)
  }

  /** Gives a file to the thread, when the request before is finished. */
  give(fd: number): void {
    this.words[FILE] = fd
    this.change(GIVEN)
  }

  /** Whether the thread has synced the file. */
  get isDone(): boolean {
    return Atomics.load(this.words, STATE) === DONE
  }

  /**
   * Waits until the file is synced; syncs it here if the thread has not begun.
   * @throws Error of node:fs
   */
  finish(): void {
    const { words } = this
    if (Atomics.compareExchange(words, STATE, GIVEN, IDLE) === GIVEN) return fsyncSync(words[FILE]!)
    Atomics.wait(words, STATE, TAKEN)
    const error = words[ERROR]!
    Atomics.store(words, STATE, IDLE)
    if (error !== 0) throw syncError(error)
  }

  /** Asks the thread to end. No request may follow. */
  close(): void {
    this.change(CLOSED)
  }

  /** On the thread: syncs files until it is asked to end. */
  work(): void {
    const { words } = this
    for (;;) {
      const state = Atomics.load(words, STATE)
      if (state === CLOSED) return
      if (state !== GIVEN) Atomics.wait(words, STATE, state)
      else if (Atomics.compareExchange(words, STATE, GIVEN, TAKEN) === GIVEN) {
        words[ERROR] = errorOf(() => fsyncSync(words[FILE]!))
        this.change(DONE)
      }
    }
  }

  private change(state: number): void {
    Atomics.store(this.words, STATE, state)
    Atomics.notify(this.words, STATE)
  }
}

/** The number of the system's error; 0 if there was none. */
function errorOf(work: () => void): number {
  try {
    work()
    return 0
  } catch (error) {
    if (!isSystemError(error) || error.errno === undefined) throw error
    return error.errno
  }
}

function syncError(errno: number): Error {
  const [code, message] = getSystemErrorMap().get(errno) ?? [`error ${errno}`, 'unknown']
  return Object.assign(new Error(`${code}: ${message}, fsync`), { errno, code, syscall: 'fsync' })
}
