import assert from 'node:assert'
import { check } from '../errors.ts'
import type { BlockStatus } from './block_context.ts'
import type { BlockState } from './block_state.ts'
import type { ChainParts } from './chain_parts.ts'
import { voteOn } from './finality/consider_voting.ts'
import { trackVotes } from './finality/tracked_votes.ts'
import { advanceIrreversible } from './irreversible.ts'
import { observe } from './observe.ts'
import type { TransactionMetadata } from './transaction_metadata.ts'

/**
 * Makes the pending block, whose execution gave `next`, the head. The order matters:
 * 1. the reversible journal gets the block, so that it survives the process; a failure here leaves
 *    the pending block to the caller, who aborts it;
 * 2. its session ends on the undo stack and the head moves; what fails from here on (a full disk)
 *    stops the node;
 * 3. observers hear of it;
 * 4. blocks that it makes irreversible go to the log and the store;
 * 5. finalizers of this node vote on it.
 * Blocks of a log are irreversible at once.
 */
export function commitBlock(chain: ChainParts, next: BlockState, status: BlockStatus): void {
  const { pending } = chain
  assert(pending, 'no pending block to commit')
  if (status === 'incomplete') {
    const known = chain.forks.get(next.id)
    check(!known, 'fork_database_exception', `duplicate block added: ${next.key}`)
  }
  if (status !== 'irreversible') chain.writer.accept(next)
  if (status === 'incomplete') chain.forks.add(next)
  next.changes = chain.db.collectChanges()
  pending.session.push()
  next.validated = true
  chain.pending = undefined
  chain.head = next
  if (status === 'irreversible') {
    chain.writer.irreversible(next)
    chain.db.commit(next.block_num)
    chain.forks.reset(next)
    chain.db.trimCaches()
    trackVotes(chain, next)
    observe(chain, chain.events.onAcceptedBlock, next)
    observe(chain, chain.events.onIrreversibleBlock, next)
    return
  }
  trackVotes(chain, next)
  observe(chain, chain.events.onAcceptedBlock, next)
  advanceIrreversible(chain)
  voteOn(chain, next)
  chain.db.trimCaches()
}

/** Takes the pending block back; answers its input transactions in execution order. */
export function abortBlock(chain: ChainParts): TransactionMetadata[] {
  const { pending } = chain
  if (pending === undefined) return []
  chain.pending = undefined
  pending.session.undo()
  return pending.trx_metas
}
