import { expect } from 'chai'
import { LocalPreparer } from '../../src/engine/vm/preparation/preparer.ts'
import { WasmRuntime } from '../../src/engine/vm/runtime.ts'
import { Comparison } from './comparison.ts'

/** Another seed every time would make a failure that nobody can repeat; `make fuzz-engine` varies it. */
const SEEDS = [1, 2, 3, 4]
const PROGRAMS = 150

describe('random programs', () => {
  for (const seed of SEEDS) {
    it(`leave behind what the naive interpreter says: seed ${seed}`, () => {
      const comparison = new Comparison(seed)
      for (let i = 0; i < PROGRAMS; i++) {
        const difference = comparison.next()
        if (difference) expect.fail(`seed ${seed}, program ${i}, ${difference}`)
      }
      expect(comparison.succeeded, 'programs that do not fail').to.be.greaterThan(PROGRAMS / 8)
    })
  }

  for (const tier of ['baseline', 'interpreted'] as const) {
    it(`leave behind the same where the contract's code is of the tier ${tier}`, () => {
      const comparison = new Comparison(
        5,
        new WasmRuntime({ preparer: new LocalPreparer(undefined, tier) }),
      )
      for (let i = 0; i < PROGRAMS; i++) {
        const difference = comparison.next()
        if (difference) expect.fail(`program ${i}, ${difference}`)
      }
    })
  }
})
