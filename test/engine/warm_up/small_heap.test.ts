import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect } from 'chai'
import { joinedSource } from '../../../src/engine/thread_source.ts'

const MODULE = joinedSource(new URL('../../../src/engine/warm_up/small_heap.ts', import.meta.url))

/** A thread that keeps many objects for a while, and answers how long its young generation has become. */
const program = (small: boolean): string => `
const { parentPort } = require('node:worker_threads')
const { getHeapSpaceStatistics } = require('node:v8')
function fill() {
  for (let i = 0, kept = []; i < 2_000_000; i++) {
    kept.push({ i })
    if (kept.length > 100_000) kept = []
  }
}
const bytes = () =>
  getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size
import('${MODULE.href}').then(({ inSmallHeap }) => {
  ${small ? 'inSmallHeap(fill)' : 'fill()'}
  const first = bytes()
  fill()
  parentPort.postMessage([first, bytes()])
})`

const MIB = 1 << 20

describe('the heap of the warm-up', () => {
  const run = async (small: boolean): Promise<number[]> => {
    const [sizes] = (await once(new Worker(program(small), { eval: true }), 'message')) as [
      number[],
    ]
    return sizes
  }

  it('has a short young generation, which grows with other work', async () => {
    const [small, after] = await run(true)
    expect(small).lessThan(6 * MIB)
    expect(after).greaterThan(8 * MIB)
    const [usual] = await run(false)
    expect(usual).greaterThan(8 * MIB)
  })
})
