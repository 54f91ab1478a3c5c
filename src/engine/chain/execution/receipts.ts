import type { ReceiptTransaction, TransactionReceipt } from '../../protocol/block.ts'
import type { BlockContext } from './block_context.ts'
import type { TransactionReceiptHeader, TransactionTrace } from '../base/trace.ts'
import type { TransactionStatusCode } from '../../protocol/transaction_status.ts'
import assert from 'node:assert'
import { transactionReceiptDigest } from '../../crypto/digests.ts'

/**
 * Adds a receipt to the block. Returns the part of it that the trace shows (spring: push_receipt).
 * @param packed_digest of the packed transaction, if that is known
 */
export function pushReceipt(
  block: BlockContext,
  trx: ReceiptTransaction,
  status: TransactionStatusCode,
  usage: { cpu_usage_us: number; net_usage: number },
  packed_digest?: Uint8Array,
): TransactionReceiptHeader {
  const { cpu_usage_us } = usage
  const net_usage_words = usage.net_usage / 8
  assert(Number.isInteger(net_usage_words), 'net_usage is not divisible by 8')
  const receipt: TransactionReceipt = { status, cpu_usage_us, net_usage_words, trx }
  block.receipts.push(receipt)
  block.receipt_digests?.push(transactionReceiptDigest(receipt, packed_digest))
  return { status, cpu_usage_us, net_usage_words }
}

/** Adds a transaction to the block's sums. */
export function reportTransaction(block: BlockContext, trace: TransactionTrace): void {
  const { report } = block
  report.total_net_usage += trace.net_usage
  report.total_cpu_usage_us += trace.receipt?.cpu_usage_us ?? 0
  report.total_elapsed_us += trace.elapsed
}
