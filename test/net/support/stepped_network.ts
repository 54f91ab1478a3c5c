/**
 * A network of producers that begins before Savanna. All nodes have one clock, which goes on when what was
 * sent has arrived: so a block takes the time of its work, and a busy machine changes nothing.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createMetadata,
  metadataSigningDigest,
} from '../../../src/engine/chain/base/transaction_metadata.ts'
import { privateKeyToString, publicKeyOf, signDigest } from '../../../src/engine/crypto/keys.ts'
import { genesisToJson } from '../../../src/engine/index.ts'
import {
  blsPrivateKeyToString,
  blsPublicKeyToString,
} from '../../../src/engine/protocol/bls_text.ts'
import { defaultGenesis } from '../../../src/engine/protocol/genesis.ts'
import { toHex } from '../../../src/engine/protocol/hex.ts'
import { publicKeyToString } from '../../../src/engine/protocol/key.ts'
import { N } from '../../../src/engine/protocol/name.ts'
import { makePackedTransaction } from '../../../src/engine/protocol/packed_transaction.ts'
import { slotToUs } from '../../../src/engine/protocol/time.ts'
import {
  refBlockOf,
  type Action,
  plainTransaction,
} from '../../../src/engine/protocol/transaction.ts'
import { activateAllFeatures } from '../../../src/engine/services/production/development/boot.ts'
import { setFinalizers, setProducers } from '../../engine/chain/support/privileged_contract.ts'
import { openNode } from '../../engine/chain/support/savanna_chain.ts'
import { DEVELOPMENT_SECRET, newaccount, secretOf } from '../../engine/chain/support/test_chain.ts'
import { blsKey, blsSecret, policyOf } from '../../engine/chain/voting/support.ts'
import { ManualClock } from '../../support/manual_clock.ts'
import { TestNode } from '../../support/test_node.ts'
import { addressOf } from './network.ts'

const GENESIS_TIME = '2026-01-01T00:00:00.000'
/** Alarms after which something that never happens is given up. */
const MAX_STEPS = 60_000
/** Turns of a millisecond in which what was sent arrives. */
const MAX_TURNS = 3000

/** The nodes of producers with these names; the first also has the producer of the genesis. */
export class SteppedNetwork {
  readonly nodes: TestNode[] = []
  private readonly folder = mkdtempSync(join(tmpdir(), 'pronghorn-stepped-'))
  private readonly names: readonly string[]
  private clock = new ManualClock(0)
  /** Nodes that reach each other. */
  private groups: TestNode[][] = []

  private constructor(names: readonly string[]) {
    this.names = names
  }

  /** Makes the first blocks, which propose the producers, and starts a node for each. */
  static async start(names: readonly string[]): Promise<SteppedNetwork> {
    const network = new SteppedNetwork(names)
    await network.makeChain()
    for (let i = 0; i < names.length; i++) {
      await network.add([...network.producing(i), '--replay', network.path('blocks.log')])
    }
    return network
  }

  private path(name: string): string {
    return join(this.folder, name)
  }

  /** Options of a node that has the genesis alone. */
  get fromGenesis(): string[] {
    return ['--genesis-json', this.path('genesis.json')]
  }

  private async makeChain(): Promise<void> {
    const genesis = genesisToJson(defaultGenesis()) as object
    const initial_timestamp = Date.parse(`${GENESIS_TIME}Z`) * 1000
    writeFileSync(
      this.path('genesis.json'),
      JSON.stringify({ ...genesis, initial_timestamp: GENESIS_TIME }),
    )
    const { test } = await openNode([], {
      blocks_dir: this.folder,
      genesis: { ...defaultGenesis(), initial_timestamp },
    })
    activateAllFeatures(test.chain, {
      sign: (digest) => signDigest(DEVELOPMENT_SECRET, digest),
      key: publicKeyOf(DEVELOPMENT_SECRET),
      now_us: slotToUs(test.head.timestamp + 2),
    })
    for (const name of this.names) test.createAccount(name)
    test.push(
      setProducers(
        this.names.map((name, i) => ({
          producer_name: N(name),
          authority: [
            0,
            { threshold: 1, keys: [{ key: publicKeyOf(secretOf(i + 1)), weight: 1 }] },
          ],
        })),
      ),
    )
    test.produce(2)
    this.clock = new ManualClock(slotToUs(test.head.timestamp))
    await test.chain.close()
  }

  private producing(index: number): string[] {
    const provider = (key: string, secret: string) => `--signature-provider=${key}=KEY:${secret}`
    const own = secretOf(index + 1)
    const seed = index + 1
    return [
      '--enable-stale-production',
      `--producer-name=${this.names[index]}`,
      provider(publicKeyToString(publicKeyOf(own)), privateKeyToString(own)),
      provider(blsPublicKeyToString(blsKey(seed)), blsPrivateKeyToString(blsSecret(seed))),
      ...(index > 0
        ? []
        : [
            '--producer-name=eosio',
            provider(
              publicKeyToString(publicKeyOf(DEVELOPMENT_SECRET)),
              privateKeyToString(DEVELOPMENT_SECRET),
            ),
          ]),
    ]
  }

  /** Starts a node that is connected to all others. */
  async add(argv: readonly string[]): Promise<TestNode> {
    const node = await TestNode.start({
      argv: [
        '--p2p-listen-endpoint=127.0.0.1:0',
        '--p2p-max-nodes-per-host=1000',
        ...this.nodes.map((peer) => `--p2p-peer-address=${addressOf(peer)}`),
        ...argv,
      ],
      clock: this.clock,
    })
    this.nodes.push(node)
    this.groups = [[...this.nodes]]
    return node
  }

  /** Stops a node. */
  async drop(node: TestNode): Promise<void> {
    this.nodes.splice(this.nodes.indexOf(node), 1)
    this.groups = [[...this.nodes]]
    await node.stop()
  }

  /** Ends the connections between the first nodes and the others. */
  split(first: number): void {
    this.groups = [this.nodes.slice(0, first), this.nodes.slice(first)]
    this.across(first, (node, address) => node.engine.services.net.disconnect(address))
  }

  /** Makes the connections again that {@link split} ended. */
  heal(first: number): void {
    this.groups = [[...this.nodes]]
    this.across(first, (node, address) => node.engine.services.net.connect(address))
  }

  private across(first: number, act: (node: TestNode, address: string) => void): void {
    for (const node of this.nodes.slice(first)) {
      for (const other of this.nodes.slice(0, first)) act(node, addressOf(other))
    }
  }

  /** Lets time pass until something is so. */
  async run(what: string, isSo: () => boolean): Promise<void> {
    for (let step = 0; step < MAX_STEPS; step++) {
      if (isSo()) return
      const before = this.heads()
      this.clock.fire()
      if (this.heads() !== before) await this.arrive()
      else await sleep(0)
    }
    throw new Error(`it never happened: ${what}`)
  }

  /** Lets so many blocks be made on the best branch of each group. */
  async blocks(count: number): Promise<void> {
    const wanted = this.groups.map((group) => best(group) + count)
    await this.run(`${count} blocks`, () =>
      this.groups.every((group, i) => best(group) >= wanted[i]!),
    )
  }

  /** What was sent arrives, and finalizers vote, while no time passes. */
  private async arrive(): Promise<void> {
    for (let turn = 0; turn < MAX_TURNS; turn++) {
      while (this.clock.fire(this.clock.now()));
      await sleep(0)
      const agrees = this.groups.every((group) => new Set(group.map(bestId)).size === 1)
      if (agrees) break
    }
    await Promise.all(this.nodes.map(({ engine }) => engine.chain.voted()))
    for (let turn = 0; turn < 3; turn++) await sleep(0)
  }

  private heads(): string {
    return this.nodes.map(({ engine }) => engine.chain.head.key).join()
  }

  /** Submits a transaction of eosio that creates an account. */
  createAccount(node: TestNode, name: string): Promise<unknown> {
    return this.submit(node, [newaccount(name, publicKeyOf(DEVELOPMENT_SECRET))])
  }

  /** Submits a transaction that proposes the finalizers of all nodes. */
  proposeFinalizers(node: TestNode): Promise<unknown> {
    const seeds = this.names.map((_, i) => i + 1)
    return this.submit(node, setFinalizers(policyOf(1, seeds)))
  }

  private async submit(node: TestNode, actions: Action[]): Promise<unknown> {
    const { head, chain_id, last_irreversible } = node.engine.chain
    const trx = {
      expiration: Math.floor(slotToUs(head.timestamp) / 1_000_000) + 600,
      // A transaction that refers to a block which is given up is not valid on the other branch.
      ...refBlockOf(last_irreversible.id),
      ...plainTransaction(actions),
    }
    const unsigned = createMetadata(makePackedTransaction(trx, []), 'input')
    const signature = signDigest(DEVELOPMENT_SECRET, metadataSigningDigest(unsigned, chain_id))
    const done = node.engine.services.production.submit(makePackedTransaction(trx, [signature]), {
      return_failure_trace: false,
    })
    let is_done = false
    void done.finally(() => (is_done = true))
    await this.run('the transaction is executed', () => is_done)
    return done
  }

  async remove(): Promise<void> {
    for (const node of this.nodes.splice(0)) await node.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** The last block that a node has executed, or would if it did not wait for irreversible ones. */
function bestId({ engine: { chain, services } }: TestNode): string {
  return chain.executes_irreversible
    ? toHex(services.net.network.state.position().fork_head_id)
    : chain.head.key
}

function best(group: readonly TestNode[]): number {
  return Math.max(...group.map((node) => node.head_block_num))
}
