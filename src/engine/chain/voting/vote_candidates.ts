import { bytesEqual } from '../../protocol/hex.ts'
import { compareBranches } from '../forks/compare_branches.ts'
import type { SavannaHeaderState } from '../headers/savanna/header_state.ts'

/** More branches than that are not voted on: the best ones are. */
const MAX_CANDIDATES = 16

/**
 * The blocks that finalizers may vote on next: the last block of each branch. A vote on a block counts
 * for those before it too, so these are dropped when a block follows them.
 */
export class VoteCandidates {
  private blocks: SavannaHeaderState[] = []

  /**
   * Adds a block in place of the one before it. Of more than 16 branches, the best ones are kept.
   */
  add(block: SavannaHeaderState): void {
    const replaced = [block.id, block.header.previous]
    this.blocks = this.blocks.filter(({ id }) => !replaced.some((other) => bytesEqual(id, other)))
    this.blocks.push(block)
    this.blocks.sort((a, b) => compareBranches(b, a))
    this.blocks.length = Math.min(this.blocks.length, MAX_CANDIDATES)
  }

  /** Removes and returns all candidates, the best first. */
  take(): SavannaHeaderState[] {
    return this.blocks.splice(0)
  }
}
