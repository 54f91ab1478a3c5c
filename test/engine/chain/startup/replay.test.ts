import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { blockId } from '../../../../src/engine/crypto/digests.ts'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import { MemoryStore } from '../../../../src/engine/store/memory_store.ts'
import { Chain } from '../../../../src/engine/chain/chain.ts'
import type { ChainOptions, ReplayProgress } from '../../../../src/engine/chain/chain_options.ts'
import { ChainError } from '../../../../src/engine/errors.ts'
import { BlockKeys } from '../../../../src/engine/crypto/block_keys.ts'
import { BlockKeyThreads } from '../../../../src/engine/crypto/block_key_threads.ts'
import type { SignedBlock } from '../../../../src/engine/protocol/block.ts'
import { RECORDED_LOG, readRecordedChain, referenceLog } from '../support/recorded_chain.ts'
import { NoStore } from '../../../../src/engine/store/no_store.ts'
import { DigestList } from '../../../../src/engine/crypto/digest_list.ts'
import { DigestThread } from '../../../../src/engine/crypto/digest_thread.ts'
import type { TreeKind } from '../../../../src/engine/crypto/merkle_levels.ts'
import { N } from '../../../../src/engine/protocol/name.ts'
import { TestChain } from '../support/test_chain.ts'

function replay(path: string, options: ChainOptions = {}): Promise<Chain> {
  let now_us = 0
  return Chain.open({ ...options, replay: path }, { store: new NoStore(), now: () => now_us++ })
}

class CountingThreads extends BlockKeyThreads {
  transactions = 0

  override begin(block: SignedBlock, packed: Uint8Array, chain_id: Uint8Array): BlockKeys {
    const keys = super.begin(block, packed, chain_id)
    this.transactions += keys.shared.transactions
    return keys
  }
}

describe('replay of a block log', () => {
  it('checks every signature and authority when asked to', async function () {
    const chain = await replay(RECORDED_LOG, { terminate_at_block: 72, force_all_checks: true })
    expect(chain.head.block_num).to.equal(72)
    // Decoded transactions of blocks that cannot be undone take no memory.
    expect(chain.head.trx_metas).to.equal(undefined)
    await chain.close()
  })

  it('recovers the keys of later blocks on other threads, with the same result', async () => {
    const recovery = new CountingThreads(1)
    try {
      const options = { replay: RECORDED_LOG, terminate_at_block: 72, force_all_checks: true }
      const chain = await Chain.open(options, { store: new NoStore(), now: () => 0, recovery })
      const { blocks } = readRecordedChain(RECORDED_LOG)
      expect(toHex(chain.packedBlockByNumber(72)!)).to.equal(toHex(blocks[71]!.packed))
      expect(recovery.transactions).to.be.greaterThan(50)
      await chain.close()
    } finally {
      await recovery.close()
    }
  })

  it('recovers on the thread of the chain what a thread that ended had begun', async () => {
    class EndedThreads extends BlockKeyThreads {
      override begin(block: SignedBlock, packed: Uint8Array, chain_id: Uint8Array): BlockKeys {
        const keys = BlockKeys.create(block, packed, chain_id)
        // All transactions are taken, and nobody works on them.
        Atomics.store(new Int32Array(keys.shared.memory, 0, 1), 0, keys.shared.transactions)
        return keys
      }
    }
    const options = { replay: RECORDED_LOG, terminate_at_block: 12, force_all_checks: true }
    const deps = { store: new NoStore(), now: () => 0, recovery: new EndedThreads(1) }
    const chain = await Chain.open(options, deps)
    expect(chain.head.block_num).to.equal(12)
    await chain.close()
  })

  it('hashes actions on another thread, with the same result', async () => {
    const blocks_dir = mkdtempSync(join(tmpdir(), 'replay-'))
    const digest_thread = new DigestThread()
    try {
      digest_thread.start(2)
      while (digest_thread.newList('legacy').constructor === DigestList) {
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
      const made = await TestChain.open({ blocks_dir, sync_blocks: false })
      // Two groups, and a part of one.
      const actions = Array.from({ length: 140 }, (_, i) => ({
        account: N('eosio'),
        name: N('unknown'),
        authorization: [{ actor: N('eosio'), permission: N('active') }],
        data: Uint8Array.of(i),
      }))
      made.push(actions)
      made.finish()
      const { key } = made.head
      made.produce()
      await made.chain.close()
      let groups = 0
      const newList = (kind: TreeKind): DigestList => {
        const list = digest_thread.newList(kind)
        if (list.constructor !== DigestList) groups++
        return list
      }
      const deps = { store: new NoStore(), now: () => 0, digest_thread: { newList } }
      const chain = await Chain.open({ replay: join(blocks_dir, 'blocks.log') }, deps)
      expect(chain.head.key).to.equal(key)
      expect(groups).to.be.greaterThan(0)
      await chain.close()
    } finally {
      await digest_thread.close()
      rmSync(blocks_dir, { recursive: true })
    }
  })

  it('continues an interrupted replay, and then makes its own blocks', async () => {
    const blocks_dir = mkdtempSync(join(tmpdir(), 'replay-'))
    const store = new MemoryStore()
    let now_us = 0
    const open = (options: ChainOptions): Promise<Chain> =>
      Chain.open({ blocks_dir, ...options }, { store, now: () => now_us++ })
    try {
      const { blocks } = readRecordedChain(RECORDED_LOG)
      const steps: number[] = []
      const onReplay = ({ block_num }: ReplayProgress): void => void steps.push(block_num)
      let chain = await open({ replay: RECORDED_LOG, terminate_at_block: 12, onReplay })
      expect(steps).to.deep.equal([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
      await chain.close()
      chain = await open({ replay: RECORDED_LOG, terminate_at_block: 20 })
      expect(chain.head.block_num).to.equal(20)
      await chain.close()
      chain = await open({})
      for (let num = 1; num <= 20; num++) {
        expect(toHex(chain.packedBlockByNumber(num)!)).to.equal(toHex(blocks[num - 1]!.packed))
      }
      // The next block of the recording may also come as a block of the network does.
      chain.pushBlock(blocks[20]!.packed)
      expect(chain.head.key).to.equal(toHex(blockId(blocks[20]!.block)))
      await chain.close()
      const other = referenceLog('snapshots')
      if (other !== undefined) {
        await open({ replay: other }).then(
          () => expect.fail('a log of another chain was taken'),
          (error: ChainError) => expect(error.errorName).to.equal('chain_id_type_exception'),
        )
      }
    } finally {
      rmSync(blocks_dir, { recursive: true })
    }
  })

  it('stops on request, and keeps the replayed blocks', async () => {
    const blocks_dir = mkdtempSync(join(tmpdir(), 'replay-'))
    const store = new MemoryStore()
    // Each look at the clock is a second later, so that every block is a turn of its own.
    let now_us = 0
    const now = (): number => (now_us += 1_000_000)
    let seen = 0
    try {
      await Chain.open(
        {
          blocks_dir,
          replay: RECORDED_LOG,
          onReplay: ({ block_num }) => (seen = block_num),
          stopStart: () => seen >= 9,
        },
        { store, now },
      ).then(
        () => expect.fail('the replay went on'),
        (error: ChainError) => expect(error.errorName).to.equal('interrupt_exception'),
      )
      const chain = await Chain.open({ blocks_dir }, { store, now })
      expect(chain.head.block_num).to.equal(9)
      expect(store.head!.block_num).to.equal(9)
      await chain.close()
    } finally {
      rmSync(blocks_dir, { recursive: true })
    }
  })
})
