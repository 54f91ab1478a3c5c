import { expect } from 'chai'
import * as fc from 'fast-check'
import { SharedList } from '../../../../../src/engine/chain/headers/savanna/shared_list.ts'

describe('a list that shares its items with those that follow from it', () => {
  it('has the items of an array, also where several lists follow from one', () => {
    const step = fc.record({ from: fc.nat(), dropped: fc.nat(40), item: fc.nat() })
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 200 }), (steps) => {
        const lists = [{ list: SharedList.of([1, 2]), items: [1, 2] }]
        for (const { from, dropped, item } of steps) {
          // Most lists follow from the last one.
          const { list, items } = from % 8 === 0 ? lists[from % lists.length]! : lists.at(-1)!
          const count = dropped < 36 ? 0 : Math.min(dropped, items.length)
          lists.push({ list: list.next(count, item), items: [...items.slice(count), item] })
        }
        for (const { list, items } of lists) {
          expect(list.toArray()).deep.equal(items)
          expect(list.length).equal(items.length)
          for (let i = -items.length - 1; i < 0; i++) expect(list.at(i)).equal(items.at(i))
          for (let i = 0; i <= items.length; i++) expect(list.at(i)).equal(items[i])
        }
      }),
    )
  })
})
