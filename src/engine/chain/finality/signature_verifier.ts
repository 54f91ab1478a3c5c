/**
 * Verifies aggregate signatures, if possible ahead of time on another thread: what was found right
 * there need not be computed again where it would hold up a block.
 */
import { blsAggregateVerify } from '../../crypto/bls.ts'
import { sha256 } from '../../crypto/hash.ts'
import { toHex } from '../../protocol/hex.ts'
import { Writer } from '../../protocol/writer.ts'
import type { SignatureClaim } from './quorum_certificate.ts'

/** Verifies on whichever thread. */
export interface AsyncVerifier {
  verify(signers: SignatureClaim['signers'], signature: Uint8Array): Promise<boolean>
}

/** Right signatures that are remembered. */
const MAX_KNOWN = 1024

export class SignatureVerifier {
  private readonly thread: AsyncVerifier
  private readonly known = new Set<string>()

  constructor(thread: AsyncVerifier) {
    this.thread = thread
  }

  /** Verifies now. */
  readonly verify = (claim: SignatureClaim): boolean => {
    const key = claimKey(claim)
    if (this.known.delete(key)) return true
    return blsAggregateVerify(claim.signers, claim.signature)
  }

  /** Verifies on the other thread; a later {@link verify} of the same knows the result. */
  async verifyAhead(claims: readonly SignatureClaim[]): Promise<void> {
    await Promise.all(
      claims.map(async (claim) => {
        if (await this.thread.verify(claim.signers, claim.signature)) this.add(claimKey(claim))
      }),
    )
  }

  private add(key: string): void {
    this.known.add(key)
    if (this.known.size <= MAX_KNOWN) return
    const [oldest] = this.known
    this.known.delete(oldest!)
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
