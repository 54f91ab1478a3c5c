import type { PrivateKey } from '../../crypto/private_key.ts'
import type { RuntimeOptions } from './runtime_options.ts'

/** The settings of production. */
export interface ProducerOptions {
  /** Producers that this node produces for. */
  producers: readonly bigint[]
  /** Packed public key in hex -> private key. */
  signing_keys: ReadonlyMap<string, PrivateKey>
  /** Produce even if the chain is stale. */
  enable_stale_production: boolean
  pause_on_startup: boolean
  /** Nothing is produced while more blocks than this are reversible; 0 means no limit. */
  max_reversible_blocks: number
  /** Production pauses if votes are missing for this time; microseconds; 0 disables this. */
  pause_vote_timeout_us: number
  /** A block with less CPU time left than this is full; microseconds. */
  max_block_cpu_usage_threshold_us: number
  /** A block with less NET left than this is full; bytes. */
  max_block_net_usage_threshold_bytes: number
  /** Size of the queue of waiting transactions; bytes. */
  max_queue_bytes: number
  /** Threads that recover keys. */
  recovery_threads: number
  /** The longest that a read-only transaction may run, and a little more; microseconds. */
  read_only_window_us: number
  /** Dry runs in one second; Infinity: no limit. */
  max_dry_runs_per_second: number
  /**
   * Waits for a processor move the end of a transaction and of its block: on a development chain a late
   * block is acceptable, and a failed transaction is not.
   */
  waits_for_processor: boolean
  runtime: RuntimeOptions
}
