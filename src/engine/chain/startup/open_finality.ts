import type { Log } from '../../log.ts'
import { join } from 'node:path'
import { ChainError, fail } from '../../errors.ts'
import { BlsThreads } from '../../crypto/bls_threads.ts'
import { bytesEqual } from '../../protocol/hex.ts'
import { MemorySafety, SafetyFile } from '../../store/safety_store.ts'
import type { ChainEvents } from '../chain_events.ts'
import type { ChainDependencies, ChainOptions } from '../chain_options.ts'
import type { FinalityParts } from '../voting/finality_parts.ts'
import type { BlockWriter } from '../storage/block_writer.ts'
import type { ForkDatabase } from '../forks/fork_database.ts'
import { EMPTY_REF } from '../headers/savanna/finality_core.ts'
import { NodeFinalizers } from '../voting/node_finalizers.ts'
import type { FinalizerKeys } from '../voting/node_finalizers.ts'
import { unpackSafetyFile } from '../voting/safety_file.ts'
import { makeBlockRef } from '../headers/savanna/header_state.ts'
import type { SafetyStore } from '../../store/safety_store.ts'
import type { SafetyRecord } from '../voting/safety_file.ts'
import { SignatureVerifier } from '../voting/signature_verifier.ts'
import { Voter } from '../voting/voter.ts'

/** Name of the safety file in the finalizers' folder. spring: config::safety_filename */
const SAFETY_FILENAME = 'safety.dat'

/** Follows what is wrong with the safety file. */
const SAFETY_WAY_OUT =
  ': put a copy of it back, or start once with --lost-blocks=new-safety to start finalizers without safety information'

/** The dependencies of the parts. */
interface Surroundings {
  forks: ForkDatabase
  writer: BlockWriter
  events: ChainEvents
  log: Log
}

/** The safety information of finalizers, as it was saved. */
export interface OpenedSafety {
  store: SafetyStore
  /** By public key in hex, those without keys here too. */
  known: ReadonlyMap<string, SafetyRecord>
  /** Of the finalizers that have keys here. */
  own: readonly SafetyRecord[]
  /** The file cannot be read, and finalizers start without safety information. */
  is_damaged: boolean
  /** There is no file, as before the first vote. */
  is_missing: boolean
}

/**
 * Reads the safety file; undefined if this node has no finalizers.
 * @throws finalizer_safety_exception if the file is damaged, unless finalizers shall start without
 *   safety information
 */
export function openSafety({
  finalizer_keys: keys,
  finalizers_dir,
  lost_blocks,
}: ChainOptions): OpenedSafety | undefined {
  if (keys === undefined || keys.size === 0) return undefined
  const store = finalizers_dir
    ? new SafetyFile(join(finalizers_dir, SAFETY_FILENAME))
    : new MemorySafety()
  const saved = store.load()
  let known: ReadonlyMap<string, SafetyRecord> = new Map()
  let is_damaged = false
  try {
    if (saved !== undefined) known = unpackSafetyFile(saved, store.path)
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    if (lost_blocks !== 'new-safety') fail(error.errorName, `${error.message}${SAFETY_WAY_OUT}`)
    is_damaged = true
  }
  const own = [...keys.keys()].flatMap((key) => known.get(key) ?? [])
  const is_missing = saved === undefined && !store.in_memory
  return { store, known, own, is_damaged, is_missing }
}

/** Opens the finalizers of this node, if it has any, and what verifies the others'. */
export function openFinality(
  options: ChainOptions,
  deps: ChainDependencies,
  surroundings: Surroundings,
  safety: OpenedSafety | undefined,
): FinalityParts {
  const bls = deps.bls ?? new BlsThreads(options.vote_threads || 1)
  const voter = safety && openVoter(options.finalizer_keys!, safety, surroundings, bls)
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
  keys: FinalizerKeys,
  { store, known }: OpenedSafety,
  { forks, writer, events, log }: Surroundings,
  signer: NonNullable<ChainDependencies['bls']>,
): Voter {
  return new Voter({
    finalizers: new NodeFinalizers(keys, known),
    store,
    signer,
    log,
    isReversible: (id) => forks.get(id) !== undefined && !bytesEqual(id, forks.root.id),
    // The blocks before it too, because it cannot be used without them.
    keepBlock: (id) => {
      for (const block of forks.branch(id).reverse()) writer.accept(block, block.validated)
    },
    onVote: (vote) => {
      // A block that was undone and removed needs no votes any longer.
      const block = forks.get(vote.block_id)
      if (block !== undefined) forks.votesOn(block).add(vote)
      events.emit('voteCast', vote)
    },
  })
}

/** Warns if finalizers of a chain that continues have no safety file: they may have voted before. */
export function warnOfMissingSafety(safety: OpenedSafety | undefined, log: Log): void {
  if (!safety?.is_missing) return
  log(
    'warn',
    `${safety.store.path} does not exist: finalizers may vote against earlier votes. This is right when a finalizer ` +
      'key is used for the first time; otherwise stop the node and put the file back',
  )
}

/**
 * Starts finalizers on the opened chain: those that never voted get a lock, the others cast their
 * last votes again.
 */
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
