/**
 * Packed transactions: signatures, and a transaction as bytes that may be compressed.
 * spring: libraries/chain/transaction.cpp
 */
import { deflateSync, inflateSync } from 'node:zlib'
import { check, fail } from '../errors.ts'
import { ContextFreeData } from './context_free_data.ts'
import { readSignature, writeSignature } from './key.ts'
import { Reader } from './reader.ts'
import type { Transaction } from './transaction.ts'
import { packTransaction, unpackTransaction } from './transaction.ts'
import { varuint32Size, Writer } from './writer.ts'
import { isZlibError } from './zlib_error.ts'

/** The compression of packed transactions that are not compressed. */
export const COMPRESSION_NONE = 0
/** The compression of packed transactions that are compressed by zlib. */
export const COMPRESSION_ZLIB = 1

/**
 * `compression` is 0 (none) or 1 (zlib). Other values are refused when the bytes are decompressed.
 */
export interface PackedTransaction {
  signatures: Uint8Array[]
  compression: number
  packed_context_free_data: Uint8Array
  packed_trx: Uint8Array
}

/** A packed transaction, opened. */
export interface UnpackedTransaction {
  trx: Transaction
  /** The transaction as packed without compression: what its id and signatures cover. */
  trx_bytes: Uint8Array
  context_free_data: ContextFreeData
}

/** Most bytes of a transaction, or of its context free data, after decompression. */
export const MAX_DECOMPRESSED_SIZE = 1024 * 1024

/**
 * Writes a packed transaction with its signatures in the wire format. spring:
 * libraries/chain/include/eosio/chain/transaction.hpp
 */
export function packPackedTransaction(w: Writer, packed: PackedTransaction): void {
  w.array(packed.signatures, writeSignature)
  w.u8(packed.compression)
  w.blob(packed.packed_context_free_data)
  w.blob(packed.packed_trx)
}

/** Reads without opening the inner bytes. */
export function unpackPackedTransaction(r: Reader): PackedTransaction {
  return {
    signatures: r.array(readSignature),
    compression: r.u8(),
    packed_context_free_data: r.blob(),
    packed_trx: r.blob(),
  }
}

function decompress(bytes: Uint8Array): Uint8Array {
  try {
    // A copy: the Buffer would keep a whole chunk of the decompressor alive.
    return new Uint8Array(inflateSync(bytes, { maxOutputLength: MAX_DECOMPRESSED_SIZE }))
  } catch (error) {
    const code = (error as { code?: string }).code
    check(
      code !== 'ERR_BUFFER_TOO_LARGE',
      'tx_decompression_error',
      'Exceeded maximum decompressed transaction size',
    )
    if (!isZlibError(error)) throw error
    fail('exception', 'internal decompression error')
  }
}

/**
 * The packed transaction without compression.
 * @throws ChainError unknown_transaction_compression, and the errors of zlib
 */
function inflate(compression: number, bytes: Uint8Array): Uint8Array {
  if (compression === COMPRESSION_NONE) return bytes
  if (compression === COMPRESSION_ZLIB) return decompress(bytes)
  fail('unknown_transaction_compression', 'Unknown transaction compression algorithm')
}

/**
 * Opens uncompressed transaction bytes. Bytes after the transaction are ignored, and what is signed
 * and hashed is the transaction's shortest form.
 */
export function unpackTrxBytes(bytes: Uint8Array): { trx: Transaction; trx_bytes: Uint8Array } {
  const r = new Reader(bytes)
  const trx = unpackTransaction(r)
  if (r.canonical)
    return { trx, trx_bytes: r.pos === bytes.length ? bytes : bytes.subarray(0, r.pos) }
  const w = new Writer(bytes.length)
  packTransaction(w, trx)
  return { trx, trx_bytes: w.bytes() }
}

/**
 * Opens a packed transaction.
 * @throws ChainError `out_of_range_exception` (truncated), `tx_decompression_error` (over 1 MiB),
 *   `exception` (broken zlib stream), `unknown_transaction_compression`, `assert_exception`
 *   (impossible counts)
 */
export function openPackedTransaction(packed: PackedTransaction): UnpackedTransaction {
  const { trx, trx_bytes } = unpackTrxBytes(inflate(packed.compression, packed.packed_trx))
  const cfd = packed.packed_context_free_data
  const context_free_data =
    cfd.length === 0
      ? ContextFreeData.NONE
      : ContextFreeData.unpack(inflate(packed.compression, cfd))
  return { trx, trx_bytes, context_free_data }
}

/**
 * Packs a transaction, compressed or not.
 * @throws ChainError unknown_transaction_compression
 */
export function makePackedTransaction(
  trx: Transaction,
  signatures: Uint8Array[],
  context_free_data: readonly Uint8Array[] = [],
  compression = COMPRESSION_NONE,
): PackedTransaction {
  const w = new Writer()
  packTransaction(w, trx)
  const cfd = ContextFreeData.of(context_free_data).packed
  if (compression === COMPRESSION_NONE) {
    return { signatures, compression, packed_context_free_data: cfd, packed_trx: w.bytes() }
  }
  check(
    compression === COMPRESSION_ZLIB,
    'unknown_transaction_compression',
    'Unknown transaction compression algorithm',
  )
  const deflate = (bytes: Uint8Array): Uint8Array =>
    new Uint8Array(deflateSync(bytes, { level: 9 }))
  return {
    signatures,
    compression,
    packed_context_free_data: cfd.length === 0 ? cfd : deflate(cfd),
    packed_trx: deflate(w.view()),
  }
}

/** Bytes of signatures and context free data, which may be pruned. */
export function prunableSize(packed: PackedTransaction): number {
  const { signatures, packed_context_free_data } = packed
  let size = varuint32Size(signatures.length) + packed_context_free_data.length
  for (const signature of signatures) size += signature.length
  return size
}
