import type { ChainParts } from './chain_parts.ts'
import { observe } from './observe.ts'

/**
 * Makes final what the head makes irreversible: each block goes to the log and its rows to the
 * store's queue, then its undo history is dropped and observers hear of it.
 * spring: libraries/chain/controller.cpp (log_irreversible)
 */
export function advanceIrreversible(chain: ChainParts): void {
  const { forks, head } = chain
  chain.writer.compact(forks)
  const last = forks.onBranch(head.id, head.irreversible_block_num)
  if (last === undefined || last.block_num <= forks.root.block_num) return
  for (const block of forks.branch(last.id).reverse()) {
    chain.writer.irreversible(block)
    chain.db.commit(block.block_num)
    observe(chain, chain.events.onIrreversibleBlock, block)
  }
  forks.advanceRoot(last.id)
}
