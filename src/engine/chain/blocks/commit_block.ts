import assert from 'node:assert'
import { check } from '../../errors.ts'
import type { RowDelta } from '../../state/row_deltas.ts'
import type { TableName } from '../../state/tables.ts'
import type { BlockStatus } from '../execution/block_context.ts'
import type { BlockState } from '../headers/block_state.ts'
import type { ChainParts } from './chain_parts.ts'
import { voteOn } from '../voting/consider_voting.ts'
import { trackVotes } from '../voting/tracked_votes.ts'
import { advanceIrreversible } from './irreversible.ts'
import type { TransactionMetadata } from '../base/transaction_metadata.ts'

/**
 * Makes the pending block, whose execution gave `next`, the head. The order matters:
 * 1. the reversible journal gets the block, so that it survives the process; a failure here leaves
 *    the pending block to the caller, who aborts it;
 * 2. its session ends on the undo stack and the head moves; what fails from here on (a full disk)
 *    stops the node;
 * 3. listeners are called, while the undo log still has the block's changes;
 * 4. blocks that it makes irreversible go to the log and the store;
 * 5. finalizers of this node vote on it.
 * Blocks of a log are irreversible at once.
 * @throws ChainError fork_database_exception if the block is known, or what the journal fails with
 */
export function commitBlock(chain: ChainParts, next: BlockState, status: BlockStatus): void {
  const { pending } = chain
  assert(pending, 'no pending block to commit')
  if (status === 'incomplete') {
    const known = chain.forks.has(next)
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
    chain.writer.logIrreversible([next])
    chain.writer.irreversible(next, next)
    chain.forks.reset(next)
    trackVotes(chain, next)
    announce(chain, next, pending.transaction_count)
    chain.db.commit(next.block_num)
    chain.db.trimCaches()
    chain.events.emit('blockIrreversible', next)
    next.forgetTransactions()
    return
  }
  trackVotes(chain, next)
  announce(chain, next, pending.transaction_count)
  advanceIrreversible(chain)
  voteOn(chain, next)
  chain.db.trimCaches()
}

function announce({ db, events }: ChainParts, block: BlockState, transaction_count: number): void {
  events.emit('blockStored', block)
  if (events.has('blockApplied')) {
    let is_over = false
    const deltas = (tables?: ReadonlySet<TableName>): Iterable<RowDelta> => {
      assert(!is_over, 'deltas are read while the event is handled')
      return db.deltas(tables)
    }
    events.emit('blockApplied', { block, transaction_count, db, deltas })
    is_over = true
  }
  events.emit('blockAccepted', block)
}

/** Discards the pending block. Returns its input transactions in execution order. */
export function abortBlock(chain: ChainParts): TransactionMetadata[] {
  const { pending } = chain
  if (pending === undefined) return []
  chain.pending = undefined
  pending.session.undo()
  return pending.trx_metas
}
