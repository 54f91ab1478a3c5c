import type { ForkDatabase, ForkMark } from '../forks/fork_database.ts'
import type { BlockState } from '../headers/block_state.ts'
import type { FinalityParts, TrackedVote } from '../voting/finality_parts.ts'
import type { SafetyRecord } from '../voting/safety_file.ts'

/** A moment between two blocks to which the chain can go back, until it is dropped. */
export class Checkpoint {
  /** The last block of the chain at that moment. */
  readonly head: BlockState
  readonly forks: ForkMark
  /** The safety information of this node's finalizers. */
  readonly safety: readonly SafetyRecord[]
  readonly last_votes: ReadonlyMap<string, TrackedVote>

  constructor(head: BlockState, forks: ForkDatabase, finality: FinalityParts) {
    this.head = head
    this.forks = forks.mark()
    this.safety = finality.voter?.finalizers.records() ?? []
    this.last_votes = new Map(finality.last_votes)
  }
}
