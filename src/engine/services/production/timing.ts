/**
 * The times at which blocks are started and finished. Pure arithmetic over slots and microseconds.
 * spring: plugins/producer_plugin/include/eosio/producer_plugin/block_timing_util.hpp
 */
import { BLOCK_INTERVAL_US, PRODUCER_REPETITIONS } from '../../protocol/constants.ts'
import { slotToUs } from '../../protocol/time.ts'

/**
 * The highest block and slot that a producer signed before Savanna, on any branch and any node. It signs no other
 * block here in the same or an earlier slot or height.
 */
export interface Watermark {
  block_num: number
  slot: number
}

/**
 * Time given to each block of a round, when `offset_ms` is kept free at the round's end.
 * @returns microseconds
 */
export function cpuEffort(offset_ms: number): number {
  return BLOCK_INTERVAL_US - Math.floor((offset_ms * 1000) / PRODUCER_REPETITIONS)
}

/**
 * The start of work on the block of `slot`: the blocks of a round follow each other without a gap.
 */
export function blockStart(cpu_effort_us: number, slot: number): number {
  const index = slot % PRODUCER_REPETITIONS
  return slotToUs(slot - index - 1) + cpu_effort_us * index
}

/** The end of the block of `slot`. */
export function blockDeadline(cpu_effort_us: number, slot: number): number {
  return blockStart(cpu_effort_us, slot) + cpu_effort_us
}

/**
 * The next slot after `current_slot` in which one of `producers` may produce.
 * @param schedule producer names in schedule order
 * @returns undefined if none of them is in the schedule
 */
export function nextProducerSlot(
  producers: ReadonlySet<bigint>,
  schedule: readonly bigint[],
  current_slot: number,
  block_num: number,
  watermarks: ReadonlyMap<bigint, Watermark>,
): number | undefined {
  const slots = schedule.flatMap((name, index) =>
    producers.has(name)
      ? [nextSlotOf(index, schedule.length, current_slot, block_num, watermarks.get(name))]
      : [],
  )
  return slots.length === 0 ? undefined : Math.min(...slots)
}

function nextSlotOf(
  index: number,
  schedule_size: number,
  current_slot: number,
  block_num: number,
  watermark: Watermark | undefined,
): number {
  let offset = 1
  if (watermark && watermark.block_num > block_num) offset = watermark.block_num - block_num + 1
  if (watermark && watermark.slot > current_slot) {
    offset = Math.max(offset, watermark.slot - current_slot + 1)
  }
  const minimum = current_slot + offset
  const turn = Math.floor((minimum % (schedule_size * PRODUCER_REPETITIONS)) / PRODUCER_REPETITIONS)
  if (turn === index) return minimum
  const distance = (index - turn + schedule_size) % schedule_size
  return minimum - (minimum % PRODUCER_REPETITIONS) + distance * PRODUCER_REPETITIONS
}
