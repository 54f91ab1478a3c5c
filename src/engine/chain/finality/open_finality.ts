import { join } from 'node:path'
import { BlsThread } from '../../crypto/bls_thread.ts'
import { MemorySafety, SafetyFile } from '../../store/safety_store.ts'
import type { ChainEvents } from '../chain_events.ts'
import type { ChainDependencies, ChainOptions, LogFunction } from '../chain_options.ts'
import type { FinalityParts } from '../chain_parts.ts'
import type { ForkDatabase } from '../fork_database.ts'
import { EMPTY_REF } from './finality_core.ts'
import { NodeFinalizers } from './node_finalizers.ts'
import { unpackSafetyFile } from './safety_file.ts'
import { makeBlockRef } from './savanna_header_state.ts'
import { SignatureVerifier } from './signature_verifier.ts'
import { Voter } from './voter.ts'

/** Name of the safety file in the finalizers' folder. spring: config::safety_filename */
const SAFETY_FILENAME = 'safety.dat'

/** What the parts work with. */
interface Surroundings {
  forks: ForkDatabase
  events: ChainEvents
  log: LogFunction
}

/** Opens the finalizers of this node, if it has any, and what verifies the others'. Throws
 *  finalizer_safety_exception when their safety file cannot be trusted. */
export function openFinality(
  options: ChainOptions,
  deps: ChainDependencies,
  { forks, events, log }: Surroundings,
): FinalityParts {
  const bls = deps.bls ?? new BlsThread()
  const voter = openVoter(options, { forks, events, log }, bls)
  return {
    voter,
    verifier: new SignatureVerifier(bls),
    bls,
    last_votes: new Map(),
    async close() {
      await voter?.settled()
      await bls.close?.()
    },
  }
}

function openVoter(
  options: ChainOptions,
  { forks, events, log }: Surroundings,
  signer: NonNullable<ChainDependencies['bls']>,
): Voter | undefined {
  const { finalizer_keys: keys, finalizers_dir } = options
  if (keys === undefined || keys.size === 0) return undefined
  const store = finalizers_dir
    ? new SafetyFile(join(finalizers_dir, SAFETY_FILENAME))
    : new MemorySafety()
  const saved = store.load()
  const known = saved === undefined ? new Map() : unpackSafetyFile(saved, store.path)
  const finalizers = new NodeFinalizers(keys, known)
  return new Voter({
    finalizers,
    store,
    signer,
    log,
    onVote: (vote) => {
      // A block that was undone and forgotten meanwhile needs no votes any more.
      forks.get(vote.block_id)?.votes.add(vote)
      events.emit('voteCast', vote)
    },
  })
}

/** Has finalizers go on as the chain opens: those that never voted get a lock, those that did cast
 *  their last votes again. */
export function resumeFinalizers({ voter }: FinalityParts, forks: ForkDatabase): void {
  if (voter === undefined || !forks.savanna) return
  voter.finalizers.setDefaultSafety({
    last_vote: EMPTY_REF,
    lock: makeBlockRef(forks.root.savanna_state),
    other_branch_latest_time: 0,
  })
  for (const block of forks.ascending()) {
    if (block.is_proper_savanna && block.validated) voter.repeat(block.savanna_state)
  }
}
