/** The system's clock is set forwards and backwards: time goes on, and so do blocks. */
import { expect } from 'chai'
import * as fc from 'fast-check'
import { SystemClock } from '../../src/engine/clock.ts'
import { slotToUs } from '../../src/engine/protocol/time.ts'
import { FakeClock } from './services/support/fake_clock.ts'
import { SettableMachine } from './services/support/settable_machine.ts'
import { TestProducer } from './services/support/test_producer.ts'

const MS = 1000
const SECOND = 1_000_000
const HOUR = 3600 * SECOND
const START = 1_700_000_000 * SECOND
/** The system's clock counts milliseconds, and differences of two are taken for none. */
const CLOSE = 3 * MS

class Settable {
  readonly moved = new FakeClock(START)
  readonly machine = new SettableMachine(this.moved)
  readonly clock = new SystemClock(this.machine)

  /** How far the clock is ahead of the system's; microseconds. */
  get ahead(): number {
    return this.clock.now() - this.machine.system()
  }
}

describe('the clock of the machine', () => {
  it('shows the system time', async () => {
    const { clock, moved } = new Settable()
    expect(clock.now()).equal(START)
    await moved.pass(10 * SECOND)
    expect(clock.now()).equal(START + 10 * SECOND)
  })

  for (const step of [20 * MS, 700 * MS, 5 * HOUR]) {
    it(`follows a step of ${step / MS} ms forwards at once, and not within a task`, async () => {
      const s = new Settable()
      s.machine.set(step)
      expect(s.clock.now()).equal(START)
      await s.moved.pass(SECOND / 4)
      expect(s.ahead).within(-CLOSE, CLOSE)
    })

    it(`runs at half speed after one of ${step / MS} ms backwards, until both agree`, async () => {
      const s = new Settable()
      s.machine.set(-step)
      await s.moved.pass(SECOND / 4)
      const at = s.clock.now()
      expect(at).greaterThan(START)
      const slow = Math.min(step, 10 * SECOND)
      await s.moved.pass(slow)
      expect(s.clock.now() - at).within(slow / 2, slow)
      await s.moved.pass(2 * step + SECOND)
      expect(s.ahead).within(-CLOSE, CLOSE)
    }).timeout(240_000)
  }

  it('wakes at the time that it shows then', async () => {
    const s = new Settable()
    const woken: number[] = []
    s.clock.wakeAt(START + 8 * SECOND, () => woken.push(s.moved.time_us - START))
    const cancel = s.clock.wakeAt(START + 8 * SECOND, () => woken.push(0))
    await s.moved.pass(2 * SECOND)
    s.machine.set(3 * SECOND)
    cancel()
    await s.moved.pass(10 * SECOND)
    s.clock.wakeAt(s.clock.now() + 2 * SECOND, () => woken.push(s.moved.time_us - START))
    s.machine.set(-HOUR)
    await s.moved.pass(10 * SECOND)
    expect(woken[0]).within(5 * SECOND - CLOSE, 5 * SECOND + SECOND / 4)
    expect(woken[1]).within(12 * SECOND + 3.5 * SECOND, 12 * SECOND + 4 * SECOND + CLOSE)
    expect(woken).length(2)
  })

  it('never shows less than before, however the system is set', async () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: -5000, max: 5000 }), fc.nat(1000)))
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const s = new Settable()
        let before = s.clock.now()
        for (const [step, passed] of all) {
          s.machine.set(step * MS)
          await s.moved.pass(passed * MS)
          const now = s.clock.now()
          expect(now).gte(before)
          before = now
        }
      }),
      { numRuns: 50 },
    )
  }).timeout(240_000)
})

describe('production while the system clock is set', () => {
  let machine: SettableMachine
  let test: TestProducer
  beforeEach(async () => {
    test = await TestProducer.start({}, (moved) => {
      machine = new SettableMachine(moved)
      return new SystemClock(machine)
    })
  })

  for (const ms of [1, 3, 20, 250, 499, 501, 3000, 7 * 3600_000]) {
    for (const sign of [1, -1]) {
      it(`continues, slot after slot, after a step of ${sign * ms} ms`, async () => {
        const slots: number[] = []
        const produced = async (count: number): Promise<void> => {
          for (let i = 0; i < count; i++) {
            await test.produce()
            slots.push(test.slot)
          }
        }
        await produced(3)
        machine.set(sign * ms * MS)
        await produced(8)
        expect(slots.every((slot, i) => i === 0 || slot > slots[i - 1]!)).equal(true)
        expect(new Set(slots).size).equal(11)
        const behind = machine.system() - slotToUs(test.slot)
        if (sign > 0) expect(behind).lessThan(SECOND)
        else expect(slots.at(-1)! - slots[0]!).lessThan(13)
      })
    }
  }
})
