import type { BlockContext } from '../block_context.ts'
import { MAXIMUM_ELASTIC_RESOURCE_MULTIPLIER } from '../../base/constants.ts'
import { ensure } from '../../base/refuse.ts'
import {
  getAccountCpuLimit,
  getAccountLimits,
  getAccountNetLimit,
} from '../../rules/resource_limits.ts'

/** More than any account has, and still exact in sums (spring: large_number_no_overflow). */
export const NO_LIMIT = 2 ** 52

/** The bandwidth that all payers of a transaction can pay: the lowest of their limits. */
export interface PayableBandwidth {
  /** Bytes. */
  net: number
  /** Microseconds. */
  cpu: number
  greylisted_net: boolean
  greylisted_cpu: boolean
}

/** The bandwidth of payers without limits. */
export const UNLIMITED: Readonly<PayableBandwidth> = {
  net: NO_LIMIT,
  cpu: NO_LIMIT,
  greylisted_net: false,
  greylisted_cpu: false,
}

/**
 * The bandwidth that the billed accounts can pay. spring: max_bandwidth_billed_accounts_can_pay.
 * The accounts' usage must have been updated to the block's slot. `force_elastic` ignores the
 * node's greylist, as for received blocks.
 * @throws ChainError transaction_exception if an account is on the greylist in a block that this
 *   node does not make
 */
export function payableBandwidth(
  block: BlockContext,
  accounts: readonly bigint[],
  force_elastic: boolean,
): PayableBandwidth {
  const { db, rules } = block
  const subjective = !force_elastic && block.speculative
  const payable = { ...UNLIMITED }
  for (const account of accounts) {
    const { cpu_weight, net_weight } = getAccountLimits(db, account)
    // Such an account has no limit: the common case of a chain without a system contract.
    if (cpu_weight < 0n && net_weight < 0n) continue
    let greylist_limit = MAXIMUM_ELASTIC_RESOURCE_MULTIPLIER
    if (subjective) greylist_limit = rules.resource_greylist.has(account) ? 1 : rules.greylist_limit
    const options = { greylist_limit }
    const net = getAccountNetLimit(db, account, options)
    if (net.limit.available >= 0n) {
      payable.net = Math.min(payable.net, Number(net.limit.available))
      payable.greylisted_net ||= net.greylisted
    }
    const cpu = getAccountCpuLimit(db, account, options)
    if (cpu.limit.available >= 0n) {
      payable.cpu = Math.min(payable.cpu, Number(cpu.limit.available))
      payable.greylisted_cpu ||= cpu.greylisted
    }
  }
  ensure(
    subjective || (!payable.greylisted_cpu && !payable.greylisted_net),
    'transaction_exception',
    'greylisted when not producing block',
  )
  return payable
}
