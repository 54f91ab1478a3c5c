/**
 * The transaction of a request that submits one, and what the request asks for.
 * spring: plugins/chain_plugin/chain_plugin.cpp (push_transaction, send_transaction_gen, …)
 */
import { isObject } from '../../abi/lenient_json.ts'
import type { Body } from '../../contract.ts'
import type { PackedTransaction, UnpackedTransaction } from '../../protocol/packed_transaction.ts'
import { parseParams, unsignedFromJson } from '../../queries/params.ts'
import type { QueryChain, QueryOptions } from '../../queries/query.ts'
import { packedTransactionFromRequest } from '../../queries/transaction_input.ts'
import type { SubmitOptions } from './submission.ts'

/** The operations that take one transaction. */
export const SUBMISSIONS = [
  'push_transaction',
  'send_transaction',
  'send_transaction2',
  'compute_transaction',
  'send_read_only_transaction',
] as const
/** The name of an operation that submits or executes one transaction. */
export type SubmissionName = (typeof SUBMISSIONS)[number]

/** What a request says. */
export interface SubmissionRequest extends SubmitOptions {
  /** The transaction as JSON; it was not looked at. */
  transaction: unknown
}

/** A submission that was read. */
export interface Submission extends SubmitOptions {
  operation: SubmissionName
  packed: PackedTransaction
  opened: UnpackedTransaction
}

const ERRORS_ALONE = { return_failure_trace: false }

const REQUESTS: { [Op in SubmissionName]: (body: Body<Op>) => SubmissionRequest } = {
  push_transaction: (transaction) => ({ transaction, ...ERRORS_ALONE }),
  send_transaction: (transaction) => ({ transaction, ...ERRORS_ALONE }),
  // A failure is a trace with `except` unless the client asks for the error.
  send_transaction2: (body) => {
    const { return_failure_trace, retry_trx, num_blocks, transaction } = parseParams(
      body,
      (fields) => ({
        return_failure_trace: fields.bool('return_failure_trace', true),
        retry_trx: fields.bool('retry_trx'),
        num_blocks: fields.optional('retry_trx_num_blocks', (value) => unsignedFromJson(value, 16)),
        transaction: fields.raw('transaction'),
      }),
    )
    const retry = retry_trx ? { retry: { num_blocks } } : {}
    return { transaction, return_failure_trace, ...retry }
  },
  // A packed transaction, bare or as `transaction`.
  compute_transaction: (body) => ({
    transaction: isObject(body) && 'packed_trx' in body ? body : transactionOf(body),
    return_failure_trace: true,
  }),
  // Signatures are optional.
  send_read_only_transaction: (body) => {
    const given = transactionOf(body)
    const transaction = isObject(given)
      ? { ...given, signatures: given['signatures'] ?? [] }
      : given
    return { transaction, return_failure_trace: true }
  },
}

function transactionOf(body: Body<'compute_transaction' | 'send_read_only_transaction'>): unknown {
  return parseParams(body, (fields) => fields.raw('transaction'))
}

/** What a request asks for.
 *  @throws ChainError invalid_http_request */
export function submissionRequest<Op extends SubmissionName>(
  operation: Op,
  body: Body<Op>,
): SubmissionRequest {
  return REQUESTS[operation](body)
}

/** Reads and opens the transaction of a request.
 *  @throws ChainError the errors of {@link packedTransactionFromRequest} */
export function readSubmission(
  chain: Pick<QueryChain, 'db'>,
  operation: SubmissionName,
  { transaction, ...options }: SubmissionRequest,
  abi_options: QueryOptions,
): Submission {
  const { packed, unpacked } = packedTransactionFromRequest(chain, transaction, abi_options)
  return { operation, packed, opened: unpacked, ...options }
}
