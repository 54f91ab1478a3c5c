/** The rest of an HTTP thread, which gets no connections meanwhile. */

/** Submissions without another request between them, after which the thread rests. */
const SUBMISSIONS_ALONE = 100

const AWAKE = 0
const RESTS = 1
/** The thread rests no more. */
const AWAKE_FOR_GOOD = 2

/**
 * Whether an HTTP thread rests. Where a load of submissions leaves no processor to HTTP threads, their part of the work
 * costs more there than on the chain's thread, which gets a message for each request and has compiled all of it. So a
 * thread that has got submissions alone rests until there is something else for it: the system then gives new
 * connections to the chain's thread. Other threads may end the rest.
 */
export class Rest {
  private readonly words: Int32Array<SharedArrayBuffer>
  /** Since the last other request. */
  private submissions = 0

  constructor(buffer = new SharedArrayBuffer(4)) {
    this.words = new Int32Array(buffer)
  }

  /** The state of the rest, for another thread's {@link Rest}. */
  get buffer(): SharedArrayBuffer {
    return this.words.buffer
  }

  /** Whether the thread rests now. */
  get isActive(): boolean {
    return Atomics.load(this.words, 0) === RESTS
  }

  /** The thread has got a submission. Returns whether a rest begins with it. */
  beginsWithSubmission(): boolean {
    if (++this.submissions < SUBMISSIONS_ALONE) return false
    this.submissions = 0
    return Atomics.compareExchange(this.words, 0, AWAKE, RESTS) === AWAKE
  }

  /** The thread has got another request, which ends its rest. */
  endsWithRequest(): void {
    this.submissions = 0
    this.end()
  }

  /** @param for_good the thread rests no more */
  end(for_good = false): void {
    if (for_good) Atomics.store(this.words, 0, AWAKE_FOR_GOOD)
    else if (Atomics.compareExchange(this.words, 0, RESTS, AWAKE) !== RESTS) return
    Atomics.notify(this.words, 0)
  }

  /** Blocks this thread until the rest ends, or so long. */
  wait(milliseconds: number): void {
    Atomics.wait(this.words, 0, RESTS, milliseconds)
  }
}
