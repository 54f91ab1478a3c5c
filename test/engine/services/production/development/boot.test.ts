import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { Chain } from '../../../../../src/engine/chain/chain.ts'
import type { ChainOptions } from '../../../../../src/engine/chain/chain_options.ts'
import { FEATURE_SPECS } from '../../../../../src/engine/protocol/features.ts'
import { blsPublicKeyOf, blsSecretOf } from '../../../../../src/engine/crypto/bls.ts'
import { publicKeyOf, signDigest } from '../../../../../src/engine/crypto/keys.ts'
import {
  bootDevelopmentChain,
  needsBoot,
} from '../../../../../src/engine/services/production/development/boot.ts'
import {
  featureContract,
  finalizerContract,
} from '../../../../../src/engine/services/production/development/boot_contract.ts'
import { defaultGenesis } from '../../../../../src/engine/protocol/genesis.ts'
import { toHex } from '../../../../../src/engine/protocol/hex.ts'
import { N } from '../../../../../src/engine/protocol/name.ts'
import { slotToUs } from '../../../../../src/engine/protocol/time.ts'
import { MemoryStore } from '../../../../../src/engine/store/memory_store.ts'
import { DEVELOPMENT_SECRET, INLINE_BLS } from '../../../chain/support/test_chain.ts'

const secret = blsSecretOf(new Uint8Array(48).fill(9))
const finalizer = blsPublicKeyOf(secret)
const NOW_US = slotToUs(1_700_000_000)
const sign = (digest: Uint8Array): Uint8Array => signDigest(DEVELOPMENT_SECRET, digest)
const BOOT = {
  sign,
  key: publicKeyOf(DEVELOPMENT_SECRET),
  finalizers: [finalizer],
  now_us: NOW_US,
}

async function open(
  options: ChainOptions,
  store = new MemoryStore(),
  now: () => number = () => NOW_US,
): Promise<Chain> {
  return Chain.open(
    { finalizer_keys: new Map([[toHex(finalizer), secret]]), ...options },
    { store, now, bls: INLINE_BLS },
  )
}

async function produce(chain: Chain): Promise<void> {
  chain.startBlock({ slot: chain.head.timestamp + 1, confirmed: 0, status: 'incomplete' })
  chain.produceBlock(sign)
  await chain.voted()
}

describe('boot of a development chain', function () {
  it('ends the transition to Savanna with block 4, and finality follows two blocks behind', async () => {
    const chain = await open({ genesis: defaultGenesis() })
    bootDevelopmentChain(chain, BOOT)
    const { head } = chain
    expect(head.block_num).to.equal(4)
    expect(head.timestamp).to.equal(1_700_000_000)
    expect(head.leads_to_savanna).to.equal(true)
    expect(head.savanna_state.active_finalizer_policy).to.deep.include({
      generation: 1,
      threshold: 1n,
    })
    for (let i = 0; i < 4; i++) await produce(chain)
    expect(chain.head.block_num).to.equal(8)
    expect(chain.last_irreversible.block_num).to.equal(6)
    await chain.close()
  })

  it('begins on a machine however slow', async () => {
    let now_us = NOW_US
    // Every look at the clock finds that a second has passed.
    const chain = await open({ genesis: defaultGenesis() }, new MemoryStore(), () => {
      now_us += 1_000_000
      return now_us
    })
    bootDevelopmentChain(chain, BOOT)
    expect(chain.head.block_num).to.equal(4)
    await chain.close()
  })

  it('activates every protocol feature and leaves no code on eosio', async () => {
    const chain = await open({ genesis: defaultGenesis() })
    bootDevelopmentChain(chain, BOOT)
    for (const { name } of FEATURE_SPECS) {
      expect(chain.isFeatureActivated(chain.features.byName(name).digest), name).to.equal(true)
    }
    const { code_hash } = chain.db.account_metadata.get('by_name', N('eosio'))
    expect(toHex(code_hash)).to.equal('00'.repeat(32))
    expect([...chain.db.code.all('by_id')]).to.deep.equal([])
    await chain.close()
  })

  it('replays as any other chain does', async () => {
    const blocks_dir = mkdtempSync(join(tmpdir(), 'boot-'))
    try {
      const chain = await open({ genesis: defaultGenesis(), blocks_dir })
      bootDevelopmentChain(chain, BOOT)
      for (let i = 0; i < 6; i++) await produce(chain)
      const { key } = chain.last_irreversible
      await chain.close()
      const replayed = await open({
        replay: join(blocks_dir, 'blocks.log'),
        force_all_checks: true,
      })
      expect(replayed.head.key).to.equal(key)
      await replayed.close()
    } finally {
      rmSync(blocks_dir, { recursive: true })
    }
  })

  it('continues where it was interrupted, and does not change other chains', async () => {
    const blocks_dir = mkdtempSync(join(tmpdir(), 'boot-'))
    const store = new MemoryStore()
    try {
      let signed = 0
      const failing = (digest: Uint8Array): Uint8Array => {
        // Two signatures for block 2 (its transaction and its own); block 3 is not signed.
        if (++signed > 2) throw new Error('the process ends')
        return sign(digest)
      }
      const first = await open({ genesis: defaultGenesis(), blocks_dir }, store)
      expect(() => bootDevelopmentChain(first, { ...BOOT, sign: failing })).to.throw('process ends')
      expect(first.head.block_num).to.equal(2)
      await first.close()
      const second = await open({ blocks_dir }, store)
      expect(needsBoot(second)).to.equal(true)
      bootDevelopmentChain(second, BOOT)
      expect(second.head.leads_to_savanna).to.equal(true)
      await second.close()
    } finally {
      rmSync(blocks_dir, { recursive: true })
    }
    const other = await open({ genesis: defaultGenesis() })
    await produce(other)
    expect(needsBoot(other)).to.equal(false)
    await other.close()
  })

  it('uses contracts that are small and always the same', () => {
    expect(featureContract().length).to.be.below(256)
    expect(toHex(featureContract())).to.equal(toHex(featureContract()))
    expect(finalizerContract().length).to.be.below(256)
  })
})
