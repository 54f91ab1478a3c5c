/**
 * The first steps of every block, whether it is produced, validated or replayed.
 * spring: libraries/chain/controller.cpp (start_block)
 */
import assert from 'node:assert'
import { ChainError, check } from '../../errors.ts'
import { toHex } from '../../protocol/hex.ts'
import { BuildingBlock } from './building_block.ts'
import type { StartBlock } from './building_block.ts'
import type { ChainParts } from './chain_parts.ts'
import { activateFeature } from '../rules/features.ts'
import { pushOnBlock } from './onblock.ts'
import { updateProducersAuthority } from './producers_authority.ts'
import type { TransactionTrace } from '../base/trace.ts'

/**
 * Opens the pending block. Returns the trace of its onblock transaction, unless the block is
 * ephemeral. Order: protocol features, pending schedule, onblock, expired transactions, authority
 * of eosio.prods. After a failure there is no pending block, and nothing has changed.
 * @throws ChainError block_validate_exception if there is a pending block, or the reason why none
 *   can be started
 */
export function startBlock(chain: ChainParts, args: StartBlock): TransactionTrace | undefined {
  check(!chain.pending, 'block_validate_exception', 'pending block already exists')
  assert.equal(chain.db.revision, chain.head.block_num, 'the database is not at the head block')
  const session = chain.db.startSession()
  try {
    const block = new BuildingBlock(chain, session, args)
    chain.pending = block
    chain.events.emit('blockStarted', block)
    if (args.status === 'ephemeral') return undefined
    activateFeatures(chain, block)
    promoteSchedule(block)
    const trace = executeOnBlock(chain, block)
    clearExpiredTransactions(block, args.deadline_us ?? Infinity)
    updateProducersAuthority(block)
    return trace
  } catch (error) {
    chain.pending = undefined
    session.undo()
    throw error
  }
}

/** Activates the block's features; all that were preactivated must be among them. */
function activateFeatures(chain: ChainParts, block: BuildingBlock): void {
  const { db } = block
  const state = db.protocol_state.single()
  const preactivated = new Set(state.preactivated_protocol_features.map(toHex))
  const seen = new Set<string>()
  for (const digest of block.new_features) {
    const hex = toHex(digest)
    check(
      !seen.has(hex),
      'block_validate_exception',
      `attempted duplicate activation within a single block: ${hex}`,
    )
    seen.add(hex)
    const feature = chain.features.byDigest(digest)
    check(
      preactivated.delete(hex) || !feature.preactivation_required,
      'protocol_feature_exception',
      `attempted to activate protocol feature without prior required preactivation: ${hex}`,
    )
    activateFeature(block, feature)
    block.activate(digest)
  }
  check(
    preactivated.size === 0,
    'block_validate_exception',
    'There are pre-activated protocol features that were not activated at the start of this block',
  )
  if (block.new_features.length === 0) return
  db.protocol_state.modify(state, (row) => {
    row.preactivated_protocol_features = []
    row.activated_protocol_features.push(
      ...block.new_features.map((feature_digest) => ({
        feature_digest,
        activation_block_num: block.block_num,
      })),
    )
  })
}

/** A proposed schedule becomes pending once the block that proposed it is irreversible. */
function promoteSchedule(block: BuildingBlock): void {
  const { db, legacy: header_state } = block
  if (header_state === undefined) return
  const gpo = db.global_property.single()
  const proposed_in = gpo.proposed_schedule_block_num
  // Number 0 cannot propose; the reference tests the optional alone.
  if (proposed_in === undefined) return
  if (proposed_in > header_state.dpos_irreversible_blocknum) return
  if (header_state.prev_pending_schedule.schedule.producers.length > 0) return
  check(
    gpo.proposed_schedule.version === header_state.active_schedule_version + 1,
    'producer_schedule_exception',
    'wrong producer schedule version specified',
  )
  block.new_pending_schedule = gpo.proposed_schedule
  db.global_property.modify(gpo, (row) => {
    row.proposed_schedule_block_num = undefined
    row.proposed_schedule = { version: 0, producers: [] }
  })
}

/** Notifies the system contract of the head block. A failure is recorded and otherwise ignored. */
function executeOnBlock(chain: ChainParts, block: BuildingBlock): TransactionTrace | undefined {
  try {
    const trace = pushOnBlock(block)
    if (trace.except) {
      chain.log('warn', `onblock ${block.block_num} is REJECTING: ${trace.except.message}`)
    }
    return trace
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    chain.log('warn', `on block transaction failed due to ${error.errorName}: ${error.message}`)
    return undefined
  }
}

/** Removes transactions from the deduplication list that can no longer be included in a block. */
function clearExpiredTransactions(block: BuildingBlock, deadline_us: number): void {
  const { transaction } = block.db
  const now_us = block.block_time_us
  for (;;) {
    const oldest = transaction.lowerBound('by_expiration')
    if (oldest === undefined || now_us <= oldest.expiration * 1_000_000) return
    transaction.remove(oldest)
    if (deadline_us !== Infinity && deadline_us <= block.clock()) return
  }
}
