import { recoverKey } from './keys.ts'
import type { Recovered } from './recovery_message.ts'
import { timed } from './stopwatch.ts'

/** The keys of signatures over one digest, found on this thread. */
export function recoverKeys(digest: Uint8Array, signatures: readonly Uint8Array[]): Recovered {
  const { result, elapsed_us } = timed(() => signatures.map((s) => recoverKey(s, digest)))
  return { keys: result, cpu_usage_us: elapsed_us }
}
