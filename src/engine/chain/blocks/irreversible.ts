import { blockNumFromId } from '../../protocol/block.ts'
import { bytesEqual } from '../../protocol/hex.ts'
import type { BlockState } from '../headers/block_state.ts'
import type { ChainParts } from './chain_parts.ts'
import { makeBlockRef } from '../headers/savanna/header_state.ts'

/**
 * Makes blocks final that the head makes irreversible, or that certificates made final: each block
 * is appended to the log and its rows to the store's queue, then its undo history is dropped and
 * listeners are called. The block that ends the transition activates the rules of Savanna. While
 * there is a checkpoint, nothing becomes final here.
 * spring: libraries/chain/controller.cpp (log_irreversible, transition_to_savanna_if_needed)
 */
export function advanceIrreversible(chain: ChainParts): void {
  if (chain.checkpoints.length === 0) makeIrreversible(chain)
  beginSavannaIfDue(chain)
}

/** Whether blocks are executed only when they are irreversible. */
export function executesIrreversible({ options }: Pick<ChainParts, 'options'>): boolean {
  return options.read_mode === 'irreversible'
}

/**
 * In the read mode `irreversible`: the blocks after the head that are irreversible and can be executed,
 * oldest first.
 */
export function executableBlocks({
  forks,
  head,
}: Pick<ChainParts, 'forks' | 'head'>): BlockState[] {
  const { savanna, pending_final } = forks
  const last = savanna ? pending_final : forks.head.id
  if (last === undefined) return []
  const last_num = savanna ? blockNumFromId(last) : forks.head.irreversible_block_num
  return forks
    .branch(last)
    .filter(({ block_num }) => block_num > head.block_num && block_num <= last_num)
    .reverse()
}

/** The block that decides under legacy rules: the best one, if blocks are executed when irreversible. */
function decidingBlock(chain: ChainParts): BlockState {
  return executesIrreversible(chain) ? chain.forks.head : chain.head
}

function makeIrreversible(chain: ChainParts): void {
  const { forks } = chain
  chain.writer.compact(forks)
  const blocks = irreversibleBlocks(chain)
  chain.writer.logIrreversible(blocks)
  for (const block of blocks) {
    chain.writer.irreversible(block, chain.head)
    chain.db.commit(block.block_num)
    chain.events.emit('blockIrreversible', block)
    block.forgetTransactions()
  }
  const last = blocks.at(-1)
  if (last !== undefined) forks.advanceRoot(last.id)
}

/**
 * The blocks after the root that can be made final now, oldest first: executed and on the head's
 * branch, because the state has no others.
 */
function irreversibleBlocks(chain: ChainParts): BlockState[] {
  const { forks, head } = chain
  const { pending_final, savanna } = forks
  const last_num = savanna
    ? pending_final && blockNumFromId(pending_final)
    : decidingBlock(chain).irreversible_block_num
  // Spares walking along the branch, which is long where votes are late.
  if (last_num === undefined || last_num <= forks.root.block_num) return []
  const branch = forks.branch(head.id).reverse()
  if (pending_final === undefined || !savanna) {
    return branch.filter(({ block_num }) => block_num <= last_num)
  }
  const last = branch.findIndex((block) => bytesEqual(block.id, pending_final))
  if (last >= 0) return branch.slice(0, last + 1)
  // Beyond the head: all of its branch, if it leads there.
  const beyond = forks.branch(pending_final)
  return beyond.some((block) => bytesEqual(block.id, head.id)) ? branch : []
}

/**
 * Activates the rules of Savanna after the block that ends the transition. If blocks are executed when
 * irreversible, the block that began it must be executed first.
 */
export function beginSavannaIfDue(chain: ChainParts): void {
  const { forks } = chain
  const last = decidingBlock(chain)
  if (forks.savanna || !last.leads_to_savanna) return
  if (executesIrreversible(chain) && forks.root.savanna === undefined) return
  chain.log('info', `block ${last.block_num} completes the transition to Savanna`)
  forks.switchToSavanna(last.id)
  // Finalizers that never voted start here.
  const ref = makeBlockRef(last.savanna_state)
  chain.finality.voter?.finalizers.setDefaultSafety({
    last_vote: ref,
    lock: ref,
    other_branch_latest_time: 0,
  })
}
