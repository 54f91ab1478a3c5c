import { ChainError, formatLog } from '../errors.ts'
import { toHex } from '../protocol/hex.ts'
import { publicKeyToString } from '../protocol/key.ts'
import { recoverKey } from './keys.ts'
import type { Recovered } from './recovery_message.ts'
import { timed } from './stopwatch.ts'

const SIGNED_TWICE =
  'transaction includes more than one signature signed using the same key associated with ' +
  'public key: ${key}'

/**
 * The keys of signatures over one digest, in their order; the first that is refused, or is of a key
 * that signed before, is told (spring: transaction::get_signature_keys).
 */
export function signersOf(digest: Uint8Array, signatures: readonly Uint8Array[]): Uint8Array[] {
  const known = new Set<string>()
  return signatures.map((signature) => {
    const key = recoverKey(signature, digest)
    if (signatures.length > 1) {
      const hex = toHex(key)
      if (known.has(hex)) {
        const log = { key: publicKeyToString(key) }
        const text = formatLog(SIGNED_TWICE, log)
        throw new ChainError('tx_duplicate_sig', text).withLog(SIGNED_TWICE, log)
      }
      known.add(hex)
    }
    return key
  })
}

/** The same, and how long it took, on this thread. */
export function recoverKeys(digest: Uint8Array, signatures: readonly Uint8Array[]): Recovered {
  const { result, elapsed_us } = timed(() => signersOf(digest, signatures))
  return { keys: result, cpu_usage_us: elapsed_us }
}
