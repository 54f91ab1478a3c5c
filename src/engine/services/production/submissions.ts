/**
 * Submissions: JSON in, executed, the trace as JSON out.
 * spring: plugins/chain_plugin/chain_plugin.cpp (push_transaction, send_transaction_gen, …)
 */
import type { Body } from '../../contract.ts'
import { setImmediate } from 'node:timers/promises'
import { ChainError, check } from '../../errors.ts'
import { toHex } from '../../protocol/hex.ts'
import type { Chain } from '../../chain/chain.ts'
import type { TransactionTrace } from '../../chain/base/trace.ts'
import { exceptDetailString } from '../../json/exception.ts'
import type { TransactionTraceJson } from '../../json/trace.ts'
import { transactionTraceJson, transactionTraceTreeJson } from '../../json/trace.ts'
import type { Clock } from '../../clock.ts'
import type { Producer } from './producer.ts'
import type { SubmitOptions } from './submission.ts'
import { isObject } from '../../abi/lenient_json.ts'
import { abiResolver } from '../../queries/contract_abi.ts'
import { blockFromJson } from '../../queries/block_input.ts'
import { invalidRequest, parseParams, unsignedFromJson } from '../../queries/params.ts'
import type { QueryOptions } from '../../queries/query.ts'
import {
  listedTransactionFromRequest,
  packedTransactionFromRequest,
} from '../../queries/transaction_input.ts'

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

/** Submits a packed transaction; a failure is an error. Traces of inline actions are nested. */
export async function pushTransaction(
  context: SubmissionContext,
  params: Body<'push_transaction'>,
): Promise<TransactionResult> {
  const trace = await submitted(context, params, ERRORS_ALONE)
  return result(context, trace, transactionTraceTreeJson)
}

/** Submits a packed transaction; a failure is an error. */
export async function sendTransaction(
  context: SubmissionContext,
  params: Body<'send_transaction'>,
): Promise<TransactionResult> {
  const trace = await submitted(context, params, ERRORS_ALONE)
  return result(context, trace, transactionTraceJson)
}

/** `{return_failure_trace?, retry_trx?, retry_trx_num_blocks?, transaction}`: a failure is a trace
 *  with `except` unless the client asks for the error. With retry the answer waits for the
 *  transaction's block, and for others on top of it. */
export async function sendTransaction2(
  context: SubmissionContext,
  params: Body<'send_transaction2'>,
): Promise<TransactionResult> {
  const p = parseParams(params, (fields) => ({
    return_failure_trace: fields.bool('return_failure_trace', true),
    retry_trx: fields.bool('retry_trx'),
    num_blocks: fields.optional('retry_trx_num_blocks', (value) => unsignedFromJson(value, 16)),
    transaction: fields.raw('transaction'),
  }))
  const { return_failure_trace, num_blocks } = p
  const retry = p.retry_trx ? { retry: { num_blocks } } : {}
  const trace = await submitted(context, p.transaction, { return_failure_trace, ...retry })
  return result(context, trace, transactionTraceJson)
}

/** Reads a transaction of a request and submits it. */
function submitted(
  context: SubmissionContext,
  transaction: unknown,
  options: Omit<SubmitOptions, 'opened'>,
): Promise<TransactionTrace> {
  const { chain, producer } = context
  const { packed, unpacked } = packedTransactionFromRequest(
    chain,
    transaction,
    context.abiOptions(),
  )
  return producer.submit(packed, { ...options, opened: unpacked })
}

/**
 * Submits one after the other; a refused one becomes `{error}` in its place. What conversions may
 * cost counts for all together, and others are served between two of them.
 */
export async function pushTransactions(
  context: SubmissionContext,
  params: Body<'push_transactions'>,
): Promise<(TransactionResult | RefusedTransaction)[]> {
  check(Array.isArray(params), 'invalid_http_request', 'an array of transactions is expected')
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
      results.push(result(context, trace, transactionTraceTreeJson, writing))
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      const refused = { error: exceptDetailString(error) }
      results.push({ transaction_id: NO_TRANSACTION, processed: refused })
    }
  }
  return results
}

/** Executes and undoes: a packed transaction, bare or as `transaction`. */
export async function computeTransaction(
  context: SubmissionContext,
  params: Body<'compute_transaction'>,
): Promise<TransactionResult> {
  const request = isObject(params) && 'packed_trx' in params ? params : transactionOf(params)
  const { packed } = packedTransactionFromRequest(context.chain, request, context.abiOptions())
  return result(context, await context.producer.compute(packed), transactionTraceJson)
}

/** Executes what may change nothing; signatures are optional. */
export async function sendReadOnlyTransaction(
  context: SubmissionContext,
  params: Body<'send_read_only_transaction'>,
): Promise<TransactionResult> {
  const given = transactionOf(params)
  const request = isObject(given) ? { ...given, signatures: given['signatures'] ?? [] } : given
  const { packed } = packedTransactionFromRequest(context.chain, request, context.abiOptions())
  return result(context, await context.producer.readOnly(packed), transactionTraceJson)
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

function transactionOf(
  params: Body<'compute_transaction' | 'send_read_only_transaction'>,
): unknown {
  return parseParams(params, (fields) => fields.raw('transaction'))
}

function result(
  context: SubmissionContext,
  trace: TransactionTrace,
  toJson: typeof transactionTraceJson,
  options = context.abiOptions(),
): TransactionResult {
  const abiOf = abiResolver(context.chain)
  const now_us = context.clock.now()
  const processed = toJson(trace, { ...options, abiOf, now_us })
  return { transaction_id: toHex(trace.id), processed }
}
