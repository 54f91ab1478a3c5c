import type { FinalizerPolicy } from '../../protocol/finality.ts'
import type { ProducerAuthority, ProducerAuthoritySchedule } from '../../protocol/schedule.ts'

/** The schedules of a legacy block that a proposed one is compared with. */
export interface LegacySchedules {
  active: ProducerAuthoritySchedule
  /** The one that became pending in this block, else the pending one of the block before. */
  pending: ProducerAuthoritySchedule
  /**
   * The parent was a block of the transition to Savanna, or this block proposes finalizers:
   * proposals of schedules are ignored.
   */
  savanna_transition: boolean
}

/**
 * The proposals of the transactions of a Savanna block for the block itself (spring:
 * trx_block_context). The last accepted proposal of the block wins.
 */
export interface BlockProposals {
  proposed_schedule: { block_num: number; producers: ProducerAuthority[] } | undefined
  /** Its generation is 0 until the block is assembled. */
  proposed_finalizer_policy: { block_num: number; policy: FinalizerPolicy } | undefined
}
