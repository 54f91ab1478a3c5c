/**
 * Transactions, plain and packed. spring: libraries/chain/{transaction.cpp, include/…/transaction.hpp}
 */
import { check } from '../errors.ts'
import type { Action } from './action.ts'
import { packAction, unpackAction } from './action.ts'
import { deferredGenerationContext, readWithContext } from './error_context.ts'
import type { Extension } from './extension.ts'
import { MAX_EXTENSIONS, extractExtensions, packExtension, unpackExtension } from './extension.ts'
import type { Reader } from './reader.ts'
import type { Writer } from './writer.ts'

export type { Action } from './action.ts'
export { packAction, packActionBase, unpackAction } from './action.ts'
export type { PermissionLevel } from './authority.ts'

/** `expiration` and `delay_sec` are seconds; `max_net_usage_words` counts 8 bytes each. */
export interface Transaction {
  expiration: number
  ref_block_num: number
  ref_block_prefix: number
  max_net_usage_words: number
  max_cpu_usage_ms: number
  delay_sec: number
  context_free_actions: Action[]
  actions: Action[]
  transaction_extensions: Extension[]
}

/** The fields of a transaction before its actions. */
export type TransactionHeader = Pick<
  Transaction,
  | 'expiration'
  | 'ref_block_num'
  | 'ref_block_prefix'
  | 'max_net_usage_words'
  | 'max_cpu_usage_ms'
  | 'delay_sec'
>

/**
 * Writes a transaction without signatures in the wire format. spring:
 * libraries/chain/include/eosio/chain/transaction.hpp
 */
export function packTransaction(w: Writer, trx: Transaction): void {
  packTransactionHeader(w, trx)
  w.array(trx.context_free_actions, packAction)
  w.array(trx.actions, packAction)
  w.array(trx.transaction_extensions, packExtension)
}

/** Writes what a transaction has before its actions. spring: transaction_header */
export function packTransactionHeader(w: Writer, trx: TransactionHeader): void {
  w.u32(trx.expiration)
  w.u16(trx.ref_block_num)
  w.u32(trx.ref_block_prefix)
  w.varuint32(trx.max_net_usage_words)
  w.u8(trx.max_cpu_usage_ms)
  w.varuint32(trx.delay_sec)
}

/** Reads a transaction without signatures in the wire format. */
export function unpackTransaction(r: Reader): Transaction {
  return {
    expiration: r.u32(),
    ref_block_num: r.u16(),
    ref_block_prefix: r.u32(),
    max_net_usage_words: r.varuint32(),
    max_cpu_usage_ms: r.u8(),
    delay_sec: r.varuint32(),
    context_free_actions: r.array(unpackAction),
    actions: r.array(unpackAction),
    transaction_extensions: r.array(unpackExtension, MAX_EXTENSIONS),
  }
}

/** A transaction of these actions and nothing else, but for its expiration and its reference to a block. */
export function plainTransaction(
  actions: Action[],
): Omit<Transaction, 'expiration' | 'ref_block_num' | 'ref_block_prefix'> {
  return {
    max_net_usage_words: 0,
    max_cpu_usage_ms: 0,
    delay_sec: 0,
    context_free_actions: [],
    actions,
    transaction_extensions: [],
  }
}

/** The reference to a block that protects a transaction from replay on another fork. */
export function refBlockOf(block_id: Uint8Array): {
  ref_block_num: number
  ref_block_prefix: number
} {
  const view = new DataView(block_id.buffer, block_id.byteOffset, block_id.byteLength)
  return { ref_block_num: view.getUint16(2), ref_block_prefix: view.getUint32(8, true) }
}

/** The account that pays for a transaction: the first authorizer of its actions, or 0. */
export function firstAuthorizer(trx: Transaction): bigint {
  for (const action of trx.actions) {
    const level = action.authorization[0]
    if (level !== undefined) return level.actor
  }
  return 0n
}

/** Extension 0: says which deferred transaction this is the execution of. */
export interface DeferredTransactionGenerationContext {
  sender_trx_id: Uint8Array
  sender_id: bigint
  sender: bigint
}

/** Type id of the extension that names the sender of a deferred transaction. */
export const DEFERRED_GENERATION_CONTEXT_ID = 0

/** Writes the extension of a deferred transaction that names its sender, in the wire format. */
export function packDeferredGenerationContext(
  w: Writer,
  context: DeferredTransactionGenerationContext,
): void {
  w.raw(context.sender_trx_id)
  w.u128(context.sender_id)
  w.u64(context.sender)
}

/**
 * Reads the extension of a deferred transaction that names its sender, in the wire format.
 * @throws ChainError ill_formed_deferred_transaction_generation_context without a sender, or
 *   out_of_range_exception if bytes are missing
 */
export function unpackDeferredGenerationContext(r: Reader): DeferredTransactionGenerationContext {
  const context = { sender_trx_id: r.checksum256(), sender_id: r.u128(), sender: r.u64() }
  check(
    context.sender !== 0n,
    'ill_formed_deferred_transaction_generation_context',
    'Deferred transaction generation context extension must have a non-empty sender account',
  )
  return context
}

const GENERATION_CONTEXT = deferredGenerationContext(unpackDeferredGenerationContext)

/**
 * Checks and reads the extensions of a transaction.
 * @throws ChainError `invalid_transaction_extension`
 */
export function extractTransactionExtensions(trx: Transaction): {
  deferred_generation_context?: DeferredTransactionGenerationContext
} {
  const found = extractExtensions(trx.transaction_extensions, {
    label: 'Transaction extension',
    error: 'invalid_transaction_extension',
    readers: {
      [DEFERRED_GENERATION_CONTEXT_ID]: (r) =>
        readWithContext(
          GENERATION_CONTEXT,
          r.bytes(r.remaining()),
          unpackDeferredGenerationContext,
        ),
    },
  })
  const context = found.get(DEFERRED_GENERATION_CONTEXT_ID)
  if (context === undefined) return {}
  return { deferred_generation_context: context as DeferredTransactionGenerationContext }
}
