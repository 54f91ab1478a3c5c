/** How much a flood of one peer slows another one, measured by counts of messages. */
import { expect } from 'chai'
import { encodeMessage } from '../../src/engine/protocol/net/codec.ts'
import { frame } from '../../src/engine/protocol/net/framing.ts'
import { noIds, type NetMessage } from '../../src/engine/protocol/net/message.ts'
import { makePackedTransaction } from '../../src/engine/protocol/packed_transaction.ts'
import { networkMetrics } from '../../src/engine/services/net/metrics.ts'
import type { Connection } from '../../src/net/connection.ts'
import { until } from '../support/wait.ts'
import { fakeHandshake } from './support/fake_peers.ts'
import { RawPeer, SocketNetwork } from './support/socket_network.ts'
import { plainTransaction } from '../../src/engine/protocol/transaction.ts'

/** Each look at the clock takes so long; every message needs one look or more. */
const STEP_US = 100
/** Messages that are processed in a turn of 4 ms with this clock are fewer. */
const TURN = 4000 / STEP_US
const FLOOD = 2000
/** When so many of them were processed, another peer sends a message. */
const SENT_AT = 500
/** Nanoseconds since 1970. */
const TIME = 1_795_000_000_000_000_000n

describe('turns of peers', () => {
  let server: SocketNetwork
  const raws: RawPeer[] = []

  before(async () => {
    server = await SocketNetwork.start({ listeners: [''], look_us: STEP_US })
    server.chain.accepts_votes = true
    server.chain.vote_result = 'unknown_block'
  })

  afterEach(async () => {
    for (const { socket } of raws.splice(0)) socket.destroy()
    await until('no connection is left', () => server.connections.length === 0)
  })

  after(() => server.network.stop())

  async function open(): Promise<{ raw: RawPeer; connection: Connection }> {
    const known = new Set(server.connections)
    const raw = new RawPeer(server.port())
    raws.push(raw)
    const connection = await until('the connection', () =>
      server.connections.find((other) => !known.has(other)),
    )
    const node_id = new Uint8Array(32).fill(raws.length)
    raw.send(fakeHandshake(server.chain, server.clock.now(), { node_id }))
    await until('the handshake', () => connection.peer.connected)
    return { raw, connection }
  }

  const vote: NetMessage = {
    kind: 'vote',
    vote: {
      block_id: new Uint8Array(32).fill(0x7f),
      strong: true,
      finalizer_key: new Uint8Array(96),
      signature: new Uint8Array(192),
    },
  }
  const ping: NetMessage = { kind: 'time', org: 0n, rec: 0n, xmt: TIME, dst: 0n }

  /** Calls `work` for each message of a connection with the number of those before it. */
  function onMessage({ peer }: Connection, work: (n: number) => void): void {
    let count = 0
    let last_us = peer.last_message_us
    Object.defineProperty(peer, 'last_message_us', {
      get: () => last_us,
      set: (us: number) => {
        last_us = us
        work(count++)
      },
    })
  }

  /** A message of each kind that a peer may send many times. */
  function floods(): NetMessage[] {
    const { chain, clock } = server
    const none = noIds()
    const trx = {
      expiration: 0xffffffff,
      ref_block_num: 0,
      ref_block_prefix: 0,
      ...plainTransaction([]),
    }
    return [
      ping,
      fakeHandshake(chain, clock.now(), { generation: 2 }),
      {
        kind: 'notice',
        known_trx: none,
        known_blocks: { mode: 'catch_up', pending: 100, ids: [chain.ids[99]!] },
      },
      { kind: 'request', req_trx: none, req_blocks: { mode: 'catch_up', pending: 0, ids: [] } },
      { kind: 'sync_request', start_block: 1, end_block: 100 },
      { kind: 'packed_transaction', packed: makePackedTransaction(trx, []) },
      vote,
      { kind: 'block_nack', id: chain.ids[99]! },
      { kind: 'block_notice', previous: chain.ids[100]!, id: chain.ids[101]! },
      { kind: 'gossip_bp_peers', peers: [] },
    ]
  }

  async function flood(bytes: Uint8Array): Promise<{ flooder: Connection; honest: Connection }> {
    const { raw, connection: flooder } = await open()
    const { raw: honest_raw, connection: honest } = await open()
    let processed = 0
    let waited: number | undefined
    onMessage(flooder, (n) => {
      processed = n + 1
      if (n === SENT_AT) honest_raw.send(ping)
    })
    onMessage(honest, () => (waited = processed - SENT_AT))
    raw.socket.write(Buffer.concat(Array.from({ length: FLOOD }, () => bytes)))
    await until('the flood is over', () => processed === FLOOD && waited !== undefined)
    expect(waited).lessThan(10 * TURN)
    expect(flooder.turns_ended).greaterThan(FLOOD / TURN - 1)
    expect(honest.turns_ended).lessThan(3)
    return { flooder, honest }
  }

  it('a message waits for a few turns of a flood of any kind, not for all of it', async () => {
    for (const message of floods()) await flood(frame(encodeMessage(message)))
    await flood(frame(Uint8Array.from([7, ...server.chain.block(100)])))
  })

  it('a peer whose votes wait for their checks is not read until one is done', async () => {
    const { raw, connection } = await open()
    const { chain } = server
    const pending: (() => void)[] = []
    const take = chain.takeVote
    chain.takeVote = () => new Promise((resolve) => pending.push(() => resolve('duplicate')))
    let processed = 0
    onMessage(connection, (n) => (processed = n + 1))
    raw.send(...Array.from({ length: 200 }, () => vote))
    await until('the peer is not read', () => connection.reads_paused === 1)
    expect([processed, pending.length]).deep.equal([64, 64])
    await until('all votes', () => {
      for (const done of pending.splice(0)) done()
      return processed === 200
    })
    expect(connection.reads_paused).within(3, 200)
    chain.takeVote = take
  })

  it('metrics say how often others were served first', async () => {
    const { flooder, honest } = await flood(frame(encodeMessage(ping)))
    const metric = networkMetrics(server.network).find(
      ({ name }) => name === 'pronghorn_p2p_turns_ended',
    )
    expect(metric!.samples.map(({ value }) => value)).deep.equal([
      flooder.turns_ended,
      honest.turns_ended,
    ])
  })
})
