import { slotToUs, systemClock, type Engine } from '../engine/index.ts'

/** A head that is older than this is that of a chain that stood still. */
const OLD_US = 10_000_000
/** A slot and the time for its block, with room for a busy machine. */
const LIMIT_MS = 2000

/**
 * Waits for the first block of a development chain that stood still: a fork, or a chain that was stopped. Clients take
 * the time from the head; what they send before that block would have expired.
 * @returns when the head is recent, when none can be expected, or after two seconds
 */
export async function firstBlock({ chain, api }: Engine): Promise<void> {
  const is_old = systemClock.now() - slotToUs(chain.head.timestamp) > OLD_US
  if (!is_old || api.producer.paused()) return
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      unsubscribe()
      resolve()
    }
    const timer = setTimeout(end, LIMIT_MS)
    const unsubscribe = chain.events.on('blockApplied', end)
  })
}
