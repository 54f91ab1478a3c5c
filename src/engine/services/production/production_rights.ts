/**
 * The producers of this node, and the reasons for which it must not produce.
 * spring: plugins/producer_plugin/producer_plugin.cpp (determine_pending_block_mode)
 */
import { signDigest } from '../../crypto/keys.ts'
import type { LateSignature, SharedSigning } from '../../crypto/shared_signing.ts'
import { toHex } from '../../protocol/hex.ts'
import type { ProducerAuthority } from '../../protocol/schedule.ts'
import { slotToUs } from '../../protocol/time.ts'
import { authorityKeys } from '../../chain/headers/block_signing.ts'
import type { BlockState } from '../../chain/headers/block_state.ts'
import type { Chain } from '../../chain/chain.ts'
import type { ProducerOptions } from './producer_options.ts'
import { nextProducerSlot, type Watermark } from './timing.ts'

/**
 * Decides whether this node may produce the block of a slot: it needs the right producer, the keys,
 * and a slot that it has not signed yet.
 */
export class ProductionRights {
  readonly producers: ReadonlySet<bigint>
  private readonly options: ProducerOptions
  private readonly chain: Chain
  private readonly watermarks = new Map<bigint, Watermark>()

  constructor(options: ProducerOptions, chain: Chain) {
    this.options = options
    this.chain = chain
    this.producers = new Set(options.producers)
  }

  /**
   * The reason why no block of this slot is produced for this node's producers; undefined if it is
   * produced.
   */
  refusal(now_us: number, slot: number, scheduled: ProducerAuthority): string | undefined {
    const { head, last_irreversible } = this.chain
    const { signing_keys, runtime, max_reversible_blocks } = this.options
    const { producer_name, authority } = scheduled
    if (!authorityKeys(authority).some((key) => signing_keys.has(toHex(key)))) {
      return 'this node has no private key of its authority'
    }
    const max_age_us = runtime.max_irreversible_block_age * 1_000_000
    if (max_age_us >= 0 && now_us - slotToUs(last_irreversible.timestamp) >= max_age_us) {
      return 'the last irreversible block is too old'
    }
    const reversible = head.block_num - head.irreversible_block_num
    if (max_reversible_blocks > 0 && reversible > max_reversible_blocks) {
      return `more than ${max_reversible_blocks} blocks are reversible`
    }
    const watermark = this.watermarks.get(producer_name)
    if (watermark && (watermark.block_num > head.block_num || watermark.slot >= slot)) {
      return 'it signed a later block already'
    }
    return undefined
  }

  /**
   * Notes a block of this node or of another one, on any branch: before Savanna its producer, if it is one of this
   * node, signs no other block here in the same or an earlier slot or height. Its next block confirms those after it.
   * Under Savanna the votes decide, and a producer continues on a better branch that is shorter.
   * spring: plugins/producer_plugin/producer_plugin.cpp (on_accepted_block_header)
   */
  signed({ producer, block_num, timestamp, is_proper_savanna }: BlockState): void {
    if (is_proper_savanna || !this.producers.has(producer)) return
    const known = this.watermarks.get(producer)
    this.watermarks.set(producer, {
      block_num: Math.max(block_num, known?.block_num ?? 0),
      slot: Math.max(timestamp, known?.slot ?? 0),
    })
  }

  /** A producer confirms the blocks since its last one, as far as this node knows its last one. */
  blocksToConfirm(producer: bigint): number {
    const { head } = this.chain
    const watermark = this.watermarks.get(producer)
    if (!watermark || watermark.block_num >= head.block_num) return 0
    const since_own = head.block_num - watermark.block_num
    return Math.min(since_own, head.block_num - head.irreversible_block_num, 0xffff)
  }

  /** The next slot after this one in which one of our producers is scheduled. */
  nextSlot(slot: number): number | undefined {
    const { head } = this.chain
    const schedule = head.active_schedule.producers.map((p) => p.producer_name)
    return nextProducerSlot(this.producers, schedule, slot, head.block_num + 1, this.watermarks)
  }

  /** The chain went back: the blocks that were signed never were. */
  forget(): void {
    this.watermarks.clear()
  }

  /** This slot, or the next one of a producer of this node; undefined if none is in the schedule. */
  ownSlot(slot: number): number | undefined {
    const { producer_name } = this.chain.scheduledProducer(slot)
    return this.producers.has(producer_name) ? slot : this.nextSlot(slot)
  }

  /** Signs with a key, if it is here. @param signing makes the signature later */
  sign(
    digest: Uint8Array,
    key: Uint8Array,
    signing?: SharedSigning,
  ): Uint8Array | LateSignature | undefined {
    const secret = this.options.signing_keys.get(toHex(key))
    return secret && (signing ? signing.sign(secret, digest) : signDigest(secret, digest))
  }
}
