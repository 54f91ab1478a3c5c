/** The read mode `irreversible`: blocks are executed when they are irreversible. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { trustedBlockState } from '../../../../src/engine/chain/blocks/block_validation.ts'
import type { ChainParts } from '../../../../src/engine/chain/blocks/chain_parts.ts'
import { Chain } from '../../../../src/engine/chain/chain.ts'
import type { ReadMode } from '../../../../src/engine/chain/chain_options.ts'
import { blockId } from '../../../../src/engine/crypto/digests.ts'
import { ChainError } from '../../../../src/engine/errors.ts'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import { MemoryStore } from '../../../../src/engine/store/memory_store.ts'
import type { Store } from '../../../../src/engine/store/store.ts'
import { RECORDED_LOG, readRecordedChain } from '../support/recorded_chain.ts'
import { stateDigest } from '../support/state_digest.ts'
import { NoStore } from '../../../../src/engine/store/no_store.ts'
import { INLINE_BLS, TestChain } from '../support/test_chain.ts'

const recorded = readRecordedChain(RECORDED_LOG)
const { genesis } = recorded
/** The first block of Savanna, by number. */
const first_savanna =
  recorded.blocks.findIndex(({ block }) => block.schedule_version >= 2 ** 31) + 1
const blocks = recorded.blocks.slice(0, first_savanna + 10)

function open(
  read_mode: ReadMode,
  store: Store = new NoStore(),
  blocks_dir?: string,
): Promise<Chain> {
  const options = { read_mode, genesis, ...(blocks_dir === undefined ? {} : { blocks_dir }) }
  return Chain.open(options, { store, now: () => 0, bls: INLINE_BLS })
}

/** Pushes the recorded blocks after the best one up to a number. */
function pushTo(chain: Chain, block_num: number): void {
  while (chain.fork_head.block_num < block_num) {
    chain.pushBlock(blocks[chain.fork_head.block_num]!.packed.slice())
  }
}

/** The last irreversible block after each recorded block, and its state, by the mode `head`. */
async function finalStates(): Promise<{ after: number[]; states: Map<number, string> }> {
  const chain = await open('head')
  const states = new Map([[1, stateDigest(chain.db)]])
  const after = [0, 1]
  for (let num = 2; num <= blocks.length; num++) {
    pushTo(chain, num)
    after.push(chain.last_irreversible.block_num)
    states.set(num, stateDigest(chain.db))
  }
  await chain.close()
  return { after, states }
}

describe('read mode irreversible', function () {
  let expected: Awaited<ReturnType<typeof finalStates>>
  let folder: string

  before(async () => {
    expected = await finalStates()
  })

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'irreversible-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** The head is the last irreversible block, the best block is the last that was pushed. */
  function expectAt(chain: Chain, block_num: number): void {
    const final = expected.after[block_num]!
    expect(chain.fork_head.block_num).equal(block_num)
    expect(chain.last_irreversible.block_num).equal(final)
    expect(chain.head.key).equal(chain.last_irreversible.key)
    expect(chain.db.revision).equal(final)
    expect(stateDigest(chain.db), `the state after block ${final}`).equal(
      expected.states.get(final),
    )
  }

  it('the head is the last irreversible block, before, during and after the transition', async () => {
    const chain = await open('irreversible')
    const accepted: number[] = []
    const final: number[] = []
    chain.events.on('blockAccepted', ({ block_num }) => accepted.push(block_num))
    chain.events.on('blockIrreversible', ({ block_num }) => final.push(block_num))
    for (let num = 2; num <= blocks.length; num++) {
      pushTo(chain, num)
      expectAt(chain, num)
    }
    expect(first_savanna).within(3, blocks.length - 3)
    const all = Array.from({ length: expected.after.at(-1)! - 1 }, (_, i) => i + 2)
    expect(accepted).deep.equal(all)
    expect(final).deep.equal(all)
    // Blocks that are not executed yet are answered too.
    expect(chain.blockByNumber(blocks.length)).deep.equal(blocks.at(-1)!.block)
    expect(chain.blockIdByNumber(blocks.length)).equal(undefined)
    await chain.close()
  })

  it('blocks that were accepted are executed a few at a time', async () => {
    const chain = await open('irreversible')
    for (const { block, packed } of blocks.slice(1, first_savanna - 1))
      chain.acceptBlock(block, packed)
    expect(chain.head.block_num).equal(1)
    const final = expected.after[first_savanna - 1]!
    expect(chain.unappliedBlocks().map(({ block_num }) => block_num)).deep.equal(
      Array.from({ length: final - 1 }, (_, i) => i + 2),
    )
    // The rules of Savanna begin when the block that began the transition is executed.
    const begun: boolean[] = []
    while (chain.unappliedBlocks().length > 0) {
      begun.push(chain.takes_savanna_blocks)
      chain.applyBest(undefined, 1)
    }
    expect(begun).not.include(true)
    expect(chain.takes_savanna_blocks).equal(true)
    expectAt(chain, first_savanna - 1)
    pushTo(chain, blocks.length)
    expectAt(chain, blocks.length)
    await chain.close()
  })

  it('a restart continues with the same best block, and with the other mode as well', async () => {
    const store = new MemoryStore()
    const stops = [first_savanna - 3, first_savanna - 1, first_savanna, first_savanna + 1]
    for (const [i, num] of stops.entries()) {
      const chain = await open(i % 2 === 0 ? 'irreversible' : 'head', store, folder)
      pushTo(chain, num)
      await chain.close()
      const again = await open('irreversible', store, folder)
      expectAt(again, num)
      await again.close()
      const head = await open('head', store, folder)
      expect(head.head.block_num).equal(num)
      expect(stateDigest(head.db)).equal(expected.states.get(num))
      await head.close()
    }
  })

  it('a process that ends without a close loses no accepted block', async () => {
    const store = new MemoryStore()
    const chain = await open('irreversible', store, folder)
    pushTo(chain, 30)
    // No close: the process ends here.
    const again = await open('irreversible', store, folder)
    expectAt(again, 30)
    await again.close()
  })

  it('an invalid block is found when it is irreversible, and is removed with those that follow', async () => {
    const maker = await TestChain.open()
    const follower = await TestChain.open({ read_mode: 'irreversible' })
    const good = maker.produce()
    const state_after_good = stateDigest(maker.chain.db)
    const next = maker.produce()
    const { header_rules: rules } = (follower.chain as unknown as { parts: ChainParts }).parts
    // Only execution finds that this one is wrong.
    const bent = maker.resign(good, { ...good.block, action_mroot: new Uint8Array(32).fill(7) })
    const unsigned = { ...next.block, previous: blockId(bent) }
    const bent_state = trustedBlockState(follower.head, bent, new Uint8Array(0), { rules })
    const state = trustedBlockState(bent_state, unsigned, new Uint8Array(0), { rules })
    follower.setTime(next.timestamp)
    const { key } = follower.head
    expect(follower.chain.pushBlock(bent)).equal('appended')
    expect(follower.chain.fork_head.key).equal(toHex(blockId(bent)))
    expect(() => follower.chain.pushBlock(maker.resign(state, unsigned))).throw(
      ChainError,
      'action_mroot',
    )
    expect(follower.head.key).equal(key)
    expect(follower.chain.fork_head.key).equal(key)
    for (const { packed_block } of [good, next]) follower.chain.pushBlock(packed_block.slice())
    expect(follower.head.key).equal(good.key)
    expect(follower.chain.fork_head.key).equal(next.key)
    expect(stateDigest(follower.chain.db)).equal(state_after_good)
  })
})
