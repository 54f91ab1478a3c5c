import { ChainError, createMetadata, recoverMetadataKeys } from '../engine/index.ts'
import type {
  PackedTransaction,
  Submitter,
  TransactionKind,
  TransactionMetadata,
  TransactionTrace,
} from '../engine/index.ts'
import type { BlockMaker } from './block_maker.ts'

/** Executes packed transactions, as clients sign and send them, in the pending block of a chain. */
export class LocalSubmitter implements Submitter {
  private readonly maker: BlockMaker
  private readonly mines: boolean

  /** @param mines whether a block ends with each transaction that is submitted and succeeds */
  constructor(maker: BlockMaker, mines = false) {
    this.maker = maker
    this.mines = mines
  }

  /**
   * Executes a transaction with the keys that signed it.
   * @returns the trace; a failure is in `except`
   * @throws ChainError it cannot be read, or a signature is invalid
   */
  push(packed: PackedTransaction): TransactionTrace {
    const meta = this.open(packed, 'input')
    return this.maker.pushMetadata(() => meta)
  }

  /**
   * Executes a transaction as a node does that a client submits it to.
   * @throws ChainError why it was refused or failed; unsupported_feature for a retry
   */
  async submit(
    packed: PackedTransaction,
    { return_failure_trace, retry }: Parameters<Submitter['submit']>[1],
  ): Promise<TransactionTrace> {
    if (retry !== undefined) {
      throw new ChainError('unsupported_feature', 'a chain in process sends no transaction again')
    }
    const trace = this.push(packed)
    if (this.mines && !trace.except) this.maker.mine(1)
    if (trace.except && !return_failure_trace) throw trace.except
    return trace
  }

  /**
   * Executes a transaction and undoes it.
   * @returns the trace; a failure is in `except`
   * @throws ChainError it cannot be read, or a signature is invalid
   */
  async compute(packed: PackedTransaction): Promise<TransactionTrace> {
    const meta = this.open(packed, 'dry_run')
    return this.maker.pushMetadata(() => meta)
  }

  /**
   * Executes a transaction that may not write.
   * @returns the trace; a failure is in `except`
   * @throws ChainError it cannot be read
   */
  async readOnly(packed: PackedTransaction): Promise<TransactionTrace> {
    const meta = createMetadata(packed, 'read_only')
    return this.maker.pushMetadata(() => meta)
  }

  /** @throws ChainError unsupported_feature, always */
  async pushBlock(): Promise<void> {
    throw new ChainError(
      'unsupported_feature',
      'a chain in process accepts no blocks from other nodes',
    )
  }

  private open(packed: PackedTransaction, kind: TransactionKind): TransactionMetadata {
    return recoverMetadataKeys(createMetadata(packed, kind), this.maker.chain.chain_id)
  }
}
