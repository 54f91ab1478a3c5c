import type { ChainOptions } from './chain/chain_options.ts'
import type { FinalizerKeys } from './chain/voting/node_finalizers.ts'
import type { MutableRules } from './chain/execution/subjective_rules.ts'
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'
import type { ServiceSettings } from './services/list.ts'
import type { GenesisState } from './protocol/genesis.ts'

/** The settings with which an engine is opened. */
export interface EngineOptions {
  /** Folder of all data. If absent, everything is in memory and is lost at the end. */
  data_dir?: string
  /** Folders of the state and of the blocks; of no use without `data_dir`. */
  state_dir: string
  blocks_dir: string
  /** How the block log is split, and which blocks it keeps. Default: one file keeps every block. */
  block_log?: NonNullable<ChainOptions['block_log']>
  /**
   * Folder of prepared code; used only with `data_dir`. If absent, no prepared code is stored, and
   * code is prepared when it runs.
   */
  code_cache_dir?: string
  /** The genesis of a new chain. Default: the development genesis. */
  genesis?: GenesisState
  /** A snapshot for a new chain to start from. */
  snapshot?: string
  /** The snapshot is a saved state of a chain that no other node has. */
  snapshot_of_own_chain?: boolean
  /** A fork of the chain of a snapshot, to begin or to continue. */
  fork?: NonNullable<ChainOptions['fork']>
  /** The file that keeps the first state of a fork; of no use without `data_dir`. */
  fork_file?: string
  /** A block log of the reference to execute first. */
  replay?: string
  /** The engine asks to be stopped when the head reaches this height; 0: never. */
  terminate_at_block: number
  /** Settings of the services, by name. */
  services: ServiceSettings
  rules: MutableRules
  /** Finalizers that this node votes for: secret numbers by public key in hex. */
  finalizer_keys: FinalizerKeys
  /** Folder of their safety file; of no use without `data_dir`. */
  finalizers_dir: string
  /** A new chain of the development genesis is brought to Savanna before anything else. */
  savanna_from_start: boolean
  /** The operator's settings of protocol features, by name. */
  features?: NonNullable<ChainOptions['features']>
  /**
   * The checks of blocks that are skipped or repeated, the state that reads use between blocks, the
   * sync of blocks, and the treatment of lost blocks.
   */
  validation: Pick<
    ChainOptions,
    | 'validation_mode'
    | 'trusted_producers'
    | 'force_all_checks'
    | 'read_mode'
    | 'sync_blocks'
    | 'vote_threads'
    | 'lost_blocks'
  >
  /** The limit for the conversions of one request; see `ConversionBudget`. */
  abi_serializer_max_time_us: number
  /** Milliseconds; the default of `time_limit_ms`. Negative: no limit. */
  max_response_time_ms: number
  accept_transactions: boolean
  /** Log what contracts print. */
  print_console: boolean
  /** Execute examples after the start, until V8 has compiled what executes transactions. */
  warm_up: boolean
  /** Of this program, without a leading v. */
  version: string
}

/** The parts that the engine gets from outside, such as clock and log. */
export interface EngineDependencies {
  clock: Clock
  log: Log
  /** Asked while a state, a snapshot or blocks are loaded; true ends that, with interrupt_exception. */
  stopStart?: () => boolean
  /**
   * Replaces this engine by one that begins with the state that waits in the data folder, after its requests in
   * progress. Absent: it cannot be replaced.
   */
  restart?: () => Promise<void>
  /** Called when the node must stop, because its task is done or it cannot continue. */
  end: (why: 'done' | 'failed') => void
}
