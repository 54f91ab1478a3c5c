import { BusyError } from '../../errors.ts'
import { BLOCK_INTERVAL_US, PRODUCER_REPETITIONS } from '../../protocol/constants.ts'
import { nameToString } from '../../protocol/name.ts'
import { slotToString, slotToUs } from '../../protocol/time.ts'
import type { Chain } from '../../chain/chain.ts'
import type { Clock } from '../../clock.ts'
import type { Producer } from '../production/producer.ts'

/** The answer of a healthy node. */
export interface Health {
  status: 'ok'
  head_block_num: number
  head_block_time: string
  /** Milliseconds since the time of the head; 0 while it is ahead. */
  head_block_age_ms: number
  last_irreversible_block_num: number
  production: 'running' | 'paused' | 'none'
  /** Transactions that wait for a block. */
  unapplied_transactions: number
}

/** The permitted delay of a producer in addition to the turns of all others. */
const GRACE_US = 5_000_000

/**
 * Checks that the node is healthy: it produces if it should and production is not paused.
 * @throws BusyError with the reason
 */
export function health(producer: Producer, chain: Chain, clock: Clock): Health {
  const { loop, processor, options } = producer
  const { head, last_irreversible } = chain
  const schedule = head.active_schedule.producers.map(({ producer_name }) => producer_name)
  const ours = schedule.filter((name) => options.producers.includes(name))
  const age_us = Math.max(0, clock.now() - slotToUs(head.timestamp))
  const production = loop.paused_by_operator ? 'paused' : ours.length > 0 ? 'running' : 'none'
  const round_us = schedule.length * PRODUCER_REPETITIONS * BLOCK_INTERVAL_US
  // If this node has all producers of the schedule, no other node has a turn.
  const patience_us = GRACE_US + (ours.length === schedule.length ? 0 : round_us)
  if (production === 'running' && age_us > patience_us) {
    const names = ours.map(nameToString).join(', ')
    throw new BusyError(
      `no block for ${Math.round(age_us / 1_000_000)} seconds, although this node produces for ${names}`,
    )
  }
  return {
    status: 'ok',
    head_block_num: head.block_num,
    head_block_time: slotToString(head.timestamp),
    head_block_age_ms: Math.floor(age_us / 1000),
    last_irreversible_block_num: last_irreversible.block_num,
    production,
    unapplied_transactions: processor.queue.size,
  }
}
