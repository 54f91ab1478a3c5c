import { publicKeyOf, signDigest } from '../../../../src/engine/crypto/keys.ts'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import { slotToUs } from '../../../../src/engine/protocol/time.ts'
import { MemoryStore } from '../../../../src/engine/store/memory_store.ts'
import { bootDevelopmentChain } from '../../../../src/engine/services/production/development/boot.ts'
import type { BlockState } from '../../../../src/engine/chain/headers/block_state.ts'
import type { ChainDependencies, ChainOptions } from '../../../../src/engine/chain/chain_options.ts'
import type { Vote } from '../../../../src/engine/protocol/vote.ts'
import { blsKey, blsSecret } from '../voting/support.ts'
import { DEVELOPMENT_SECRET, TestChain } from './test_chain.ts'

/** Keys of the finalizers with these numbers, as chain options have them. */
export function finalizerKeys(...seeds: number[]): Map<string, Uint8Array> {
  return new Map(seeds.map((seed) => [toHex(blsKey(seed)), blsSecret(seed)]))
}

/** A node: its chain, and the votes that its finalizers cast. */
export interface SavannaNode {
  test: TestChain
  votes: Vote[]
}

/** Opens a node with finalizers of its own. */
export async function openNode(
  seeds: readonly number[] = [],
  options: ChainOptions = {},
  store = new MemoryStore(),
  deps: Partial<ChainDependencies> = {},
): Promise<SavannaNode> {
  const finalizer_keys = finalizerKeys(...seeds)
  const test = await TestChain.open({ finalizer_keys, ...options }, store, deps)
  const votes: Vote[] = []
  test.chain.events.on('voteCast', (vote) => votes.push(vote))
  return { test, votes }
}

/** Brings a new chain to Savanna, with the finalizers of these numbers. */
export function boot({ test }: SavannaNode, seeds: readonly number[]): void {
  bootDevelopmentChain(test.chain, {
    sign: (digest) => signDigest(DEVELOPMENT_SECRET, digest),
    key: publicKeyOf(DEVELOPMENT_SECRET),
    finalizers: seeds.map(blsKey),
    now_us: slotToUs(test.head.timestamp + 24),
  })
}

/** Makes a block, `skip` slots later than the next, and waits for the node's own votes. */
export async function makeBlock({ test }: SavannaNode, skip = 0): Promise<BlockState> {
  const block = test.produce(1, skip)
  await test.chain.voted()
  return block
}

/** Gives blocks to a node, which votes on them. */
export async function give({ test }: SavannaNode, ...blocks: BlockState[]): Promise<void> {
  for (const block of blocks) {
    test.setTime(block.timestamp)
    test.chain.pushBlock(block.packed_block.slice())
    await test.chain.voted()
  }
}

/** Gives the votes that nodes cast since the last time to a node. */
export async function giveVotes(to: SavannaNode, ...from: SavannaNode[]): Promise<void> {
  for (const { votes } of from) {
    for (const vote of votes.splice(0)) await to.test.chain.receiveVote(vote)
  }
}
