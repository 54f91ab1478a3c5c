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
  const { forks } = chain
  if (chain.checkpoints.length === 0) makeIrreversible(chain)
  if (!forks.savanna && chain.head.leads_to_savanna) beginSavanna(chain)
}

function makeIrreversible(chain: ChainParts): void {
  const { forks } = chain
  chain.writer.compact(forks)
  const blocks = irreversibleBlocks(chain)
  for (const block of blocks) {
    chain.writer.irreversible(block, chain.head)
    chain.db.commit(block.block_num)
    chain.events.emit('blockIrreversible', block)
  }
  const last = blocks.at(-1)
  if (last !== undefined) forks.advanceRoot(last.id)
}

/**
 * The blocks after the root that can be made final now, oldest first: executed and on the head's
 * branch, because the state has no others.
 */
function irreversibleBlocks({ forks, head }: ChainParts): BlockState[] {
  const { pending_final, savanna } = forks
  const last_num = savanna
    ? pending_final && blockNumFromId(pending_final)
    : head.irreversible_block_num
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

function beginSavanna(chain: ChainParts): void {
  const { forks, head } = chain
  const num = head.block_num
  chain.log('info', `block ${num} completes the transition to Savanna`)
  forks.switchToSavanna(head.id)
  // Finalizers that never voted start here.
  const ref = makeBlockRef(head.savanna_state)
  chain.finality.voter?.finalizers.setDefaultSafety({
    last_vote: ref,
    lock: ref,
    other_branch_latest_time: 0,
  })
}
