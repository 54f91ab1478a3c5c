import { ChainError, formatLog } from '../errors.ts'
import { toHex } from '../protocol/hex.ts'
import { publicKeyToString } from '../protocol/key.ts'
import { recoverKey } from './keys.ts'
import type { Recovered } from './recovery_message.ts'
import { startStopwatch, timed } from './stopwatch.ts'

const SIGNED_TWICE =
  'transaction includes more than one signature signed using the same key associated with ' +
  'public key: ${key}'

const TOO_LONG = 'transaction signature verification executed for too long ${time}us'

/**
 * Recovers the keys of signatures over one digest, in their order. The first invalid signature, the
 * first key that signed before, or the end of the available time is reported as an error (spring:
 * transaction::get_signature_keys).
 */
export function signersOf(
  digest: Uint8Array,
  signatures: readonly Uint8Array[],
  time_limit_us = Infinity,
): Uint8Array[] {
  const known = new Set<string>()
  // A look at the clock is a system call.
  const elapsed_us = time_limit_us === Infinity ? undefined : startStopwatch()
  return signatures.map((signature) => {
    if (elapsed_us) checkTime(elapsed_us(), time_limit_us)
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

function checkTime(time: number, time_limit_us: number): void {
  if (time < time_limit_us) return
  throw new ChainError('tx_cpu_usage_exceeded', formatLog(TOO_LONG, { time })).withLog(TOO_LONG, {
    time,
  })
}

/** The same, and how long it took, on this thread. */
export function recoverKeys(
  digest: Uint8Array,
  signatures: readonly Uint8Array[],
  time_limit_us = Infinity,
): Recovered {
  const { result, elapsed_us } = timed(() => signersOf(digest, signatures, time_limit_us))
  return { keys: result, cpu_usage_us: elapsed_us }
}
