/**
 * Decides whether production pauses automatically because votes are missing: those of the
 * finalizers of this node's producers, or those of all others. Blocks without votes would only make
 * a longer branch that may be undone.
 * spring: plugins/producer_plugin/{producer_plugin.cpp (implicit_production_pause_vote_tracker),
 * include/eosio/producer_plugin/production_pause_vote_tracker.hpp}
 */
import { bytesEqual } from '../../protocol/hex.ts'
import type { FinalizerAuthority } from '../../protocol/finality.ts'
import { looseName } from '../../protocol/name.ts'
import { slotToUs } from '../../protocol/time.ts'
import type { BlockState } from '../../chain/headers/block_state.ts'
import type { ChainEvents } from '../../chain/chain_events.ts'
import type { Clock } from '../../clock.ts'

/** A vote may arrive shortly before its block. */
const TOLERANCE_US = 1_000_000
/** Names of producers are no longer. */
const LONGEST_NAME = 12

/** One kind of votes: the time of the last one, and the first block since then. */
class VoteTiming {
  private latest_vote_us = 0
  private first_block_us = 0

  vote(now_us: number): void {
    this.latest_vote_us = Math.max(this.latest_vote_us, now_us)
  }

  /** @param received_us when the block came, or its time if that was earlier */
  block(received_us: number): void {
    if (received_us - TOLERANCE_US <= this.latest_vote_us) return
    const is_tracked = this.latest_vote_us < this.first_block_us
    if (is_tracked && this.first_block_us <= received_us) return
    this.first_block_us = received_us
  }

  forgetBlocks(): void {
    this.first_block_us = 0
  }

  /** A block of before `threshold_us` has waited in vain. */
  isOld(threshold_us: number): boolean {
    return this.latest_vote_us < this.first_block_us && this.first_block_us < threshold_us
  }
}

/**
 * Decides whether production pauses because expected votes are missing for longer than a timeout.
 */
export class VotePause {
  private readonly is_on: boolean
  private readonly producers: ReadonlySet<bigint>
  private readonly timeout_us: number
  private readonly clock: Clock
  private readonly own = new VoteTiming()
  private readonly others = new VoteTiming()
  /** The kinds of finalizers that exist; none before Savanna. */
  private expected = { own: false, others: false }
  private finalizers: readonly FinalizerAuthority[] = []
  private readonly hasKey: (finalizer_key: Uint8Array) => boolean

  /** @param timeout_us 0 never pauses
   *  @param hasKey whether this node votes for a finalizer */
  constructor(
    producers: readonly bigint[],
    timeout_us: number,
    clock: Clock,
    hasKey: (finalizer_key: Uint8Array) => boolean,
  ) {
    this.hasKey = hasKey
    this.producers = new Set(producers)
    this.timeout_us = timeout_us
    this.clock = clock
    this.is_on = timeout_us > 0 && producers.length > 0
  }

  /** Follows a chain from now on. */
  follow(events: ChainEvents): void {
    if (!this.is_on) return
    events.on('blockAccepted', (block) => this.blockAccepted(block))
    for (const event of ['voteCast', 'voteReceived'] as const) {
      events.on(event, ({ finalizer_key }) => this.voted(finalizer_key))
    }
  }

  /** The reason to pause production; undefined if votes arrive. */
  reason(): string | undefined {
    const threshold_us = this.clock.now() - this.timeout_us
    const own = this.expected.own && this.own.isOld(threshold_us)
    const others = this.expected.others && this.others.isOld(threshold_us)
    if ((own || others) && this.finalizers.every(({ public_key }) => this.hasKey(public_key))) {
      return 'no recent votes of this node, which votes for all finalizers'
    }
    if (own && others) return 'no recent votes'
    if (own) return 'no recent votes received from configured producer'
    return others ? 'no recent votes received from others' : undefined
  }

  /** Restarts the timeouts, because an operator resumed production. */
  forgetBlocks(): void {
    this.own.forgetBlocks()
    this.others.forgetBlocks()
  }

  private blockAccepted(block: BlockState): void {
    if (!block.is_proper_savanna) return
    const { active_finalizer_policy, pending_finalizer_policy } = block.savanna_state
    const pending = pending_finalizer_policy?.[1].finalizers ?? []
    this.finalizers = [...active_finalizer_policy.finalizers, ...pending]
    const own = this.finalizers.some((finalizer) => this.isOurs(finalizer))
    const others = this.finalizers.some((finalizer) => !this.isOurs(finalizer))
    if (own !== this.expected.own || others !== this.expected.others) this.forgetBlocks()
    this.expected = { own, others }
    const received_us = Math.min(this.clock.now(), slotToUs(block.timestamp))
    this.own.block(received_us)
    this.others.block(received_us)
  }

  private voted(key: Uint8Array): void {
    const finalizer = this.finalizers.find(({ public_key }) => bytesEqual(public_key, key))
    if (!finalizer) return
    const now_us = this.clock.now()
    const is_nobody = producerOf(finalizer) === 0n
    // If the descriptions of finalizers are not names of producers, they may be of either kind.
    if (is_nobody || this.isOurs(finalizer)) this.own.vote(now_us)
    if (is_nobody || !this.isOurs(finalizer)) this.others.vote(now_us)
  }

  private isOurs(finalizer: FinalizerAuthority): boolean {
    return this.producers.has(producerOf(finalizer))
  }
}

/** The producer that a finalizer's description names; 0 when it cannot be one. */
function producerOf({ description }: FinalizerAuthority): bigint {
  return description.length > LONGEST_NAME ? 0n : looseName(description)
}
