import { expect } from 'chai'
import { BlockStatusMonitor } from '../../src/net/block_status_monitor.ts'

const WINDOW_US = 2000
const MOST = 13

describe('rejected blocks of a peer', () => {
  /** Rejects blocks at these times; returns whether they are too many. */
  function exceeds(monitor: BlockStatusMonitor, ...times_us: number[]): boolean {
    for (const now_us of times_us) monitor.rejected(now_us)
    return monitor.exceeded
  }

  /** The times of so many rejections, each in a period of its own. */
  const apart = (count: number, begin_us = 0) =>
    Array.from({ length: count }, (_, i) => begin_us + i * WINDOW_US)

  it('are too many when they were rejected in thirteen periods of 2 ms after the first', () => {
    const monitor = new BlockStatusMonitor()
    expect(exceeds(monitor, ...apart(MOST))).equal(false)
    expect(exceeds(monitor, MOST * WINDOW_US)).equal(true)
  })

  it('count once within a period, which begins with the last one that counted', () => {
    const monitor = new BlockStatusMonitor()
    expect(exceeds(monitor, ...Array.from({ length: 100 }, () => 0), WINDOW_US - 1)).equal(false)
    const begin_us = WINDOW_US + 1000
    expect(exceeds(monitor, ...apart(MOST - 1, begin_us))).equal(false)
    expect(exceeds(monitor, begin_us + (MOST - 1) * WINDOW_US - 1)).equal(false)
    expect(exceeds(monitor, begin_us + (MOST - 1) * WINDOW_US)).equal(true)
  })

  it('are counted anew after a block that was accepted', () => {
    const monitor = new BlockStatusMonitor()
    expect(exceeds(monitor, ...apart(MOST + 1))).equal(true)
    monitor.reset()
    expect(monitor.exceeded).equal(false)
    expect(exceeds(monitor, ...apart(MOST, 1_000_000))).equal(false)
    expect(exceeds(monitor, 1_000_000 + MOST * WINDOW_US)).equal(true)
  })
})
