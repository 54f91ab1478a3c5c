import { expect } from 'chai'
import { RequestMemory } from '../../../../src/engine/services/state_history/request_memory.ts'
import { Turns } from '../../../../src/engine/services/state_history/turns.ts'

describe('state history: many readers', () => {
  it('work for 4 ms at a time, in the order in which they came', async () => {
    let now = 0
    const done: number[] = []
    const turns = new Turns(() => now)
    const works = Array.from({ length: 20 }, (_, i) =>
      turns.take(() => {
        now += 1500
        return done.push(i)
      }),
    )
    expect(done).empty
    let before = 0
    while (done.length < works.length) {
      await new Promise((resolve) => setImmediate(resolve))
      expect(done.length - before).within(0, 3)
      before = done.length
    }
    expect(done).deep.equal(done.toSorted((a, b) => a - b))
    expect(await Promise.all(works)).deep.equal(done.map((i) => i + 1))
  })

  it('get the error of their own work, and others continue', async () => {
    const turns = new Turns(() => 0)
    const failing = turns.take(() => {
      throw new Error('damaged')
    })
    const other = turns.take(() => 5)
    expect(await failing.catch((error: Error) => error.message)).equal('damaged')
    expect(await other).equal(5)
  })

  it('send parts of requests: where these are too many bytes, the largest ends', () => {
    const ended: string[] = []
    const partial = new RequestMemory<string>((reader) => ended.push(reader), 100)
    partial.add('a', 60)
    partial.add('b', 40)
    partial.end('b')
    partial.add('b', 39)
    expect(ended).empty
    partial.add('c', 2)
    expect(ended).deep.equal(['a'])
    partial.add('c', 59)
    expect(ended).deep.equal(['a'])
    partial.add('b', 1)
    expect(ended).deep.equal(['a', 'c'])
  })
})
