import type { BlsSigners } from './bls.ts'
import { BlsThread } from './bls_thread.ts'

/**
 * Signs and verifies with BLS on several threads. Each task goes to a thread that has the fewest, so that threads that
 * are not needed are not started.
 */
export class BlsThreads {
  private readonly threads: readonly BlsThread[]

  /** @param count at least 1 */
  constructor(count: number) {
    this.threads = Array.from({ length: count }, () => new BlsThread())
  }

  /** As {@link BlsThread.sign}. */
  sign(secret: Uint8Array, message: Uint8Array): Promise<Uint8Array> {
    return this.idlest().sign(secret, message)
  }

  /** As {@link BlsThread.verify}. */
  verify(signers: BlsSigners[], signature: Uint8Array): Promise<boolean> {
    return this.idlest().verify(signers, signature)
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()))
  }

  private idlest(): BlsThread {
    return this.threads.reduce((best, other) => (other.pending < best.pending ? other : best))
  }
}
