import {
  ChainError,
  DEVELOPMENT_FINALIZER,
  DEVELOPMENT_PRIVATE_KEY,
  activateAllFeatures,
  blsPublicKeyFromString,
  createMetadata,
  createUnsignedMetadata,
  defaultGenesis,
  defaultRules,
  EngineChain,
  makePackedTransaction,
  metadataSigningDigest,
  nameFromString,
  privateKeyFromString,
  publicKeyOf,
  refBlockOf,
  signDigest,
  slotToUs,
  usToSlot,
} from '../engine/index.ts'
import type {
  Action,
  BlockSigner,
  Checkpoint,
  MutableRules,
  Savepoint,
  Transaction,
  TransactionMetadata,
  TransactionTrace,
} from '../engine/index.ts'

import { ChainRuntime } from './chain_runtime.ts'

/** The key of the development chain, which signs its blocks and is the key of its accounts. */
const SECRET = privateKeyFromString(DEVELOPMENT_PRIVATE_KEY)

/** Taken here, because tests replace the clock. */
const steadyNow = performance.now.bind(performance)
const began_us = performance.timeOrigin * 1000

/** The time of this machine; microseconds since 1970. */
export const machineTime = (): number => Math.round(began_us + steadyNow() * 1000)

/** Transactions of a block differ in their expiration, at least in this. */
const EXPIRATION_SEC = 60
/** Fewer than the seconds of the longest lifetime that the chain permits. */
const MAX_TRANSACTIONS = 3000
/** Deferred transactions that a block removes; a producer of the reference removes them for 10 ms. */
const MAX_RETIRED = 500
const LAST_SLOT = 2 ** 32 - 1
/** Microseconds since 1970 of the last slot. */
export const LAST_TIME_US = slotToUs(LAST_SLOT)

/** How a chain bills and limits the CPU time of transactions, and when it begins. */
export interface BlockMakerOptions {
  /** Microseconds since 1970. Default: right after the head of the snapshot. */
  start_us: number | undefined
  /** The path of a snapshot to start from, instead of the development genesis. */
  snapshot?: string | undefined
  /** Billed for each transaction; microseconds. */
  bill_cpu_us: number
  /** The time after which a transaction fails; milliseconds. */
  time_limit_ms: number
  /** Whether every account may act without signatures. */
  any_account: boolean
}

/** A moment of a chain: between two blocks, with the time of the next one. */
export interface Moment {
  checkpoint: Checkpoint
  slot: number
}

/**
 * Executes transactions in the pending block of a chain in memory, and makes blocks when asked to.
 * A block begins with its first transaction, and also ends when it is full.
 */
export class BlockMaker {
  readonly chain: EngineChain
  readonly runtime = new ChainRuntime()
  private readonly options: BlockMakerOptions
  private readonly sign: BlockSigner = (digest) => signDigest(SECRET, digest)
  /** Of the pending block, or of the next one. */
  private slot: number
  /** The start of the pending block, if it follows a checkpoint: going back there needs no new block. */
  private savepoint: Savepoint | undefined
  /** Deferred transactions that the pending block removed. */
  private retired = 0

  constructor(options: BlockMakerOptions) {
    this.options = options
    const rules: MutableRules = {
      ...(defaultRules() as MutableRules),
      contracts_console: true,
      any_account: options.any_account ? 'all' : new Set(),
    }
    const { snapshot, start_us } = options
    const start =
      snapshot === undefined ? { genesis: defaultGenesis() } : { fork: forkOf(snapshot) }
    this.chain = EngineChain.create(
      { ...start, rules },
      { now: machineTime, runtime: this.runtime },
    )
    if (snapshot === undefined) {
      activateAllFeatures(this.chain, {
        sign: this.sign,
        key: publicKeyOf(SECRET),
        now_us: start_us! - 1_000_000,
      })
    }
    const next = this.chain.head.timestamp + 1
    this.slot = start_us === undefined ? next : Math.max(usToSlot(start_us), next)
  }

  /** The time of the pending block, or of the next one; microseconds since 1970. */
  get time_us(): number {
    return slotToUs(this.slot)
  }

  /** The number of the pending block, or of the next one. */
  get block_num(): number {
    return this.chain.head.block_num + 1
  }

  /**
   * Executes actions as one transaction in the pending block.
   * @returns the trace; a failure is in `except`, and then nothing has changed
   */
  push(actions: Action[], context_free_actions: Action[] = []): TransactionTrace {
    return this.pushMetadata(() => this.transaction(actions, context_free_actions))
  }

  /**
   * Executes a transaction in the pending block; a block that is full ends before it.
   * @param make called again in that case: what it makes may refer to the head
   */
  pushMetadata(make: () => TransactionMetadata): TransactionTrace {
    this.begin()
    const trace = this.execute(make())
    if (!isBlockFull(trace.except) || this.transactions === 0) return trace
    this.end()
    this.begin()
    return this.execute(make())
  }

  /**
   * Ends the pending block and makes more, empty ones, until there are `count`.
   * @throws RangeError there is no time for a further block
   */
  mine(count: number): void {
    for (let i = 0; i < count; i++) {
      this.begin()
      this.end()
    }
  }

  /**
   * Sets the time of the next block, after the end of the pending one if it has transactions. Times
   * between two slots count as the later one.
   */
  setTime(time_us: number): void {
    this.leaveBlock()
    // Rounded up: what is due at that time is due in the block. The pending block that ended may have had this time.
    this.slot = Math.max(usToSlot(time_us + 499_999), this.chain.head.timestamp + 1)
  }

  /**
   * A view of the state, which the caller must release, after the end of the pending block. If time was moved, an empty
   * block has the new time: a snapshot has no time but that of its head.
   */
  snapshotSource(): ReturnType<EngineChain['snapshotSource']> {
    this.leaveBlock()
    if (this.slot > this.chain.head.timestamp + 1) this.mine(1)
    return this.chain.snapshotSource()
  }

  /** Takes a checkpoint, after the end of the pending block if it has transactions. */
  takeCheckpoint(): Moment {
    this.leaveBlock()
    return { checkpoint: this.chain.takeCheckpoint(), slot: this.slot }
  }

  /** Makes the chain what it was. @throws ChainError the checkpoint was dropped */
  goBackTo({ checkpoint, slot }: Moment): void {
    const { chain, savepoint } = this
    const is_there = chain.checkpoints.at(-1) === checkpoint && chain.head === checkpoint.head
    if (is_there && savepoint && this.slot === slot) return chain.rollBack(savepoint)
    this.abort()
    if (!is_there) chain.goBackTo(checkpoint)
    this.slot = slot
  }

  /** Forgets a checkpoint. @throws ChainError it was dropped */
  dropCheckpoint({ checkpoint }: Moment): void {
    this.chain.dropCheckpoint(checkpoint)
  }

  /** Ends the pending block, or removes it if it has no transactions. */
  private leaveBlock(): void {
    if (this.transactions > 0) this.end()
    else this.abort()
  }

  private get transactions(): number {
    const { pending } = this.chain
    return pending === undefined ? 0 : pending.receipts.length - this.retired
  }

  private begin(): void {
    if (this.transactions >= MAX_TRANSACTIONS) this.end()
    if (this.chain.pending !== undefined) return
    if (this.slot > LAST_SLOT) throw new RangeError('a chain has no blocks after the year 2068')
    this.chain.startBlock({
      slot: this.slot,
      confirmed: 0,
      features: this.chain.preactivatedFeatures(),
      status: 'incomplete',
    })
    this.retireDeferred()
    const follows = this.chain.checkpoints.at(-1)?.head === this.chain.head
    if (follows) this.savepoint = this.chain.savepoint()
  }

  /** A snapshot may have deferred transactions. As in a network, none is executed, and those that expired are removed. */
  private retireDeferred(): void {
    const ids = this.chain.retirableTransactions(MAX_RETIRED)
    for (const id of ids) {
      this.chain.pushScheduled(id, {
        block_deadline_us: Infinity,
        max_transaction_time_us: Infinity,
        billed_cpu_time_us: 0,
        explicit_billed_cpu_time: true,
      })
    }
    this.retired = ids.length
  }

  private abort(): void {
    this.releaseSavepoint()
    this.chain.abortBlock()
  }

  private releaseSavepoint(): void {
    this.savepoint?.release()
    this.savepoint = undefined
  }

  private end(): void {
    this.releaseSavepoint()
    this.chain.produceBlock(this.sign)
    this.slot = this.chain.head.timestamp + 1
  }

  private transaction(actions: Action[], context_free_actions: Action[]): TransactionMetadata {
    const expiration = Math.floor(this.time_us / 1_000_000) + EXPIRATION_SEC + this.transactions
    const trx: Transaction = {
      expiration,
      ...refBlockOf(this.chain.head.id),
      max_net_usage_words: 0,
      max_cpu_usage_ms: 0,
      delay_sec: 0,
      context_free_actions,
      actions,
      transaction_extensions: [],
    }
    const unsigned = createUnsignedMetadata(trx, 'input')
    if (this.options.any_account) return unsigned
    const digest = metadataSigningDigest(unsigned, this.chain.chain_id)
    const packed = makePackedTransaction(trx, [signDigest(SECRET, digest)])
    return createMetadata(packed, 'input', { keys: [publicKeyOf(SECRET)], cpu_usage_us: 0 })
  }

  private execute(meta: TransactionMetadata): TransactionTrace {
    const { bill_cpu_us, time_limit_ms } = this.options
    return this.chain.pushTransaction(meta, {
      block_deadline_us: machineTime() + time_limit_ms * 1000,
      max_transaction_time_us: Infinity,
      billed_cpu_time_us: bill_cpu_us,
      explicit_billed_cpu_time: true,
    })
  }
}

/** The development keys take production and finality over. */
function forkOf(snapshot: string) {
  return {
    snapshot,
    producers: [nameFromString('eosio')],
    signing_key: publicKeyOf(SECRET),
    finalizers: [blsPublicKeyFromString(DEVELOPMENT_FINALIZER)],
  }
}

/** Whether a transaction may succeed in the next block. */
function isBlockFull(error: ChainError | undefined): boolean {
  if (error === undefined) return false
  return error.is('block_cpu_usage_exceeded') || error.is('block_net_usage_exceeded')
}
