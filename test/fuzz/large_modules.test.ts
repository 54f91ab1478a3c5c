import { expect } from 'chai'
import { examine } from './large_modules/examine.ts'

/**
 * Each of another tier or kind; `make fuzz-modules` tries others. V8 of Node.js 24 took 400 MiB to optimize the last
 * one, which has 900 locals and branch tables of 40,000 targets in sum.
 */
const SEEDS = [1, 2, 3, 4, 5, 6, 260_007]

describe('large modules', function () {
  this.timeout(300_000)
  for (const seed of SEEDS) {
    it(`are compiled within bounds, and give what the interpreter gives: seed ${seed}`, () => {
      const { fault } = examine(seed)
      if (fault !== undefined) expect.fail(fault)
    })
  }
})
