import { expect } from 'chai'
import { setImmediate } from 'node:timers/promises'
import { Turns } from '../../../../src/engine/services/production/turns.ts'

describe('turns of the event loop in which transactions are executed', () => {
  /** Lets callers wait; returns how many had gone on after each turn, and their order. */
  async function run(callers: number, turns: number): Promise<{ gone: number[]; order: number[] }> {
    const pacing = new Turns()
    const order: number[] = []
    for (let i = 0; i < callers; i++) void pacing.next().then(() => order.push(i))
    const gone: number[] = []
    for (let i = 0; i < turns; i++) {
      await Promise.resolve()
      gone.push(order.length)
      await setImmediate()
    }
    return { gone, order }
  }

  it('have a few callers each, in their order', async () => {
    const { gone, order } = await run(11, 4)
    expect(gone).deep.equal([4, 8, 11, 11])
    expect(order).deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('have more callers where many wait', async () => {
    const { gone } = await run(804, 3)
    expect(gone).deep.equal([4, 104, 192])
  })

  it('let a caller that is alone continue at once', async () => {
    const pacing = new Turns()
    for (let i = 0; i < 10; i++) {
      let went = false
      void pacing.next().then(() => (went = true))
      await Promise.resolve()
      expect(went).equal(true)
      await setImmediate()
    }
  })
})
