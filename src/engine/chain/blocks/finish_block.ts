import { TAPOS_MASK } from '../../protocol/constants.ts'
import { check } from '../../errors.ts'
import { blockId } from '../../crypto/digests.ts'
import { legacyMerkle, savannaMerkle } from '../../crypto/merkle.ts'
import type { BlockHeader } from '../../protocol/block.ts'
import type { QcClaim } from '../../protocol/finality.ts'
import type { PendingHeaderState } from '../headers/legacy/header_state.ts'
import type { BuildingBlock, SavannaStart } from './building_block.ts'
import { makeSavannaHeader } from '../headers/savanna/make_header.ts'
import { transitionExtension } from '../headers/savanna/transition.ts'
import { makeBlockHeader } from '../headers/legacy/finish_header.ts'
import type { HeaderRules } from '../headers/legacy/finish_header.ts'
import {
  elasticLimit,
  processAccountLimitUpdates,
  processBlockUsage,
  setBlockParameters,
} from '../rules/resource_limits.ts'

/** A finished block, not signed yet. */
export interface FinishedBlock {
  id: Uint8Array
  header: BlockHeader
}

/** The fields of a block's header that do not result from its execution. */
export interface GivenResults {
  /** If it was verified beforehand. */
  transaction_mroot?: Uint8Array
  /** Of a proper Savanna block. */
  finality?: { qc_claim: QcClaim; finality_mroot: Uint8Array }
}

/**
 * Ends the execution of a block: resource limits, header with its Merkle roots, TAPOS ring.
 * spring: libraries/chain/controller.cpp (assemble_block)
 */
export function finishBlock(
  block: BuildingBlock,
  rules: HeaderRules,
  given: GivenResults = {},
): FinishedBlock {
  updateResourceLimits(block)
  const header = block.legacy
    ? legacyHeader(block, block.legacy, rules, given)
    : savannaHeader(block, block.savanna!, given)
  const id = blockId(header)
  const summary = block.db.block_summary.getById(block.block_num & TAPOS_MASK)
  block.db.block_summary.modify(summary, (row) => {
    row.block_id = id
  })
  return { id, header }
}

function legacyHeader(
  block: BuildingBlock,
  pending: PendingHeaderState,
  rules: HeaderRules,
  given: GivenResults,
): BlockHeader {
  const digests = block.action_digests.legacy
  check(digests, 'block_validate_exception', 'legacy block without legacy action digests')
  const { proposed_finalizer_policy: proposed } = block.proposals
  return makeBlockHeader(
    pending,
    {
      transaction_mroot: given.transaction_mroot ?? legacyMerkle(block.receipt_digests ?? []),
      action_mroot: digests.legacyRoot(),
      new_producers: block.new_pending_schedule,
      features: block.new_features,
      finality: transitionExtension(block.parent, block.block_num, proposed?.policy),
    },
    rules,
  )
}

function savannaHeader(
  block: BuildingBlock,
  start: SavannaStart,
  given: GivenResults,
): BlockHeader {
  const { finality } = given
  check(finality, 'block_validate_exception', 'a Savanna block without a claim')
  const { proposed_finalizer_policy, proposed_schedule } = block.proposals
  return makeSavannaHeader(block.parent.savanna_state, {
    slot: start.slot,
    producer: start.producer.producer_name,
    transaction_mroot: given.transaction_mroot ?? savannaMerkle(block.receipt_digests ?? []),
    finality_mroot: finality.finality_mroot,
    features: block.new_features,
    qc_claim: finality.qc_claim,
    new_finalizer_policy: proposed_finalizer_policy?.policy,
    new_producers: proposed_schedule?.producers,
    active_proposer_policy: start.active_proposer_policy,
  })
}

/** Accounts get the requested limits; the block's usage changes the virtual limits. */
function updateResourceLimits(block: BuildingBlock): void {
  const { db } = block
  processAccountLimitUpdates(db)
  const { configuration: config } = db.global_property.single()
  setBlockParameters(
    db,
    elasticLimit(BigInt(config.max_block_cpu_usage), config.target_block_cpu_usage_pct),
    elasticLimit(BigInt(config.max_block_net_usage), config.target_block_net_usage_pct),
  )
  processBlockUsage(db, block.block_num)
}
