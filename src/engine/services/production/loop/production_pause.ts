import { check } from '../../../errors.ts'
import type { Chain } from '../../../chain/chain.ts'
import type { Log } from '../../../log.ts'
import type { VotePause } from '../vote_pause.ts'

/**
 * Whether production is paused: by an operator, at a block height, or because votes are missing. A pause
 * only keeps further blocks from being started: the production loop restarts the pending block where that is needed.
 * spring: plugins/producer_plugin/producer_plugin.cpp (_pause_production, pause_at_block, implicitly_paused)
 */
export class ProductionPause {
  /** An operator paused production. */
  requested: boolean
  /** The head at which production and evaluation stop; 0 means none. */
  private at_block = 0
  private readonly chain: Chain
  private readonly votes: VotePause
  private readonly log: Log

  /** @param requested production is paused from the start */
  constructor(requested: boolean, chain: Chain, votes: VotePause, log: Log) {
    this.requested = requested
    this.chain = chain
    this.votes = votes
    this.log = log
  }

  /** An operator pauses production, until {@link end}. */
  begin(): void {
    this.requested = true
    this.log('info', 'production is paused')
  }

  /** An operator resumes production: no pause is left or scheduled, and the wait for missing votes starts again. */
  end(): void {
    this.requested = false
    this.pauseAt(0)
    this.votes.forgetBlocks()
    this.log('info', 'production is resumed')
  }

  /** Schedules a pause at a height; 0 clears it.
   *  @throws invalid_pause_at_block_request unless the height is above the head */
  schedule(block_num: number): void {
    const head = this.chain.head.block_num
    check(
      block_num === 0 || block_num > head,
      'invalid_pause_at_block_request',
      () => `Pause at block ${block_num} <= chain head ${head}`,
    )
    this.pauseAt(block_num)
    const what =
      block_num === 0 ? 'no pause is scheduled' : `a pause is scheduled at block ${block_num}`
    this.log('info', what)
  }

  private pauseAt(block_num: number): void {
    this.at_block = block_num
    this.chain.pause_at_block_num = block_num
  }

  /** An operator paused production, a scheduled height was reached, or votes are missing. */
  get is_on(): boolean {
    return this.by_operator || this.votes.reason() !== undefined
  }

  /** An operator paused production, or scheduled a height that was reached. */
  get by_operator(): boolean {
    return this.requested || this.at_height
  }

  /** A scheduled height was reached. Evaluation is paused too: there is no block for speculative execution. */
  get at_height(): boolean {
    return this.at_block !== 0 && this.chain.head.block_num >= this.at_block
  }
}
