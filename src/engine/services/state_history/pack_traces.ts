/**
 * The traces of transactions as state history has them.
 * spring: libraries/state_history/{trace_converter.cpp, include/eosio/state_history/serialization.hpp}
 */
import type { AppliedTransaction } from '../../chain/chain_events.ts'
import type { AccountDelta, ActionTrace, TransactionTrace } from '../../chain/base/trace.ts'
import type { TransactionMetadata } from '../../chain/base/transaction_metadata.ts'
import type { ChainError } from '../../errors.ts'
import { packAction } from '../../protocol/action.ts'
import { packActionReceipt } from '../../protocol/action_receipt.ts'
import { packExtension } from '../../protocol/extension.ts'
import { writeSignature } from '../../protocol/key.ts'
import { packTransactionHeader } from '../../protocol/transaction.ts'
import { TransactionStatus } from '../../protocol/transaction_status.ts'
import type { Writer } from '../../protocol/writer.ts'

/** The text for any exception, without the debug mode. */
const EXCEPTION = 'Y'
/** Larger error codes of contracts are written as this one, without the debug mode.
 *  spring: system_error_code::generic_system_error */
const GENERIC_SYSTEM_ERROR = 10_000_000_000_000_000_000n

/**
 * Writes the trace of a transaction that is in a block.
 * @param debug writes times, console output and the texts of exceptions too; they differ between nodes
 */
export function packTransaction(
  w: Writer,
  { trace, meta }: AppliedTransaction,
  debug: boolean,
): void {
  packTransactionTrace(w, trace, meta, debug, TransactionStatus.hard_fail)
}

/** @param failed_status status of a trace without receipt: a deferred transaction that failed */
function packTransactionTrace(
  w: Writer,
  trace: TransactionTrace,
  meta: TransactionMetadata,
  debug: boolean,
  failed_status: number,
): void {
  const { receipt, failed_dtrx_trace: failed } = trace
  w.varuint32(0)
  w.raw(trace.id)
  if (receipt) {
    const told_failed = failed && receipt.status === TransactionStatus.soft_fail
    w.u8(told_failed ? TransactionStatus.executed : receipt.status)
    w.u32(receipt.cpu_usage_us)
    w.varuint32(receipt.net_usage_words)
  } else {
    w.u8(failed_status)
    w.u32(0)
    w.varuint32(0)
  }
  packElapsed(w, trace, debug)
  w.safeInteger(trace.net_usage)
  w.bool(trace.scheduled)
  w.varuint32(trace.action_traces.length)
  for (const action of trace.action_traces) packActionTrace(w, action, debug)
  w.optional(trace.account_ram_delta, packAccountDelta)
  packException(w, trace, debug)
  w.bool(failed !== undefined)
  if (failed) {
    const is_soft = receipt?.status === TransactionStatus.soft_fail
    const status = is_soft ? TransactionStatus.soft_fail : TransactionStatus.hard_fail
    packTransactionTrace(w, failed, meta, debug, status)
  }
  w.bool(!failed)
  if (!failed) packPartialTransaction(w, meta)
}

function packActionTrace(w: Writer, trace: ActionTrace, debug: boolean): void {
  const { receipt, act, account_ram_deltas, return_value } = trace
  w.varuint32(1)
  w.varuint32(trace.action_ordinal)
  w.varuint32(trace.creator_action_ordinal)
  w.bool(receipt !== undefined)
  if (receipt) {
    w.varuint32(0)
    packActionReceipt(w, receipt)
  }
  w.u64(trace.receiver)
  packAction(w, act)
  w.bool(trace.context_free)
  packElapsed(w, trace, debug)
  if (debug) w.byteString(trace.console)
  else w.varuint32(0)
  w.varuint32(account_ram_deltas.length)
  for (const delta of account_ram_deltas) packAccountDelta(w, delta)
  packException(w, trace, debug)
  w.blob(return_value)
}

function packElapsed(w: Writer, { elapsed }: { elapsed: number }, debug: boolean): void {
  w.safeInteger(debug ? Math.trunc(elapsed) : 0)
}

function packAccountDelta(w: Writer, { account, delta }: AccountDelta): void {
  w.u64(account)
  w.safeInteger(delta)
}

function packException(
  w: Writer,
  { except, error_code }: Pick<ActionTrace, 'except' | 'error_code'>,
  debug: boolean,
): void {
  w.bool(except !== undefined)
  if (except) w.string(debug ? exceptionText(except) : EXCEPTION)
  w.bool(error_code !== undefined)
  if (error_code === undefined) return
  w.u64(!debug && error_code >= GENERIC_SYSTEM_ERROR ? GENERIC_SYSTEM_ERROR : error_code)
}

/** spring: libraries/libfc/src/exception.cpp (exception::to_string) */
function exceptionText({ what, code, details }: ChainError): string {
  return `${what} (${code})\n${details.map(({ message }) => `${message}\n`).join('')}`
}

/** What a transaction has beside its actions. spring: partial_transaction */
function packPartialTransaction(w: Writer, meta: TransactionMetadata): void {
  const { trx, packed, context_free_data } = meta
  w.varuint32(0)
  packTransactionHeader(w, trx)
  w.array(trx.transaction_extensions, packExtension)
  w.array(packed.signatures, writeSignature)
  w.array(context_free_data.list(), (out, data) => out.blob(data))
}
