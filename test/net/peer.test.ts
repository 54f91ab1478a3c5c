import { expect } from 'chai'
import { publicKeyOf, signDigest } from '../../src/engine/crypto/keys.ts'
import { privateKeyFromString } from '../../src/engine/crypto/private_key.ts'
import { toHex } from '../../src/engine/protocol/hex.ts'
import { noIds, type NetMessage } from '../../src/engine/protocol/net/message.ts'
import { timeToken } from '../../src/net/handshakes.ts'
import { FakeChain, FakeNetwork, brief, type FakeLink } from './support/fake_peers.ts'

const KEY = privateKeyFromString('5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3')
const PUBLIC = publicKeyOf(KEY)
const SECOND_US = 1_000_000
const id = (byte: number) => new Uint8Array(32).fill(byte)

describe('a peer', () => {
  let fake: FakeNetwork

  beforeEach(() => {
    fake = new FakeNetwork(new FakeChain(100))
  })

  function briefs(link: FakeLink): string[] {
    return link.take().map(brief)
  }

  it('a node that connects sends the first message', () => {
    expect(briefs(fake.peer())).deep.equal([])
    expect(briefs(fake.peer({ address: 'there:1' }))).deep.equal(['time', 'handshake'])
  })

  it('a handshake that cannot be is answered by fatal_other', () => {
    const wrong = [
      { root: 90, head: 80 },
      { p2p_address: '' },
      { os: '' },
      { agent: 'a'.repeat(385) },
      { token: id(1) },
    ]
    for (const fields of wrong) {
      const link = fake.peer()
      fake.receive(link, fake.handshake(fields))
      expect(briefs(link)).deep.equal(['go_away fatal_other'])
      expect(link.is_closed).equal(true)
    }
  })

  it('another chain, the node itself, a second connection and a fork are refused, each with its reason', () => {
    const first = fake.peer()
    fake.receive(first, fake.handshake({ node_id: id(0x11) }))
    const fork = fake.chain.ids[99]!.slice()
    fork[31]! ^= 1
    const cases = {
      wrong_chain: { chain_id: id(1) },
      self: { node_id: id(0x55) },
      duplicate: { node_id: id(0x11) },
      forked: { fork_db_root_id: fork },
    }
    for (const [reason, fields] of Object.entries(cases)) {
      const link = fake.peer()
      fake.receive(link, fake.handshake(fields))
      expect(briefs(link)[0]).equal(`go_away ${reason}`)
      expect(link.is_closed).equal(true)
    }
    expect(first.is_closed).equal(false)
  })

  it('after a refusal nothing more is taken of the peer, whether it reads that or not', () => {
    const link = fake.peer()
    link.holds = true
    fake.receive(link, fake.handshake({ chain_id: new Uint8Array(32) }))
    const lines = fake.log.length
    for (let i = 0; i < 10; i++)
      fake.receive(link, fake.handshake({ chain_id: new Uint8Array(32) }))
    fake.receive(link, fake.handshake({ generation: 2 }))
    expect(fake.log).have.length(lines)
    link.holds = false
    expect(link.kinds()).deep.equal(['go_away'])
    expect(link.is_closed).equal(true)
  })

  it('of two connections the node with the lower id leaves the choice to the other', () => {
    for (const link of [fake.peer(), fake.peer()]) {
      fake.receive(link, fake.handshake({ node_id: id(0x99) }))
      expect(link.is_closed).equal(false)
    }
  })

  it('a connection counts as one of a node from any of its handshakes on', () => {
    const first = fake.peer()
    fake.receive(first, fake.handshake({ node_id: id(0x11), generation: 2 }))
    const second = fake.peer()
    fake.receive(second, fake.handshake({ node_id: id(0x11) }))
    expect(briefs(second)[0]).equal('go_away duplicate')
    expect(first.is_closed).equal(false)
  })

  it('a notice of any mode says what the best block of the peer is', () => {
    const link = fake.peer()
    fake.receive(link, fake.handshake())
    const known_blocks = { mode: 'none' as const, pending: 120, ids: [] }
    fake.receive(link, { kind: 'notice', known_trx: noIds(), known_blocks })
    expect(link.peer.last_handshake?.fork_db_head_num).equal(120)
    const root: NetMessage = {
      kind: 'notice',
      known_trx: { mode: 'last_irr_catch_up', pending: 110, ids: [] },
      known_blocks: { mode: 'last_irr_catch_up', pending: 130, ids: [] },
    }
    fake.receive(link, root)
    expect(link.peer.last_handshake).include({ fork_db_head_num: 130, fork_db_root_num: 110 })
  })

  it('when a connection ends, the others are asked for whole blocks if it was one that gave blocks, or none did', () => {
    const links = [0x11, 0x12, 0x13].map((byte) => {
      const link = fake.peer()
      fake.receive(link, fake.handshake({ node_id: id(byte) }))
      link.take()
      return link
    })
    const [a, b, c] = links
    const close = (link: FakeLink) => fake.network.state.tasks.run(() => link.peer.close(false))
    close(a!)
    expect([b, c].map((link) => briefs(link!))).deep.equal([
      ['block_nack 00000000'],
      ['block_nack 00000000'],
    ])
    fake.receive(b!, fake.blockMessage(101))
    briefs(c!)
    close(c!)
    expect(briefs(b!)).deep.equal([])
  })

  it('only nodes whose key is allowed may connect', () => {
    const options = {
      allowed: { any: false, producers: false, specified: true },
      peer_keys: new Set([toHex(PUBLIC)]),
    }
    const closed = new FakeNetwork(new FakeChain(100), options)
    const hello = closed.handshake()
    const token = timeToken(hello.time)
    const signed = { ...hello, key: PUBLIC, token, sig: signDigest(KEY, token) }
    const attempts = [
      [signed, 'handshake'],
      [hello, 'go_away authentication'],
      [{ ...hello, key: PUBLIC }, 'go_away authentication'],
      [{ ...signed, key: new Uint8Array(34).fill(3) }, 'go_away authentication'],
      [{ ...signed, sig: signDigest(KEY, id(9)) }, 'go_away authentication'],
      [{ ...signed, time: hello.time + 1n }, 'go_away fatal_other'],
    ] as const
    for (const [message, answer] of attempts) {
      const link = closed.peer()
      closed.receive(link, { ...message, key: message.key.with(0, 0) })
      expect(briefs(link)[0]).equal(answer)
    }
  })

  it('a node that has not proved an allowed key gets nothing and gives nothing', () => {
    const chain = new FakeChain(100)
    const closed = new FakeNetwork(chain, {
      allowed: { any: false, producers: false, specified: true },
      peer_keys: new Set([toHex(PUBLIC)]),
    })
    const now = BigInt(closed.clock.now()) * 1000n
    const time = { kind: 'time', org: 0n, rec: 0n, xmt: now, dst: 0n } as const
    const others: [NetMessage | Uint8Array, string[]][] = [
      [{ kind: 'sync_request', start_block: 1, end_block: 5 }, []],
      [{ kind: 'notice', known_trx: noIds(), known_blocks: noIds() }, []],
      [closed.blockMessage(101), []],
      [closed.handshake({ generation: 2 }), ['go_away authentication']],
    ]
    for (const [message, answer] of others) {
      const link = closed.peer()
      closed.receive(link, time)
      expect(briefs(link)).deep.equal(['time'])
      closed.receive(link, message)
      expect(briefs(link)).deep.equal(answer)
      expect(link.is_closed).equal(true)
    }
    expect(chain.fork_head).equal(100)
    const hello = closed.handshake()
    const token = timeToken(hello.time)
    const proved = closed.peer()
    closed.receive(proved, { ...hello, key: PUBLIC, token, sig: signDigest(KEY, token) })
    closed.receive(proved, { kind: 'sync_request', start_block: 1, end_block: 1 })
    expect(briefs(proved)).include('block 1')
  })

  it('this node signs its handshakes with its key', () => {
    const signing = new FakeNetwork(new FakeChain(100), {
      private_keys: [{ public_key: PUBLIC, key: KEY }],
    })
    const [, hello] = signing.peer({ address: 'there:1' }).take()
    if (hello?.kind !== 'handshake') return expect.fail('no handshake')
    expect(toHex(hello.key)).equal(toHex(PUBLIC))
    expect(toHex(hello.token)).equal(toHex(timeToken(hello.time)))
    expect(toHex(hello.sig)).equal(toHex(signDigest(KEY, hello.token)))
  })

  it('the type of a connection follows from the addresses of both nodes', () => {
    const cases = [
      ['', 'there:1:trx - 7', 'trx'],
      ['', 'there:1 - 7', ''],
      ['there:1', 'there:1:blk - 7', 'blk'],
      ['there:1:trx', 'there:1:blk - 7', 'trx'],
      ['there:1:trx', 'there:1 - 7', 'trx'],
    ] as const
    cases.forEach(([address, p2p_address, type], i) => {
      const link = fake.peer({ address })
      fake.receive(link, fake.handshake({ p2p_address, node_id: id(0x60 + i) }))
      expect(link.peer.type).equal(type)
    })
  })

  it('a node that takes no transactions says that it wants blocks alone', () => {
    const blocks = new FakeNetwork(new FakeChain(100), { accept_transactions: false })
    const link = blocks.peer()
    blocks.receive(link, blocks.handshake())
    const [hello] = link.take()
    expect(hello)
      .property('p2p_address')
      .match(/^here:9876:blk - /)
  })

  it('handshakes are counted, and the same position is told once in 50 ms', () => {
    const link = fake.peer({ address: 'there:1' })
    fake.receive(link, fake.handshake())
    link.take()
    const send = () => fake.network.state.tasks.run(() => link.peer.sendHandshake())
    send()
    expect(link.take()).deep.equal([])
    fake.pass(60_000)
    send()
    send()
    expect(link.take().map((m) => m.kind === 'handshake' && m.generation)).deep.equal([2])
  })

  it('a ping measures the round trip, and a difference of clocks is logged', () => {
    const link = fake.peer({ address: 'there:1' })
    const [ping] = link.take()
    if (ping?.kind !== 'time') return expect.fail('no ping')
    fake.pass(20_000)
    const late = ping.xmt + 5_000_000_000n
    fake.receive(link, { kind: 'time', org: ping.xmt, rec: late, xmt: late, dst: 0n })
    expect(link.peer.ping_us).within(20_000, 21_000)
    expect(fake.log.join()).match(/its clock is at least (4980|4979) ms ahead of this one/)
    fake.receive(link, { kind: 'time', org: 0n, rec: 0n, xmt: late + 1n, dst: 0n })
    expect(link.take().map(brief)).include('time')
  })

  it('a silent peer is closed after two keepalive intervals, and one without a handshake too', () => {
    const quiet = fake.peer()
    const lively = fake.peer()
    fake.receive(lively, fake.handshake())
    fake.pass(15 * SECOND_US)
    fake.heartbeat()
    expect(briefs(quiet)).deep.equal(['time'])
    expect(quiet.is_closed).equal(false)
    const now = BigInt(fake.clock.now()) * 1000n
    fake.receive(lively, { kind: 'time', org: 0n, rec: 0n, xmt: now, dst: 0n })
    fake.pass(6 * SECOND_US)
    fake.heartbeat()
    expect([quiet.is_closed, lively.is_closed]).deep.equal([true, false])
    fake.pass(15 * SECOND_US)
    fake.heartbeat()
    expect(lively.is_closed).equal(true)
  })

  it('a go_away is obeyed: another attempt follows only for two reasons', () => {
    const reasons = { wrong_version: true, benign_other: true, forked: false, duplicate: false }
    for (const [reason, reconnects] of Object.entries(reasons)) {
      const link = fake.peer({ address: 'there:1' })
      fake.receive(link, { kind: 'go_away', reason: reason as 'forked', node_id: id(0) })
      expect([link.is_closed, link.reconnects]).deep.equal([true, reconnects])
    }
    const again = fake.peer({ address: 'there:1' })
    again.peer.no_retry = 'wrong_version'
    fake.receive(again, { kind: 'go_away', reason: 'wrong_version', node_id: id(0) })
    expect([again.reconnects, again.peer.no_retry]).deep.equal([false, 'fatal_other'])
  })

  it('blocks that are asked for are sent one at a time, and the limit of the rate holds', () => {
    const link = fake.peer({ rate_limit: 1 })
    fake.receive(link, fake.handshake({ root: 1, head: 1 }))
    expect(link.peer.syncing_from_us).equal(true)
    link.take()
    fake.receive(link, { kind: 'sync_request', start_block: 2, end_block: 5 })
    expect(briefs(link)).deep.equal(['block 2'])
    expect(link.peer.sender.throttled).equal(true)
    fake.pass(1 * SECOND_US)
    expect(briefs(link)).deep.equal([])
    fake.pass(3600 * SECOND_US)
    expect(briefs(link).slice(0, 1)).deep.equal(['block 3'])
    fake.receive(link, { kind: 'sync_request', start_block: 0, end_block: 0 })
    fake.pass(3600 * SECOND_US)
    expect(briefs(link)).deep.equal([])
  })

  it('many requests of a peer that does not read give it one block', () => {
    const link = fake.peer()
    fake.receive(link, fake.handshake())
    link.take()
    link.holds = true
    for (let i = 0; i < 1000; i++) {
      fake.receive(link, { kind: 'sync_request', start_block: 1, end_block: 100 })
    }
    link.holds = false
    expect(brief(link.sendOne()!)).equal('block 1')
    link.holds = true
    expect(link.sendOne()).not.equal(undefined)
  })

  it('requests that are withdrawn at once read no more blocks than are sent', () => {
    const link = fake.peer()
    fake.receive(link, fake.handshake())
    link.take()
    link.holds = true
    let reads = 0
    const read = fake.chain.packedBlock.bind(fake.chain)
    fake.chain.packedBlock = (num) => {
      reads += 1
      return read(num)
    }
    for (let i = 0; i < 1000; i++) {
      fake.receive(link, { kind: 'sync_request', start_block: 1, end_block: 100 })
      fake.receive(link, { kind: 'sync_request', start_block: 0, end_block: 0 })
    }
    expect(reads).equal(1)
    fake.receive(link, { kind: 'sync_request', start_block: 7, end_block: 8 })
    link.holds = false
    expect(briefs(link)).deep.equal(['block 1', 'block 7', 'block 8'])
  })
})
