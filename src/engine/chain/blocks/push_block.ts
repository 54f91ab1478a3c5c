/**
 * Blocks from outside: checks, fork choice and fork switches.
 * spring: libraries/chain/controller.cpp (create_block_handle, maybe_apply_blocks)
 */
import { check } from '../../errors.ts'
import { packSignedBlock, unpackSignedBlock } from '../../protocol/block.ts'
import type { SignedBlock } from '../../protocol/block.ts'
import { bytesEqual } from '../../protocol/hex.ts'
import { Reader } from '../../protocol/reader.ts'
import { packOne } from '../../protocol/writer.ts'
import { applyBlock } from './apply_block.ts'
import type { BlockState } from '../headers/block_state.ts'
import { validateBlock } from './block_validation.ts'
import type { KnownTransactions, TransactionLookup } from './recover_block.ts'
import type { ChainParts } from './chain_parts.ts'
import { recoverMetadataKeys } from '../base/transaction_metadata.ts'
import { considerVoting, keepCertificate } from '../voting/consider_voting.ts'
import type { ForkAdd } from '../forks/fork_database.ts'
import {
  advanceIrreversible,
  beginSavannaIfDue,
  executableBlocks,
  executesIrreversible,
} from './irreversible.ts'
import { popBlocks } from './pop_blocks.ts'

/**
 * Checks a signed block, adds it to the fork database and applies what is best then.
 * @throws ChainError the reason to refuse the block, or the branch that it completes; the head is
 *   what it was then
 */
export function pushBlock(
  chain: ChainParts,
  given: SignedBlock | Uint8Array,
  lookup?: TransactionLookup,
): ForkAdd {
  check(!chain.pending, 'block_validate_exception', 'abort the pending block before a push')
  const packed = given instanceof Uint8Array ? given : packOne(packSignedBlock, given)
  const block = given instanceof Uint8Array ? unpackSignedBlock(new Reader(given)) : given
  const result = acceptBlock(chain, block, packed)
  if (result !== 'duplicate') applyBest(chain, lookup)
  return result
}

/**
 * Checks a signed block and adds it to the fork database without executing it. A pending block is
 * not affected. spring: libraries/chain/controller.cpp (accept_block)
 * @param known see {@link KnownTransactions}
 * @throws ChainError the reason to refuse the block
 */
export function acceptBlock(
  chain: ChainParts,
  block: SignedBlock,
  packed: Uint8Array,
  known?: KnownTransactions,
): ForkAdd {
  const state = validateBlock(chain, block, packed, known)
  if (state === undefined) return 'duplicate'
  keepCertificate(chain, state)
  considerVoting(chain, state)
  const is_late = executesIrreversible(chain)
  // It may be long until it is executed.
  if (is_late) chain.writer.accept(state, false)
  const result = chain.forks.add(state)
  if (is_late) beginSavannaIfDue(chain)
  chain.events.emit('headerAccepted', state)
  return result
}

/**
 * Moves the head to the best block of the fork database: undoes the blocks of the old branch down
 * to the common ancestor, then applies those of the new branch. If a block is invalid, it and all
 * blocks that build on it are removed from the fork database, the old branch is restored, and the
 * error is thrown.
 *
 * In the read mode `irreversible` the head moves along the blocks that are irreversible. Where the chain pauses, or the
 * node ends, the head stays.
 * @param max the most blocks that are applied, if no block is undone
 */
export function applyBest(chain: ChainParts, lookup?: TransactionLookup, max = Infinity): void {
  if (executesIrreversible(chain)) return applyIrreversible(chain, lookup, max)
  const { forks } = chain
  const best = forks.head
  // A certificate can make blocks final though the block that carries it is not the best.
  if (bytesEqual(best.id, chain.head.id)) return advanceIrreversible(chain)
  const [new_branch, old_branch] = forks.branchesFrom(best.id, chain.head.id)
  new_branch.reverse()
  old_branch.reverse()
  if (old_branch.length > 0) {
    chain.log('info', `switching forks from ${blockText(chain.head)} to ${blockText(best)}`)
    popBlocks(chain, old_branch.length)
  }
  const count = old_branch.length > 0 ? new_branch.length : Math.min(new_branch.length, max)
  for (const [index, block] of new_branch.slice(0, count).entries()) {
    if (waitsOrEnds(chain)) break
    try {
      applyBlock(chain, block, block.validated ? 'validated' : 'complete', lookup)
    } catch (error) {
      // It is already the head: the error came after it, and is not the fault of the block.
      if (bytesEqual(chain.head.id, block.id)) throw error
      forks.remove(block.id)
      if (old_branch.length > 0) restoreBranch(chain, old_branch, index)
      throw error
    }
  }
  for (const block of old_branch) {
    for (const meta of block.trx_metas ?? []) {
      // Blocks that were validated lightly do not know who signed.
      const known = meta.recovered_keys.length > 0
      const signed = known ? meta : recoverMetadataKeys(meta, chain.chain_id)
      chain.events.emit('transactionUndone', signed)
    }
  }
  advanceIrreversible(chain)
}

/** spring: libraries/chain/controller.cpp (apply_blocks, log_irreversible) */
function applyIrreversible(
  chain: ChainParts,
  lookup: TransactionLookup | undefined,
  max: number,
): void {
  for (const block of executableBlocks(chain).slice(0, max)) {
    if (waitsOrEnds(chain)) break
    try {
      applyBlock(chain, block, block.validated ? 'validated' : 'complete', lookup)
    } catch (error) {
      if (!bytesEqual(chain.head.id, block.id)) chain.forks.remove(block.id)
      throw error
    }
  }
  advanceIrreversible(chain)
}

/**
 * Whether the head is at the block where an operator pauses the chain, or where the node ends: later blocks stay in
 * the fork database. spring: libraries/chain/controller.cpp (apply_block: should_terminate, should_pause)
 */
function waitsOrEnds({ head, pause_at_block_num, options }: ChainParts): boolean {
  const { terminate_at_block = 0 } = options
  if (terminate_at_block > 0 && head.block_num >= terminate_at_block) return true
  return head.block_num === pause_at_block_num
}

/**
 * Returns from a branch, of which `applied` blocks were valid, to the previous branch. If the valid
 * blocks made the return irreversible, the head stays on the new branch.
 */
function restoreBranch(
  chain: ChainParts,
  old_branch: readonly BlockState[],
  applied: number,
): void {
  const ancestor = old_branch[0]!.block_num - 1
  if (chain.forks.root.block_num > ancestor) return
  popBlocks(chain, applied)
  for (const block of old_branch) applyBlock(chain, block, 'validated')
}

function blockText(block: BlockState): string {
  return `block ${block.block_num} ${block.key}`
}
