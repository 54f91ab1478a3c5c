import { ChainError, formatLog } from '../errors.ts'
import { toHex } from '../protocol/hex.ts'
import { publicKeyToString } from '../protocol/key.ts'
import { recoverKey } from './keys.ts'
import type { Recovered } from './recovery_message.ts'
import { Stopwatch } from './stopwatch.ts'

const SIGNED_TWICE =
  'transaction includes more than one signature signed using the same key associated with ' +
  'public key: ${key}'

const TOO_LONG = 'transaction signature verification executed for too long ${time}us'

/**
 * Recovers the keys of signatures over one digest, in their order. The first invalid signature, the
 * first key that signed before, or the end of the available time is reported as an error (spring:
 * transaction::get_signature_keys).
 * @param time without it, the time is unlimited
 */
export function signersOf(
  digest: Uint8Array,
  signatures: readonly Uint8Array[],
  time?: { limit_us: number; stopwatch: Stopwatch },
): Uint8Array[] {
  const known = new Set<string>()
  return signatures.map((signature, i) => {
    // Nothing but the start has taken time before the first one.
    if (time) checkTime(i === 0 ? 1 : time.stopwatch.elapsed(), time.limit_us)
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

/**
 * The same, and how long it took, on this thread.
 * @param stopwatch was started for this work, and starts again at its end
 */
export function recoverKeys(
  digest: Uint8Array,
  signatures: readonly Uint8Array[],
  limit_us = Infinity,
  stopwatch = new Stopwatch(),
): Recovered {
  const is_limited = limit_us !== Infinity
  const keys = signersOf(digest, signatures, is_limited ? { limit_us, stopwatch } : undefined)
  return { keys, cpu_usage_us: stopwatch.lap() }
}

const WARM_UP_ROUNDS = 10

/** Recovers keys of an example: the first ones take a thread several times as long, which would be billed. */
export function warmUpRecovery(): void {
  const signature = new Uint8Array(66).fill(1)
  signature.set([0, 31])
  for (let i = 0; i < WARM_UP_ROUNDS; i++) recoverKeys(new Uint8Array(32).fill(i + 1), [signature])
}
