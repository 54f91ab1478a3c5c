import { RecoveryPool } from '../crypto/recovery_pool.ts'
import type { PackedTransaction } from '../protocol/packed_transaction.ts'
import type { Chain } from '../chain/chain.ts'
import type { TransactionTrace } from '../chain/trace.ts'
import type { Clock } from './clock.ts'
import type { MutableRules } from './lists.ts'
import type { ProducerOptions } from './producer_options.ts'
import { ProductionLoop } from './production_loop.ts'
import { updateRuntimeOptions, type RuntimeOptionsUpdate } from './runtime_options.ts'
import {
  computeTransaction,
  readOnlyTransaction,
  submitTransaction,
  type SubmissionDependencies,
} from './submission.ts'
import { TransactionProcessor } from './transaction_processor.ts'

export interface ProducerDependencies {
  chain: Chain
  clock: Clock
  /** The chain's rules: the same object. */
  rules: MutableRules
  log: (level: 'debug' | 'info' | 'warn' | 'error', message: string) => void
}

/** The parts on the clock's side, wired: the loop fills blocks from the processor's queue. */
export class Producer {
  readonly options: ProducerOptions
  readonly rules: MutableRules
  readonly loop: ProductionLoop
  readonly processor: TransactionProcessor
  private readonly pool: RecoveryPool
  private readonly submission: SubmissionDependencies

  constructor(options: ProducerOptions, deps: ProducerDependencies) {
    const { chain, clock, rules, log } = deps
    this.options = options
    this.rules = rules
    this.pool = new RecoveryPool(options.recovery_threads)
    this.processor = new TransactionProcessor(options, chain, clock)
    this.loop = new ProductionLoop(options, { chain, clock, processor: this.processor, log })
    this.processor.onExhausted = () => this.loop.blockExhausted()
    const { pool, processor } = this
    const max_signature_length = rules.maximum_variable_signature_length
    this.submission = { chain, clock, pool, processor, max_signature_length }
  }

  start(): void {
    // Threads that are ready take the work of the first signatures off this one.
    void this.pool.start()
    this.loop.start()
  }

  /** Stops the clock and the threads; the chain stays open. */
  async stop(): Promise<void> {
    this.loop.stop()
    await this.pool.close()
  }

  submit(packed: PackedTransaction, return_failure_trace: boolean): Promise<TransactionTrace> {
    return submitTransaction(this.submission, packed, return_failure_trace)
  }

  compute(packed: PackedTransaction): Promise<TransactionTrace> {
    return computeTransaction(this.submission, packed)
  }

  readOnly(packed: PackedTransaction): TransactionTrace {
    return readOnlyTransaction(this.submission, packed)
  }

  /** Changes run-time options; a pending block is begun again when it depends on them. */
  update(update: RuntimeOptionsUpdate): void {
    updateRuntimeOptions(this.options.runtime, this.rules, update)
    if (update.max_irreversible_block_age !== undefined && this.loop.mode === 'speculating') {
      this.loop.restart()
    }
  }
}
