/**
 * Executes a signed block on top of the head and compares the result with its header.
 * spring: libraries/chain/controller.cpp (apply_block, replay_irreversible_block)
 */
import { ChainError, check } from '../../errors.ts'
import { extractHeaderExtensions } from '../../protocol/block_extension.ts'
import type { HeaderExtensions } from '../../protocol/block_extension.ts'
import { TransactionStatus } from '../../protocol/transaction_status.ts'
import { bytesEqual, toHex } from '../../protocol/hex.ts'
import type { SignedBlock, TransactionReceipt } from '../../protocol/block.ts'
import type { PackedTransaction } from '../../protocol/packed_transaction.ts'
import type { BlockStatus } from '../execution/block_context.ts'
import type { PushLimits } from '../execution/push_limits.ts'
import type { BlockState } from '../headers/block_state.ts'
import { headerDifference, receiptText } from './block_validation.ts'
import type { BuildingBlock } from './building_block.ts'
import { samePacked, type TransactionLookup } from './recover_block.ts'
import type { ChainParts } from './chain_parts.ts'
import { abortBlock, commitBlock } from './commit_block.ts'
import type { SavannaHeaderState } from '../headers/savanna/header_state.ts'
import { isProperSavanna } from '../headers/savanna/header_state.ts'
import { transitionValid } from '../headers/savanna/transition.ts'
import { nextValid, ownFinalityRoot } from '../headers/savanna/valid_structure.ts'
import { finishBlock } from './finish_block.ts'
import type { GivenResults } from './finish_block.ts'
import { pushScheduledById, pushTransaction } from '../execution/push_transaction.ts'
import { startBlock } from './start_block.ts'
import { createMetadata, recoverMetadataKeys } from '../base/transaction_metadata.ts'
import type { TransactionMetadata } from '../base/transaction_metadata.ts'

/** Their listeners may want the decoded transactions of a block; else an irreversible one does not keep them. */
const BLOCK_EVENTS = ['blockApplied', 'blockAccepted', 'blockIrreversible'] as const

/** Limits of transactions whose billing their block fixes: what is billed is set for each of them. */
function validating(): PushLimits {
  return {
    block_deadline_us: Infinity,
    max_transaction_time_us: Infinity,
    billed_cpu_time_us: 0,
    explicit_billed_cpu_time: true,
  }
}

/**
 * Makes `next` the head by executing it; `next` must build on the head and its header, signatures
 * and transaction root must have been checked.
 * @throws ChainError the reason why the block is wrong; then the head and the state are what they
 *   were
 */
export function applyBlock(
  chain: ChainParts,
  next: BlockState,
  status: Exclude<BlockStatus, 'incomplete' | 'ephemeral'>,
  lookup?: TransactionLookup,
): void {
  const { block } = next
  const extensions = extractHeaderExtensions(block.header_extensions)
  startBlock(chain, {
    slot: block.timestamp,
    confirmed: block.confirmed,
    features: extensions.protocol_feature_activation ?? [],
    status,
    savanna: next.is_proper_savanna,
    transition: extensions.finality_extension !== undefined,
    producer_block_id: next.id,
  })
  const building = chain.pending!
  try {
    const metas = next.trx_metas
    const keeps_metas = status !== 'irreversible' || BLOCK_EVENTS.some((e) => chain.events.has(e))
    const limits = validating()
    let index = 0
    for (const receipt of block.transactions) {
      limits.billed_cpu_time_us = receipt.cpu_usage_us
      applyReceipt(building, receipt, limits, metas?.[index], lookup)
      if ('packed' in receipt.trx) index += 1
      if (!keeps_metas) building.trx_metas.length = 0
    }
    const header = finishBlock(building, chain.header_rules, givenResults(block, extensions))
    if (next.savanna !== undefined) extendFinalityTree(building, next, next.savanna)
    check(
      bytesEqual(header.id, next.id),
      'block_validate_exception',
      () =>
        `Block ID does not match, ${toHex(next.id)} != ${toHex(header.id)}: ` +
        headerDifference(block, header.header),
    )
    next.trx_metas = building.trx_metas
    commitBlock(chain, next, status)
  } catch (error) {
    abortBlock(chain)
    if (error instanceof ChainError) error.append(`block ${next.block_num} ${toHex(next.id)}`)
    throw error
  }
}

/** Data that is taken from the header and checked separately from the comparison of ids. */
function givenResults(block: SignedBlock, extensions: HeaderExtensions): GivenResults {
  const { transaction_mroot, action_mroot } = block
  const { finality_extension } = extensions
  if (!isProperSavanna(block) || !finality_extension) return { transaction_mroot }
  const { qc_claim } = finality_extension
  return { transaction_mroot, finality: { qc_claim, finality_mroot: action_mroot } }
}

/** Adds the block to the finality tree, and checks the root that its header carries. */
function extendFinalityTree(
  building: BuildingBlock,
  next: BlockState,
  savanna: SavannaHeaderState,
): void {
  const { parent } = building
  const action_mroot = building.savannaActionRoot()
  next.action_mroot = action_mroot
  if (next.legacy !== undefined) {
    next.valid = transitionValid(parent, savanna, action_mroot)
    return
  }
  next.valid = nextValid(parent.savanna_state, parent.valid_structure, savanna, action_mroot)
  const actual = ownFinalityRoot(savanna, next.valid)
  check(
    bytesEqual(next.header.action_mroot, actual),
    'block_validate_exception',
    () =>
      `finality_mroot does not match, received finality_mroot: ` +
      `${toHex(next.header.action_mroot)} != actual_finality_mroot: ${toHex(actual)}`,
  )
}

/** Executes one transaction of a block and checks that it leaves the block's own receipt. */
function applyReceipt(
  building: BuildingBlock,
  receipt: TransactionReceipt,
  limits: PushLimits,
  known: TransactionMetadata | undefined,
  lookup: TransactionLookup | undefined,
): void {
  const before = building.receipts.length
  const { trx } = receipt
  const trace =
    'packed' in trx
      ? pushTransaction(building, known ?? metadata(building, trx.packed, lookup), limits)
      : pushScheduledById(building, trx.id, limits)
  const can_fail = receipt.status === TransactionStatus.hard_fail && 'id' in trx
  if (trace.except && !can_fail) throw trace.except
  check(
    building.receipts.length === before + 1,
    'block_validate_exception',
    () => `expected receipt was not added, block_num ${building.block_num}`,
  )
  const made = building.receipts[before]!
  check(
    made.status === receipt.status &&
      made.cpu_usage_us === receipt.cpu_usage_us &&
      made.net_usage_words === receipt.net_usage_words,
    'block_validate_exception',
    () => `receipt does not match, ${receiptText(made)} != ${receiptText(receipt)}`,
  )
}

/** The metadata of a block's transaction: seen before, or opened now, with keys if they matter. */
function metadata(
  building: BuildingBlock,
  packed: PackedTransaction,
  lookup: TransactionLookup | undefined,
): TransactionMetadata {
  const opened = createMetadata(packed, 'input')
  const seen = lookup?.(toHex(opened.id))
  if (seen !== undefined && samePacked(seen.packed, packed)) return seen
  return building.light_validation ? opened : recoverMetadataKeys(opened, building.chain_id)
}
