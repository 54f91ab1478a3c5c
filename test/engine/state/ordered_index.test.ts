import { expect } from 'chai'
import fc from 'fast-check'
import { NONE, MISS, OrderedIndex } from '../../../src/engine/state/ordered_index.ts'

/** The simplest thing with the same answers: entries in an array, sorted by key text. */
class Model {
  entries: { key: number[]; row: number }[] = []

  at(key: number[], upper: boolean): number {
    const at = this.entries.findIndex((entry) => {
      const order = compare(entry.key, key)
      return upper ? order > 0 : order >= 0
    })
    return at < 0 ? this.entries.length : at
  }

  row(at: number): number {
    return this.entries[at]?.row ?? NONE
  }
}

function compare(a: number[], b: number[]): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!
  return 0
}

function nextOf(index: OrderedIndex, row: number, key: number[]): number {
  const hinted = index.nextHinted(row)
  if (hinted !== MISS) return hinted
  index.key.set(key)
  return index.upperBound()
}

function prevOf(index: OrderedIndex, row: number, key: number[]): number {
  const hinted = index.prevHinted(row)
  if (hinted !== MISS) return hinted
  index.key.set(key)
  return index.below()
}

function expectSearches(index: OrderedIndex, model: Model, key: number[]): void {
  index.key.set(key)
  const lower = model.at(key, false)
  const upper = model.at(key, true)
  expect(index.find()).equal(lower < upper ? model.row(lower) : NONE)
  expect(index.lowerBound()).equal(model.row(lower))
  expect(index.upperBound()).equal(model.row(upper))
  expect(index.below()).equal(model.row(lower - 1))
  expect(index.notAbove()).equal(model.row(upper - 1))
}

function expectWalk(index: OrderedIndex, model: Model): void {
  expect(index.size).equal(model.entries.length)
  const rows = model.entries.map((entry) => entry.row)
  const forward: number[] = []
  for (let row = index.first(), i = 0; row !== NONE; i++) {
    forward.push(row)
    row = nextOf(index, row, model.entries[i]!.key)
  }
  expect(forward).deep.equal(rows)
  const backward: number[] = []
  for (let row = index.last(), i = rows.length - 1; row !== NONE; i--) {
    backward.push(row)
    row = prevOf(index, row, model.entries[i]!.key)
  }
  expect(backward).deep.equal(rows.reverse())
}

// Few different words, so that keys meet; the highest word, so that signs would show.
const word = fc.oneof(fc.nat(6), fc.constantFrom(0x7fffffff, 0x80000000, 0xffffffff))
const keyOf = (width: number) => fc.array(word, { minLength: width, maxLength: width })

describe('state: ordered index', () => {
  for (const width of [1, 2, 3, 4, 8, 11]) {
    it(`agrees with a sorted array, keys of ${width} words`, () => {
      const step = fc.record({
        action: fc.constantFrom('insert', 'insert', 'remove', 'search'),
        key: keyOf(width),
      })
      const property = fc.property(fc.array(step, { maxLength: 300, size: 'max' }), (steps) => {
        const index = new OrderedIndex(width, 4)
        const model = new Model()
        let next_row = 0
        for (const { action, key } of steps) {
          const at = model.at(key, false)
          const known = at < model.at(key, true)
          index.key.set(key)
          if (action === 'insert') {
            expect(index.insert(next_row)).equal(!known)
            if (!known) model.entries.splice(at, 0, { key, row: next_row++ })
          } else if (action === 'remove' && known) {
            index.remove(model.row(at))
            model.entries.splice(at, 1)
          }
          expectSearches(index, model, key)
        }
        expectWalk(index, model)
      })
      fc.assert(property, { numRuns: 100 })
    })
  }

  it('keeps order through deep trees: insert all, remove all, in any order', () => {
    const property = fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 100_000 }), {
        minLength: 200,
        maxLength: 500,
        size: 'max',
      }),
      fc.integer({ min: 4, max: 9 }),
      fc.constantFrom('as is', 'ascending', 'descending'),
      (values, capacity, order) => {
        if (order === 'ascending') values.sort((a, b) => a - b)
        if (order === 'descending') values.sort((a, b) => b - a)
        const index = new OrderedIndex(2, capacity)
        const model = new Model()
        for (const value of values) {
          index.key.set([value >>> 4, value & 15])
          expect(index.insert(value)).equal(true)
        }
        const sorted = [...values].sort((a, b) => a - b)
        model.entries = sorted.map((row) => ({ key: [row >>> 4, row & 15], row }))
        expectWalk(index, model)
        for (const value of values) {
          index.key.set([value >>> 4, value & 15])
          index.remove(value)
          model.entries = model.entries.filter((entry) => entry.row !== value)
          expectSearches(index, model, [value >>> 4, value & 15])
        }
        expect(index.size).equal(0)
        expect(index.first()).equal(NONE)
        expect(index.last()).equal(NONE)
      },
    )
    fc.assert(property, { numRuns: 30 })
  })

  it('uses full nodes for ascending keys, and gives memory of removed ones back', () => {
    const index = new OrderedIndex(3)
    const insertAll = () => {
      for (let i = 0; i < 100_000; i++) {
        index.key.set([1, 0, i])
        index.insert(i)
      }
    }
    insertAll()
    const bytes = index.bytes
    expect(bytes / 100_000).lessThan(16 * 1.2)
    for (let i = 0; i < 100_000; i++) {
      index.key.set([1, 0, i])
      index.remove(i)
    }
    insertAll()
    expect(index.bytes).equal(bytes)
  })

  it('refuses to remove what it does not have', () => {
    const index = new OrderedIndex(1)
    index.key[0] = 5
    index.insert(1)
    index.key[0] = 6
    expect(() => index.remove(1)).throw('indices')
    index.key[0] = 5
    expect(() => index.remove(2)).throw('indices')
  })

  it('gives a key to another row, and takes it only from its own', () => {
    const index = new OrderedIndex(1, 4)
    for (let i = 0; i < 50; i++) {
      index.key[0] = i
      index.put(i)
    }
    index.key[0] = 20
    index.put(99)
    expect(index.size).equal(50)
    index.key[0] = 20
    expect(index.find()).equal(99)
    expect(index.removeIf(20)).equal(false)
    expect(index.removeIf(99)).equal(true)
    expect(index.find()).equal(NONE)
    expect(index.size).equal(49)
  })

  it('does not trust the hint of a row that moved', () => {
    const index = new OrderedIndex(1)
    for (let i = 0; i < 100; i++) {
      index.key[0] = i * 2
      index.insert(i)
    }
    index.key[0] = 20
    expect(index.find()).equal(10)
    index.key[0] = 20
    index.remove(10)
    expect(index.nextHinted(10)).equal(MISS)
    index.clear()
    expect(index.nextHinted(10)).equal(MISS)
    expect(index.first()).equal(NONE)
  })

  it('has no hint for a row before the first search, also where the only row has number 0', () => {
    const index = new OrderedIndex(1)
    index.key[0] = 7
    index.insert(0)
    expect(index.nextHinted(0)).equal(MISS)
    expect(index.prevHinted(0)).equal(MISS)
  })
})
