import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Action } from '../../../../src/engine/protocol/action.ts'
import type { ProducerAuthority } from '../../../../src/engine/protocol/schedule.ts'
import type { Chain } from '../../../../src/engine/chain/chain.ts'
import type { ChainOptions } from '../../../../src/engine/chain/chain_options.ts'
import { publicKeyOf } from '../../../../src/engine/crypto/keys.ts'
import { defaultGenesis } from '../../../../src/engine/protocol/genesis.ts'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import { N } from '../../../../src/engine/protocol/name.ts'
import { MemoryStore } from '../../../../src/engine/store/memory_store.ts'
import { refusalOf, snapshotOf, withChain } from '../../snapshot/support/replayed_chain.ts'
import { recordedSnapshot, referenceFile } from '../../snapshot/support/snapshot_files.ts'
import { temporaryFolder } from '../../store/temporary_folder.ts'
import { setFinalizers, setProducers, setProducersByKey } from '../support/privileged_contract.ts'
import { RECORDED_LOG } from '../support/recorded_chain.ts'
import { boot, makeBlock, openNode } from '../support/savanna_chain.ts'
import type { SavannaNode } from '../support/savanna_chain.ts'
import { stateSections } from '../support/snapshot_sections.ts'
import type { Sections } from '../support/snapshot_sections.ts'
import { stateDigest } from '../support/state_digest.ts'
import { DEVELOPMENT_SECRET, TestChain, newaccount, secretOf } from '../support/test_chain.ts'
import { blsKey, policyOf } from '../voting/support.ts'

const folder = temporaryFolder()
/** Slots of two days. */
const TWO_DAYS = 2 * 172_800
const OWN_FINALIZER = 9

let files = 0

function fileOf(bytes: Uint8Array): string {
  const path = join(folder, `${++files}.bin`)
  writeFileSync(path, bytes)
  return path
}

function newFolder(): string {
  const path = join(folder, `node-${++files}`)
  mkdirSync(path)
  return path
}

function optionsOf(snapshot: string, place?: string): ChainOptions {
  return {
    fork: {
      snapshot,
      producers: [N('eosio')],
      signing_key: publicKeyOf(DEVELOPMENT_SECRET),
      finalizers: [blsKey(OWN_FINALIZER)],
    },
    ...(place && {
      fork_file: join(place, 'fork.bin'),
      blocks_dir: join(place, 'blocks'),
      finalizers_dir: join(place, 'finalizers'),
    }),
  }
}

function openFork(
  snapshot: string,
  place?: string,
  store = new MemoryStore(),
): Promise<SavannaNode> {
  return openNode([OWN_FINALIZER], optionsOf(snapshot, place), store)
}

/** A node without keys that starts from the first state of a fork and executes its blocks. */
async function replayed(place: string): Promise<{ id: string; state: string }> {
  const { test } = await openNode([], {
    snapshot: join(place, 'fork.bin'),
    replay: join(place, 'blocks', 'blocks.log'),
  })
  const result = { id: test.head.key, state: stateDigest(test.chain.db) }
  await test.chain.close()
  return result
}

/** Makes blocks, the first one two days after the head. */
async function goOn(node: SavannaNode, blocks: number): Promise<void> {
  for (let i = 0; i < blocks; i++) await makeBlock(node, i === 0 ? TWO_DAYS : 0)
}

/** The states after the next blocks, by id. */
async function nextStates(node: SavannaNode, blocks: number): Promise<Map<string, string>> {
  const states = new Map<string, string>()
  for (let i = 0; i < blocks; i++) {
    const { key } = await makeBlock(node)
    states.set(key, stateDigest(node.test.chain.db))
  }
  return states
}

/** The names of the tables that differ. */
function changedTables(chain: Chain, before: Sections): string[] {
  const sections = [...stateSections(chain.db)]
  return sections
    .filter(([name, bytes]) => Buffer.compare(bytes, before.get(name)!) !== 0)
    .map(([name]) => name)
}

/** Continues a fork of a snapshot, and a node without keys that replays it. */
async function expectFork(snapshot: string): Promise<void> {
  const { sections, chain_id, head } = await withChain({ snapshot }, (chain) => ({
    sections: stateSections(chain.db),
    chain_id: toHex(chain.chain_id),
    head: chain.head,
  }))
  const place = newFolder()
  const node = await openFork(snapshot, place)
  const { chain } = node.test
  expect(chain.is_fork).equal(true)
  expect(toHex(chain.chain_id)).equal(chain_id)
  expect(chain.head.key).equal(head.key)
  expect(changedTables(chain, sections)).deep.equal(['eosio::chain::global_property_object'])
  await goOn(node, 4)
  const states = await nextStates(node, 4)
  expect(chain.head.block_num).equal(head.block_num + 8)
  expect(chain.last_irreversible.block_num).greaterThan(head.block_num + 1)
  await chain.close()
  const { id, state } = await replayed(place)
  expect(states.get(id)).equal(state)
}

/** A chain whose producers and finalizers nobody here has the keys of, and its snapshot. */
async function foreignChain(savanna: boolean): Promise<string> {
  const node = await openNode([0, 1, 2])
  const { test } = node
  if (savanna) boot(node, [0, 1, 2])
  const names = ['alice', 'bob', 'carol']
  for (const name of [...names, 'dave']) test.createAccount(name)
  const producers = names.map((name, i) => foreignProducer(name, i + 1))
  for (const seed of [1, 2, 3]) test.addSecret(secretOf(seed))
  test.produce()
  if (savanna) {
    test.push(setProducers(producers))
    for (let i = 0; i < 40; i++) await makeBlock(node)
  } else {
    test.start()
    test.proposeProducers(names)
    test.produce(60)
  }
  expect(test.head.active_schedule.producers).length(3)
  const { path } = await snapshotOf(test.chain, newFolder())
  await test.chain.close()
  return path
}

function foreignProducer(name: string, seed: number): ProducerAuthority {
  const key = publicKeyOf(secretOf(seed))
  return { producer_name: N(name), authority: [0, { threshold: 1, keys: [{ key, weight: 1 }] }] }
}

/** Actions that propose producers, in the form that the rules of the time have. */
function propose(savanna: boolean, producers: readonly ProducerAuthority[]): Action[] {
  if (savanna) return setProducers(producers)
  return setProducersByKey(
    producers.map(({ producer_name, authority }) => ({
      producer_name,
      block_signing_key: authority[1].keys[0]!.key,
    })),
  )
}

function producersOf({ test }: SavannaNode): bigint[] {
  return test.head.active_schedule.producers.map(({ producer_name }) => producer_name)
}

describe('a fork of a public chain', () => {
  for (const block_num of [0x24, 0x67]) {
    it(`block ${block_num} of the recorded chain: continues, and is replayed to the same states`, () =>
      expectFork(fileOf(recordedSnapshot(block_num))))
  }

  // Blocks 40 to 60 are those of the transition to Savanna.
  for (const block_num of [40, 60]) {
    it(`continues from block ${block_num}, through the transition to Savanna`, async () => {
      const options = { replay: RECORDED_LOG, terminate_at_block: block_num }
      const { path } = await withChain(options, (chain) => snapshotOf(chain, newFolder()))
      await expectFork(path)
    })
  }

  for (const version of [2, 3, 4, 5, 6, 8]) {
    it(`continues from a snapshot of version ${version}`, async function () {
      const bytes = referenceFile(`snapshots/snap_v${version}.bin.gz`)
      if (!bytes) this.skip()
      await expectFork(fileOf(bytes))
    })
  }

  it('continues from a chain of the reference with a pending schedule', async function () {
    const bytes = referenceFile('prod_sched/snap_v2_prod_sched.bin.gz')
    if (!bytes) this.skip()
    await expectFork(fileOf(bytes))
  })

  it('continues from a chain of the reference with finalizers of its own', async function () {
    const bytes = referenceFile('consensus_blockchain/snapshot')
    if (!bytes) this.skip()
    await expectFork(fileOf(bytes))
  })

  for (const savanna of [false, true]) {
    describe(savanna ? 'under Savanna' : 'before Savanna', () => {
      let snapshot: string

      before(async () => {
        snapshot = await foreignChain(savanna)
      })

      it('takes production and finality over from unknown keys', () => expectFork(snapshot))

      it('keeps them, whatever contracts propose', async () => {
        const place = newFolder()
        const node = await openFork(snapshot, place)
        const { test } = node
        const foreign = ['alice', 'bob', 'carol'].map((name, i) => foreignProducer(name, i + 1))
        const policy = test.head.savanna?.active_finalizer_policy
        await goOn(node, 3)
        test.push(propose(savanna, foreign))
        if (savanna) test.push(setFinalizers(policyOf(0, [0, 1, 2])))
        await goOn(node, 50)
        const states = await nextStates(node, 4)
        expect(producersOf(node)).deep.equal([N('eosio')])
        expect(test.head.pending_schedule?.producers ?? []).deep.equal([])
        expect(test.head.savanna?.active_finalizer_policy).deep.equal(policy)
        expect(test.head.savanna?.pending_finalizer_policy).equal(undefined)
        expect(test.head.savanna?.proposed_finalizer_policies ?? []).deep.equal([])
        expect(test.head.block_num - test.chain.last_irreversible.block_num).lessThan(5)
        await test.chain.close()
        const { id, state } = await replayed(place)
        expect(states.get(id)).equal(state)
      })

      it('still refuses proposals that are not valid', async () => {
        const node = await openFork(snapshot)
        await goOn(node, 1)
        const nobody = foreignProducer('nobody', 1)
        expect(() => node.test.push(propose(savanna, [nobody]))).throw('nonexisting account')
        if (savanna) {
          const wrong = { ...policyOf(0, [0, 1, 2]), threshold: 9n }
          expect(() => node.test.push(setFinalizers(wrong))).throw('Finalizer policy threshold')
        }
        await node.test.chain.close()
      })

      it('a plain node takes its blocks, and checks them fully', async () => {
        const place = newFolder()
        const node = await openFork(snapshot, place)
        const plain = await openNode([], { snapshot: join(place, 'fork.bin') })
        for (let i = 0; i < 6; i++) {
          if (i === 2) node.test.push([newaccount(`new${i}`, publicKeyOf(DEVELOPMENT_SECRET))])
          const block = await makeBlock(node, i === 0 ? TWO_DAYS : 0)
          plain.test.setTime(block.timestamp)
          plain.test.chain.pushBlock(block.packed_block.slice())
        }
        expect(plain.test.head.key).equal(node.test.head.key)
        expect(stateDigest(plain.test.chain.db)).equal(stateDigest(node.test.chain.db))
        for (const { test } of [node, plain]) await test.chain.close()
      })

      it('continues after a restart, with or without the snapshot', async () => {
        const place = newFolder()
        const store = new MemoryStore()
        const first = await openFork(snapshot, place, store)
        await goOn(first, 6)
        let head = first.test.head.key
        await first.test.chain.close()
        const { fork, ...without } = optionsOf(snapshot, place)
        for (const options of [{ ...without, fork: fork! }, without]) {
          const again = await openNode([OWN_FINALIZER], options, store)
          expect(again.test.head.key).equal(head)
          expect(again.test.chain.is_fork).equal(true)
          const final = again.test.chain.last_irreversible.block_num
          await goOn(again, 4)
          expect(again.test.chain.last_irreversible.block_num).greaterThan(final + 1)
          head = again.test.head.key
          await again.test.chain.close()
        }
      })

      it('a state that is lost is made again from the first state and the blocks', async () => {
        const place = newFolder()
        const first = await openFork(snapshot, place)
        await goOn(first, 6)
        const head = first.test.head.key
        const state = stateDigest(first.test.chain.db)
        await first.test.chain.close()
        const again = await openFork(snapshot, place)
        expect(again.test.head.key).equal(head)
        expect(stateDigest(again.test.chain.db)).equal(state)
        await again.test.chain.close()
      })

      it('begins again in a folder whose blocks were deleted', async () => {
        const place = newFolder()
        const first = await openFork(snapshot, place)
        await goOn(first, 6)
        await first.test.chain.close()
        rmSync(join(place, 'blocks'), { recursive: true })
        // The finalizers voted in the former fork.
        const second = await openFork(snapshot, place)
        const { block_num } = second.test.head
        await goOn(second, 6)
        expect(second.test.chain.last_irreversible.block_num).greaterThan(block_num + 1)
        await second.test.chain.close()
      })
    })
  }

  it('is refused in a folder of another chain, which is not changed', async () => {
    const snapshot = fileOf(recordedSnapshot(0x24))
    const place = newFolder()
    const store = new MemoryStore()
    const options = optionsOf(snapshot, place)
    const own = await TestChain.open({ blocks_dir: options.blocks_dir! }, store)
    own.produce(3)
    const head = own.head.key
    await own.chain.close()
    const NO_FORK =
      'of a chain that is not a fork: name another data-dir, or give delete-all-blocks'
    const with_state = await refusalOf(openFork(snapshot, place, store))
    expect(with_state.message).match(new RegExp(`has the state ${NO_FORK}`))
    const without_state = await refusalOf(openFork(snapshot, place))
    expect(without_state.message).match(new RegExp(`has blocks ${NO_FORK}`))
    expect(existsSync(options.fork_file!)).equal(false)
    const again = await TestChain.open({ blocks_dir: options.blocks_dir! }, store)
    expect(again.head.key).equal(head)
    await again.chain.close()
  })

  it('is refused with the snapshot of another chain than the fork in the folder', async () => {
    const place = newFolder()
    const store = new MemoryStore()
    const first = await openFork(fileOf(recordedSnapshot(0x24)), place, store)
    await first.test.chain.close()
    const initial_timestamp = defaultGenesis().initial_timestamp + 500_000
    const genesis = { ...defaultGenesis(), initial_timestamp }
    const other = await TestChain.open({ genesis })
    const { path } = await snapshotOf(other.chain, newFolder())
    await other.chain.close()
    const refusal = await refusalOf(openFork(path, place, store))
    expect(refusal.message).match(/has a fork of chain .* the snapshot is of chain/)
  })

  it('is refused if a producer has no account', async () => {
    const options = optionsOf(fileOf(recordedSnapshot(0x24)))
    const fork = { ...options.fork!, producers: [N('nobody')] }
    const refusal = await refusalOf(openNode([OWN_FINALIZER], { fork }))
    expect(refusal.message).match(/the snapshot has no account nobody/)
  })

  it('a snapshot of a fork is that of a fork', async () => {
    const node = await openFork(fileOf(recordedSnapshot(0x67)))
    await goOn(node, 4)
    const { path } = await snapshotOf(node.test.chain, newFolder())
    await node.test.chain.close()
    const again = await openNode([OWN_FINALIZER], { snapshot: path })
    expect(again.test.chain.is_fork).equal(true)
    await goOn(again, 4)
    await again.test.chain.close()
  })
})
