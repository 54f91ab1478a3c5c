import { check, fail } from '../errors.ts'
import { blockId } from '../crypto/digests.ts'
import { legacyMerkle } from '../crypto/merkle.ts'
import type { BlockHeader } from '../protocol/block.ts'
import type { BuildingBlock } from './building_block.ts'
import { makeBlockHeader } from './finish_header.ts'
import type { HeaderRules } from './finish_header.ts'
import {
  elasticLimit,
  processAccountLimitUpdates,
  processBlockUsage,
  setBlockParameters,
} from './resource_limits.ts'

/** Row of a block in the ring of recent block ids. */
const TAPOS_MASK = 0xffff

/** A finished block, not signed yet. */
export interface FinishedBlock {
  id: Uint8Array
  header: BlockHeader
}

/**
 * Ends the execution of a block: resource limits, header with both Merkle roots, TAPOS ring.
 * `transaction_mroot` is given when it was verified beforehand.
 * spring: libraries/chain/controller.cpp (assemble_block)
 */
export function finishBlock(
  block: BuildingBlock,
  rules: HeaderRules,
  transaction_mroot?: Uint8Array,
): FinishedBlock {
  updateResourceLimits(block)
  if (block.proposals.proposed_finalizer_policy !== undefined) {
    fail(
      'unsupported_feature',
      `block ${block.block_num} sets the first finalizer policy, which begins the transition to ` +
        'Savanna (instant finality); this version cannot follow it yet',
    )
  }
  const { receipt_digests } = block
  const digests = block.action_digests.legacy
  check(digests, 'block_validate_exception', 'legacy block without legacy action digests')
  const header = makeBlockHeader(
    block.header_state,
    {
      transaction_mroot: transaction_mroot ?? legacyMerkle(receipt_digests ?? []),
      action_mroot: legacyMerkle(digests),
      new_producers: block.new_pending_schedule,
      features: block.new_features,
    },
    rules,
  )
  const id = blockId(header)
  const summary = block.db.block_summary.getById(block.block_num & TAPOS_MASK)
  block.db.block_summary.modify(summary, (row) => {
    row.block_id = id
  })
  return { id, header }
}

/** Accounts get the limits that were asked for; the block's usage moves the virtual limits. */
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
