import { expect } from 'chai'
import fc from 'fast-check'
import {
  applyDiff,
  makeDiff,
} from '../../../../../src/engine/chain/headers/savanna/ordered_diff.ts'
import { ChainError } from '../../../../../src/engine/errors.ts'

const same = (a: string, b: string): boolean => a === b
const diff = (a: string, b: string) => makeDiff([...a], [...b], same)

describe('ordered differences', () => {
  it('are those of the reference', () => {
    // spring: the example in libraries/libfc/include/fc/container/ordered_diff.hpp
    expect(diff('abfcd', 'bfcdeh')).to.deep.equal({
      remove_indexes: [0],
      insert_indexes: [
        [4, 'e'],
        [5, 'h'],
      ],
    })
    // Replaced at the end, replaced in the middle, inserted before an equal one.
    expect(diff('a', 'b')).to.deep.equal({ remove_indexes: [0], insert_indexes: [[0, 'b']] })
    expect(diff('abc', 'axc')).to.deep.equal({ remove_indexes: [1], insert_indexes: [[1, 'x']] })
    expect(diff('abc', 'xabc')).to.deep.equal({ remove_indexes: [], insert_indexes: [[0, 'x']] })
    expect(diff('', 'ab').insert_indexes).to.have.length(2)
    expect(diff('ab', '').remove_indexes).to.deep.equal([0, 1])
    expect(diff('abc', 'abc')).to.deep.equal({ remove_indexes: [], insert_indexes: [] })
  })

  it('make the target of the source, whatever both are', () => {
    const list = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 12 })
    fc.assert(
      fc.property(list, list, (source, target) => {
        expect(applyDiff(source, makeDiff(source, target, same))).to.deep.equal(target)
      }),
    )
  })

  it('are refused when their indexes are out of order or out of range', () => {
    for (const [remove_indexes, insert_indexes, message] of [
      [[1, 0], [], 'remove_indexes not strictly monotonically increasing'],
      [[1, 1], [], 'remove_indexes not strictly monotonically increasing'],
      [[3], [], 'remove_indexes index 3 - i 0 not in range 3'],
      [[], [[4, 'x']], 'insert_indexes index 4 not in range 3'],
      [
        [],
        [
          [1, 'x'],
          [1, 'y'],
        ],
        'insert_indexes not strictly monotonically increasing',
      ],
    ] as [number[], [number, string][], string][]) {
      expect(() => applyDiff(['a', 'b', 'c'], { remove_indexes, insert_indexes }))
        .to.throw(ChainError, message)
        .with.property('errorName', 'assert_exception')
    }
  })
})
