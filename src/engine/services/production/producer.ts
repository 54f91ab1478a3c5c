import { RecoveryPool } from '../../crypto/recovery_pool.ts'
import { ChainError } from '../../errors.ts'
import type { SignedBlock } from '../../protocol/block.ts'
import type { BlockState } from '../../chain/headers/block_state.ts'
import type { PackedTransaction, UnpackedTransaction } from '../../protocol/packed_transaction.ts'
import type { Chain } from '../../chain/chain.ts'
import type { ChainEvents } from '../../chain/chain_events.ts'
import {
  likelyTransactions,
  recoverBlock,
  type KnownTransactions,
  type SeenTransactions,
} from '../../chain/blocks/recover_block.ts'
import { transactionKey, type TransactionMetadata } from '../../chain/base/transaction_metadata.ts'
import type { TransactionTrace } from '../../chain/base/trace.ts'
import type { Clock } from '../../clock.ts'
import { SharedRecovery, SingleRecovery, type BlockRecovery } from './block_recovery.ts'
import { ForeignSignatures } from './foreign_signatures.ts'
import { IncomingBlocks } from './incoming_blocks.ts'
import type { Log } from '../../log.ts'
import type { MutableRules } from '../../chain/execution/subjective_rules.ts'
import { BlockMetrics } from './block_totals.ts'
import { blockMetrics } from './metrics.ts'
import type { ProducerOptions } from './producer_options.ts'
import { ProductionLoop } from './production_loop.ts'
import { RateLimit } from './rate_limit.ts'
import { updateRuntimeOptions, type RuntimeOptionsUpdate } from './runtime_options.ts'
import {
  computeTransaction,
  readOnlyTransaction,
  submitTransaction,
  type SubmissionDependencies,
  type SubmitOptions,
} from './submission.ts'
import { TransactionProcessor } from './transaction_processor.ts'
import type { Metric } from '../metric.ts'
import type { SubjectiveLimits } from '../subjective_billing/subjective_limits.ts'
import type { TransactionRetry } from '../transaction_retry/transaction_retry.ts'
import { Turns } from './turns.ts'
import { VotePause } from './vote_pause.ts'

/** The parts of the node that production uses. */
export interface ProducerDependencies {
  chain: Chain
  clock: Clock
  /** The chain's rules: the same object. */
  rules: MutableRules
  log: Log
  limits: SubjectiveLimits
  /** Undefined when the operator turned it off. */
  retry: TransactionRetry | undefined
}

/** The parts on the clock's side, wired: the loop fills blocks from the processor's queue. */
export class Producer {
  readonly options: ProducerOptions
  readonly rules: MutableRules
  readonly loop: ProductionLoop
  readonly processor: TransactionProcessor
  readonly blocks = new BlockMetrics()
  /** Called with each submitted transaction that was executed, and again while retries wait for its
   *  block: the network gives it to peers. */
  onExecuted: (meta: TransactionMetadata) => void = () => {}
  private readonly dry_runs: RateLimit
  private readonly pool: RecoveryPool
  private readonly submission: SubmissionDependencies

  constructor(options: ProducerOptions, deps: ProducerDependencies) {
    const { chain, clock, rules, log, limits, retry } = deps
    this.options = options
    this.rules = rules
    this.pool = new RecoveryPool(options.recovery_threads)
    this.dry_runs = new RateLimit(options.max_dry_runs_per_second, clock)
    this.processor = new TransactionProcessor(options, { chain, clock, log, limits })
    const { pool, processor, blocks: metrics } = this
    const votes = new VotePause(options.producers, options.pause_vote_timeout_us, clock, (key) =>
      chain.votesFor(key),
    )
    this.loop = new ProductionLoop(options, { chain, clock, processor, metrics, votes, log })
    processor.onExhausted = () => this.loop.blockExhausted()
    const onExecuted = (meta: TransactionMetadata): void => this.onExecuted(meta)
    retry?.useQueue({
      relay: onExecuted,
      isWaiting: (meta) => processor.queue.find(transactionKey(meta)) !== undefined,
      submit: (meta, outcome) => processor.process(meta, false, outcome),
    })
    const max_signature_length = rules.maximum_variable_signature_length
    const turns = new Turns()
    this.submission = {
      chain,
      clock,
      pool,
      processor,
      turns,
      retry,
      onExecuted,
      max_signature_length,
    }
    followWithQueue(processor, chain.events)
    votes.follow(chain.events)
    new IncomingBlocks(metrics, clock).follow(chain.events)
    new ForeignSignatures({ chain, clock, log }).follow()
  }

  /** Begins to make blocks, or pending blocks for the transactions of a node that produces none. */
  start(): void {
    this.loop.start()
  }

  /** Starts the threads that recover keys: those that are ready take the work of the first signatures off this one. */
  startThreads(): void {
    void this.pool.start()
  }

  /** Stops the clock and the threads; the chain stays open. */
  async stop(): Promise<void> {
    this.loop.stop()
    await this.pool.close()
    // Requests that wait for a block must not wait forever.
    this.processor.queue.clear(
      new ChainError('interrupt_exception', 'production ended before the transaction was executed'),
    )
  }

  /** Counters of blocks for the page of metrics. */
  metrics(): Metric[] {
    return blockMetrics(this.blocks)
  }

  /**
   * Executes a submitted transaction in the pending block; resolves with its trace.
   * @throws ChainError why it was refused
   */
  submit(packed: PackedTransaction, options: SubmitOptions): Promise<TransactionTrace> {
    return submitTransaction(this.submission, packed, options)
  }

  /** The longest time for the recovery of the keys of one submission; microseconds. */
  get max_recovery_time_us(): number {
    return this.processor.executor.maxTransactionTime({ kind: 'input' })
  }

  /** @throws BusyError when there were too many in this second */
  compute(packed: PackedTransaction, opened?: UnpackedTransaction): Promise<TransactionTrace> {
    this.dry_runs.take('compute_transaction')
    return computeTransaction(this.submission, packed, opened)
  }

  /**
   * Processes a received block. The pending block continues until it is known that this block is
   * new and correctly signed.
   * @throws ChainError the reason of a refusal
   */
  async pushBlock(block: SignedBlock): Promise<void> {
    const { chain } = this.submission
    await chain.prepareBlock(block)
    if (!chain.checkBlock(block)) return
    const metas = await recoverBlock(block, chain.chain_id, this.pool, this.seenTransactions())
    const found = new Map(metas?.map((meta) => [transactionKey(meta), meta]))
    this.loop.takeBlock(() => chain.pushBlock(block, (id) => found.get(id)))
  }

  /** The packed transactions of a block as far as the pending block has the same ones in the same order. */
  likelyTransactions(block: SignedBlock): KnownTransactions {
    return likelyTransactions(block, this.submission.chain.pending?.trx_metas ?? [])
  }

  /**
   * Begins to recover the keys of a block's transactions on other threads, but for those that are executed or wait here.
   */
  recoverKeys(state: BlockState): BlockRecovery {
    const { block, packed_block } = state
    const { chain_id, pending } = this.submission.chain
    const knows_some = this.processor.queue.size > 0 || (pending?.trx_metas.length ?? 0) > 0
    if (!knows_some) {
      const keys = this.pool.shareBlock(block, packed_block, chain_id)
      return new SharedRecovery(state, keys, chain_id)
    }
    return new SingleRecovery(recoverBlock(block, chain_id, this.pool, this.seenTransactions()))
  }

  /** Transactions of the pending block and of the queue. */
  private seenTransactions(): SeenTransactions {
    const likely = this.submission.chain.pending?.trx_metas ?? []
    let pending: Map<string, TransactionMetadata> | undefined
    return {
      likely,
      find: (id) => {
        pending ??= new Map(likely.map((meta) => [transactionKey(meta), meta]))
        return pending.get(id) ?? this.processor.queue.find(id)?.meta
      },
    }
  }

  /**
   * Executes a read-only transaction, which changes nothing; resolves with its trace.
   * @throws ChainError why it was refused
   */
  readOnly(packed: PackedTransaction, opened?: UnpackedTransaction): Promise<TransactionTrace> {
    return readOnlyTransaction(this.submission, packed, opened)
  }

  /** Changes run-time options. A pending block that depends on them is restarted. */
  update(update: RuntimeOptionsUpdate): void {
    updateRuntimeOptions(this.options.runtime, this.rules, update)
    if (update.max_irreversible_block_age !== undefined && this.loop.mode === 'speculating') {
      this.loop.restart()
    }
  }
}

function followWithQueue(processor: TransactionProcessor, events: ChainEvents): void {
  events.on('blockAccepted', (block) => processor.blockAccepted(block))
  events.on('transactionUndone', (meta) => void processor.queue.addBack('forked', [meta]))
}
