import type { UsageAccumulator } from '../../../../../src/engine/chain/rules/resource_limits/usage_accumulator.ts'

/** The rules written down once more, in integers of any size: what the engine is compared with. */
const PRECISION = 1_000_000n
const U64_MAX = 2n ** 64n - 1n

export const ceilDiv = (a: bigint, b: bigint): bigint => (a + b - 1n) / b

/** Adds as the reference does; answers whether it would have refused (nothing changed then). */
export function naiveAdd(
  usage: UsageAccumulator,
  units: bigint,
  ordinal: number,
  window: number,
): boolean {
  const contribution = ceilDiv(units * PRECISION, BigInt(window))
  if (units > U64_MAX / PRECISION || usage.consumed + units > U64_MAX) return true
  if (contribution > U64_MAX || usage.value_ex + contribution > U64_MAX) return true
  if (ordinal < usage.last_ordinal) return true
  if (ordinal > usage.last_ordinal) {
    const left = BigInt(window - (ordinal - usage.last_ordinal))
    if (left > 0n && usage.value_ex * left > U64_MAX) return true
    usage.value_ex = left > 0n ? (usage.value_ex * left) / BigInt(window) : 0n
    usage.last_ordinal = ordinal
    usage.consumed = ceilDiv(usage.value_ex, PRECISION)
  }
  usage.consumed += units
  usage.value_ex += contribution
  return false
}
