import { PRODUCER_REPETITIONS } from '../../../protocol/constants.ts'
import type { RuntimeOptions } from '../runtime_options.ts'
import { blockDeadline, blockStart, cpuEffort } from '../timing.ts'

/** The times of blocks under the run-time options, which may change; microseconds since 1970. */
export class BlockTiming {
  private readonly options: RuntimeOptions

  constructor(options: RuntimeOptions) {
    this.options = options
  }

  /** The start of work on the block of a slot. */
  start(slot: number): number {
    return blockStart(this.effort, slot)
  }

  /** The end of the block of a slot. */
  deadline(slot: number): number {
    const { produce_time_offset_us, last_block_time_offset_us } = this.options
    const is_last = slot % PRODUCER_REPETITIONS === PRODUCER_REPETITIONS - 1
    const offset_us = produce_time_offset_us + (is_last ? last_block_time_offset_us : 0)
    return blockDeadline(this.effort, slot) + offset_us
  }

  private get effort(): number {
    return cpuEffort(this.options.produce_block_offset_ms)
  }
}
