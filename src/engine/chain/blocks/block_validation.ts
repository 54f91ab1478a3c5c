/**
 * Checks of a signed block that need only the state of its predecessor, without execution.
 * spring: libraries/chain/controller.cpp (create_block_state_i)
 */
import { check } from '../../errors.ts'
import { blockId, transactionReceiptDigest } from '../../crypto/digests.ts'
import { legacyMerkle, savannaMerkle } from '../../crypto/merkle.ts'
import { recoverKey } from '../../crypto/keys.ts'
import type {
  BlockHeader,
  SignedBlock,
  SignedBlockHeader,
  TransactionReceipt,
} from '../../protocol/block.ts'
import { extractBlockExtensions, extractHeaderExtensions } from '../../protocol/block_extension.ts'
import type { QuorumCertificate } from '../../protocol/finality.ts'
import { bytesEqual, toHex } from '../../protocol/hex.ts'
import { publicKeyToString } from '../../protocol/key.ts'
import { nextHeaderState } from '../headers/legacy/header_state.ts'
import { verifySignatures, verifySignee } from '../headers/block_signing.ts'
import { BlockState } from '../headers/block_state.ts'
import type { ChainParts } from './chain_parts.ts'
import { areKnown, type KnownTransactions } from './recover_block.ts'
import { checkBlockInvariants } from '../headers/block_invariants.ts'
import type { OpenedBlock } from '../headers/block_invariants.ts'
import { checkSavannaHeader } from '../headers/savanna/check_header.ts'
import { nextSavannaState } from '../headers/savanna/next_header_state.ts'
import { verifyQcBasic, verifyQcSignatures } from '../headers/savanna/quorum_certificate.ts'
import type { AggregateVerifier } from '../headers/savanna/quorum_certificate.ts'
import { unsigned } from '../headers/savanna/genesis.ts'
import {
  isProperSavanna,
  policiesOf,
  producerAt,
  refOnBranch,
} from '../headers/savanna/header_state.ts'
import { transitionState } from '../headers/savanna/transition.ts'
import { finishHeaderState } from '../headers/legacy/finish_header.ts'
import type { HeaderRules } from '../headers/legacy/finish_header.ts'

/**
 * The state of a block that is new here, checked but for its execution; undefined when the block is
 * known already.
 * @param known see {@link KnownTransactions}
 * @throws ChainError the reason to refuse the block
 */
export function validateBlock(
  chain: ChainParts,
  block: SignedBlock,
  packed: Uint8Array,
  known?: KnownTransactions,
): BlockState | undefined {
  const id = blockId(block)
  if (chain.forks.get(id) !== undefined) return undefined
  const proper = isProperSavanna(block)
  const prev = chain.forks.get(block.previous)
  check(
    prev !== undefined && proper === chain.forks.savanna,
    'unlinkable_block_exception',
    () => `unlinkable block ${toHex(id)} previous ${toHex(block.previous)}`,
  )
  const opened = openBlock(block)
  const qc = checkBlockInvariants(prev, opened)
  const next = successor(prev, opened, packed, chain.header_rules)
  // First, so that only a producer can make this node hash all that a block may have.
  verifyBlockSignatures(prev, next, opened)
  const digests = receiptDigests(block, known)
  const mroot = proper ? savannaMerkle(digests) : legacyMerkle(digests)
  check(
    bytesEqual(block.transaction_mroot, mroot),
    'block_validate_exception',
    () =>
      `invalid block transaction merkle root ${toHex(block.transaction_mroot)} != ${toHex(mroot)}`,
  )
  if (qc !== undefined) verifyCertificate(prev, qc, chain.finality.verifier.verify)
  if (known !== undefined && areKnown(known)) next.trx_metas = known
  return next
}

/**
 * Refuses a block by its header, where that can be done: the rest of it may take long to read.
 * @throws ChainError unlinkable_block_exception, wrong_signing_key
 */
export function checkSignedHeader(
  chain: ChainParts,
  id: Uint8Array,
  header: SignedBlockHeader,
): void {
  const { forks } = chain
  if (forks.get(id) !== undefined) return
  const prev = forks.get(header.previous)
  check(prev !== undefined, 'unlinkable_block_exception', () => `unlinkable block ${toHex(id)}`)
  // What is signed before Savanna needs more than the header.
  if (!isProperSavanna(header) || !forks.savanna) return
  const { authority } = producerAt(prev.savanna_state, header.timestamp)
  const signer = recoverKey(header.producer_signature, id)
  check(
    authority[1].keys.some(({ key }) => bytesEqual(key, signer)),
    'wrong_signing_key',
    () => `block signed by unexpected key: ${publicKeyToString(signer)}`,
  )
}

function receiptDigests(
  { transactions }: SignedBlock,
  known: KnownTransactions = [],
): Uint8Array[] {
  let index = 0
  return transactions.map((receipt) => {
    const meta = 'packed' in receipt.trx ? known[index++] : undefined
    return transactionReceiptDigest(receipt, meta?.packed_digest)
  })
}

/** The extent of the checks of blocks from a log. */
export interface TrustedChecks {
  rules: HeaderRules
  /** Verify the signatures of producers and finalizers too, with this. */
  signatures?: AggregateVerifier | undefined
}

/** The state of a block on top of `prev` that was checked when it came in: a log's or a journal's.
 *  Everything is checked that costs little. */
export function trustedBlockState(
  prev: BlockState,
  block: SignedBlock,
  packed: Uint8Array,
  { rules, signatures }: TrustedChecks,
): BlockState {
  const opened = openBlock(block)
  const qc = checkBlockInvariants(prev, opened)
  if (qc !== undefined) verifyCertificate(prev, qc, signatures)
  const next = successor(prev, opened, packed, rules)
  if (signatures) verifyBlockSignatures(prev, next, opened)
  return next
}

function openBlock(block: SignedBlock): OpenedBlock {
  return {
    block,
    header_extensions: extractHeaderExtensions(block.header_extensions),
    block_extensions: extractBlockExtensions(block.block_extensions),
  }
}

/** The state that follows from a header; who signed it is not checked. */
function successor(
  prev: BlockState,
  opened: OpenedBlock,
  packed: Uint8Array,
  rules: HeaderRules,
): BlockState {
  const { block, header_extensions, block_extensions } = opened
  if (isProperSavanna(block)) {
    const parent = prev.savanna_state
    const extensions = checkSavannaHeader(parent, block, header_extensions, rules)
    const savanna = nextSavannaState(parent, unsigned(block), extensions)
    return new BlockState({ savanna }, block, packed)
  }
  check(prev.legacy, 'block_validate_exception', 'a legacy block after a Savanna block')
  const pending = nextHeaderState(prev.legacy, block.timestamp, block.confirmed)
  const signatures = block_extensions.additional_block_signatures ?? []
  const legacy = finishHeaderState(pending, block, signatures, rules)
  return new BlockState({ legacy, savanna: transitionState(prev, legacy) }, block, packed)
}

function verifyBlockSignatures(prev: BlockState, next: BlockState, opened: OpenedBlock): void {
  if (next.legacy !== undefined) return verifySignee(next.legacy)
  const { block, block_extensions } = opened
  const { authority } = producerAt(prev.savanna_state, block.timestamp)
  const additional = block_extensions.additional_block_signatures ?? []
  verifySignatures(authority, next.id, [block.producer_signature, ...additional])
}

/** Verifies a certificate that the block after `prev` carries; its signatures only with `verify`. */
function verifyCertificate(
  prev: BlockState,
  qc: QuorumCertificate,
  verify: AggregateVerifier | undefined,
): void {
  const parent = prev.savanna_state
  const policies = policiesOf(parent, refOnBranch(parent, qc.block_num))
  verifyQcBasic(qc, policies)
  if (verify) verifyQcSignatures(qc, policies, verify)
}

/** The difference between the expected and the computed header; for messages. */
export function headerDifference(expected: BlockHeader, made: BlockHeader): string {
  const differences: string[] = []
  for (const field of HEADER_FIELDS) {
    const a = fieldText(expected[field])
    const b = fieldText(made[field])
    if (a !== b) differences.push(`${field}: ${a} != ${b}`)
  }
  return differences.join('; ')
}

const HEADER_FIELDS = [
  'timestamp',
  'producer',
  'confirmed',
  'previous',
  'transaction_mroot',
  'action_mroot',
  'schedule_version',
  'new_producers',
  'header_extensions',
] as const

function fieldText(value: BlockHeader[(typeof HEADER_FIELDS)[number]]): string {
  return JSON.stringify(
    value ?? null,
    function (this: Record<string, unknown>, key, item: unknown) {
      // A Buffer has already been converted to an object here.
      const raw = this[key]
      if (raw instanceof Uint8Array) return toHex(raw)
      return typeof item === 'bigint' ? item.toString() : item
    },
  )
}

/** A receipt as text, for messages. */
export function receiptText(receipt: TransactionReceipt): string {
  const { status, cpu_usage_us, net_usage_words } = receipt
  return JSON.stringify({ status, cpu_usage_us, net_usage_words })
}
