import { expect } from 'chai'
import { restSteps } from '../../../src/engine/warm_up/rest_steps.ts'

describe('the steps after the warm-up', () => {
  it('collect garbage once, as soon as the thread works for little of the time', () => {
    const shares = [1, 0.6, 0.26, 0.1]
    let collections = 0
    const steps = restSteps(
      () => shares.shift()!,
      () => void collections++,
    )
    for (let i = 0; i < 3; i++) {
      expect(steps.next().done).equal(false)
      expect(collections).equal(0)
    }
    expect(steps.next().done).equal(true)
    expect(collections).equal(1)
    expect(shares).deep.equal([])
  })
})
