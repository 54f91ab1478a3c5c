import type { DigestThread } from '../crypto/digest_thread.ts'
import type { BlockKeyThreads } from '../crypto/block_key_threads.ts'
import type { GenesisState } from '../protocol/genesis.ts'
import type { BlockLogFiles } from '../store/block_log_files.ts'
import type { Store } from '../store/store.ts'
import type { WasmRuntime } from '../vm/runtime.ts'
import type { SubjectiveRules } from './execution/subjective_rules.ts'
import type { ChainEvents } from './chain_events.ts'
import type { FeatureSet } from './rules/features.ts'
import type { FinalizerKeys } from './voting/node_finalizers.ts'
import type { AsyncVerifier } from './voting/signature_verifier.ts'
import type { Log } from '../log.ts'
import type { VoteSigner } from './voting/voter.ts'

/**
 * What to do about lost blocks: refuse the start, or continue from the last good block, where
 * finalizers keep or discard their safety information.
 */
export type LostBlocks = 'refuse' | 'keep-safety' | 'new-safety'

/** The state that reads use. spring: libraries/chain/include/eosio/chain/controller.hpp (db_read_mode) */
export type ReadMode = 'head' | 'speculative' | 'irreversible'

/** The operator's settings of the chain; defaults are the reference's. */
export interface ChainOptions {
  /** Folder of blocks.log, blocks.index and the reversible journal. Absent: nothing on disk. */
  blocks_dir?: string
  /** How the block log is split, and which blocks it keeps. Default: one file keeps every block. */
  block_log?: BlockLogFiles
  /**
   * Whether a block is synced to the disk before it is announced; always true if finalizers vote.
   * Default true.
   */
  sync_blocks?: boolean
  /**
   * The action when announced blocks are missing, or files that have them are damaged. Default
   * `refuse`.
   */
  lost_blocks?: LostBlocks
  /** The chain to start when there is no state; refused when it differs from the stored chain's. */
  genesis?: GenesisState
  /** Rows for references to blocks, for a chain in memory with fewer blocks. Default: 65,536, as the protocol says. */
  block_summaries?: number
  /** A snapshot for a new chain to start from, instead of a genesis; refused when there is a state. */
  snapshot?: string
  /**
   * No other node has blocks of the snapshot's chain: then votes of this node's finalizers that are in the safety file
   * were in another chain, whose blocks are deleted.
   */
  snapshot_of_own_chain?: boolean
  /** A fork of the chain of a snapshot, instead of a genesis or a snapshot. A state of the folder must
   *  be that of a fork of this chain already. */
  fork?: ForkOptions
  /** The file that keeps the first state of a fork. Without a state, a fork starts from it again. */
  fork_file?: string
  /** A block log of the reference to execute before anything else (read-only). */
  replay?: string
  /** Stop replaying after this block. */
  terminate_at_block?: number
  /** The number of threads that check votes and sign them. Default: 1; so is 0. */
  vote_threads?: number
  /** Repeat signature and authority checks of blocks read from the log. Default false. */
  force_all_checks?: boolean
  /** `light`: skip authority checks in signed blocks. Default `full`. */
  validation_mode?: 'full' | 'light'
  /** Producers whose blocks are validated as if `light`. */
  trusted_producers?: readonly bigint[]
  /**
   * `speculative`: transactions of ephemeral blocks stay in the state until they are aborted.
   * `irreversible`: blocks are executed when they are irreversible; blocks after them are only in the
   * fork database. Such a node neither produces nor votes.
   */
  read_mode?: ReadMode
  /** Rules of this node alone; the set and numbers are read while transactions run. */
  rules?: SubjectiveRules
  /** Finalizers that this node votes for: secret numbers by public key in hex. */
  finalizer_keys?: FinalizerKeys
  /** Folder of the finalizers' safety file. Absent: nothing on disk. */
  finalizers_dir?: string
  /** The operator's part of protocol features, by name. */
  features?: ConstructorParameters<typeof FeatureSet>[0]
  /** Records that may wait for the store before {@link Chain.settled} makes callers wait. */
  store_backlog?: number
  /** Asked while blocks are replayed and a snapshot is read; true ends that and the opening of the
   *  chain with interrupt_exception, after what was replayed is stored. */
  stopStart?: () => boolean
  /** Called with the share of a snapshot that was read. */
  onSnapshot?: (share: number) => void
  /** Called while blocks are replayed. */
  onReplay?: (progress: ReplayProgress) => void
}

/** A fork of a public chain: who produces and finalizes from the head of a snapshot on. */
export interface ForkOptions {
  snapshot: string
  /** Accounts of the snapshot. */
  producers: readonly bigint[]
  /** The public key that signs their blocks. */
  signing_key: Uint8Array
  /** Public BLS keys; at least one. */
  finalizers: readonly Uint8Array[]
}

/** A step of a replay; `last` is the number of the last block that will be applied. */
export interface ReplayProgress {
  block_num: number
  last: number
  transactions: number
}

/** The dependencies of a chain; the clock in microseconds since 1970. */
export interface ChainDependencies {
  store: Store
  now: () => number
  /**
   * Microseconds that this thread has waited for a processor; they are not billed. Default: none.
   */
  waited?: () => number
  /** Runs contracts. Default: one with its own defaults. */
  runtime?: WasmRuntime
  /** Recovers the keys of replayed blocks whose signatures are checked. Default: the chain's thread, one by one. */
  recovery?: BlockKeyThreads
  /** Hashes the actions of replayed blocks whose signatures are not checked. Default: the chain's thread. */
  digest_thread?: Pick<DigestThread, 'newList'>
  /** Signs and verifies with BLS keys. Default: a thread of the chain's own. */
  bls?: VoteSigner & AsyncVerifier & { close?(): Promise<void> }
  /** With listeners that are called for replayed blocks, too. Default: new ones. */
  events?: ChainEvents
  log?: Log
  /** Called after a failed write: later data is not stored, and the node must stop. */
  onStoreFailure?: (error: unknown) => void
}
