import { expect } from 'chai'
import { checkArchive } from '../../../../src/engine/chain/startup/start_from_snapshot.ts'

type Archive = Parameters<typeof checkArchive>[0]

describe('the block log beside a snapshot', () => {
  it('has its block, or begins right behind it', () => {
    const check = (first_block_num: number, head_block_num: number) => () =>
      checkArchive({ first_block_num, head_block_num } as Archive, 10)
    // Without a log, with one that begins with the next block and has none, and with others.
    for (const [first, last] of [
      [0, 0],
      [11, 0],
      [1, 10],
      [10, 20],
      [11, 20],
    ] as const) {
      // oxfmt-ignore
      expect(check(first, last), `${first} to ${last}`).not.throw()
    }
    for (const [first, last] of [
      [12, 0],
      [10, 0],
      [1, 9],
      [12, 20],
    ] as const) {
      // oxfmt-ignore
      expect(check(first, last)).throw(`: blocks ${first} to ${last}, the snapshot is of block 10`)
    }
  })
})
