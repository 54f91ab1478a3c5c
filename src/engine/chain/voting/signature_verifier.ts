/**
 * Verifies aggregate signatures, if possible ahead of time on another thread: what was found there
 * need not be computed again where it would hold up a block.
 */
import { blsAggregateVerify } from '../../crypto/bls.ts'
import { sha256 } from '../../crypto/hash.ts'
import { toHex } from '../../protocol/hex.ts'
import { Writer } from '../../protocol/writer.ts'
import type { SignatureClaim } from '../headers/savanna/quorum_certificate.ts'

/** Verifies on whichever thread. */
export interface AsyncVerifier {
  verify(signers: SignatureClaim['signers'], signature: Uint8Array): Promise<boolean>
}

/** Results that are remembered. */
const MAX_KNOWN = 1024

/**
 * Verifies aggregate BLS signatures, and remembers results that were computed ahead of time on
 * another thread. A result is always the same as that of an immediate verification.
 */
export class SignatureVerifier {
  private readonly thread: AsyncVerifier
  private readonly known = new Map<string, boolean>()

  constructor(thread: AsyncVerifier) {
    this.thread = thread
  }

  /** Verifies now. */
  readonly verify = (claim: SignatureClaim): boolean => {
    const key = claimKey(claim)
    const known = this.known.get(key)
    if (known !== undefined) return known
    return this.remember(key, blsAggregateVerify(claim.signers, claim.signature))
  }

  /** Verifies on the other thread; a later {@link verify} of the same claim uses the result. */
  async verifyAhead(claims: readonly SignatureClaim[]): Promise<void> {
    await Promise.all(
      claims.map(async (claim) => {
        const key = claimKey(claim)
        if (this.known.has(key)) return
        this.remember(key, await this.thread.verify(claim.signers, claim.signature))
      }),
    )
  }

  private remember(key: string, right: boolean): boolean {
    this.known.set(key, right)
    if (this.known.size > MAX_KNOWN) {
      const [oldest] = this.known.keys()
      this.known.delete(oldest!)
    }
    return right
  }
}

function claimKey({ signers, signature }: SignatureClaim): string {
  const w = new Writer()
  w.array(signers, (w, { keys, message }) => {
    w.array(keys, (w, key) => w.blob(key))
    w.blob(message)
  })
  w.blob(signature)
  return toHex(sha256(w.view()))
}
