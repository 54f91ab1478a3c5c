import { setImmediate as turn } from 'node:timers/promises'
import type { SharedSigning } from '../../../crypto/shared_signing.ts'
import { SigningThread } from '../../../crypto/signing_thread.ts'
import { check } from '../../../errors.ts'
import type { Chain } from '../../../chain/chain.ts'
import type { Clock } from '../../../clock.ts'
import type { BlockBuilder } from './block_builder.ts'
import type { ProductionPause } from './production_pause.ts'
import type { TransactionProcessor } from '../transaction_processor.ts'

/** The most blocks that are mined between two turns of the event loop, which sync them and vote on the last. */
const MINED_AT_ONCE = 128
/**
 * A vote on the blocks of one turn is made while the blocks of the next turn are made. If more blocks than this are not
 * final, the next ones wait for the vote: each block commits to all blocks that are not final, so many take longer.
 */
const MAX_NOT_FINAL = 4 * MINED_AT_ONCE
/** So many blocks are signed together with another thread, whose start takes as long as 200 signatures. */
const SIGNED_TOGETHER = 1000
/** Before each of the last blocks that are mined, votes are waited for, so that finality reaches them. */
const VOTED_BLOCKS = 4

/** The parts of the node that mining uses. */
export interface MinerDependencies {
  chain: Chain
  clock: Clock
  processor: TransactionProcessor
  builder: BlockBuilder
  pause: ProductionPause
  /** No more blocks than this may be reversible; 0 means no limit. */
  max_reversible_blocks: number
}

/**
 * Makes blocks one after the other, without waiting for their slots: those that a request asks for. Meanwhile the
 * production loop starts no block.
 */
export class BlockMiner {
  is_mining = false
  private stopped = false
  private readonly deps: MinerDependencies

  constructor(deps: MinerDependencies) {
    this.deps = deps
  }

  /** No further block is made. */
  stop(): void {
    this.stopped = true
  }

  /**
   * Makes blocks as long as `missing` answers how many at least are missing. The first is the pending block. Times of
   * blocks may be ahead of the clock, which follows.
   * @throws ChainError the reason why no block can be made
   */
  async mine(missing: () => number): Promise<void> {
    const { chain } = this.deps
    let signer: SigningThread | undefined
    this.is_mining = true
    try {
      if (missing() >= SIGNED_TOGETHER) signer = new SigningThread()
      // Where few blocks may be reversible, one without the votes on its parent might be the last that is allowed.
      if (this.many_not_final) await chain.voted()
      while (missing() > 0) {
        const at_once = this.minedAtOnce(missing())
        if (at_once === 1) this.mineBlock()
        else chain.inOneSync(() => this.mineBlocks(at_once, signer))
        await turn()
        if (missing() <= VOTED_BLOCKS || this.many_not_final) await chain.voted()
        await chain.settled()
      }
    } finally {
      await signer?.close()
      this.is_mining = false
    }
  }

  private minedAtOnce(missing: number): number {
    return Math.max(1, Math.min(this.limited(MINED_AT_ONCE), missing - VOTED_BLOCKS))
  }

  /** The next blocks wait for the vote on the last ones. */
  private get many_not_final(): boolean {
    const { block_num, irreversible_block_num } = this.deps.chain.head
    return block_num - irreversible_block_num > this.limited(MAX_NOT_FINAL)
  }

  /** At most a third of the blocks that may be reversible: with votes, those of two turns and of a third are. */
  private limited(blocks: number): number {
    const { max_reversible_blocks: limit } = this.deps
    return limit > 0 ? Math.min(blocks, Math.floor(limit / 3)) : blocks
  }

  /** Makes blocks, up to the first that has transactions: it may have taken long. */
  private mineBlocks(count: number, signer: SigningThread | undefined): void {
    const { chain } = this.deps
    const signing = signer?.begin(count)
    try {
      for (let i = 0; i < count; i++) {
        this.mineBlock(signing)
        if (chain.head.transactions.length > 0) return
      }
    } finally {
      signing?.end()
    }
  }

  private mineBlock(signing?: SharedSigning): void {
    const { chain, clock, processor, builder, pause } = this.deps
    check(!this.stopped, 'producer_exception', 'the node stops')
    check(!pause.by_operator, 'producer_exception', 'production is paused: resume it first')
    // A block without transactions gets the time that it is now.
    if (builder.mode !== 'producing' || chain.pending?.trx_metas.length === 0) {
      builder.abort()
      const slot = builder.slotOnDemand(clock.now())
      check(slot !== undefined, 'producer_exception', 'no producer of this node is in the schedule')
      builder.startOnDemand(slot)
    }
    while (processor.is_filling && processor.continueFill() === 'more');
    builder.finish(true, signing)
  }
}
