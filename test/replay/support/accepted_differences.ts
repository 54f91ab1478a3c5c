/**
 * Where our traces differ from the reference's, and why that is meant so. Everything else must be
 * equal to the letter.
 */

/** Times of the machine. */
const TIMES = new Set(['elapsed', 'billing_timer'])

/** The reference knows the id of the block in work before it is made, in some traces. */
const NOT_KNOWN = new Set(['producer_block_id'])

/** Files, lines and threads of the reference's program. */
const PLACES = new Set(['context'])

/** A trace without what may differ. */
export function withoutAccepted(trace: unknown): unknown {
  return JSON.parse(
    JSON.stringify(trace, (key, value: unknown) => {
      if (TIMES.has(key) || NOT_KNOWN.has(key) || PLACES.has(key)) return undefined
      return value
    }),
  )
}
