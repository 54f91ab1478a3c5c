import { expect } from 'chai'
import fc from 'fast-check'
import {
  addUsage,
  average,
  newUsageAccumulator,
} from '../../../../../src/engine/chain/rules/resource_limits/usage_accumulator.ts'
import { ChainError } from '../../../../../src/engine/errors.ts'
import { naiveAdd } from './naive.ts'

const U64_MAX = 2n ** 64n - 1n

describe('usage accumulator', () => {
  it('adds within a period and decays between periods', () => {
    const usage = newUsageAccumulator()
    addUsage(usage, 100n, 1, 120)
    expect(usage).to.deep.equal({ last_ordinal: 1, value_ex: 833334n, consumed: 100n })
    addUsage(usage, 100n, 1, 120)
    expect(usage).to.deep.equal({ last_ordinal: 1, value_ex: 1666668n, consumed: 200n })
    addUsage(usage, 0n, 61, 120)
    expect(usage).to.deep.equal({ last_ordinal: 61, value_ex: 833334n, consumed: 1n })
    addUsage(usage, 7n, 181, 120)
    expect(usage).to.deep.equal({ last_ordinal: 181, value_ex: 58334n, consumed: 7n })
    expect(average(usage)).to.equal(1n)
  })

  it('forgets everything a window later, not a period sooner', () => {
    const usage = newUsageAccumulator()
    addUsage(usage, 1000n, 10, 120)
    const later = { ...usage }
    addUsage(usage, 0n, 129, 120)
    expect(usage.value_ex).to.equal(8333334n / 120n)
    addUsage(later, 0n, 130, 120)
    expect(later.value_ex).to.equal(0n)
  })

  it('agrees with exact integer arithmetic whatever the size', () => {
    const step = fc.record({
      units: fc.oneof(fc.bigInt(0n, 1000n), fc.bigInt(0n, 2n ** 34n), fc.bigInt(0n, U64_MAX)),
      advance: fc.oneof(fc.constant(0), fc.nat(200), fc.nat(400_000)),
    })
    const window = fc.constantFrom(120, 172_800, 1)
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), window, (steps, size) => {
        const usage = newUsageAccumulator()
        const naive = newUsageAccumulator()
        let ordinal = 5
        for (const { units, advance } of steps) {
          ordinal += advance
          const failure = naiveAdd(naive, units, ordinal, size)
          if (failure) {
            expect(() => addUsage(usage, units, ordinal, size)).to.throw(ChainError)
            return
          }
          addUsage(usage, units, ordinal, size)
          expect(usage).to.deep.equal(naive)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('refuses to go back in time, and what cannot be represented', () => {
    const usage = { last_ordinal: 10, value_ex: 5n, consumed: 1n }
    const before = { ...usage }
    expect(() => addUsage(usage, 0n, 9, 120)).to.throw('new ordinal cannot be less')
    expect(() => addUsage(usage, U64_MAX, 10, 120)).to.throw('Usage exceeds maximum value')
    expect(() => addUsage({ ...usage, consumed: U64_MAX }, 1n, 10, 120)).to.throw(
      'Overflow in tracked usage',
    )
    expect(() => addUsage({ ...usage, value_ex: U64_MAX }, 1n, 10, 120)).to.throw(
      'Overflow in accumulated value',
    )
    expect(usage).to.deep.equal(before)
  })
})
