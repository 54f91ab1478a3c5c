import { expect } from 'chai'
import { DevelopmentClock } from '../../../../src/engine/services/production/development_clock.ts'
import { FakeClock } from '../support/fake_clock.ts'

describe('the clock of a development chain', () => {
  it('runs as the other one, ahead of it by what it was moved', () => {
    const base = new FakeClock(1000)
    const clock = new DevelopmentClock(base)
    expect(clock.now()).equal(1000)
    clock.advanceTo(5000)
    expect(clock.now()).equal(5000)
    base.time_us += 10
    expect([clock.now(), clock.offset_us]).deep.equal([5010, 4000])
  })

  it('never goes back, but for a checkpoint', () => {
    const clock = new DevelopmentClock(new FakeClock(1000))
    clock.advanceTo(5000)
    clock.advanceTo(2000)
    expect(clock.now()).equal(5000)
    clock.returnTo(2000)
    expect(clock.now()).equal(2000)
  })

  it('lets alarms go off at its own time, wherever it was moved', async () => {
    const base = new FakeClock(0)
    const clock = new DevelopmentClock(base)
    const rung: string[] = []
    clock.wakeAt(1000, () => rung.push('early'))
    clock.wakeAt(10_000, () => rung.push('late'))
    const cancel = clock.wakeAt(1000, () => rung.push('cancelled'))
    clock.advanceTo(2000)
    cancel()
    await base.pass(0)
    expect(rung).deep.equal(['early'])
    clock.returnTo(500)
    await base.pass(9_400)
    expect(rung).deep.equal(['early'])
    await base.pass(100)
    expect(rung).deep.equal(['early', 'late'])
  })

  it('sets its alarms anew once, however often it is moved in a task', async () => {
    const base = new FakeClock(0)
    const clock = new DevelopmentClock(base)
    let set = 0
    const rung: number[] = []
    for (const time_us of [1000, 2000, 9000]) clock.wakeAt(time_us, () => rung.push(time_us))
    const { wakeAt } = base
    base.wakeAt = (time_us, callback) => {
      set++
      return wakeAt.call(base, time_us, callback)
    }
    for (let time_us = 100; time_us <= 5000; time_us += 100) clock.advanceTo(time_us)
    await base.pass(0)
    expect(rung).deep.equal([1000, 2000])
    // The task, and three alarms.
    expect(set).equal(4)
    // An alarm that was set for another time waits for its own.
    clock.returnTo(0)
    await base.pass(8999)
    expect(rung).deep.equal([1000, 2000])
    await base.pass(1)
    expect(rung).deep.equal([1000, 2000, 9000])
  })
})
