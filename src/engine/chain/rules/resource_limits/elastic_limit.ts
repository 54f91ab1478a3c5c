import type { ElasticLimitParameters, Ratio } from '../../../state/rows.ts'
import { ensure } from '../../base/refuse.ts'
import { multiplyRatio } from './usage_accumulator.ts'

/**
 * Refuses parameters that would divide by zero later.
 * @throws ChainError resource_limit_exception
 */
export function checkElasticLimit(params: ElasticLimitParameters): void {
  ensure(
    params.periods > 0,
    'resource_limit_exception',
    "elastic limit parameter 'periods' cannot be zero",
  )
  ensure(
    params.contract_rate.denominator > 0n,
    'resource_limit_exception',
    "elastic limit parameter 'contract_rate' is not a well-defined ratio",
  )
  ensure(
    params.expand_rate.denominator > 0n,
    'resource_limit_exception',
    "elastic limit parameter 'expand_rate' is not a well-defined ratio",
  )
}

/** The virtual limit after a block whose average usage is `average_usage`. */
export function updateElasticLimit(
  current: bigint,
  average_usage: bigint,
  params: ElasticLimitParameters,
): bigint {
  const rate = average_usage > params.target ? params.contract_rate : params.expand_rate
  const moved = multiplyRatio(current, rate.numerator, rate.denominator)
  const floored = moved > params.max ? moved : params.max
  const cap = BigInt.asUintN(64, params.max * BigInt(params.max_multiplier))
  return floored < cap ? floored : cap
}

/** Whether two sets of parameters are the same. */
export function sameElasticLimit(a: ElasticLimitParameters, b: ElasticLimitParameters): boolean {
  return (
    a.target === b.target &&
    a.max === b.max &&
    a.periods === b.periods &&
    a.max_multiplier === b.max_multiplier &&
    sameRatio(a.contract_rate, b.contract_rate) &&
    sameRatio(a.expand_rate, b.expand_rate)
  )
}

function sameRatio(a: Ratio, b: Ratio): boolean {
  return a.numerator === b.numerator && a.denominator === b.denominator
}
