/**
 * Blocks. spring: libraries/chain/include/eosio/chain/{block_header,block}.hpp
 */
import { check } from '../errors.ts'
import type { Extension } from './extension.ts'
import { MAX_EXTENSIONS, packExtension, unpackExtension } from './extension.ts'
import { readSignature, writeSignature } from './key.ts'
import type { PackedTransaction } from './packed_transaction.ts'
import { packPackedTransaction, unpackPackedTransaction } from './packed_transaction.ts'
import type { Reader } from './reader.ts'
import type { ProducerScheduleLegacy } from './schedule.ts'
import { packProducerScheduleLegacy, unpackProducerScheduleLegacy } from './schedule.ts'
import type { Writer } from './writer.ts'

/** `timestamp` is a slot. */
export interface BlockHeader {
  timestamp: number
  producer: bigint
  /** Blocks before this one that the producer confirms; 0 under Savanna. */
  confirmed: number
  previous: Uint8Array
  transaction_mroot: Uint8Array
  /** Merkle root of action receipts; under Savanna the root of the finality tree. */
  action_mroot: Uint8Array
  schedule_version: number
  /** Only before WTMSIG_BLOCK_SIGNATURES. */
  new_producers?: ProducerScheduleLegacy
  header_extensions: Extension[]
}

/** A block header with the producer's signature. */
export interface SignedBlockHeader extends BlockHeader {
  producer_signature: Uint8Array
}

/** The transaction of a receipt: the id of a deferred one, or a packed one. */
export type ReceiptTransaction = { id: Uint8Array } | { packed: PackedTransaction }

/** The receipt of a transaction in a block. */
export interface TransactionReceipt {
  status: number
  cpu_usage_us: number
  net_usage_words: number
  trx: ReceiptTransaction
}

/** A whole block. spring: libraries/chain/include/eosio/chain/block.hpp */
export interface SignedBlock extends SignedBlockHeader {
  transactions: TransactionReceipt[]
  block_extensions: Extension[]
}

/**
 * Writes a block header in the wire format. spring:
 * libraries/chain/include/eosio/chain/block_header.hpp
 */
export function packBlockHeader(w: Writer, h: BlockHeader): void {
  w.u32(h.timestamp)
  w.u64(h.producer)
  w.u16(h.confirmed)
  w.raw(h.previous)
  w.raw(h.transaction_mroot)
  w.raw(h.action_mroot)
  w.u32(h.schedule_version)
  w.optional(h.new_producers, packProducerScheduleLegacy)
  w.array(h.header_extensions, packExtension)
}

/** Reads a block header in the wire format. */
export function unpackBlockHeader(r: Reader): BlockHeader {
  const header: BlockHeader = {
    timestamp: r.u32(),
    producer: r.u64(),
    confirmed: r.u16(),
    previous: r.checksum256(),
    transaction_mroot: r.checksum256(),
    action_mroot: r.checksum256(),
    schedule_version: r.u32(),
    header_extensions: [],
  }
  const new_producers = r.optional(unpackProducerScheduleLegacy)
  if (new_producers !== undefined) header.new_producers = new_producers
  header.header_extensions = r.array(unpackExtension, MAX_EXTENSIONS)
  return header
}

/** Writes a block header with the producer's signature in the wire format. */
export function packSignedBlockHeader(w: Writer, h: SignedBlockHeader): void {
  packBlockHeader(w, h)
  writeSignature(w, h.producer_signature)
}

/** Reads a block header with the producer's signature in the wire format. */
export function unpackSignedBlockHeader(r: Reader): SignedBlockHeader {
  const header = unpackBlockHeader(r) as SignedBlockHeader
  header.producer_signature = readSignature(r)
  return header
}

/**
 * Writes a transaction receipt of a block in the wire format. spring:
 * libraries/chain/include/eosio/chain/block.hpp
 */
export function packTransactionReceipt(w: Writer, receipt: TransactionReceipt): void {
  w.u8(receipt.status)
  w.u32(receipt.cpu_usage_us)
  w.varuint32(receipt.net_usage_words)
  if ('id' in receipt.trx) {
    w.varuint32(0)
    w.raw(receipt.trx.id)
  } else {
    w.varuint32(1)
    packPackedTransaction(w, receipt.trx.packed)
  }
}

/**
 * Reads a transaction receipt of a block in the wire format.
 * @throws ChainError assert_exception, or out_of_range_exception if bytes are missing
 */
export function unpackTransactionReceipt(r: Reader): TransactionReceipt {
  const status = r.u8()
  const cpu_usage_us = r.u32()
  const net_usage_words = r.varuint32()
  const kind = r.varuint32()
  check(kind <= 1, 'assert_exception', 'Provided index out of range for variant.')
  const trx = kind === 0 ? { id: r.checksum256() } : { packed: unpackPackedTransaction(r) }
  return { status, cpu_usage_us, net_usage_words, trx }
}

/**
 * Writes a whole block in the wire format. spring: libraries/chain/include/eosio/chain/block.hpp
 */
export function packSignedBlock(w: Writer, block: SignedBlock): void {
  packSignedBlockHeader(w, block)
  w.array(block.transactions, packTransactionReceipt)
  w.array(block.block_extensions, packExtension)
}

/** Reads a block. Its byte strings are views of the source. */
export function unpackSignedBlock(r: Reader): SignedBlock {
  const block = unpackSignedBlockHeader(r) as SignedBlock
  block.transactions = r.array(unpackTransactionReceipt)
  block.block_extensions = r.array(unpackExtension, MAX_EXTENSIONS)
  return block
}

/** The block number, which the first four bytes of an id hold big endian. */
export function blockNumFromId(id: Uint8Array): number {
  return (
    (((id[0] as number) << 24) |
      ((id[1] as number) << 16) |
      ((id[2] as number) << 8) |
      (id[3] as number)) >>>
    0
  )
}

/** The number of the block with this header. */
export function blockNumOf(header: BlockHeader): number {
  return blockNumFromId(header.previous) + 1
}
