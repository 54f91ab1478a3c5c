import { expect } from 'chai'
import { IteratorCache } from '../../../src/engine/vm/database/iterator_cache.ts'
import { expectError } from './support.ts'

describe('the cache of iterators', () => {
  it('gives a row that takes the number of a removed one an iterator of its own', () => {
    const cache = new IteratorCache()
    expect(cache.add(7)).to.equal(0)
    cache.remove(0)
    expect(cache.add(7)).to.equal(1)
    expect(cache.get(1)).to.equal(7)
    expectError(
      () => cache.get(0),
      'table_operation_not_permitted',
      'dereference of deleted object',
    )
  })

  it('knows each table by an end of its own', () => {
    const cache = new IteratorCache()
    const ends = [5, 9, 5].map((id) => cache.cacheTable({ id, code: BigInt(id) }))
    expect(ends).to.deep.equal([-2, -3, -2])
    expect(cache.tableByEnd(-3).id).to.equal(9)
    expect(cache.tableOf(5).code).to.equal(5n)
    expectError(() => cache.tableByEnd(-4), 'invalid_table_iterator', 'not a valid end iterator')
    expectError(() => cache.endOf(6), 'table_not_in_cache', 'table should be in cache')
  })
})
