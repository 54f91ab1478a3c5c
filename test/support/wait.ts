import { setTimeout as sleep } from 'node:timers/promises'

/** Far longer than anything takes: what is waited for decides, not the time. */
const LIMIT_MS = 180_000
const PAUSE_MS = 10

/**
 * Waits until `probe` answers something else than undefined or false, and answers that.
 * @param what named when it never happens
 */
export async function until<T>(
  what: string,
  probe: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const end = Date.now() + LIMIT_MS
  for (;;) {
    const found = await probe()
    if (found !== undefined && found !== false) return found
    if (Date.now() > end) throw new Error(`it never happened: ${what}`)
    await sleep(PAUSE_MS)
  }
}
