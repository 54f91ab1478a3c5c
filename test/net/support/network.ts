/** Nodes of this project in a network on loopback addresses. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { privateKeyToString, publicKeyOf, signDigest } from '../../../src/engine/crypto/keys.ts'
import { genesisToJson, systemClock } from '../../../src/engine/index.ts'
import type { Action } from '../../../src/engine/protocol/action.ts'
import {
  blsPrivateKeyToString,
  blsPublicKeyToString,
} from '../../../src/engine/protocol/bls_text.ts'
import { defaultGenesis } from '../../../src/engine/protocol/genesis.ts'
import { publicKeyToString } from '../../../src/engine/protocol/key.ts'
import { N } from '../../../src/engine/protocol/name.ts'
import { slotToUs } from '../../../src/engine/protocol/time.ts'
import { activateAllFeatures } from '../../../src/engine/services/production/development/boot.ts'
import { writeSnapshot } from '../../../src/engine/snapshot/write_snapshot.ts'
import { setProducers, setProducersByKey } from '../../engine/chain/support/privileged_contract.ts'
import {
  boot,
  makeBlock,
  openNode,
  type SavannaNode,
} from '../../engine/chain/support/savanna_chain.ts'
import { DEVELOPMENT_SECRET, secretOf } from '../../engine/chain/support/test_chain.ts'
import { blsKey, blsSecret } from '../../engine/chain/voting/support.ts'
import { TestNode } from '../../support/test_node.ts'
import { until } from '../../support/wait.ts'

/** Producers with the keys of {@link secretOf} 1, 2, …, and as many finalizers. */
const PRODUCERS = ['proda', 'prodb']

/** How blocks of the chain become irreversible; on `transition`, that finalizers may be proposed. */
export type Consensus = 'legacy' | 'transition' | 'savanna'

/** Blocks of the chain that the nodes have or get. */
export const BASE_BLOCKS = 120
/** The block of the snapshot, which is irreversible. */
const SNAPSHOT_BLOCK = 100

/** Nodes on one machine, whose chain begins with the same blocks. */
export class TestNetwork {
  readonly folder: string
  readonly consensus: Consensus
  private readonly producers: readonly string[]
  private readonly nodes = new Set<TestNode>()

  private constructor(consensus: Consensus, producers: readonly string[]) {
    this.consensus = consensus
    this.producers = producers
    this.folder = mkdtempSync(join(tmpdir(), 'pronghorn-network-'))
  }

  /**
   * Makes the chain: producers, and as many finalizers if it is on Savanna. One on legacy consensus has no
   * protocol feature, so that every version of the reference follows it; one before a transition has all.
   */
  static async create(
    consensus: Consensus = 'savanna',
    producers: readonly string[] = PRODUCERS,
  ): Promise<TestNetwork> {
    const network = new TestNetwork(consensus, producers)
    const genesis = genesisToJson(defaultGenesis()) as object
    const initial_timestamp = '2026-01-01T00:00:00.000'
    writeFileSync(network.genesis, JSON.stringify({ ...genesis, initial_timestamp }))
    const seeds = producers.map((_, i) => i + 1)
    const is_savanna = consensus === 'savanna'
    const node = await openNode(is_savanna ? seeds : [], {
      blocks_dir: network.folder,
      genesis: {
        ...defaultGenesis(),
        initial_timestamp: Date.parse(initial_timestamp + 'Z') * 1000,
      },
    })
    if (is_savanna) boot(node, seeds)
    else if (consensus === 'transition') {
      activateAllFeatures(node.test.chain, {
        sign: (digest) => signDigest(DEVELOPMENT_SECRET, digest),
        key: publicKeyOf(DEVELOPMENT_SECRET),
        now_us: slotToUs(node.test.head.timestamp + 2),
      })
    }
    for (const seed of seeds) node.test.addSecret(secretOf(seed))
    for (const name of producers) node.test.createAccount(name)
    node.test.push(proposal(consensus, producers))
    const next = is_savanna ? () => makeBlock(node) : legacyBlocks(node)
    while (node.test.head.block_num < SNAPSHOT_BLOCK) await next()
    const source = node.test.chain.snapshotSource()
    await writeSnapshot(source, network.snapshot)
    source.view.release()
    while (node.test.head.block_num < BASE_BLOCKS) await next()
    // The log has the irreversible blocks, which legacy producers make so only turns later.
    while (node.test.head.irreversible_block_num < BASE_BLOCKS && !is_savanna) await next()
    await node.test.chain.close()
    return network
  }

  get genesis(): string {
    return join(this.folder, 'genesis.json')
  }

  /** A snapshot at a block before the last. */
  get snapshot(): string {
    return join(this.folder, 'snapshot.bin')
  }

  /** Options of a node that has the chain. */
  get withChain(): string[] {
    return ['--replay', join(this.folder, 'blocks.log')]
  }

  /** Options of a node that has the genesis alone. */
  get fromGenesis(): string[] {
    return ['--genesis-json', this.genesis]
  }

  /** Options of a node that produces and votes as some of the producers, counted from 0. */
  producing(...indexes: number[]): string[] {
    const of = indexes.flatMap((index) => {
      const secret = secretOf(index + 1)
      const own = [
        `--producer-name=${this.producers[index]}`,
        `--signature-provider=${publicKeyToString(publicKeyOf(secret))}=KEY:${privateKeyToString(secret)}`,
      ]
      if (this.consensus === 'legacy') return own
      const bls = [
        blsPublicKeyToString(blsKey(index + 1)),
        blsPrivateKeyToString(blsSecret(index + 1)),
      ]
      return [...own, `--signature-provider=${bls[0]}=KEY:${bls[1]}`]
    })
    return ['--enable-stale-production', ...of]
  }

  /** Starts a node that listens, and connects to these nodes.
   *  @param folder where it keeps what it has; absent: in memory */
  async start(
    argv: readonly string[],
    peers: readonly TestNode[] = [],
    folder?: string,
  ): Promise<TestNode> {
    const listens = argv.some((arg) => arg.startsWith('--p2p-listen-endpoint'))
    const node = await TestNode.start({
      argv: [
        ...(listens ? [] : ['--p2p-listen-endpoint=127.0.0.1:0']),
        '--p2p-max-nodes-per-host=1000',
        '--p2p-keepalive-interval-ms=1000',
        '--connection-cleanup-period=1',
        // A transaction of a peer that fails because the machine is busy is not tried again.
        '--max-transaction-time=-1',
        ...peers.map((peer) => `--p2p-peer-address=${addressOf(peer)}`),
        ...argv,
      ],
      clock: systemClock,
      ...(folder === undefined ? {} : { folder }),
    })
    this.nodes.add(node)
    return node
  }

  async stop(node: TestNode): Promise<void> {
    this.nodes.delete(node)
    await node.stop()
  }

  /** Stops all nodes. */
  async stopNodes(): Promise<void> {
    for (const node of this.nodes) await this.stop(node)
  }

  async remove(): Promise<void> {
    await this.stopNodes()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** A function that makes a block, with which its producer confirms the blocks since its last one. */
function legacyBlocks({ test }: SavannaNode): () => Promise<void> {
  const produced = new Map<bigint, number>()
  return async () => {
    const { block_num, irreversible_block_num, timestamp } = test.head
    const { producer_name } = test.chain.scheduledProducer(timestamp + 1)
    const since_own = block_num - (produced.get(producer_name) ?? block_num)
    if (!test.chain.pending) {
      test.start(0, { confirmed: Math.min(since_own, block_num - irreversible_block_num) })
    }
    test.finish()
    produced.set(test.head.producer, test.head.block_num)
    await test.chain.voted()
  }
}

/** Actions that propose the producers. */
function proposal(consensus: Consensus, names: readonly string[]): Action[] {
  const producers = names.map((name, i) => ({
    producer_name: N(name),
    key: publicKeyOf(secretOf(i + 1)),
  }))
  if (consensus === 'legacy') {
    return setProducersByKey(
      producers.map(({ producer_name, key }) => ({ producer_name, block_signing_key: key })),
    )
  }
  return setProducers(
    producers.map(({ producer_name, key }) => ({
      producer_name,
      authority: [0, { threshold: 1, keys: [{ key, weight: 1 }] }],
    })),
  )
}

/** The address at which peers reach a node. */
export function addressOf(node: TestNode): string {
  const [address] = node.engine.services.net.network.addresses()
  return `127.0.0.1:${address!.port}`
}

/** Waits until all nodes have a block, and the same one. */
export async function agree(nodes: readonly TestNode[], block_num: number): Promise<void> {
  await until(`block ${block_num} on all nodes`, () =>
    nodes.every((node) => node.head_block_num >= block_num),
  )
  await until('the same block on all nodes', () => {
    const keys = nodes.map((node) => String(node.engine.chain.blockIdByNumber(block_num)))
    return new Set(keys).size === 1
  })
}

/** Waits until the last irreversible block of a node is at least this one. */
export function finality(node: TestNode, block_num: number): Promise<boolean> {
  return until(
    `block ${block_num} is irreversible`,
    () => node.engine.chain.last_irreversible.block_num >= block_num,
  )
}
