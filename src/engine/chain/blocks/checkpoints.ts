/**
 * Checkpoints: moments to which a chain returns. While there is one, no later block becomes irreversible here:
 * later blocks stay in the fork database and in the reversible log, and their sessions on the undo stack. So going
 * back is what a fork switch does, and costs what was changed since.
 */
import { check } from '../../errors.ts'
import { applyBlock } from './apply_block.ts'
import type { ChainParts } from './chain_parts.ts'
import { Checkpoint } from './checkpoint.ts'
import { advanceIrreversible } from './irreversible.ts'
import { popBlocks } from './pop_blocks.ts'

/** Takes a checkpoint at the head; a pending block is not part of it. */
export function takeCheckpoint(chain: ChainParts): Checkpoint {
  const checkpoint = new Checkpoint(chain.head, chain.forks, chain.finality)
  chain.checkpoints.push(checkpoint)
  return checkpoint
}

/**
 * Returns to a checkpoint, which remains; those that were taken after it are dropped. On return, the files have
 * no later block. A crash before that leaves the chain where it was.
 * @throws ChainError if the checkpoint was dropped, there is a pending block, or a vote is being written to the
 *   disk
 */
export function goBackTo(chain: ChainParts, checkpoint: Checkpoint): void {
  const { forks, finality, writer } = chain
  const index = indexOf(chain, checkpoint)
  const { head } = checkpoint
  check(!chain.pending, 'block_validate_exception', 'abort the pending block before going back')
  check(
    head === forks.root || forks.get(head.id) === head,
    'fork_database_exception',
    `block ${head.block_num} of the checkpoint is on a branch that was left at the start of Savanna`,
  )
  // First, because safety information must not name blocks that are not there after a crash.
  finality.voter?.goBack(checkpoint.safety)
  const [ahead, behind] = forks.branchesFrom(head.id, chain.head.id)
  popBlocks(chain, behind.length)
  for (const block of ahead.reverse()) applyBlock(chain, block, 'validated')
  forks.restore(checkpoint.forks)
  finality.last_votes.clear()
  for (const [key, vote] of checkpoint.last_votes) finality.last_votes.set(key, vote)
  writer.rewriteJournal(forks)
  chain.checkpoints.length = index + 1
  chain.events.emit('wentBack', head)
}

/** Drops a checkpoint. After the last one, blocks become irreversible again, at the latest with the next block. */
export function dropCheckpoint(chain: ChainParts, checkpoint: Checkpoint): void {
  chain.checkpoints.splice(indexOf(chain, checkpoint), 1)
  if (chain.checkpoints.length === 0 && !chain.pending) advanceIrreversible(chain)
}

function indexOf({ checkpoints }: ChainParts, checkpoint: Checkpoint): number {
  const index = checkpoints.indexOf(checkpoint)
  check(index >= 0, 'misc_exception', 'the checkpoint was dropped')
  return index
}
