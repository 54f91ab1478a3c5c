/** Nodes of this project in networks of two and three. */
import { expect } from 'chai'
import { readdirSync, rmSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import {
  createMetadata,
  metadataSigningDigest,
} from '../../src/engine/chain/base/transaction_metadata.ts'
import { publicKeyOf, signDigest } from '../../src/engine/crypto/keys.ts'
import { toHex } from '../../src/engine/protocol/hex.ts'
import { writePublicKey } from '../../src/engine/protocol/key.ts'
import { N, nameToString } from '../../src/engine/protocol/name.ts'
import {
  makePackedTransaction,
  type PackedTransaction,
  openPackedTransaction,
} from '../../src/engine/protocol/packed_transaction.ts'
import { Writer } from '../../src/engine/protocol/writer.ts'
import { slotToUs } from '../../src/engine/protocol/time.ts'
import {
  refBlockOf,
  type Action,
  type Transaction,
  plainTransaction,
} from '../../src/engine/protocol/transaction.ts'
import { DEVELOPMENT_SECRET, newaccount, secretOf } from '../engine/chain/support/test_chain.ts'
import { I32, I64, assemble, i32 } from '../engine/vm/assembler.ts'
import { freePort } from '../support/free_port.ts'
import { NodeProcess, temporaryFolder } from '../support/node_process.ts'
import type { TestNode } from '../support/test_node.ts'
import { until } from '../support/wait.ts'
import { BASE_BLOCKS, TestNetwork, addressOf, agree, finality } from './support/network.ts'

/** A transaction of eosio that creates an account. */
function newAccount(node: TestNode, name: string, delay_s = 0): PackedTransaction {
  return signed(node, newaccount(name, publicKeyOf(DEVELOPMENT_SECRET)), delay_s)
}

/** A transaction of eosio. */
function signed(node: TestNode, action: Action, delay_s = 0): PackedTransaction {
  const { head, chain_id } = node.engine.chain
  const trx: Transaction = {
    expiration: Math.floor(slotToUs(head.timestamp) / 1_000_000) + 60 + delay_s,
    ...refBlockOf(head.id),
    ...plainTransaction([action]),
  }
  const digest = metadataSigningDigest(
    createMetadata(makePackedTransaction(trx, []), 'input'),
    chain_id,
  )
  return makePackedTransaction(trx, [signDigest(DEVELOPMENT_SECRET, digest)])
}

/** A transaction that gives eosio code whose action getpeerkeys returns the keys of the producers' blocks. */
function peerKeysContract(node: TestNode): PackedTransaction {
  const result = new Writer()
  result.array([1, 2], (w, i) => {
    w.name(N(i === 1 ? 'proda' : 'prodb'))
    w.optional(publicKeyOf(secretOf(i)), writePublicKey)
  })
  const bytes = result.bytes()
  const code = assemble({
    types: [
      [[I64, I64, I64], []],
      [[I32, I32], []],
    ],
    imports: [['set_action_return_value', 1]],
    functions: [{ type: 0, code: [0x41, ...i32(16), 0x41, ...i32(bytes.length), 0x10, 0] }],
    memory: { initial: 1 },
    exports: [['apply', 0, 1]],
    data: [[16, [...bytes]]],
  })
  const w = new Writer()
  w.name(N('eosio'))
  w.u8(0)
  w.u8(0)
  w.blob(code)
  const authorization = [{ actor: N('eosio'), permission: N('active') }]
  return signed(node, { account: N('eosio'), name: N('setcode'), authorization, data: w.bytes() })
}

function hasIpv6(): boolean {
  return Object.values(networkInterfaces()).some((all) =>
    all!.some(({ address }) => address === '::1'),
  )
}

describe('a network of nodes', function () {
  let network: TestNetwork

  before(async () => {
    network = await TestNetwork.create()
  })

  afterEach(() => network.stopNodes())

  after(() => network.remove())

  const sentConnections = (node: TestNode) => node.engine.services.net.connections()

  it('a node gets the chain from genesis, in spans, and then each block', async () => {
    const a = await network.start([...network.withChain, ...network.producing(0, 1)])
    const b = await network.start([...network.fromGenesis, '--sync-fetch-span=25'], [a])
    await agree([a, b], BASE_BLOCKS + 3)
    await finality(b, BASE_BLOCKS - 1)
    const asked = b.log.filter((line) => line.includes('asked for blocks'))
    expect(asked.length).greaterThan(3)
    const [status] = sentConnections(b)
    expect(status).include({ peer: addressOf(a), is_socket_open: true, connecting: false })
    expect(status!.last_handshake).include({ agent: 'Pronghorn Agent', network_version: 1216 })
  })

  it('producers and finalizers on two nodes make one chain, and blocks become irreversible', async () => {
    const a = await network.start([...network.withChain, ...network.producing(0)])
    const b = await network.start([...network.withChain, ...network.producing(1)], [a])
    const c = await network.start(network.fromGenesis, [b])
    const producers = new Set<string>()
    await until('blocks of both producers', () => {
      producers.add(nameToString(c.engine.chain.head.producer))
      return producers.size > 1 && c.head_block_num > BASE_BLOCKS + 4
    })
    const head = c.head_block_num
    await agree([a, b, c], head)
    for (const node of [a, b, c]) await finality(node, head)
  })

  it('a transaction is executed where it was submitted, and then by the producer', async () => {
    const a = await network.start([...network.withChain, ...network.producing(0, 1)])
    const b = await network.start([...network.withChain, '--transaction-retry-interval-sec=1'], [a])
    await agree([a, b], BASE_BLOCKS + 1)
    const trace = await b.engine.services.production.submit(newAccount(b, 'alice'), {
      return_failure_trace: false,
    })
    expect(trace.receipt?.status).equal(0)
    await until('the account on both nodes', () =>
      [a, b].every(({ engine }) => engine.chain.db.account.find('by_name', N('alice'))),
    )
    // A transaction that fails stays where it was submitted.
    const applied: string[] = []
    a.engine.chain.events.on('transactionApplied', ({ meta }) => applied.push(toHex(meta.id)))
    const again = newAccount(b, 'alice', 7)
    const failure = await b.engine.services.production
      .submit(again, { return_failure_trace: false })
      .catch((error: unknown) => error)
    expect(failure).property('errorName', 'account_name_exists_exception')
    await a.nextBlock()
    expect(applied).not.include(toHex(createMetadata(again, 'input').id))
  })

  it('a node that stops while transactions of peers wait for their keys ends well', async () => {
    const node = await network.start(network.withChain)
    const { chain } = node.engine.services.net.network.state
    const packed = Array.from({ length: 100 }, (_, i) => newAccount(node, 'erin', i))
    let done = 0
    for (const one of packed)
      chain.takeTransaction(
        { packed: one, opened: openPackedTransaction(one) },
        1,
        () => (done += 1),
      )
    await network.stop(node)
    expect(done).greaterThan(0)
  })

  it('a submission with retry is sent to peers again until it is irreversible', async () => {
    const a = await network.start([...network.withChain, ...network.producing(0, 1)])
    const b = await network.start([...network.withChain, '--transaction-retry-interval-sec=1'], [a])
    await agree([a, b], BASE_BLOCKS + 1)
    b.engine.services.net.disconnect(addressOf(a))
    const waits = b.engine.services.production.submit(newAccount(b, 'bob'), {
      return_failure_trace: false,
      retry: { num_blocks: undefined },
    })
    // No peer was there when it was executed.
    b.engine.services.net.connect(addressOf(a))
    await until('the account', () => a.engine.chain.db.account.find('by_name', N('bob')))
    expect((await waits).receipt?.status).equal(0)
  })

  it('a node joins from a snapshot', async () => {
    const a = await network.start([...network.withChain, ...network.producing(0, 1)])
    const b = await network.start(['--snapshot', network.snapshot], [a])
    await agree([a, b], BASE_BLOCKS + 1)
    expect(b.engine.chain.earliest_available_block_num).greaterThan(99)
  })

  it('a node that joins late, while transactions come through a relay, has all of them', async () => {
    const a = await network.start([...network.withChain, ...network.producing(0, 1)])
    const relay = await network.start(network.withChain, [a])
    await agree([a, relay], BASE_BLOCKS + 1)
    const names = Array.from({ length: 24 }, (_, i) => `late${'abcdefghijklmnopqrstuvwx'[i]}`)
    const submit = (some: readonly string[]) =>
      Promise.all(
        some.map((name) =>
          relay.engine.services.production.submit(newAccount(relay, name), {
            return_failure_trace: false,
          }),
        ),
      )
    await submit(names.slice(0, 8))
    const late = await network.start([...network.fromGenesis, '--sync-fetch-span=25'], [relay])
    const nodes = [a, relay, late]
    const has = (node: TestNode, name: string) =>
      node.engine.chain.db.account.find('by_name', N(name)) !== undefined
    for (const at of [8, 16]) {
      await submit(names.slice(at, at + 8))
      await a.nextBlock()
    }
    await until('all accounts on all nodes', () =>
      nodes.every((node) => names.every((name) => has(node, name))),
    )
    const head = a.head_block_num
    await agree(nodes, head)
    for (const node of nodes) await finality(node, head)
  })

  it('a node listens at several addresses, of IPv4 and IPv6, and each says its own address', async function () {
    if (!hasIpv6()) this.skip()
    const port = await freePort()
    const a = await network.start([
      ...network.withChain,
      ...network.producing(0, 1),
      '--p2p-listen-endpoint=127.0.0.1:0',
      `--p2p-listen-endpoint=[::1]:${port}`,
      '--p2p-server-address=first.example:1',
      '--p2p-server-address=second.example:2',
    ])
    const by_ipv6 = await network.start([
      ...network.fromGenesis,
      `--p2p-peer-address=[::1]:${port}`,
    ])
    const by_ipv4 = await network.start(network.fromGenesis, [a])
    await agree([a, by_ipv6, by_ipv4], BASE_BLOCKS + 2)
    const said = (node: TestNode) => {
      const [connection] = sentConnections(node)
      return [connection!.remote_ip, connection!.last_handshake.p2p_address.split(' ')[0]]
    }
    expect([said(by_ipv4), said(by_ipv6)]).deep.equal([
      ['127.0.0.1', 'first.example:1'],
      ['::1', 'second.example:2'],
    ])
  })

  it('nodes that lost every block after a snapshot, and what they voted for, continue from it together', async () => {
    const from = ['--snapshot', network.snapshot]
    const a = await network.start([...from, ...network.producing(0)])
    const b = await network.start([...from, ...network.producing(1)], [a])
    const root = a.engine.chain.last_irreversible.block_num
    await until('blocks of both', () => {
      const { chain } = b.engine
      return chain.last_irreversible.block_num > root && a.head_block_num > root + 4
    })
    const head = a.head_block_num
    await agree([a, b], head)
    for (const node of [a, b]) await finality(node, head)
  })

  it('finalizers that are locked on lost blocks do not vote until their safety information is made anew', async () => {
    const folders = [temporaryFolder(), temporaryFolder()]
    const both = async (argv: readonly string[]): Promise<TestNode[]> => {
      const nodes: TestNode[] = []
      for (const [i, { path }] of folders.entries()) {
        nodes.push(await network.start([...argv, ...network.producing(i)], [...nodes], path))
      }
      return nodes
    }
    try {
      const before = await both(['--snapshot', network.snapshot])
      const lost = before[1]!.head_block_num + 1
      for (const node of before) await finality(node, lost)
      await network.stopNodes()
      // Blocks and state are lost; the chain begins again before them.
      for (const { path } of folders) {
        for (const name of readdirSync(path)) {
          if (name !== 'finalizers') rmSync(join(path, name), { recursive: true })
        }
      }
      const [a, b] = (await both([
        '--snapshot',
        network.snapshot,
        '--lost-blocks=keep-safety',
      ])) as [TestNode, TestNode]
      const root = a.engine.chain.last_irreversible.block_num
      await agree([a, b], a.head_block_num + 4)
      for (const { engine } of [a, b]) expect(engine.chain.last_irreversible.block_num).equal(root)
      await network.stopNodes()
      const after = await both(['--lost-blocks=new-safety'])
      const head = after[0]!.head_block_num
      for (const node of after) await finality(node, head)
      await agree(after, head)
    } finally {
      await network.stopNodes()
      for (const { remove } of folders) remove()
    }
  })

  it('a node that reads irreversible state follows, serves what it has, and reads behind', async () => {
    const a = await network.start([...network.withChain, ...network.producing(0, 1)])
    const argv = [...network.fromGenesis, '--read-mode=irreversible', '--sync-fetch-span=25']
    const b = await network.start(argv, [a])
    const c = await network.start(network.fromGenesis, [b])
    await agree([a, c], BASE_BLOCKS + 2)
    await finality(b, BASE_BLOCKS + 1)
    const { chain } = b.engine
    expect(chain.head.key).equal(chain.last_irreversible.key)
    const { body } = await b.chain('get_info')
    const info = body as Record<string, number>
    expect(info['head_block_num']).equal(info['last_irreversible_block_num'])
    expect(info['fork_db_head_block_num']).greaterThan(info['head_block_num']!)
    const best = info['fork_db_head_block_num']!
    const answer = await b.chain('get_block_info', { block_num: best })
    expect(answer.body).property('block_num', best)
    // A transaction is executed on the irreversible state, and given to peers.
    await b.engine.services.production.submit(newAccount(b, 'carol'), {
      return_failure_trace: false,
    })
    await until('the account', () => a.engine.chain.db.account.find('by_name', N('carol')))
    await until('the account in irreversible state', () =>
      chain.db.account.find('by_name', N('carol')),
    )
  })

  it('block producers find each other by the addresses that they tell, while they are scheduled', async () => {
    const [at_a, at_b] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`]
    const gossip = (name: string, address: string) => [
      `--p2p-listen-endpoint=${address}`,
      `--p2p-bp-gossip-endpoint=${name},${address},127.0.0.1`,
    ]
    const a = await network.start([
      ...network.withChain,
      ...network.producing(0),
      ...gossip('proda', at_a),
    ])
    const b = await network.start([
      ...network.withChain,
      ...network.producing(1),
      ...gossip('prodb', at_b),
      `--p2p-auto-bp-peer=proda,${at_a}`,
    ])
    await until('a connection to the scheduled producer', () =>
      sentConnections(b).some(({ peer, is_bp_peer }) => peer === at_a && is_bp_peer),
    )
    await agree([a, b], BASE_BLOCKS + 1)
    await a.engine.services.production.submit(peerKeysContract(a), { return_failure_trace: false })
    const told = (node: TestNode) =>
      node.engine.services.net
        .gossipPeers()
        .map((peer) => [peer.producer_name, peer.server_endpoint])
    await until('the addresses of both on both', () =>
      [a, b].every((node) => told(node).length === 2),
    )
    expect(told(a)).deep.equal([
      ['proda', at_a],
      ['prodb', at_b],
    ])
    expect(sentConnections(b).some(({ is_bp_gossip_peer }) => is_bp_gossip_peer)).equal(true)
    const { body } = await a.ask('/v1/net/bp_gossip_peers')
    expect(body).have.length(2)
  })

  it('a node that was killed while it synced joins again', async () => {
    const a = await network.start([...network.withChain, ...network.producing(0, 1)])
    const { path, remove } = temporaryFolder()
    const argv = [...network.fromGenesis, `--p2p-peer-address=${addressOf(a)}`]
    try {
      const first = await NodeProcess.start(path, argv)
      await until('some blocks', async () => (await first.head()) > 30)
      await first.kill()
      const again = await NodeProcess.start(path, [`--p2p-peer-address=${addressOf(a)}`])
      const wanted = a.head_block_num + 1
      await until('all blocks', async () => (await again.head()) >= wanted)
      const { body } = await again.chain('get_block_info', { block_num: wanted })
      expect(body).property('id', toHex(a.engine.chain.blockIdByNumber(wanted)!))
      expect(await again.stop()).deep.equal({ code: 0, signal: null })
    } finally {
      remove()
    }
  })

  it('nodes that were apart agree again, and finality goes forwards alone', async () => {
    const a = await network.start([...network.withChain, ...network.producing(0)])
    const b = await network.start([...network.withChain, ...network.producing(1)], [a])
    await finality(a, BASE_BLOCKS + 1)
    const address = addressOf(a)
    expect(b.engine.services.net.disconnect(address)).equal('connection removed')
    const irreversible = a.engine.chain.last_irreversible.block_num
    const apart = [a.head_block_num, b.head_block_num]
    await until('blocks of both nodes', () =>
      [a, b].every((node, i) => node.head_block_num > apart[i]! + 1),
    )
    // Neither has enough votes alone, but for those that were on their way.
    expect(a.engine.chain.last_irreversible.block_num).within(irreversible, irreversible + 2)
    expect(b.engine.services.net.connect(address)).equal('added connection')
    const head = Math.max(a.head_block_num, b.head_block_num)
    await agree([a, b], head + 2)
    for (const node of [a, b]) await finality(node, head)
  })
})
