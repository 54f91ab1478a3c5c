import { blockId } from '../crypto/digests.ts'
import { blockNumOf } from '../protocol/block.ts'
import type { SignedBlock, SignedBlockHeader } from '../protocol/block.ts'
import { extractBlockExtensions, extractHeaderExtensions } from '../protocol/block_extension.ts'
import type { Extension } from '../protocol/extension.ts'
import { toHex } from '../protocol/hex.ts'
import { signatureToString } from '../protocol/key.ts'
import { nameToString } from '../protocol/name.ts'
import { refBlockOf } from '../protocol/transaction.ts'
import { slotToString } from '../protocol/time.ts'
import type { FinalityExtensionJson, QuorumCertificateJson } from './finality.ts'
import { finalityExtensionToJson, quorumCertificateToJson } from './finality.ts'
import type { ProducerAuthorityScheduleJson, ProducerScheduleLegacyJson } from './protocol.ts'
import { producerAuthorityScheduleToJson, producerScheduleLegacyToJson } from './protocol.ts'
import type { DecodeContext, RawReceiptJson, ReceiptJson } from './transaction.ts'
import { rawReceiptToJson, receiptToJson } from './transaction.ts'

/** The first fields of a header in each of its forms. */
export interface HeaderFieldsJson {
  timestamp: string
  producer: string
  confirmed: number
  previous: string
  transaction_mroot: string
  action_mroot: string
  schedule_version: number
}

/** Type and content in hex of each extension. */
export type ExtensionsJson = [number, string][]

/** A signed header as it is packed. */
export interface SignedHeaderJson extends HeaderFieldsJson {
  new_producers?: ProducerScheduleLegacyJson
  header_extensions: ExtensionsJson
  producer_signature: string
}

/** A block as it is packed. */
export interface RawBlockJson extends SignedHeaderJson {
  transactions: RawReceiptJson[]
  block_extensions: ExtensionsJson
}

/** A block with transactions and extensions decoded. */
export interface BlockJson extends HeaderFieldsJson {
  new_producers: ProducerScheduleLegacyJson | null
  new_protocol_features?: { feature_digest: string }[]
  new_producer_schedule?: ProducerAuthorityScheduleJson
  finality_extension?: FinalityExtensionJson
  producer_signature: string
  transactions: ReceiptJson[]
  additional_signatures?: { signatures: string[] }
  qc_extension?: { qc: QuorumCertificateJson }
  id: string
  block_num: number
  ref_block_prefix: number
}

/** The fields of a block header as JSON, as the reference shows them. */
export function headerFieldsToJson(header: SignedBlockHeader): HeaderFieldsJson {
  return {
    timestamp: slotToString(header.timestamp),
    producer: nameToString(header.producer),
    confirmed: header.confirmed,
    previous: toHex(header.previous),
    transaction_mroot: toHex(header.transaction_mroot),
    action_mroot: toHex(header.action_mroot),
    schedule_version: header.schedule_version,
  }
}

/** Extensions as JSON: pairs of type and hexadecimal data. */
export function extensionsToJson(extensions: readonly Extension[]): ExtensionsJson {
  return extensions.map(([type, data]) => [type, toHex(data)])
}

/** A signed header in its packed form: extensions stay hexadecimal. */
export function signedHeaderToJson(header: SignedBlockHeader): SignedHeaderJson {
  return {
    ...headerFieldsToJson(header),
    ...(header.new_producers && {
      new_producers: producerScheduleLegacyToJson(header.new_producers),
    }),
    header_extensions: extensionsToJson(header.header_extensions),
    producer_signature: signatureToString(header.producer_signature),
  }
}

/** A block in its packed form: nothing is decoded. */
export function rawBlockToJson(block: SignedBlock): RawBlockJson {
  return {
    ...signedHeaderToJson(block),
    transactions: block.transactions.map(rawReceiptToJson),
    block_extensions: extensionsToJson(block.block_extensions),
  }
}

/** Nesting of a block's receipts in an answer. */
const RECEIPT_DEPTH = 4

/**
 * A block with transactions and extensions decoded, and its id.
 * spring: abi_to_variant::add of signed_block, read_only::convert_block
 */
export function blockToJson(block: SignedBlock, c: DecodeContext): BlockJson {
  let empty = without_transactions.get(block)
  if (!empty) without_transactions.set(block, (empty = withoutTransactions(block)))
  if (block.transactions.length === 0) return empty
  const transactions = block.transactions.map((receipt) => receiptToJson(receipt, c, RECEIPT_DEPTH))
  return { ...empty, transactions }
}

/** The JSON of blocks as if they had no transactions, which depends on nothing else and is made once. */
const without_transactions = new WeakMap<SignedBlock, Readonly<BlockJson>>()

function withoutTransactions(block: SignedBlock): Readonly<BlockJson> {
  const header = extractHeaderExtensions(block.header_extensions)
  const extensions = extractBlockExtensions(block.block_extensions)
  const {
    protocol_feature_activation: features,
    producer_schedule_change,
    finality_extension,
  } = header
  const { additional_block_signatures, quorum_certificate } = extensions
  const id = blockId(block)
  return {
    ...headerFieldsToJson(block),
    new_producers: block.new_producers ? producerScheduleLegacyToJson(block.new_producers) : null,
    ...(features && {
      new_protocol_features: features.map((digest) => ({ feature_digest: toHex(digest) })),
    }),
    ...(producer_schedule_change && {
      new_producer_schedule: producerAuthorityScheduleToJson(producer_schedule_change),
    }),
    ...(finality_extension && { finality_extension: finalityExtensionToJson(finality_extension) }),
    producer_signature: signatureToString(block.producer_signature),
    transactions: [],
    ...(additional_block_signatures && {
      additional_signatures: { signatures: additional_block_signatures.map(signatureToString) },
    }),
    ...(quorum_certificate && {
      qc_extension: { qc: quorumCertificateToJson(quorum_certificate) },
    }),
    id: toHex(id),
    block_num: blockNumOf(block),
    ref_block_prefix: refBlockOf(id).ref_block_prefix,
  }
}
