import type { ForkDatabase } from '../forks/fork_database.ts'
import type { AsyncVerifier, SignatureVerifier } from './signature_verifier.ts'
import type { FinalizerAuthority } from '../../protocol/finality.ts'
import type { Voter } from './voter.ts'

/** The last vote of a finalizer in a certificate of a block. */
export interface TrackedVote {
  finalizer: FinalizerAuthority
  is_vote_strong: boolean
  /** Generation of the policy by which the finalizer voted. */
  finalizer_policy_generation: number
  voted_for_block_id: Uint8Array
  /** Slot. */
  voted_for_block_timestamp: number
}

/** The parts of a chain that Savanna needs in addition to blocks. */
export interface FinalityParts {
  /** Votes for this node's finalizers; undefined if it has none. */
  readonly voter: Voter | undefined
  readonly verifier: SignatureVerifier
  /** Signs and verifies on another thread. */
  readonly bls: AsyncVerifier
  /** Last votes of finalizers, by public key in hex. */
  readonly last_votes: Map<string, TrackedVote>
  /** Releases what was opened for the chain. */
  close(): Promise<void>
}

/** The parts of the chain that votes and certificates need. */
export interface VotingChain {
  readonly forks: ForkDatabase
  readonly finality: FinalityParts
  /** Wall clock, microseconds since 1970. */
  readonly now: () => number
}
