import { UINT64_MAX } from '../../../protocol/integer.ts'
import { ensure } from '../../base/refuse.ts'
import { RATE_LIMITING_PRECISION } from '../../base/constants.ts'

/**
 * The exponential moving average of a usage (spring: resource_limits_private.hpp,
 * exponential_moving_average_accumulator). Ordinals are slots for accounts, block numbers for blocks.
 */
export interface UsageAccumulator {
  /** u32: the last period that contributed. */
  last_ordinal: number
  /** u64: the average, times RATE_LIMITING_PRECISION. */
  value_ex: bigint
  /** u64: the average at the start of the last period, plus what was used in it. */
  consumed: bigint
}

const PRECISION = BigInt(RATE_LIMITING_PRECISION)
const MAX_RAW_VALUE = UINT64_MAX / PRECISION
const BEYOND_PRECISION = 'Usage exceeds maximum value representable after extending for precision'

/** A fresh accumulator, as rows are created with. */
export function newUsageAccumulator(): UsageAccumulator {
  return { last_ordinal: 0, value_ex: 0n, consumed: 0n }
}

/** num / den rounded up, for unsigned operands. */
export function divideCeil(num: bigint, den: bigint): bigint {
  const quotient = num / den
  return quotient * den === num ? quotient : quotient + 1n
}

/**
 * value * numerator / denominator; the product must fit in 64 bits (spring: operator* of ratio).
 * @throws ChainError rate_limiting_state_inconsistent
 */
export function multiplyRatio(value: bigint, numerator: bigint, denominator: bigint): bigint {
  ensure(
    numerator === 0n || UINT64_MAX / numerator >= value,
    'rate_limiting_state_inconsistent',
    BEYOND_PRECISION,
  )
  return (value * numerator) / denominator
}

/** Narrows to a signed 64-bit integer, or refuses (spring: downgrade_cast). */
export function toInt64(value: bigint): bigint {
  return narrow(value, 0x7fffffffffffffffn)
}

/** The average in units, rounded up. */
export function average(usage: UsageAccumulator): bigint {
  return divideCeil(usage.value_ex, PRECISION)
}

/**
 * Adds `units` used at `ordinal` to the average over `window` periods.
 *
 * Numbers do the work where every product is exact in a double, which is the case for any
 * realistic usage; bigint does it otherwise, with the same result.
 */
export function addUsage(
  usage: UsageAccumulator,
  units: bigint,
  ordinal: number,
  window: number,
): void {
  if (units === 0n && usage.last_ordinal === ordinal) return
  if (units < SMALL && usage.value_ex < SMALL_VALUE_EX && usage.consumed < SMALL_VALUE_EX) {
    addSmall(usage, Number(units), ordinal, window)
  } else {
    addLarge(usage, units, ordinal, window)
  }
}

// units * 1e6 + window < 2^53, and value_ex * window < 2^53 is checked on the spot.
const SMALL = 1n << 32n
const SMALL_VALUE_EX = 1n << 52n

function addSmall(usage: UsageAccumulator, units: number, ordinal: number, window: number): void {
  let value_ex = Number(usage.value_ex)
  if (usage.last_ordinal !== ordinal) {
    checkOrdinal(usage, ordinal)
    if (usage.last_ordinal + window > ordinal) {
      const product = value_ex * (window - (ordinal - usage.last_ordinal))
      if (product > Number.MAX_SAFE_INTEGER) return addLarge(usage, BigInt(units), ordinal, window)
      value_ex = Math.floor(product / window)
    } else {
      value_ex = 0
    }
    usage.last_ordinal = ordinal
    usage.consumed = BigInt(Math.ceil(value_ex / RATE_LIMITING_PRECISION))
  }
  if (units === 0) {
    usage.value_ex = BigInt(value_ex)
    return
  }
  usage.consumed += BigInt(units)
  usage.value_ex = BigInt(value_ex + Math.ceil((units * RATE_LIMITING_PRECISION) / window))
}

function addLarge(usage: UsageAccumulator, units: bigint, ordinal: number, window: number): void {
  ensure(units <= MAX_RAW_VALUE, 'rate_limiting_state_inconsistent', BEYOND_PRECISION)
  ensure(
    UINT64_MAX - usage.consumed >= units,
    'rate_limiting_state_inconsistent',
    'Overflow in tracked usage when adding usage!',
  )
  const contribution = narrow(divideCeil(units * PRECISION, BigInt(window)), UINT64_MAX)
  ensure(
    UINT64_MAX - usage.value_ex >= contribution,
    'rate_limiting_state_inconsistent',
    'Overflow in accumulated value when adding usage!',
  )
  if (usage.last_ordinal !== ordinal) {
    checkOrdinal(usage, ordinal)
    if (usage.last_ordinal + window > ordinal) {
      const left = BigInt(window - (ordinal - usage.last_ordinal))
      usage.value_ex = multiplyRatio(usage.value_ex, left, BigInt(window))
    } else {
      usage.value_ex = 0n
    }
    usage.last_ordinal = ordinal
    usage.consumed = average(usage)
  }
  usage.consumed += units
  usage.value_ex += contribution
}

function checkOrdinal(usage: UsageAccumulator, ordinal: number): void {
  ensure(
    ordinal > usage.last_ordinal,
    'resource_limit_exception',
    'new ordinal cannot be less than the previous ordinal',
  )
}

function narrow(value: bigint, max: bigint): bigint {
  ensure(
    value >= 0n && value <= max,
    'rate_limiting_state_inconsistent',
    'Casting a higher bit integer value ${v} to a lower bit integer value which cannot contain the value, valid range is [${min}, ${max}]',
    () => ({ v: value.toString(), min: '0', max: max.toString() }),
  )
  return value
}
