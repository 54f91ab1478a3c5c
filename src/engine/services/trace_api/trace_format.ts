/**
 * The bytes of trace slices: blocks with the traces of their transactions, and the entries of the files that tell
 * where a block or a transaction is. Blocks of older versions can be read.
 * spring: plugins/trace_api_plugin/include/eosio/trace_api/{trace,data_log,metadata_log}.hpp
 */
import type { AppliedBlock, AppliedTransaction } from '../../chain/chain_events.ts'
import { check, fail } from '../../errors.ts'
import { packPermissionLevel, unpackPermissionLevel } from '../../protocol/authority.ts'
import { MAX_ARRAY_ELEMENTS } from '../../protocol/constants.ts'
import type { PermissionLevel } from '../../protocol/authority.ts'
import { readSignature, writeSignature } from '../../protocol/key.ts'
import type { Reader } from '../../protocol/reader.ts'
import { TransactionStatus } from '../../protocol/transaction_status.ts'
import type { TransactionStatusCode } from '../../protocol/transaction_status.ts'
import type { TransactionHeader } from '../../protocol/transaction.ts'
import { packTransactionHeader } from '../../protocol/transaction.ts'
import type { Writer } from '../../protocol/writer.ts'
import type { ActionTrace, TransactionTrace } from '../../chain/base/trace.ts'

/** An action of a transaction. */
export interface TracedAction {
  readonly global_sequence: bigint
  readonly receiver: bigint
  readonly account: bigint
  readonly action: bigint
  readonly authorization: readonly PermissionLevel[]
  readonly data: Uint8Array
  /** Absent in blocks of version 0 and 1. */
  readonly return_value: Uint8Array | undefined
}

/** What a transaction cost; absent in blocks of version 0. */
export interface TracedReceipt {
  readonly status: TransactionStatusCode
  readonly cpu_usage_us: number
  readonly net_usage_words: number
  readonly signatures: readonly Uint8Array[]
  readonly header: TransactionHeader
}

/** The block that a transaction ran in; absent in blocks of older versions. */
export interface TracedPlace {
  readonly block_num: number
  /** Slot. */
  readonly block_time: number
  /** Undefined if this node produced the block. */
  readonly producer_block_id: Uint8Array | undefined
}

/** A transaction of a {@link TracedBlock}. */
export interface TracedTransaction {
  readonly id: Uint8Array
  readonly actions: readonly TracedAction[]
  readonly receipt: TracedReceipt | undefined
  readonly place: TracedPlace | undefined
}

/** A block as a slice contains it: its transactions with their actions. */
export interface TracedBlock {
  readonly id: Uint8Array
  readonly number: number
  readonly previous_id: Uint8Array
  /** Slot. */
  readonly timestamp: number
  readonly producer: bigint
  /** Absent in blocks of version 0. */
  readonly roots:
    | {
        readonly transaction_mroot: Uint8Array
        readonly action_mroot: Uint8Array
        readonly schedule_version: number
      }
    | undefined
  readonly transactions: readonly TracedTransaction[]
}

/** The version of blocks that is written, and of their transactions. */
const BLOCK_VERSION = 2
const TRANSACTION_VERSION = 3

/** Writes a block with its traced transactions, which {@link packTransaction} packed. */
export function packBlock(
  w: Writer,
  { block }: AppliedBlock,
  traced: { readonly count: number; readonly packed: Uint8Array },
): void {
  const { header } = block
  w.varuint32(BLOCK_VERSION)
  w.raw(block.id)
  w.u32(block.block_num)
  w.raw(header.previous)
  w.u32(header.timestamp)
  w.u64(header.producer)
  w.raw(header.transaction_mroot)
  w.raw(header.action_mroot)
  w.u32(header.schedule_version)
  // A list of transactions of version 3 instead of version 2.
  w.varuint32(TRANSACTION_VERSION - 2)
  w.varuint32(traced.count)
  w.raw(traced.packed)
}

/** The id by which users know a transaction: that of the deferred transaction that failed, not of its onerror. */
export function tracedId({ id, failed_dtrx_trace }: TransactionTrace): Uint8Array {
  return (failed_dtrx_trace ?? { id }).id
}

/** Whether a transaction is traced: it was executed, or its onerror was. */
export function isTraced({ trace: { receipt } }: AppliedTransaction): boolean {
  const status = receipt?.status
  return status === TransactionStatus.executed || status === TransactionStatus.soft_fail
}

/** Writes what a traced transaction did. */
export function packTransaction(w: Writer, { trace, meta }: AppliedTransaction): void {
  const { receipt, action_traces } = trace
  w.raw(tracedId(trace))
  w.varuint32(0)
  w.varuint32(action_traces.reduce((sum, { context_free }) => sum + (context_free ? 0 : 1), 0))
  for (const action of action_traces) if (!action.context_free) packAction(w, action)
  w.u8(receipt!.status)
  w.u32(receipt!.cpu_usage_us)
  w.varuint32(receipt!.net_usage_words)
  w.array(meta.packed.signatures, writeSignature)
  packTransactionHeader(w, meta.trx)
  w.u32(trace.block_num)
  w.u32(trace.block_time)
  w.optional(trace.producer_block_id, (out, id) => out.raw(id))
}

function packAction(w: Writer, { receipt, receiver, act, return_value }: ActionTrace): void {
  w.u64(receipt?.global_sequence ?? 0n)
  w.u64(receiver)
  w.u64(act.account)
  w.u64(act.name)
  w.array(act.authorization, packPermissionLevel)
  w.blob(act.data)
  w.blob(return_value)
}

/** Reads a block of any version. @throws ChainError out_of_range_exception if it ends early,
 *  assert_exception for an unknown version */
export function unpackBlock(r: Reader): TracedBlock {
  const version = r.varuint32()
  if (version > BLOCK_VERSION) unknownVariant()
  const block = {
    id: r.checksum256(),
    number: r.u32(),
    previous_id: r.checksum256(),
    timestamp: r.u32(),
    producer: r.u64(),
  }
  const old = version < BLOCK_VERSION ? r.array((from) => unpackTransaction(from, 0)) : []
  if (version === 0) return { ...block, roots: undefined, transactions: old }
  const roots = {
    transaction_mroot: r.checksum256(),
    action_mroot: r.checksum256(),
    schedule_version: r.u32(),
  }
  const of_version = version === 1 ? 1 : 2 + r.varuint32()
  if (of_version > TRANSACTION_VERSION) unknownVariant()
  const transactions = r.array((from) => unpackTransaction(from, of_version))
  return { ...block, roots, transactions }
}

function unpackTransaction(r: Reader, version: number): TracedTransaction {
  const id = r.checksum256()
  if (version >= 2 && r.varuint32() !== 0) unknownVariant()
  const actions = r.array((from) => unpackAction(from, version))
  const receipt = version === 0 ? undefined : unpackReceipt(r)
  const place = version < TRANSACTION_VERSION ? undefined : unpackPlace(r)
  return { id, actions, receipt, place }
}

function unpackAction(r: Reader, version: number): TracedAction {
  return {
    global_sequence: r.u64(),
    receiver: r.u64(),
    account: r.u64(),
    action: r.u64(),
    authorization: r.array(unpackPermissionLevel),
    data: r.blob(),
    return_value: version >= 2 ? r.blob() : undefined,
  }
}

function unpackReceipt(r: Reader): TracedReceipt {
  return {
    status: r.u8() as TransactionStatusCode,
    cpu_usage_us: r.u32(),
    net_usage_words: r.varuint32(),
    signatures: r.array(readSignature),
    header: {
      expiration: r.u32(),
      ref_block_num: r.u16(),
      ref_block_prefix: r.u32(),
      max_net_usage_words: r.varuint32(),
      max_cpu_usage_ms: r.u8(),
      delay_sec: r.varuint32(),
    },
  }
}

function unpackPlace(r: Reader): TracedPlace {
  return {
    block_num: r.u32(),
    block_time: r.u32(),
    producer_block_id: r.optional((from) => from.checksum256()),
  }
}

/** An entry of an index: where a block is, which block is irreversible, or which transactions a block has. */
export type SliceEntry =
  | {
      readonly kind: 'block'
      readonly id: Uint8Array
      readonly number: number
      readonly offset: number
    }
  | { readonly kind: 'lib'; readonly lib: number }
  | { readonly kind: 'trxs'; readonly ids: Uint8Array; readonly block_num: number }

/** The number of a block's entry in the variant of entries of an index. */
export const ENTRY_BLOCK = 0
/** The number of the entry of a last irreversible block. */
export const ENTRY_LIB = 1
const ENTRY_TRXS = 2

/** Bytes of an id. */
export const ID = 32

/** Bytes of the entry of a block, the longest of an index. */
export const BLOCK_ENTRY = 1 + ID + 4 + 8
/** Bytes of the entry of the last irreversible block. */
export const LIB_ENTRY = 1 + 4

/** Writes the entry of a block: where its trace begins. */
export function packBlockEntry(w: Writer, id: Uint8Array, number: number, offset: number): void {
  w.varuint32(ENTRY_BLOCK)
  w.raw(id)
  w.u32(number)
  w.u64(BigInt(offset))
}

/** Writes the entry of the last irreversible block. */
export function packLibEntry(w: Writer, lib: number): void {
  w.varuint32(ENTRY_LIB)
  w.u32(lib)
}

/** Writes the entry of a block's transactions. */
export function packTrxsEntry(w: Writer, ids: readonly Uint8Array[], block_num: number): void {
  w.varuint32(ENTRY_TRXS)
  w.array(ids, (out, id) => out.raw(id))
  w.u32(block_num)
}

/** Reads an entry. @throws ChainError out_of_range_exception if it ends early, assert_exception */
export function unpackEntry(r: Reader): SliceEntry {
  const kind = r.varuint32()
  if (kind === ENTRY_BLOCK) {
    return { kind: 'block', id: r.checksum256(), number: r.u32(), offset: Number(r.u64()) }
  }
  if (kind === ENTRY_LIB) return { kind: 'lib', lib: r.u32() }
  if (kind !== ENTRY_TRXS) unknownVariant()
  const count = r.varuint32()
  check(count <= MAX_ARRAY_ELEMENTS, 'assert_exception', 'size.value <= MAX_NUM_ARRAY_ELEMENTS: ')
  return { kind: 'trxs', ids: r.bytes(count * ID), block_num: r.u32() }
}

function unknownVariant(): never {
  fail('assert_exception', 'Provided index out of range for variant.')
}
