import { expect } from 'chai'
import { mutated, mutationsOf } from './mutations.ts'

const changes = (source: string) => mutationsOf(source).map((mutation) => mutated(source, mutation))

describe('changes of a source', () => {
  it('flip comparisons, sums and conditions', () => {
    expect(changes('a < b')).deep.equal(['a <= b'])
    expect(changes('a === b || c')).deep.equal(['a !== b || c', 'a === b && c'])
    expect(changes('a - b')).deep.equal(['a + b'])
  })

  it('increase numbers by one', () => {
    expect(changes('f(7)')).deep.equal(['f((7 + 1))'])
    expect(changes('x = 2n')).deep.equal(['x = (2n + 1n)'])
  })

  it('leave out checks', () => {
    expect(changes("check(a, 'name', 'text')\nf()")).deep.equal([';\nf()'])
    expect(changes('this.checkLimits()\nchecked()')).deep.equal([';\nchecked()'])
  })

  it('leave types, texts and comments alone', () => {
    expect(changes("type A = 1 | 2\nconst a: 3 = '4 < 5' // 6 < 7")).deep.equal([])
  })

  it('say where they are', () => {
    const [mutation] = mutationsOf('\n\n  if (a !== b) f()')
    expect(mutation).include({ line: 3, text: '!== -> ===' })
  })
})
