/**
 * Submissions: JSON in, executed, the trace as JSON out.
 * spring: plugins/chain_plugin/chain_plugin.cpp (push_transaction, send_transaction_gen, …)
 */
import type { Body } from '../../contract.ts'
import { setImmediate } from 'node:timers/promises'
import { isObject } from '../../abi/lenient_json.ts'
import { ChainError, check } from '../../errors.ts'
import { toHex } from '../../protocol/hex.ts'
import type { Chain } from '../../chain/chain.ts'
import type { TransactionTrace } from '../../chain/base/trace.ts'
import { exceptDetailString } from '../../json/exception.ts'
import type { TransactionTraceJson } from '../../json/trace.ts'
import { transactionTraceJson, transactionTraceTreeJson } from '../../json/trace.ts'
import type { Clock } from '../../clock.ts'
import type { Producer } from './producer.ts'
import { readSubmission, submissionRequest } from './submission_requests.ts'
import type { Submission, SubmissionName } from './submission_requests.ts'
import { abiResolver } from '../../queries/contract_abi.ts'
import { blockFromJson } from '../../queries/block_input.ts'
import { invalidRequest } from '../../queries/params.ts'
import type { QueryOptions } from '../../queries/query.ts'
import { listedTransactionFromRequest } from '../../queries/transaction_input.ts'

/** What executes submissions. */
export type Submitter = Pick<Producer, 'submit' | 'compute' | 'readOnly' | 'pushBlock'>

/** The parts of the node that a submission request uses. */
export interface SubmissionContext {
  chain: Chain
  producer: Submitter
  clock: Pick<Clock, 'now'>
  /** New ones for what a request reads, and for the traces that it answers: they carry what is left. */
  abiOptions: () => QueryOptions
}

/** The answer to a submission. */
export interface TransactionResult {
  transaction_id: string
  processed: TransactionTraceJson
}

/** The answer of push_transactions for a transaction that was refused. */
export interface RefusedTransaction {
  transaction_id: string
  processed: { error: string }
}

/** Most transactions of one push_transactions. spring: read_write::push_transactions */
const MAX_PUSHED = 1000
const NO_TRANSACTION = '0'.repeat(64)
const ERRORS_ALONE = { return_failure_trace: false }

/** Reads the transaction of a request and submits it. */
export async function submitRequest<Op extends SubmissionName>(
  context: SubmissionContext,
  operation: Op,
  body: Body<Op>,
): Promise<TransactionResult> {
  const request = submissionRequest(operation, body)
  return submit(context, readSubmission(context.chain, operation, request, context.abiOptions()))
}

/** Executes a submission that was read. */
export async function submit(
  context: SubmissionContext,
  submission: Submission,
): Promise<TransactionResult> {
  const trace = await executed(context.producer, submission)
  // Traces of inline actions are nested in the answers of push_transaction.
  const is_tree = submission.operation === 'push_transaction'
  return transactionResult(
    context,
    trace,
    is_tree ? transactionTraceTreeJson : transactionTraceJson,
  )
}

function executed(producer: Submitter, submission: Submission): Promise<TransactionTrace> {
  const { operation, packed, opened } = submission
  if (operation === 'compute_transaction') return producer.compute(packed, opened)
  if (operation === 'send_read_only_transaction') return producer.readOnly(packed, opened)
  return producer.submit(packed, submission)
}

/**
 * Submits one after the other; a refused one becomes `{error}` in its place. What conversions may
 * cost counts for all together, and others are served between two of them.
 * @throws ChainError invalid_http_request if one is not an object, too_many_tx_at_once
 */
export async function pushTransactions(
  context: SubmissionContext,
  params: Body<'push_transactions'>,
): Promise<(TransactionResult | RefusedTransaction)[]> {
  check(Array.isArray(params), 'invalid_http_request', 'an array of transactions is expected')
  check(
    params.every(isObject),
    'invalid_http_request',
    'Unable to parse valid input from POST body',
  )
  check(
    params.length <= MAX_PUSHED,
    'too_many_tx_at_once',
    'Attempt to push too many transactions at once',
  )
  const results: (TransactionResult | RefusedTransaction)[] = []
  const reading = context.abiOptions()
  const writing = context.abiOptions()
  for (const item of params) {
    await setImmediate()
    try {
      const { packed } = listedTransactionFromRequest(context.chain, item, reading)
      const trace = await context.producer.submit(packed, ERRORS_ALONE)
      results.push(transactionResult(context, trace, transactionTraceTreeJson, writing))
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      const refused = { error: exceptDetailString(error) }
      results.push({ transaction_id: NO_TRANSACTION, processed: refused })
    }
  }
  return results
}

/** Pushes a block in the form of get_raw_block; a known block changes nothing. */
export async function pushBlock(
  { producer }: Pick<SubmissionContext, 'producer'>,
  params: Body<'push_block'>,
): Promise<Record<string, never>> {
  const block = invalidRequest('Unable to parse valid input from POST body', () =>
    blockFromJson(params),
  )
  await producer.pushBlock(block)
  return {}
}

/** The answer for a transaction that was executed; its data are decoded with the ABIs of now. */
export function transactionResult(
  context: Omit<SubmissionContext, 'producer'>,
  trace: TransactionTrace,
  toJson = transactionTraceJson,
  options = context.abiOptions(),
): TransactionResult {
  const abiOf = abiResolver(context.chain)
  const now_us = context.clock.now()
  const processed = toJson(trace, { budget: options.budget, abiOf, now_us })
  return { transaction_id: toHex(trace.id), processed }
}
