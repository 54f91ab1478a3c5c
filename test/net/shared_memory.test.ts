import { expect } from 'chai'
import { SharedMemory } from '../../src/net/shared_memory.ts'

describe('memory that peers share', () => {
  it('each of any number of peers has room, and all together have no more than there is', () => {
    for (const peers of [1, 2, 5, 25, 1000]) {
      const memory = new SharedMemory(256_000, 64_000)
      const taken = Array.from({ length: peers }, () => 0)
      let is_full = false
      while (!is_full) {
        is_full = true
        for (const [i, bytes] of taken.entries()) {
          if (bytes > memory.limit) continue
          memory.take(100)
          taken[i]! += 100
          is_full = false
        }
      }
      const sum = taken.reduce((a, b) => a + b)
      expect(Math.max(...taken)).at.most(64_100)
      expect(Math.max(...taken) - Math.min(...taken)).at.most(100)
      expect(sum).at.most(256_000)
    }
  })

  it('what is given back can be taken by others', () => {
    const memory = new SharedMemory(100, 50)
    memory.take(1000)
    expect(memory.limit).equal(0)
    memory.give(1000)
    expect(memory.limit).equal(50)
  })
})
