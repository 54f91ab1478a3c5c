/**
 * Ids and digests of the protocol's objects. They share one buffer for packing, so no call may
 * happen inside another's packing.
 */
import type { Action } from '../protocol/action.ts'
import { packAction, packActionBase } from '../protocol/action.ts'
import type { BlockHeader, TransactionReceipt } from '../protocol/block.ts'
import { blockNumOf, packBlockHeader } from '../protocol/block.ts'
import { ContextFreeData } from '../protocol/context_free_data.ts'
import type { GenesisState } from '../protocol/genesis.ts'
import { packGenesis } from '../protocol/genesis.ts'
import { writeSignature } from '../protocol/key.ts'
import type { PackedTransaction } from '../protocol/packed_transaction.ts'
import type { ProducerAuthoritySchedule, ProducerScheduleLegacy } from '../protocol/schedule.ts'
import { packProducerAuthoritySchedule, packProducerScheduleLegacy } from '../protocol/schedule.ts'
import type { Transaction } from '../protocol/transaction.ts'
import { packTransaction } from '../protocol/transaction.ts'
import { Writer } from '../protocol/writer.ts'
import { sha256 } from './hash.ts'

const writer = new Writer(64 * 1024)
const ZERO_DIGEST = new Uint8Array(32)

function digestOf<T>(pack: (w: Writer, v: T) => void, value: T): Uint8Array {
  writer.reset()
  pack(writer, value)
  return sha256(writer.view())
}

/** sha256 of two digests after each other. */
export function pairDigest(a: Uint8Array, b: Uint8Array): Uint8Array {
  writer.reset()
  writer.raw(a)
  writer.raw(b)
  return sha256(writer.view())
}

/** The id of a transaction, given as packed without compression or as fields. */
export function transactionId(trx: Uint8Array | Transaction): Uint8Array {
  return trx instanceof Uint8Array ? sha256(trx) : digestOf(packTransaction, trx)
}

/** The digest that signatures of a transaction sign. spring: transaction::sig_digest */
export function signingDigest(
  chain_id: Uint8Array,
  trx_bytes: Uint8Array,
  context_free_data = ContextFreeData.NONE,
): Uint8Array {
  const cfd = context_free_data.length === 0 ? ZERO_DIGEST : sha256(context_free_data.packed)
  writer.reset()
  writer.raw(chain_id)
  writer.raw(trx_bytes)
  writer.raw(cfd)
  return sha256(writer.view())
}

/** The digest of a header, without signature. */
export function blockHeaderDigest(header: BlockHeader): Uint8Array {
  return digestOf(packBlockHeader, header)
}

/** The id of a block: its header's digest with the block number in the first four bytes. */
export function blockId(header: BlockHeader): Uint8Array {
  const id = blockHeaderDigest(header)
  const num = blockNumOf(header)
  id[0] = num >>> 24
  id[1] = num >>> 16
  id[2] = num >>> 8
  id[3] = num
  return id
}

/**
 * The `act_digest` of a receipt: of the action alone, or, since ACTION_RETURN_VALUE, of the action
 * and what it returned. spring: generate_action_digest in action.hpp
 */
export function actionDigest(action: Action, return_value?: Uint8Array): Uint8Array {
  if (return_value === undefined) return digestOf(packAction, action)
  const base = digestOf(packActionBase, action)
  writer.reset()
  writer.blob(action.data)
  writer.blob(return_value)
  return pairDigest(base, sha256(writer.view()))
}

/** The digest of a packed transaction as a receipt has it. spring: packed_transaction::packed_digest */
export function packedTransactionDigest(packed: PackedTransaction): Uint8Array {
  writer.reset()
  writer.array(packed.signatures, writeSignature)
  writer.blob(packed.packed_context_free_data)
  const prunable = sha256(writer.view())
  writer.reset()
  writer.u8(packed.compression)
  writer.blob(packed.packed_trx)
  writer.raw(prunable)
  return sha256(writer.view())
}

/**
 * The leaf of a block's transaction Merkle tree.
 * @param packed_digest of its packed transaction, if that is known
 */
export function transactionReceiptDigest(
  receipt: TransactionReceipt,
  packed_digest?: Uint8Array,
): Uint8Array {
  const trx =
    'id' in receipt.trx
      ? receipt.trx.id
      : (packed_digest ?? packedTransactionDigest(receipt.trx.packed))
  writer.reset()
  writer.u8(receipt.status)
  writer.u32(receipt.cpu_usage_us)
  writer.varuint32(receipt.net_usage_words)
  writer.raw(trx)
  return sha256(writer.view())
}

/** The chain id. */
export function chainId(genesis: GenesisState): Uint8Array {
  return digestOf(packGenesis, genesis)
}

/** The hash of a schedule that block signatures cover before WTMSIG_BLOCK_SIGNATURES. */
export function scheduleDigestLegacy(schedule: ProducerScheduleLegacy): Uint8Array {
  return digestOf(packProducerScheduleLegacy, schedule)
}

/** The hash of a schedule that block signatures cover since WTMSIG_BLOCK_SIGNATURES. */
export function scheduleDigest(schedule: ProducerAuthoritySchedule): Uint8Array {
  return digestOf(packProducerAuthoritySchedule, schedule)
}

/**
 * The digest that a producer signs before Savanna. spring: block_header_state_legacy::sig_digest
 * @param header_digest of the block
 * @param blockroot incremental Merkle root of the ids of all blocks before it
 * @param pending_schedule_hash of the pending schedule
 */
export function blockSigningDigestLegacy(
  header_digest: Uint8Array,
  blockroot: Uint8Array,
  pending_schedule_hash: Uint8Array,
): Uint8Array {
  return pairDigest(pairDigest(header_digest, blockroot), pending_schedule_hash)
}
