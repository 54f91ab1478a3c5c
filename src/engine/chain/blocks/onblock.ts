import type { BlockContext } from '../execution/block_context.ts'
import type { TransactionTrace } from '../base/trace.ts'
import { onblockTransaction } from '../execution/implicit_transactions.ts'
import { pushTransaction } from '../execution/push_transaction.ts'
import { createUnsignedMetadata } from '../base/transaction_metadata.ts'

/**
 * Runs the onblock transaction, fully checked whatever the block (spring: start_block). It is
 * billed the minimum, and its failure, in the trace, is not a failure of the block.
 */
export function pushOnBlock(block: BlockContext): TransactionTrace {
  const { min_transaction_cpu_usage } = block.db.global_property.single().configuration
  const required = block.checks_required
  block.checks_required = true
  try {
    return pushTransaction(block, createUnsignedMetadata(onblockTransaction(block), 'implicit'), {
      block_deadline_us: Infinity,
      max_transaction_time_us: Infinity,
      billed_cpu_time_us: min_transaction_cpu_usage,
      explicit_billed_cpu_time: true,
      subjective_cpu_bill_us: 0,
    })
  } finally {
    block.checks_required = required
  }
}
