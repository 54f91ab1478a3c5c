/**
 * Measures how the time of a pending block is used.
 * spring: plugins/producer_plugin/producer_plugin.cpp (block_time_tracker)
 */
import type { Clock } from '../../clock.ts'

/** The category of a transaction's time; transient ones are dry runs and read-only transactions. */
export type TimedOutcome = 'success' | 'failure' | 'transient'

/** Counts, and times in microseconds. */
export interface BlockTimesReport {
  total_us: number
  idle_us: number
  other_us: number
  success_count: number
  success_us: number
  failure_count: number
  failure_us: number
  transient_count: number
  transient_us: number
}

/**
 * Measures how the time of one pending block is divided: successful, failed and transient
 * transactions, idle time, other work. The parts add up to the total time. Microseconds.
 */
export class BlockTimes {
  private readonly clock: Clock
  private start_us: number
  private last_us: number
  private report_: BlockTimesReport = emptyReport()

  constructor(clock: Clock) {
    this.clock = clock
    this.start_us = this.last_us = clock.now()
  }

  /** Another block starts. */
  clear(): void {
    this.start_us = this.last_us = this.clock.now()
    this.report_ = emptyReport()
  }

  /** The time since the last call was idle. */
  idle(): void {
    this.report_.idle_us += this.passed()
  }

  /** Something else than transactions was done since the last call. */
  other(): void {
    this.report_.other_us += this.passed()
  }

  /** A transaction was executed since the last call. */
  transaction(outcome: TimedOutcome): void {
    this.report_[`${outcome}_us`] += this.passed()
    this.report_[`${outcome}_count`] += 1
  }

  /**
   * The times so far. `total_us` is the time from the start of the block to the last measured part.
   */
  get report(): BlockTimesReport {
    return { ...this.report_, total_us: this.last_us - this.start_us }
  }

  private passed(): number {
    const now_us = this.clock.now()
    const passed_us = now_us - this.last_us
    this.last_us = now_us
    return passed_us
  }
}

/** A report of no time and no transactions. */
export function emptyReport(): BlockTimesReport {
  return {
    total_us: 0,
    idle_us: 0,
    other_us: 0,
    success_count: 0,
    success_us: 0,
    failure_count: 0,
    failure_us: 0,
    transient_count: 0,
    transient_us: 0,
  }
}
