import type { ErrorName } from '../../errors.ts'
import { ChainError } from '../../errors.ts'

/** Failures that only say that this node, now, does not want the transaction. */
const SUBJECTIVE: ReadonlySet<ErrorName> = new Set<ErrorName>([
  'subjective_block_production_exception',
  'block_net_usage_exceeded',
  'greylist_net_usage_exceeded',
  'block_cpu_usage_exceeded',
  'greylist_cpu_usage_exceeded',
  'deadline_exception',
  'leeway_deadline_exception',
  'actor_whitelist_exception',
  'actor_blacklist_exception',
  'contract_whitelist_exception',
  'contract_blacklist_exception',
  'action_blacklist_exception',
  'key_blacklist_exception',
  'sig_variable_size_limit_exception',
])

/** spring: controller_impl::failure_is_subjective */
export function failureIsSubjective(error: ChainError): boolean {
  return SUBJECTIVE.has(error.errorName)
}

/** While producing, too much CPU is not a reason to retire a deferred transaction as failed. */
export function scheduledFailureIsSubjective(error: ChainError): boolean {
  return error.errorName === 'tx_cpu_usage_exceeded' || failureIsSubjective(error)
}

/** Failures that no block may contain, not even as a failed transaction. */
export function isFatalToBlock(error: unknown): boolean {
  return (
    error instanceof ChainError &&
    (error.errorName === 'disallowed_transaction_extensions_bad_block_exception' ||
      error.errorName === 'protocol_feature_bad_block_exception')
  )
}
