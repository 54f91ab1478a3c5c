import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { Chain } from '../../../../src/engine/chain/chain.ts'
import type { ChainOptions } from '../../../../src/engine/chain/chain_options.ts'
import { packHead, unpackHead } from '../../../../src/engine/chain/headers/packed_head.ts'
import { BlockState } from '../../../../src/engine/chain/headers/block_state.ts'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import { MemoryStore } from '../../../../src/engine/store/memory_store.ts'
import { RECORDED_LOG, readRecordedChain } from '../support/recorded_chain.ts'
import { INLINE_BLS } from '../support/test_chain.ts'

/** Before, at, within, at the end of and after the transition, and around changes of policies. */
const STOPS = [39, 40, 41, 59, 60, 61, 62, 66, 68, 69, 70, 71, 74, 95, 96, 140]

describe('a replay through the transition to Savanna', function () {
  const { blocks } = readRecordedChain(RECORDED_LOG)
  let blocks_dir: string
  let store: MemoryStore

  beforeEach(() => {
    blocks_dir = mkdtempSync(join(tmpdir(), 'replay-'))
    store = new MemoryStore()
  })
  afterEach(() => rmSync(blocks_dir, { recursive: true }))

  const open = (options: ChainOptions = {}): Promise<Chain> =>
    Chain.open({ blocks_dir, ...options }, { store, now: () => 0, bls: INLINE_BLS })

  it('can be stopped anywhere, and continues from the stored state', async () => {
    for (const stop of STOPS) {
      const chain = await open({ replay: RECORDED_LOG, terminate_at_block: stop })
      expect(chain.head.block_num).to.equal(stop)
      expect(store.head === undefined || store.head.block_num <= stop).to.equal(true)
      const { states, valid } = unpackHead(packHead(chain.head))
      const again = new BlockState(states)
      again.valid = valid
      expect(again.leads_to_savanna).to.equal(stop >= 60)
      expect(again.is_proper_savanna).to.equal(stop >= 61)
      expect(toHex(packHead(again))).to.equal(toHex(packHead(chain.head)))
      await chain.close()
    }
  })

  it('can be followed by blocks one by one, with restarts between', async () => {
    // A chain that ends at a block takes none after it.
    await (await open({ replay: RECORDED_LOG, terminate_at_block: 38 })).close()
    let chain = await open()
    for (let num = 39; num <= 76; num++) {
      chain.pushBlock(blocks[num - 1]!.packed)
      expect(chain.head.block_num).to.equal(num)
      if (num % 3 !== 0 && num !== 61) continue
      const final = chain.last_irreversible.block_num
      await chain.close()
      chain = await open()
      expect(chain.head.block_num).to.equal(num)
      expect(chain.last_irreversible.block_num).to.equal(final)
    }
    // A block makes final the one that its claimed block claimed.
    expect(chain.last_irreversible.block_num).to.equal(chain.head.block_num - 1 - 1)
    await chain.close()
  })
})
