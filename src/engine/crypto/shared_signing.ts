/**
 * Signatures that two threads make together: the one that asks for them, and another one. Both see the same memory with
 * a counter, and each takes the digest that comes next. The one that asks continues at once, and helps only when it needs
 * a signature that is not made yet. So nothing waits for a thread that is slow, starts late, or has ended.
 */
import { fail } from '../errors.ts'
import type { KeyType } from '../protocol/key.ts'
import { signDigest } from './keys.ts'
import type { PrivateKey } from './private_key.ts'

/** Gives a signature, once it is made. @throws ChainError it cannot be made */
export type LateSignature = () => Uint8Array

const DIGEST = 32
const SECRET = 32
const SIGNATURE = 66
/** A type of keys, the secret, the digest, and the place of the signature. */
const ENTRY = 1 + SECRET + DIGEST + SIGNATURE

/** The numbers at the beginning of the memory. The thread waits for a change of `ENDED`. */
const ASKED = 0
const TAKEN = 1
const ENDED = 2
const STATES = 3

/** States of a signature. */
const UNKNOWN = 0
const MADE = 1
const FAILED = 2

/** To wake the thread takes microseconds of the one that asks, so it looks for digests by itself after this time. */
const LOOK_AFTER_MS = 0.5

/** A signature is made after 0.2 ms, unless the thread has to wait for a processor or has ended. */
const MAX_WAIT_MS = 2

/** A number of signatures, as one thread sees them. */
export class SharedSigning {
  readonly memory: SharedArrayBuffer
  private readonly numbers: Int32Array
  private readonly entries: Uint8Array
  private readonly capacity: number

  private constructor(memory: SharedArrayBuffer) {
    this.memory = memory
    this.capacity = Math.floor((memory.byteLength - 4 * STATES) / (4 + ENTRY))
    this.numbers = new Int32Array(memory, 0, STATES + this.capacity)
    this.entries = new Uint8Array(memory, 4 * (STATES + this.capacity))
  }

  /** For at most so many signatures; those after them are made at once. */
  static create(capacity: number): SharedSigning {
    return new SharedSigning(new SharedArrayBuffer(4 * STATES + capacity * (4 + ENTRY)))
  }

  /** The same on another thread. */
  static open(memory: SharedArrayBuffer): SharedSigning {
    return new SharedSigning(memory)
  }

  /** Asks for a signature. @throws ChainError if it is made at once, and cannot be */
  sign(key: PrivateKey, digest: Uint8Array): LateSignature {
    const index = this.numbers[ASKED]!
    if (index >= this.capacity || key.data.length !== SECRET) {
      const signature = signDigest(key, digest)
      return () => signature
    }
    const at = index * ENTRY
    this.entries[at] = key.type
    this.entries.set(key.data, at + 1)
    this.entries.set(digest, at + 1 + SECRET)
    Atomics.store(this.numbers, ASKED, index + 1)
    return () => this.result(index)
  }

  /** No further signatures are asked for. */
  end(): void {
    Atomics.store(this.numbers, ENDED, 1)
    Atomics.notify(this.numbers, ENDED)
  }

  /** Makes signatures until no further ones are asked for. */
  work(): void {
    for (;;) {
      const has_ended = Atomics.load(this.numbers, ENDED) === 1
      while (this.makeNext());
      if (has_ended) return
      Atomics.wait(this.numbers, ENDED, 0, LOOK_AFTER_MS)
    }
  }

  private result(index: number): Uint8Array {
    const state = STATES + index
    while (Atomics.load(this.numbers, state) === UNKNOWN && this.makeNext());
    Atomics.wait(this.numbers, state, UNKNOWN, MAX_WAIT_MS)
    if (Atomics.load(this.numbers, state) !== MADE) return this.make(index)
    const at = index * ENTRY + ENTRY - SIGNATURE
    return this.entries.slice(at, at + SIGNATURE)
  }

  /** Makes the next signature that no thread has taken. Returns false if there is none. */
  private makeNext(): boolean {
    const { numbers } = this
    const index = Atomics.load(numbers, TAKEN)
    if (index >= Atomics.load(numbers, ASKED)) return false
    if (Atomics.compareExchange(numbers, TAKEN, index, index + 1) !== index) return true
    let state = FAILED
    try {
      this.entries.set(this.make(index), index * ENTRY + ENTRY - SIGNATURE)
      state = MADE
    } catch {
      // The thread that needs it tries again, and gets the error.
    }
    Atomics.store(numbers, STATES + index, state)
    Atomics.notify(numbers, STATES + index)
    return true
  }

  private make(index: number): Uint8Array {
    const at = index * ENTRY
    const data = this.entries.slice(at + 1, at + 1 + SECRET)
    const digest = this.entries.slice(at + 1 + SECRET, at + 1 + SECRET + DIGEST)
    const signature = signDigest({ type: this.entries[at] as KeyType, data }, digest)
    if (signature.length !== SIGNATURE) fail('exception', 'a signature has an unexpected size')
    return signature
  }
}
