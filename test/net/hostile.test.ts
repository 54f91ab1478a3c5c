/** What strangers do to a node that makes blocks, over sockets. */
import { expect } from 'chai'
import { signDigest } from '../../src/engine/crypto/keys.ts'
import { blockId } from '../../src/engine/crypto/digests.ts'
import { unpackSignedBlock, type SignedBlock } from '../../src/engine/protocol/block.ts'
import { encodeMessage } from '../../src/engine/protocol/net/codec.ts'
import { frame } from '../../src/engine/protocol/net/framing.ts'
import { noIds, type NetMessage } from '../../src/engine/protocol/net/message.ts'
import { makePackedTransaction } from '../../src/engine/protocol/packed_transaction.ts'
import { Reader } from '../../src/engine/protocol/reader.ts'
import { secretOf } from '../engine/chain/support/test_chain.ts'
import type { TestNode } from '../support/test_node.ts'
import { until } from '../support/wait.ts'
import { TestNetwork } from './support/network.ts'
import { Stranger } from './support/stranger.ts'
import { plainTransaction } from '../../src/engine/protocol/transaction.ts'

describe('strangers', () => {
  let network: TestNetwork
  let node: TestNode
  const strangers: Stranger[] = []

  before(async () => {
    network = await TestNetwork.create()
    node = await network.start([
      ...network.withChain,
      ...network.producing(0, 1),
      '--max-clients=0',
    ])
  })

  afterEach(async () => {
    for (const stranger of strangers.splice(0)) stranger.end()
    await until('no connection is left', () => connections() === 0)
    // The chain continues, whatever was sent.
    const irreversible = node.engine.chain.last_irreversible.block_num
    await node.nextBlock()
    await until('finality', () => node.engine.chain.last_irreversible.block_num > irreversible)
  })

  after(() => network.remove())

  const connections = () => [...node.engine.services.net.network.connections].length

  function stranger(...messages: NetMessage[]): Stranger {
    const made = new Stranger(node)
    strangers.push(made)
    made.send(...messages)
    return made
  }

  /** A stranger whose handshake was answered. */
  async function welcome(): Promise<Stranger> {
    const made = stranger()
    made.send(made.handshake())
    await made.message('handshake')
    return made
  }

  it('bytes that are not messages end the connection', async () => {
    const garbage = Array.from({ length: 50 }, (_, i) =>
      Uint8Array.from({ length: 200 }, (_, k) => (i * 7919 + k * 104729) & 0xff),
    )
    for (const bytes of garbage) stranger().write(bytes)
    const http = stranger()
    http.write(Buffer.from('GET /v1/chain/get_info HTTP/1.1\r\n\r\n'))
    const long = await welcome()
    long.write(Uint8Array.of(0xff, 0xff, 0xff, 0x7f, 7))
    for (const made of [http, long]) await made.closed()
  })

  it('a connection without a whole handshake ends, and its place is free again', async () => {
    const silent = stranger()
    const slow = stranger()
    slow.answers_pings = false
    const hello = frame(encodeMessage(slow.handshake()))
    let sent = 0
    const timer = setInterval(() => {
      if (sent < hello.length - 1) slow.write(hello.subarray(sent, ++sent))
    }, 50)
    try {
      await Promise.all([silent.closed(), slow.closed()])
    } finally {
      clearInterval(timer)
    }
    expect(slow.received.map(({ kind }) => kind).filter((kind) => kind !== 'time')).deep.equal([])
  })

  it('a value that is not a port is refused, and leaves no connection', () => {
    const { net } = node.engine.services
    expect(net.connect('127.0.0.1:70000')).equal('invalid peer address')
    expect(net.connections().map(({ peer }) => peer)).not.include('127.0.0.1:70000')
  })

  it('a connection that was never made has no remote address', () => {
    const { net } = node.engine.services
    expect(net.connect('127.0.0.1:1')).equal('added connection')
    const { peer, remote_ip, remote_port, is_socket_open } = net.status('127.0.0.1:1')!
    expect([peer, remote_ip, remote_port, is_socket_open]).deep.equal([
      '127.0.0.1:1',
      '',
      '',
      false,
    ])
    expect(net.disconnect('127.0.0.1:1')).equal('connection removed')
  })

  it('other chains, other versions and the node itself are refused or understood', async () => {
    const other = stranger()
    other.send(other.handshake({ chain_id: new Uint8Array(32) }))
    expect(await other.message('go_away')).property('reason', 'wrong_chain')
    const { node_id } = node.engine.services.net.network.state
    const itself = stranger()
    itself.send(itself.handshake({ node_id }))
    expect(await itself.message('go_away')).property('reason', 'self')
    for (const made of [other, itself]) await made.closed()
    const old = stranger()
    old.send(old.handshake({ network_version: 0x04b5 + 7 }))
    expect(await old.message('handshake')).property('network_version', 0x04b5 + 11)
  })

  /** A block on the head of the node, signed by one of its producers, but wrong. */
  function forged(change: (block: SignedBlock) => void): NetMessage {
    const { head } = node.engine.chain
    const block = unpackSignedBlock(new Reader(head.packed_block.slice()))
    block.previous = head.id
    block.timestamp = head.timestamp + 1
    block.transactions = []
    change(block)
    for (const seed of [1, 2]) {
      const producer = node.engine.chain.scheduledProducer(block.timestamp)
      if (block.producer === producer.producer_name) {
        block.producer_signature = signDigest(secretOf(seed), blockId(block))
      }
    }
    return { kind: 'signed_block', block }
  }

  it('forged blocks end the connection, unless a better block makes their execution needless, and change nothing', async () => {
    let ended = 0
    const changes: ((block: SignedBlock) => void)[] = [
      () => {},
      (block) => (block.schedule_version = 7),
      (block) => (block.producer = 1n),
      (block) => (block.action_mroot = new Uint8Array(32).fill(9)),
      (block) => (block.block_extensions = []),
      (block) => (block.header_extensions = []),
    ]
    for (const change of changes) {
      const made = await welcome()
      const { head } = node.engine.chain
      const sent = forged(change)
      made.send(sent)
      await until('the connection or the branch of the block ends', () => {
        return made.is_closed || node.engine.chain.head.block_num > head.block_num + 2
      })
      if (made.is_closed) ended++
      if (sent.kind !== 'signed_block') return expect.fail()
      const found = node.engine.chain.blockIdByNumber(head.block_num + 1)
      if (found !== undefined) expect(found).not.deep.equal(blockId(sent.block))
    }
    expect(ended).greaterThan(0)
  })

  it('a block that links to nothing is answered by a handshake', async () => {
    const made = await welcome()
    made.received.length = 0
    await new Promise((resolve) => setTimeout(resolve, 60))
    const { fork_head } = node.engine.chain
    const unknown = new Uint8Array(32).fill(3)
    new DataView(unknown.buffer).setUint32(0, fork_head.block_num + 50)
    made.send(forged((block) => (block.previous = unknown)))
    await made.message('handshake')
    expect(made.is_closed).equal(false)
  })

  it('forged votes end the connection', async () => {
    const { id, savanna_state } = node.engine.chain.head
    const [finalizer] = savanna_state.active_finalizer_policy.finalizers
    const vote = {
      block_id: id,
      strong: true,
      finalizer_key: finalizer!.public_key,
      signature: new Uint8Array(192),
    }
    const unknown = await welcome()
    unknown.send({ kind: 'vote', vote: { ...vote, finalizer_key: new Uint8Array(96).fill(1) } })
    await unknown.closed()
  })

  /** A message of each kind, right or wrong; none of them ends the connection at once. */
  function floods(made: Stranger): NetMessage[] {
    const { head, last_irreversible: root } = node.engine.chain
    const none = noIds()
    const block = unpackSignedBlock(new Reader(head.packed_block.slice()))
    const packed = makePackedTransaction(
      {
        expiration: Math.floor(Date.now() / 1000) + 60,
        ref_block_num: 0,
        ref_block_prefix: 0,
        ...plainTransaction([
          { account: 1n, name: 1n, authorization: [], data: new Uint8Array(0) },
        ]),
      },
      [],
    )
    const vote = {
      block_id: new Uint8Array(32).fill(5),
      strong: true,
      finalizer_key: head.savanna_state.active_finalizer_policy.finalizers[0]!.public_key,
      signature: new Uint8Array(192),
    }
    return [
      made.handshake({ generation: 2 }),
      { kind: 'time', org: 5n, rec: 0n, xmt: 7n, dst: 0n },
      {
        kind: 'notice',
        known_trx: none,
        known_blocks: { mode: 'catch_up', pending: head.block_num, ids: [head.id] },
      },
      {
        kind: 'request',
        req_trx: none,
        req_blocks: { mode: 'catch_up', pending: 0, ids: [root.id] },
      },
      { kind: 'sync_request', start_block: 1, end_block: root.block_num },
      { kind: 'signed_block', block },
      { kind: 'packed_transaction', packed },
      { kind: 'vote', vote },
      { kind: 'block_nack', id: head.id },
      { kind: 'block_notice', previous: head.previous, id: head.id },
    ]
  }

  it('a flood of any kind of message does not keep the node from its blocks and its peers', async () => {
    const honest = await welcome()
    const kinds = floods(honest).length
    const flooders = await Promise.all(Array.from({ length: kinds }, () => welcome()))
    const before = node.head_block_num
    flooders.forEach((made, i) => {
      const one = frame(encodeMessage(floods(made)[i]!))
      const many = Buffer.concat(Array.from({ length: 2000 }, () => one))
      for (let n = 0; n < 5; n++) made.write(many)
    })
    const wanted = before + 3
    await until('three blocks', () => node.head_block_num >= wanted)
    await until('the blocks at the honest peer', () =>
      honest.received.some(
        (message) => message.kind === 'signed_block' && numOf(message.block) >= wanted,
      ),
    )
    expect((await node.chain('get_info')).status).equal(200)
    for (const { waiting_bytes } of node.engine.services.net.network.connections) {
      expect(waiting_bytes).lessThan(10_000_000)
    }
  })

  it('answers to a peer that does not read need a bounded memory', async () => {
    const made = await welcome()
    made.socket.pause()
    const now = BigInt(Date.now()) * 1_000_000n
    const pings = Array.from({ length: 200_000 }, (_, i) =>
      frame(encodeMessage({ kind: 'time', org: 0n, rec: 0n, xmt: now + BigInt(i), dst: 0n })),
    )
    for (let i = 0; i < 2; i++) made.write(Buffer.concat(pings))
    await made.closed()
  })

  it('a peer that does not read gets no more than one block at a time', async () => {
    const made = await welcome()
    made.socket.pause()
    const request: NetMessage = { kind: 'sync_request', start_block: 1, end_block: 100 }
    const flood = Buffer.concat(Array.from({ length: 10_000 }, () => frame(encodeMessage(request))))
    made.write(flood)
    await node.nextBlock()
    const [connection] = node.engine.services.net.network.connections
    expect(connection!.waiting_bytes).lessThan(10_000_000)
  })
})

function numOf(block: SignedBlock): number {
  return new DataView(Uint8Array.from(block.previous).buffer).getUint32(0) + 1
}
