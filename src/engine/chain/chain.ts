import type { SignedBlock } from '../protocol/block.ts'
import type { Database } from '../state/database.ts'
import { fail } from '../errors.ts'
import type { BlockState } from './block_state.ts'
import type { BuildingBlock } from './building_block.ts'
import type {
  BlockSigner,
  ChainDependencies,
  ChainEvents,
  ChainOptions,
  PushLimits,
  StartBlock,
} from './chain_options.ts'
import type { TransactionMetadata } from './transaction_metadata.ts'
import type { TransactionTrace } from './trace.ts'

/** How a pushed block joined the fork database. */
export type PushBlockResult = 'duplicate' | 'added' | 'appended' | 'fork_switch'

/**
 * The chain: its state, its head, the blocks that may still be undone, and the block in work.
 *
 * Everything that changes state is synchronous; only `open`, `settled` and `close` wait for the
 * store. A block is announced (`onAcceptedBlock`) after the reversible journal holds it, so no
 * announced block is lost at a crash.
 */
export class Chain {
  readonly chain_id: Uint8Array
  readonly db: Database
  /** Observers; assign before the first block. */
  events: ChainEvents = {}

  private constructor(chain_id: Uint8Array, db: Database) {
    this.chain_id = chain_id
    this.db = db
  }

  /** Opens the chain from the store, or from genesis, or by replaying a block log. */
  static open(_options: ChainOptions, _deps: ChainDependencies): Promise<Chain> {
    return fail('unsupported_feature', 'the chain is not built yet')
  }

  /** The last block applied; the state without a pending block is the state after it. */
  get head(): BlockState {
    return fail('unsupported_feature', 'the chain is not built yet')
  }

  /** The last irreversible block, at or before the head. */
  get last_irreversible(): BlockState {
    return fail('unsupported_feature', 'the chain is not built yet')
  }

  /** The best known block; it is the head except while blocks wait to be applied. */
  get fork_head(): BlockState {
    return fail('unsupported_feature', 'the chain is not built yet')
  }

  /** The block in work, between startBlock and produceBlock or abortBlock. */
  get pending(): BuildingBlock | undefined {
    return undefined
  }

  /** Number of the first block that blockByNumber can answer. */
  get earliest_available_block_num(): number {
    return fail('unsupported_feature', 'the chain is not built yet')
  }

  /** Begins a block; answers the trace of its onblock transaction (undefined when ephemeral). */
  startBlock(_args: StartBlock): TransactionTrace | undefined {
    return fail('unsupported_feature', 'the chain is not built yet')
  }

  /** Executes an input, dry-run or read-only transaction in the pending block. Failures of the
   *  transaction are in `trace.except`; only failures of the block throw. */
  pushTransaction(_meta: TransactionMetadata, _limits: PushLimits): TransactionTrace {
    return fail('unsupported_feature', 'the chain is not built yet')
  }

  /** Executes or expires the deferred transaction with this id in the pending block. */
  pushScheduled(_trx_id: Uint8Array, _limits: PushLimits): TransactionTrace {
    return fail('unsupported_feature', 'the chain is not built yet')
  }

  /** Finishes, signs and commits the pending block, and announces it as the new head. */
  produceBlock(_sign: BlockSigner): BlockState {
    return fail('unsupported_feature', 'the chain is not built yet')
  }

  /** Drops the pending block; answers its input transactions in execution order. */
  abortBlock(): TransactionMetadata[] {
    return fail('unsupported_feature', 'the chain is not built yet')
  }

  /** Checks a signed block, adds it to the fork database and applies what is best then; a pending
   *  block must have been aborted. Throws the reason when the block is refused. */
  pushBlock(_block: SignedBlock | Uint8Array): PushBlockResult {
    return fail('unsupported_feature', 'the chain is not built yet')
  }

  /** The block with this number on the head's branch, from the fork database or the log. */
  blockByNumber(_block_num: number): SignedBlock | undefined {
    return fail('unsupported_feature', 'the chain is not built yet')
  }

  /** The id of the block with this number on the head's branch. */
  blockIdByNumber(_block_num: number): Uint8Array | undefined {
    return fail('unsupported_feature', 'the chain is not built yet')
  }

  /** A block by id: in the fork database (any branch) or in the log. */
  blockById(_id: Uint8Array): SignedBlock | undefined {
    return fail('unsupported_feature', 'the chain is not built yet')
  }

  /** Header state of a reversible block (or of the last irreversible one), by id. */
  blockState(_id: Uint8Array): BlockState | undefined {
    return fail('unsupported_feature', 'the chain is not built yet')
  }

  /** Checks features that a block built on the head would activate (recognized, not yet active,
   *  dependencies); throws protocol_feature_exception. */
  validateProtocolFeatures(_digests: readonly Uint8Array[]): void {
    return fail('unsupported_feature', 'the chain is not built yet')
  }

  /** Waits while too many rows wait for the store; await it between blocks. */
  settled(): Promise<void> {
    return fail('unsupported_feature', 'the chain is not built yet')
  }

  /** Aborts the pending block, writes everything out and releases the files. */
  close(): Promise<void> {
    return fail('unsupported_feature', 'the chain is not built yet')
  }
}
