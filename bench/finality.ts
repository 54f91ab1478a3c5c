/**
 * What Savanna costs: `npx tsx bench/finality.ts`. BLS operations, which go to another thread, and
 * what is left for the thread that makes blocks.
 */
import {
  NOBLE_GROUP,
  blsAggregateVerify,
  blsPublicKeyOf,
  blsSecretOf,
  blsSign,
  useBlsGroup,
} from '../src/engine/crypto/bls.ts'
import { loadBlsWasm } from '../src/engine/crypto/bls_wasm.ts'
import { latestQcClaim } from '../src/engine/chain/headers/savanna/finality_core.ts'
import { finalityDigest } from '../src/engine/chain/headers/savanna/finality_digest.ts'
import { VoteAggregator } from '../src/engine/chain/headers/savanna/vote_aggregator.ts'
import { boot, makeBlock, openNode } from '../test/engine/chain/support/savanna_chain.ts'
import {
  genesisState,
  nextState,
  policyOf,
  strong,
  weak,
} from '../test/engine/chain/voting/support.ts'
import { RECORDED_LOG } from '../test/engine/chain/support/recorded_chain.ts'
import { Chain } from '../src/engine/chain/chain.ts'
import { NoStore } from '../src/engine/store/no_store.ts'

/** Milliseconds of one call: the best of three rounds. */
function cost(f: () => unknown, count: number): number {
  f()
  let best = Infinity
  for (let round = 0; round < 3; round++) {
    const started = performance.now()
    for (let i = 0; i < count; i++) f()
    best = Math.min(best, (performance.now() - started) / count)
  }
  return best
}

function print(name: string, ms: number): void {
  console.log(`  ${name.padEnd(46)} ${ms.toFixed(3).padStart(9)} ms`)
}

const message = new Uint8Array(32).fill(1)
const COUNT = 21
const secrets = Array.from({ length: COUNT }, (_, i) => blsSecretOf(new Uint8Array(48).fill(i + 1)))
const keys = secrets.map(blsPublicKeyOf)
const signatures = secrets.map((secret) => blsSign(secret, message))

function aggregator(): VoteAggregator {
  const finalizers = keys.map((public_key) => ({ description: '', weight: 1n, public_key }))
  const votes = new VoteAggregator({ generation: 1, threshold: 15n, finalizers }, undefined)
  keys.forEach((finalizer_key, i) =>
    votes.add({ block_id: message, strong: true, finalizer_key, signature: signatures[i]! }),
  )
  return votes
}

console.log('On the BLS thread')
const certificate = aggregator().best(1)!.active_policy_sig.sig
for (const [name, group] of [
  ['in JavaScript', NOBLE_GROUP],
  ['in WebAssembly', await loadBlsWasm()],
] as const) {
  useBlsGroup(group)
  print(
    `a vote signed, ${name}`,
    cost(() => blsSign(secrets[0]!, message), 20),
  )
  print(
    `a certificate of ${COUNT} verified, ${name}`,
    cost(() => blsAggregateVerify([{ keys, message }], certificate), 20),
  )
}

console.log('On the thread that makes blocks')
print(
  `a certificate of ${COUNT} votes put together`,
  cost(() => aggregator().best(1), 50),
)
const states = [genesisState(policyOf(1, [0]))]
for (let i = 2; i < 20; i++) {
  states.push(nextState(states.at(-1)!, i === 2 ? weak(1) : strong(i - 1)))
}
const last = states.at(-1)!
const claim = strong(latestQcClaim(last.core).block_num + 1)
print(
  'finality digest',
  cost(() => finalityDigest(last), 2000),
)
print(
  'the next header state',
  cost(() => nextState(last, claim), 2000),
)

const BLOCKS = 200
for (const [name, seeds] of [
  ['an empty Savanna block with a vote (one thread)', [0]],
  ['the same without votes', []],
] as const) {
  const node = await openNode(seeds)
  boot(node, [0])
  const started = performance.now()
  for (let i = 0; i < BLOCKS; i++) await makeBlock(node)
  print(name, (performance.now() - started) / BLOCKS)
  await node.test.chain.close()
}

let now_us = 0
const started = performance.now()
const chain = await Chain.open(
  { replay: RECORDED_LOG },
  { store: new NoStore(), now: () => now_us++ },
)
print(
  `the recorded chain replayed, a block of ${chain.head.block_num}`,
  (performance.now() - started) / 140,
)
await chain.close()
