/**
 * Processes a submitted transaction: it is opened, its keys are recovered on another thread, and it
 * is executed in the pending block or queued until there is space.
 * spring: producer_plugin_impl::on_incoming_transaction_async
 */
import { ChainError, check } from '../../errors.ts'
import type { RecoveryPool } from '../../crypto/recovery_pool.ts'
import type { PackedTransaction, UnpackedTransaction } from '../../protocol/packed_transaction.ts'
import type { Chain } from '../../chain/chain.ts'
import { setsCode } from '../../chain/execution/check_codes.ts'
import type { TransactionTrace } from '../../chain/base/trace.ts'
import {
  createMetadata,
  metadataSigningDigest,
  withRecoveredKeys,
  type RecoveredKeys,
  type TransactionMetadata,
} from '../../chain/base/transaction_metadata.ts'
import type { Clock } from '../../clock.ts'
import { checkBeforeRecovery, checkNotDelayed } from './signature_checks.ts'
import type { TransactionProcessor } from './transaction_processor.ts'
import type { TransactionOutcome } from './transaction_queue.ts'
import type { Turns } from './turns.ts'
import type { TransactionRetry } from '../transaction_retry/transaction_retry.ts'

/** A transaction whose codes are not checked in this time is executed without that; the thread starts in less. */
const MAX_CHECK_US = 2_000_000

/** The parts of the node that submissions use. */
export interface SubmissionDependencies {
  chain: Chain
  clock: Clock
  pool: RecoveryPool
  processor: TransactionProcessor
  /** When transactions are executed. */
  turns: Turns
  /** Absent when the operator turned it off. */
  retry: TransactionRetry | undefined
  /** Called with each transaction that was executed: other nodes may want it. */
  onExecuted: (meta: TransactionMetadata) => void
  /** Longest variable part of a WebAuthn signature; bytes. */
  max_signature_length: number
}

/** The place of a submission among others, in whose order it is executed. */
export interface Place {
  /** Resolves when it may be executed. */
  reached(): Promise<void>
  /** Called when it was executed or queued, or when it will not be. */
  leave(): void
}

/** The form of the answer to a submission, and what was done before. */
export interface SubmitOptions {
  /** A failure is a trace with `except` rather than an error. */
  return_failure_trace: boolean
  /** The same transaction, if it was opened before. */
  opened?: UnpackedTransaction
  /** Its keys, if they were recovered before, which is after the checks that come first. */
  recovered?: RecoveredKeys
  /** Answer when the block of the transaction is final, and submit it again until then. */
  retry?: {
    /** Blocks on top of its block; undefined: until it is irreversible. */
    num_blocks: number | undefined
  }
  /** Absent: it is executed as soon as it can be. */
  place?: Place
}

/** Submits an input transaction.
 *  @throws ChainError why it was refused or failed */
export async function submitTransaction(
  deps: SubmissionDependencies,
  packed: PackedTransaction,
  { return_failure_trace, retry, opened, recovered, place }: SubmitOptions,
): Promise<TransactionTrace> {
  try {
    const given = createMetadata(packed, 'input', recovered, opened)
    if (retry) retryOf(deps).checkExpiration(given.trx.expiration)
    const signed = recovered ? given : await openSigned(deps, given)
    const meta = setsCode(signed.trx) ? await withCheckedCodes(deps, signed) : signed
    await place?.reached()
    await deps.turns.next()
    // The node may have been stopped meanwhile.
    deps.pool.checkOpen()
    // Its outcome is not waited for here: in the queue, transactions keep their order.
    return settled((outcome) => {
      const { num_blocks } = retry ?? {}
      const first = retry ? retryOf(deps).track(meta, { num_blocks, outcome }) : outcome
      if (!first) return
      deps.processor.process(meta, return_failure_trace, (result) => {
        if (!(result instanceof ChainError) && !result.except) deps.onExecuted(meta)
        first(result)
      })
    })
  } finally {
    place?.leave()
  }
}

/** Only a transaction that will be executed has its codes checked: that costs more than to refuse it. */
async function withCheckedCodes(
  { chain, clock, processor }: SubmissionDependencies,
  signed: TransactionMetadata,
): Promise<TransactionMetadata> {
  if (processor.refusal(signed) || processor.executor.isBlocked(signed, true)) return signed
  return (await within(clock, MAX_CHECK_US, chain.checkCodes(signed))) ?? signed
}

/** The result of a promise; undefined if it is not there in time. */
function within<T>(clock: Clock, limit_us: number, result: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = clock.wakeAt(clock.now() + limit_us, () => resolve(undefined))
    result.then(resolve, reject).finally(cancel)
  })
}

function retryOf({ retry }: SubmissionDependencies): TransactionRetry {
  check(
    retry,
    'unsupported_feature',
    'Transaction retry not enabled on node. transaction-retry-max-storage-size-gb is 0',
  )
  return retry
}

/** Executes a transaction and undoes it; a failure is in the trace, and missing signatures are not
 *  a failure. spring: chain_plugin.cpp compute_transaction */
export async function computeTransaction(
  deps: SubmissionDependencies,
  packed: PackedTransaction,
  opened?: UnpackedTransaction,
): Promise<TransactionTrace> {
  const unsigned = createMetadata(packed, 'dry_run', undefined, opened)
  const meta = await openSigned(deps, unsigned)
  return settled((outcome) => deps.processor.processTransient(meta, outcome))
}

/**
 * Executes a transaction that may change nothing; when it fails, the trace has the exception.
 * @throws ChainError transaction_exception for a delayed transaction, or the error of one that
 *   cannot be read
 */
export async function readOnlyTransaction(
  deps: SubmissionDependencies,
  packed: PackedTransaction,
  opened?: UnpackedTransaction,
): Promise<TransactionTrace> {
  const meta = createMetadata(packed, 'read_only', undefined, opened)
  checkNotDelayed(meta.trx)
  return settled((outcome) => deps.processor.processTransient(meta, outcome))
}

/** The outcome of a callback as a promise. */
function settled(act: (outcome: TransactionOutcome) => void): Promise<TransactionTrace> {
  return new Promise((resolve, reject) => {
    act((outcome) => {
      if (outcome instanceof ChainError) reject(outcome)
      else resolve(outcome)
    })
  })
}

async function openSigned(
  deps: SubmissionDependencies,
  unsigned: TransactionMetadata,
): Promise<TransactionMetadata> {
  const { signatures } = unsigned.packed
  checkBeforeRecovery(unsigned.trx, signatures, deps.max_signature_length)
  const digest = metadataSigningDigest(unsigned, deps.chain.chain_id)
  const time_limit_us = deps.processor.executor.maxTransactionTime(unsigned)
  return withRecoveredKeys(unsigned, await deps.pool.recover(digest, signatures, time_limit_us))
}
