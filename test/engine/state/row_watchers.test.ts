import { expect } from 'chai'
import { RowWatchers } from '../../../src/engine/state/row_watchers.ts'

describe('watchers of rows', () => {
  it('get the changes until they end that; the others still do', () => {
    const watchers = new RowWatchers<string>()
    const told: string[] = []
    const watch = (name: string) =>
      watchers.add({
        added: (row) => told.push(`${name} +${row}`),
        removed: (row) => told.push(`${name} -${row}`),
      })
    expect(watchers.areThere).equal(false)
    const endFirst = watch('first')
    const endSecond = watch('second')
    watchers.removed('a')
    watchers.added('b')
    endFirst()
    watchers.added('c')
    expect(watchers.areThere).equal(true)
    endSecond()
    watchers.added('d')
    expect(watchers.areThere).equal(false)
    expect(told).deep.equal(['first -a', 'second -a', 'first +b', 'second +b', 'second +c'])
  })
})
