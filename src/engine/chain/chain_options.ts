import type { GenesisState } from '../protocol/genesis.ts'
import type { Store } from '../store/store.ts'
import type { WasmRuntime } from '../vm/runtime.ts'
import type { BlockStatus, SubjectiveRules } from './execution/block_context.ts'
import type { ChainEvents } from './chain_events.ts'
import type { PreparationAllowance } from './execution/budgets/cpu_budget.ts'
import type { FeatureSet } from './rules/features.ts'
import type { FinalizerKeys } from './voting/node_finalizers.ts'
import type { AsyncVerifier } from './voting/signature_verifier.ts'
import type { LostBlocks } from './startup/lost_blocks.ts'
import type { VoteSigner } from './voting/voter.ts'
import type { TransactionMetadata } from './base/transaction_metadata.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
export type LogFunction = (level: LogLevel, message: string) => void

/** Finds an input transaction, with its keys, by hex id; for what was seen before. */
export type TransactionLookup = (trx_id: string) => TransactionMetadata | undefined

/** What the node's operator decides about the chain; defaults are the reference's. */
export interface ChainOptions {
  /** Folder of blocks.log, blocks.index and the reversible journal. Absent: nothing on disk. */
  blocks_dir?: string
  /** Whether a block is on the disk itself, not only with the operating system, before it is
   *  announced; it always is where finalizers vote. Default true. */
  sync_blocks?: boolean
  /** What is done when announced blocks are missing, or files that have them are damaged.
   *  Default `refuse`. */
  lost_blocks?: LostBlocks
  /** The chain to start when there is no state; refused when it differs from the stored chain's. */
  genesis?: GenesisState
  /** A snapshot for a new chain to start from, instead of a genesis; refused when there is a state. */
  snapshot?: string
  /** A block log of the reference to execute before anything else (read-only). */
  replay?: string
  /** Stop replaying after this block. */
  terminate_at_block?: number
  /** Repeat signature and authority checks of blocks read from the log. Default false. */
  force_all_checks?: boolean
  /** `light`: skip authority checks in signed blocks. Default `full`. */
  validation_mode?: 'full' | 'light'
  /** Producers whose blocks are validated as if `light`. */
  trusted_producers?: readonly bigint[]
  /** `speculative`: transactions of ephemeral blocks stay in the state until they are aborted. */
  read_mode?: 'head' | 'speculative'
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
  /** Hears which share of a snapshot was read. */
  onSnapshot?: (share: number) => void
  /** Called while blocks are replayed. */
  onReplay?: (progress: ReplayProgress) => void
}

/** A step of a replay; `last` is the number of the last block that will be applied. */
export interface ReplayProgress {
  block_num: number
  last: number
  transactions: number
}

/** What a chain needs from outside; the clock in microseconds since 1970. */
export interface ChainDependencies {
  store: Store
  now: () => number
  /** Microseconds that this thread waited for a processor so far; they are not billed. Default: none. */
  waited?: () => number
  /** Runs contracts. Default: one with its own defaults. */
  runtime?: WasmRuntime
  /** Signs and verifies with BLS keys. Default: a thread of the chain's own. */
  bls?: VoteSigner & AsyncVerifier & { close?(): Promise<void> }
  /** With listeners that are called for replayed blocks, too. Default: new ones. */
  events?: ChainEvents
  log?: LogFunction
  /** Hears that something could not be written: what follows is not stored, and the node must stop. */
  onStoreFailure?: (error: unknown) => void
}

/** What to open a pending block with. */
export interface StartBlock {
  /** Slot of the block (half seconds since 2000-01-01); must be after the head's. */
  slot: number
  /** Number of blocks that the producer confirms (legacy), 0 to 65535. */
  confirmed: number
  /** Digests of protocol features that this block activates, in order. */
  features?: readonly Uint8Array[]
  status: BlockStatus
  /** When to stop removing expired transactions, in microseconds. Default: never. */
  deadline_us?: number
  /** The block is a proper Savanna block. Default: as the head asks for. */
  savanna?: boolean
  /** The block is of the transition to Savanna. Default: it may be, if the chain is so far. */
  transition?: boolean
  /** Id of the signed block that is being validated; undefined while producing. */
  producer_block_id?: Uint8Array
}

/** Limits and billing of one pushed transaction (as controller::push_transaction). */
export interface PushLimits {
  /** Wall-clock end of the pending block, microseconds; Infinity when validating. */
  block_deadline_us: number
  /** Most wall-clock time that the node grants to this transaction, microseconds. */
  max_transaction_time_us: number
  /** CPU to bill instead of the measured one, when `explicit_billed_cpu_time`. */
  billed_cpu_time_us: number
  explicit_billed_cpu_time: boolean
  /** Subjective CPU already charged to the payer, microseconds. */
  subjective_cpu_bill_us?: number
  /** What may be waited for code that is being prepared. Absent: as long as it takes. */
  preparation?: PreparationAllowance
}

/** Signs a block digest with every key of the node that the block's authority asks for. */
export type BlockSigner = (digest: Uint8Array, keys: readonly Uint8Array[]) => Uint8Array[]
