import type { Database } from '../../state/database.ts'
import type { BuiltinFeatureName } from '../../protocol/features.ts'
import type { DigestList } from '../../crypto/digest_list.ts'
import type { WasmRuntime } from '../../vm/runtime.ts'
import type { TransactionReceipt } from '../../protocol/block.ts'
import type { BlockProposals, LegacySchedules } from '../headers/proposals.ts'
import type { SubjectiveRules } from './subjective_rules.ts'
import type { FeatureSet } from '../rules/features.ts'
import type { TransactionMetadata } from '../base/transaction_metadata.ts'
import type { WaitMeter } from './budgets/wait_meter.ts'
import type { TransactionTrace } from '../base/trace.ts'

/**
 * The reason for executing a block (spring: controller::block_status).
 *
 * - `irreversible`, `validated`: known to be valid, fewer checks.
 * - `complete`: a received signed block, which must be validated.
 * - `incomplete`: a block in production; its transactions stay in it.
 * - `ephemeral`: a speculative block that is always discarded; no onblock, no feature activation.
 */
export type BlockStatus = 'irreversible' | 'validated' | 'complete' | 'incomplete' | 'ephemeral'

/**
 * The action digests that a block collects: legacy blocks collect both kinds, Savanna blocks one.
 */
export interface ActionDigests {
  legacy: DigestList | undefined
  savanna: DigestList | undefined
}

/** Sums of the block so far, for the producer's log and metrics (spring: block_report). */
export interface BlockReport {
  total_net_usage: number
  total_cpu_usage_us: number
  total_elapsed_us: number
}

/**
 * One block while transactions run in it: the interface between building a block and executing
 * transactions. The block builder fills the facts and implements the methods; execution appends
 * receipts, digests and metas, and truncates them again when a transaction is undone. The database
 * session of the block is open already; every transaction nests its own.
 */
export interface BlockContext {
  readonly db: Database
  readonly runtime: WasmRuntime
  /** Every protocol feature that this node recognizes. */
  readonly features: FeatureSet
  readonly chain_id: Uint8Array
  readonly rules: SubjectiveRules

  /** Number of this block: head + 1. */
  readonly block_num: number
  /** Slot of this block (half seconds since 2000). */
  readonly slot: number
  /** The same in microseconds since 1970. */
  readonly block_time_us: number
  /** Id of the previous block (the head). */
  readonly head_id: Uint8Array
  /** Packed block_header of the head, the data of onblock. */
  readonly head_header: Uint8Array
  /** Id of the block being applied; undefined in speculative blocks. */
  readonly producer_block_id: Uint8Array | undefined

  readonly status: BlockStatus
  /** status is incomplete or ephemeral (spring: is_speculative_block). */
  readonly speculative: boolean
  /**
   * Checks of authority, expiry, TaPoS and limits may be skipped: replay of irreversible blocks
   * or light validation (spring: light_validation_allowed, without its transaction part).
   */
  readonly light_validation: boolean
  /** Set by execution around onblock and scheduled transactions, which are always checked. */
  checks_required: boolean
  /** The node's read mode keeps transactions of ephemeral blocks in the state (`speculative`). */
  readonly keep_ephemeral: boolean

  /** Whether a builtin protocol feature is active in this block. */
  isActivated(feature: BuiltinFeatureName): boolean
  /** Whether the feature of this digest is active in this block (spring: is_protocol_feature_activated). */
  isFeatureActivated(digest: Uint8Array): boolean
  /** Producers of the active schedule as contracts see them, in schedule order. */
  activeProducers(): bigint[]
  /** Undefined in Savanna blocks, where transactions propose through {@link proposals}. */
  legacySchedules(): LegacySchedules | undefined
  /** Wall clock in microseconds since 1970, for deadlines and billing. */
  clock(): number
  /**
   * Microseconds that this thread has waited for a processor, which are not billed; undefined if
   * the system does not report them.
   */
  readonly waits: WaitMeter | undefined

  /** Receipts of this block, in order. */
  readonly receipts: TransactionReceipt[]
  /** Digests of the receipts; undefined when the transaction root was verified beforehand, or is not needed. */
  readonly receipt_digests: Uint8Array[] | undefined
  readonly action_digests: ActionDigests
  /** Input transactions of this block, for the queue when the block is aborted. */
  readonly trx_metas: TransactionMetadata[]
  readonly proposals: BlockProposals
  readonly report: BlockReport

  /** Called when a transaction that proposed finalizers succeeds. */
  onFinalizersProposed?(): void
  /** Called once for every transaction applied or failed here, except transient ones. */
  onAppliedTransaction?(trace: TransactionTrace, meta: TransactionMetadata): void
}

/** Lengths of a block's lists, to return to when a transaction is undone. */
export interface RestorePoint {
  receipts: number
  receipt_digests: number
  trx_metas: number
}

/**
 * Records the current contents of the block for a later restore (spring: make_block_restore_point).
 */
export function makeRestorePoint(block: BlockContext): RestorePoint {
  return {
    receipts: block.receipts.length,
    receipt_digests: block.receipt_digests?.length ?? 0,
    trx_metas: block.trx_metas.length,
  }
}

/** Cuts the block back to a restore point. */
export function restoreBlock(block: BlockContext, point: RestorePoint): void {
  block.receipts.length = point.receipts
  if (block.receipt_digests) block.receipt_digests.length = point.receipt_digests
  block.trx_metas.length = point.trx_metas
}

/** Whether authority and transaction checks are skipped now (spring: skip_auth_check, skip_trx_checks). */
export function skipChecks(block: BlockContext): boolean {
  return block.light_validation && !block.checks_required
}
