/**
 * Begins a fork of a public chain: its state from a snapshot, with producers and finalizers of this
 * node. docs/differences.md has the rules of such a chain.
 */
import { existsSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { check } from '../../errors.ts'
import { bytesEqual, toHex } from '../../protocol/hex.ts'
import { nameToString } from '../../protocol/name.ts'
import { chainIdOfSnapshot, globalPropertyOfSnapshot } from '../../snapshot/load_snapshot.ts'
import { writeSnapshot } from '../../snapshot/write_snapshot.ts'
import type { Database } from '../../state/database.ts'
import { makeFolder, syncFolder } from '../../store/file.ts'
import { snapshotSource } from '../blocks/snapshot_source.ts'
import type { ChainDependencies, ChainOptions, ForkOptions } from '../chain_options.ts'
import type { BlockState } from '../headers/block_state.ts'
import type { StoredStates } from '../headers/packed_head.ts'
import { takeOver } from '../headers/take_over.ts'
import { isFork, isForkMark, markFork } from '../rules/fork.ts'
import type { BlockArchive } from '../storage/block_files.ts'
import type { OpenedSafety } from './open_finality.ts'

/**
 * Whether a snapshot is that of a fork; little of the file is read.
 * @throws ChainError snapshot_exception, snapshot_validation_exception
 */
export function isForkSnapshot(path: string): boolean {
  return isForkMark(globalPropertyOfSnapshot(path))
}

/** The snapshot that a new state is read from. */
export interface StartingSnapshot {
  path: string
  /** What is changed in it. */
  fork?: ForkOptions
  /** No other node has blocks of its chain. */
  is_own?: boolean
}

/**
 * The snapshot for a folder without a state; undefined if the state is made from a genesis. A fork
 * begins once: if there are blocks of it, its first state is the one that was kept.
 * @throws ChainError snapshot_exception
 */
export function startingSnapshot(
  { snapshot, snapshot_of_own_chain: is_own = false, fork, fork_file }: ChainOptions,
  { first_block_num }: BlockArchive,
): StartingSnapshot | undefined {
  if (snapshot !== undefined) return { path: snapshot, is_own }
  const has_blocks = first_block_num !== 0
  if (fork_file !== undefined && existsSync(fork_file)) {
    if (fork === undefined || has_blocks) return { path: fork_file }
  }
  if (fork === undefined) return undefined
  check(!has_blocks, 'snapshot_exception', `fork: the data folder has blocks${NO_FORK}`)
  return { path: fork.snapshot, fork }
}

const NO_FORK =
  ' of a chain that is not a fork: name another data-dir, or give delete-all-blocks, which deletes them'

/**
 * Checks that the state of the folder is that of a fork of the snapshot's chain.
 * @throws ChainError snapshot_exception
 */
export function checkContinuedFork(db: Database, { snapshot }: ForkOptions): void {
  check(isFork(db), 'snapshot_exception', `fork: the data folder has the state${NO_FORK}`)
  const { chain_id } = db.global_property.single()
  const other = chainIdOfSnapshot(snapshot)
  check(
    bytesEqual(chain_id, other),
    'snapshot_exception',
    `fork: the data folder has a fork of chain ${toHex(chain_id)}, the snapshot is of chain ` +
      `${toHex(other)}: name another data-dir, or give delete-all-blocks`,
  )
}

/**
 * Changes a loaded state to that with which a fork begins.
 * @throws ChainError producer_schedule_exception if a producer has no account
 */
export function beginFork(db: Database, stored: StoredStates, fork: ForkOptions): StoredStates {
  const { producers, signing_key, finalizers } = fork
  for (const name of producers) {
    check(
      db.account.find('by_name', name),
      'producer_schedule_exception',
      `fork: the snapshot has no account ${nameToString(name)}, which is to produce`,
    )
  }
  markFork(db)
  const states = takeOver(stored.states, {
    producers: producers.map((producer_name) => ({
      producer_name,
      authority: [0, { threshold: 1, keys: [{ key: signing_key, weight: 1 }] }],
    })),
    finalizers,
  })
  return { ...stored, states }
}

/** Writes the first state of a fork to its file, all or nothing; does nothing for other chains. */
export async function keepFork(
  chain: { db: Database; head: BlockState },
  { path }: StartingSnapshot,
  { fork_file, stopStart }: ChainOptions,
  { log }: ChainDependencies,
): Promise<void> {
  if (fork_file === undefined || fork_file === path || !isFork(chain.db)) return
  log?.('info', `writing the first state of the fork to ${fork_file}`)
  makeFolder(dirname(fork_file))
  const unfinished = `${fork_file}.new`
  const source = snapshotSource({ ...chain, pending: undefined })
  await writeSnapshot(source, unfinished, stopStart).finally(() => source.view.release())
  renameSync(unfinished, fork_file)
  syncFolder(dirname(fork_file))
}

/**
 * The safety information with which the finalizers of a chain begin that is this node's alone: none. Their former
 * votes were in another chain. The file of votes in another fork is kept under another name; that of a development
 * chain whose blocks are deleted goes with them.
 */
export function forgetVotes(
  safety: OpenedSafety | undefined,
  { is_own = false }: StartingSnapshot,
  { log }: ChainDependencies,
): OpenedSafety | undefined {
  if (safety === undefined || safety.own.length === 0) return safety
  if (is_own) {
    safety.store.remove()
    return { ...safety, known: new Map(), own: [] }
  }
  const kept = safety.store.setAside()
  log?.(
    'warn',
    `finalizers of the fork start without safety information; the former safety file is kept as ${kept}`,
  )
  return { ...safety, known: new Map(), own: [] }
}
