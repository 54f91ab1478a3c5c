import { expect } from 'chai'
import fc from 'fast-check'
import {
  BLOCK_INTERVAL_US,
  PRODUCER_REPETITIONS,
} from '../../../../src/engine/protocol/constants.ts'
import {
  blockDeadline,
  blockStart,
  cpuEffort,
  nextProducerSlot,
} from '../../../../src/engine/services/production/timing.ts'
import { slotToUs } from '../../../../src/engine/protocol/time.ts'

describe('timing of blocks', () => {
  const slots = fc.integer({ min: PRODUCER_REPETITIONS * 2, max: 2 ** 31 })

  it('gives a block the whole interval when nothing is kept free', () => {
    fc.assert(
      fc.property(slots, (slot) => {
        expect(blockStart(cpuEffort(0), slot)).equal(slotToUs(slot - 1))
        expect(blockDeadline(cpuEffort(0), slot)).equal(slotToUs(slot))
      }),
    )
  })

  it('the blocks of a round follow each other without a gap, and the last ends by the offset early', () => {
    const effort = cpuEffort(450)
    fc.assert(
      fc.property(slots, (slot) => {
        const first = slot - (slot % PRODUCER_REPETITIONS)
        expect(blockStart(effort, first)).equal(slotToUs(first) - BLOCK_INTERVAL_US)
        for (let s = first; s < first + PRODUCER_REPETITIONS - 1; s++) {
          expect(blockDeadline(effort, s)).equal(blockStart(effort, s + 1))
        }
        const last = first + PRODUCER_REPETITIONS - 1
        expect(slotToUs(last) - blockDeadline(effort, last)).equal(450_000)
      }),
    )
  })

  it('the next slot of a producer is its own, and no later than a whole round', () => {
    const schedule = [1n, 2n, 3n]
    fc.assert(
      fc.property(slots, fc.constantFrom(...schedule), (slot, producer) => {
        const next = nextProducerSlot(new Set([producer]), schedule, slot, 10, new Map())!
        const turn = Math.floor((next % (3 * PRODUCER_REPETITIONS)) / PRODUCER_REPETITIONS)
        expect(schedule[turn]).equal(producer)
        expect(next).above(slot)
        expect(next - slot).at.most(3 * PRODUCER_REPETITIONS)
        // No slot of that producer is skipped.
        for (let s = slot + 1; s < next; s++) {
          expect(
            schedule[Math.floor((s % (3 * PRODUCER_REPETITIONS)) / PRODUCER_REPETITIONS)],
          ).not.equal(producer)
        }
      }),
    )
  })

  it('a producer never signs at or below its watermark', () => {
    const watermarks = new Map([[1n, { block_num: 20, slot: 105 }]])
    const next = nextProducerSlot(new Set([1n]), [1n], 100, 10, watermarks)!
    expect(next).at.least(111)
    expect(nextProducerSlot(new Set([1n]), [1n], 100, 30, watermarks)).equal(106)
  })

  it('there is no slot for producers that are not scheduled', () => {
    expect(nextProducerSlot(new Set([9n]), [1n], 100, 1, new Map())).equal(undefined)
  })
})
