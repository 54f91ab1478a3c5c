import { expect } from 'chai'
import { GROUP, MAX_GROUPS, MAX_RECORD } from '../../../src/engine/crypto/digest_arena.ts'
import { DigestList } from '../../../src/engine/crypto/digest_list.ts'
import { DigestThread } from '../../../src/engine/crypto/digest_thread.ts'
import type { TreeKind } from '../../../src/engine/crypto/merkle_levels.ts'
import { toHex } from '../../../src/engine/protocol/hex.ts'

const KINDS: readonly TreeKind[] = ['legacy', 'savanna']
/** Around the ends of groups, and where a level of groups is odd. */
const COUNTS = [0, 1, 63, 64, 65, 127, 128, 129, 191, 192, 193, 3 * 64 + 33, 5 * 64 + 1, 1000]

const record = (i: number): Uint8Array => new Uint8Array(1 + (i % 150)).fill(i)

const rootOf = (list: DigestList, kind: TreeKind): string =>
  toHex(kind === 'legacy' ? list.legacyRoot() : list.savannaRoot())

/** Adds records to both lists. */
function fill(lists: readonly DigestList[], from: number, to: number): void {
  for (let i = from; i < to; i++) for (const list of lists) list.pushHashOf(record(i))
}

/** A list whose hashes the thread finds, as soon as it is ready; and a usual one, for the same digests. */
async function bothLists(thread: DigestThread, kind: TreeKind): Promise<[DigestList, DigestList]> {
  let shared = thread.newList(kind)
  while (shared.constructor === DigestList) {
    await new Promise((resolve) => setTimeout(resolve, 1))
    shared = thread.newList(kind)
  }
  return [shared, new DigestList()]
}

describe('a thread that hashes', () => {
  const thread = new DigestThread()
  before(() => thread.start(2))
  after(() => thread.close())

  for (const kind of KINDS) {
    it(`finds the same ${kind} roots, of any number of digests`, async () => {
      for (const count of COUNTS) {
        const [shared, usual] = await bothLists(thread, kind)
        fill([shared, usual], 0, count)
        expect(shared.length).equal(count)
        expect(rootOf(shared, kind), `${count}`).equal(rootOf(usual, kind))
        expect(rootOf(shared, kind), `${count} again`).equal(rootOf(usual, kind))
      }
    })

    it(`finds the same ${kind} roots after digests were removed and others were added`, async () => {
      for (const count of [10, 64, 130, 200]) {
        for (const cut of [0, 1, 9, 63, 64, 65, 100, 128, 199, 300]) {
          for (const more of [0, 1, 70]) {
            const lists = await bothLists(thread, kind)
            fill(lists, 0, count)
            for (const list of lists) list.cut(cut)
            fill(lists, 1000, 1000 + more)
            const [shared, usual] = lists
            expect(shared.length).equal(usual.length)
            expect(rootOf(shared, kind), `${count}, ${cut}, ${more}`).equal(rootOf(usual, kind))
          }
        }
      }
    })
  }

  it('finds the same root where a record is too long for its memory, and where there is a digest', async () => {
    for (const add of [
      (list: DigestList) => list.pushHashOf(new Uint8Array(MAX_RECORD + 1)),
      (list: DigestList) => list.push(new Uint8Array(32).fill(7)),
    ]) {
      const lists = await bothLists(thread, 'legacy')
      fill(lists, 0, 100)
      lists.forEach(add)
      fill(lists, 0, 100)
      expect(rootOf(lists[0], 'legacy')).equal(rootOf(lists[1], 'legacy'))
    }
  })

  it('finds the same root of more digests than its memory has room for', async () => {
    const lists = await bothLists(thread, 'legacy')
    for (let i = 0; i < MAX_GROUPS * GROUP + 100; i++) {
      for (const list of lists) list.pushHashOf(Uint8Array.of(i, i >> 8, i >> 16))
    }
    expect(rootOf(lists[0], 'legacy')).equal(rootOf(lists[1], 'legacy'))
  })

  it('refuses the root of a list after a later one, which has the same memory', async () => {
    for (const count of [10, 100]) {
      const [earlier] = await bothLists(thread, 'savanna')
      fill([earlier], 0, count)
      const [later, usual] = await bothLists(thread, 'savanna')
      fill([later, usual], 50, 200)
      expect(() => earlier.savannaRoot()).throw('the last list of the thread')
      expect(rootOf(later, 'savanna')).equal(rootOf(usual, 'savanna'))
    }
  })

  it('leaves to the caller what it has not found when it ends', async () => {
    const ended = new DigestThread()
    ended.start(2)
    const lists = await bothLists(ended, 'legacy')
    fill(lists, 0, 100)
    await ended.close()
    fill(lists, 100, 200)
    expect(rootOf(lists[0], 'legacy')).equal(rootOf(lists[1], 'legacy'))
    expect(ended.newList('legacy').constructor).equal(DigestList)
  })

  it('is not started without a second processor', async () => {
    const none = new DigestThread()
    none.start(1)
    expect(none.newList('savanna').constructor).equal(DigestList)
    await none.close()
  })
})
