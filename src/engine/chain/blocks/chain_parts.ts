import type { Database } from '../../state/database.ts'
import type { WasmRuntime } from '../../vm/runtime.ts'
import type { SubjectiveRules } from '../execution/block_context.ts'
import type { BlockState } from '../headers/block_state.ts'
import type { BlockWriter } from '../storage/block_writer.ts'
import type { BuildingBlock } from './building_block.ts'
import type { ChainEvents } from '../chain_events.ts'
import type { ChainOptions, LogFunction } from '../chain_options.ts'
import type { FeatureSet } from '../rules/features.ts'
import type { HeaderRules } from '../headers/legacy/finish_header.ts'
import type { AsyncVerifier, SignatureVerifier } from '../voting/signature_verifier.ts'
import type { TrackedVote } from '../voting/tracked_votes.ts'
import type { Voter } from '../voting/voter.ts'
import type { WaitMeter } from '../execution/budgets/wait_meter.ts'
import type { ForkDatabase } from '../forks/fork_database.ts'

/** What Savanna needs besides the blocks. */
export interface FinalityParts {
  /** Votes for this node's finalizers; undefined when it has none. */
  readonly voter: Voter | undefined
  readonly verifier: SignatureVerifier
  /** Signs and verifies on another thread. */
  readonly bls: AsyncVerifier
  /** Last votes of finalizers, by public key in hex. */
  readonly last_votes: Map<string, TrackedVote>
  /** Releases what was opened for the chain. */
  close(): Promise<void>
}

/**
 * What the functions of this room share: one per open chain, owned by class Chain.
 *
 * Invariants between calls: `head` is validated and in `forks` (or its root); the database stands
 * after `head`, plus the session of `pending` if there is one; every session below is one block
 * after the root.
 */
export interface ChainParts {
  readonly chain_id: Uint8Array
  readonly db: Database
  readonly runtime: WasmRuntime
  readonly features: FeatureSet
  readonly header_rules: HeaderRules
  readonly rules: SubjectiveRules
  readonly options: ChainOptions
  readonly forks: ForkDatabase
  readonly writer: BlockWriter
  readonly finality: FinalityParts
  readonly events: ChainEvents
  /** Wall clock, microseconds since 1970. */
  readonly now: () => number
  /** Undefined: nobody counts what this thread waits for a processor. */
  readonly waits: WaitMeter | undefined
  readonly log: LogFunction
  head: BlockState
  pending: BuildingBlock | undefined
}
