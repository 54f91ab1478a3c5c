/**
 * Blocks of peers on their way into the chain: checked in the order in which they came and added to
 * the fork database, then executed. Certificates and keys are verified on other threads meanwhile.
 * spring: plugins/net_plugin/net_plugin.cpp (handle_message signed_block),
 * plugins/producer_plugin/producer_plugin.cpp (on_incoming_block)
 */
import { setImmediate } from 'node:timers/promises'
import type { BlockOutcome, ReceivedBlock } from '../../../net/peer_chain.ts'
import type { TransactionLookup } from '../../chain/blocks/recover_block.ts'
import type { Chain } from '../../chain/chain.ts'
import type { BlockState } from '../../chain/headers/block_state.ts'
import { isProperSavanna } from '../../chain/headers/savanna/header_state.ts'
import type { Clock } from '../../clock.ts'
import { ChainError, check } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { toHex } from '../../protocol/hex.ts'
import { slotToUs } from '../../protocol/time.ts'
import type { Producer } from '../production/producer.ts'

/** Blocks whose keys are recovered ahead. */
const RECOVERED_AHEAD = 32
/** Others are served after so much time of executing blocks. */
const SLICE_US = 50_000
/** A producer refuses blocks that are further ahead. spring: net_plugin.cpp (block_from_the_future) */
const FUTURE_US = 7_000_000

/** The parts of the node that blocks of peers need. */
export interface IntakeDependencies {
  chain: Chain
  producer: Producer
  clock: Clock
  log: Log
}

interface Waiting {
  received: ReceivedBlock
  outcome: (outcome: BlockOutcome) => void
}

/** Keys of a block's transactions that are recovered, or will be. */
interface Recovery {
  block_num: number
  done: Promise<TransactionLookup>
  lookup: TransactionLookup | undefined
}

/** Takes blocks of peers. At most one is checked at a time, and at most one slice is executed. */
export class BlockIntake {
  private readonly deps: IntakeDependencies
  private readonly waiting: Waiting[] = []
  private is_checking = false
  /** The execution in progress. */
  private applying: Promise<void> | undefined
  /** By id in hex. */
  private readonly recoveries = new Map<string, Recovery>()
  private is_stopped = false

  constructor(deps: IntakeDependencies) {
    this.deps = deps
  }

  /** Follows the chain: when this node has made a block, those that came meanwhile are executed. */
  follow(): void {
    const { chain, clock } = this.deps
    chain.events.on('blockAccepted', ({ key }) => {
      this.recoveries.delete(key)
      clock.wakeAt(clock.now(), () => this.apply())
    })
    chain.events.on('blockIrreversible', ({ block_num }) => {
      for (const [key, recovery] of this.recoveries) {
        if (recovery.block_num <= block_num) this.recoveries.delete(key)
      }
    })
  }

  /** Blocks are in the fork database that were not executed: this node must not build on its head. */
  get is_behind(): boolean {
    return this.applying !== undefined && this.next() !== undefined
  }

  /** Takes a block; `outcome` is called when it is checked. */
  take(received: ReceivedBlock, outcome: (outcome: BlockOutcome) => void): void {
    this.waiting.push({ received, outcome })
    if (!this.is_checking) void this.checkAll()
  }

  /** Takes no more blocks. Resolves when none is in execution. */
  async stop(): Promise<void> {
    this.is_stopped = true
    this.waiting.length = 0
    await this.applying
  }

  private async checkAll(): Promise<void> {
    this.is_checking = true
    try {
      for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
        await this.checkOne(next)
      }
    } finally {
      this.is_checking = false
    }
  }

  private async checkOne({ received, outcome }: Waiting): Promise<void> {
    const { chain } = this.deps
    const { block } = received
    // The execution of the last block before Savanna changes what is expected of its successors.
    if (isProperSavanna(block) && !chain.takes_savanna_blocks) await this.applying
    await chain.prepareBlock(block)
    if (this.is_stopped) return
    outcome(this.accept(received))
    this.apply()
  }

  private accept({ block, packed, id, block_num }: ReceivedBlock): BlockOutcome {
    const { chain, producer, clock } = this.deps
    try {
      check(
        producer.options.producers.length === 0 ||
          slotToUs(block.timestamp) < clock.now() + FUTURE_US,
        'block_from_the_future',
        () => `received a block from the future, rejecting it: ${toHex(id)}`,
      )
      const result = chain.acceptBlock(block, packed)
      if (result !== 'duplicate' && this.recoveries.size < RECOVERED_AHEAD) {
        this.recover(toHex(id), block_num, block)
      }
      return result
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      return error.errorName === 'unlinkable_block_exception' ? 'unlinkable' : error
    }
  }

  private recover(key: string, block_num: number, block: BlockState['block']): Recovery {
    const done = this.deps.producer.recoverKeys(block)
    const recovery: Recovery = { block_num, done, lookup: undefined }
    this.recoveries.set(key, recovery)
    void done.then((lookup) => (recovery.lookup = lookup))
    return recovery
  }

  /** Executes what is best, unless this node makes a block: then afterwards. */
  private apply(): void {
    if (this.applying !== undefined || this.is_stopped) return
    if (this.next() === undefined) return
    this.applying = this.applyAll().finally(() => (this.applying = undefined))
  }

  private async applyAll(): Promise<void> {
    const { chain } = this.deps
    for (let next = this.next(); next !== undefined; next = this.next()) {
      const { key, block_num, block } = next
      const recovery = this.recoveries.get(key) ?? this.recover(key, block_num, block)
      await recovery.done
      if (this.is_stopped) return
      this.applySlice()
      await chain.settled()
      await setImmediate()
      if (this.is_stopped) return
    }
  }

  /** The block that is to be executed next, if one may be executed now. */
  private next(): BlockState | undefined {
    const { chain, producer } = this.deps
    if (producer.loop.mode === 'producing' || producer.loop.reachedPause) return undefined
    return chain.unappliedBlocks()[0]
  }

  /** Executes blocks whose keys are known, for a while. */
  private applySlice(): void {
    const { chain, producer, clock, log } = this.deps
    if (this.next() === undefined) return
    const end_us = clock.now() + SLICE_US
    try {
      producer.loop.takeBlock(() => {
        const lookup: TransactionLookup = (id) => this.known(id)
        for (const { key } of chain.unappliedBlocks()) {
          if (this.recoveries.get(key)?.lookup === undefined) return
          chain.applyBest(lookup, 1)
          if (clock.now() >= end_us) return
        }
      })
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      log('warn', `a block of a peer is invalid: ${error.message}`)
    }
  }

  private known(trx_id: string): ReturnType<TransactionLookup> {
    for (const { lookup } of this.recoveries.values()) {
      const meta = lookup?.(trx_id)
      if (meta !== undefined) return meta
    }
    return undefined
  }
}
