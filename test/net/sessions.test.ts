/** Recorded sessions between two reference nodes, with this node in the place of one. */
import { expect } from 'chai'
import { decodeMessage } from '../../src/engine/protocol/net/codec.ts'
import type { Handshake } from '../../src/engine/protocol/net/message.ts'
import { recordedSession, type RecordedLine, type SESSIONS } from '../support/recorded_peers.ts'
import {
  FakeChain,
  FakeNetwork,
  blockNums,
  brief,
  essence,
  isAnswer,
} from './support/fake_peers.ts'

/** The messages of one connection of a session, in order. */
function messagesOf(name: (typeof SESSIONS)[number], connection = 1): RecordedLine[] {
  return recordedSession(name).filter((line) => line.connection === connection && line.bytes)
}

describe('recorded sessions', () => {
  it('a node that syncs gets the same messages from this node, in the same order', () => {
    const fake = new FakeNetwork(new FakeChain(140))
    const link = fake.peer({ listen_address: '127.0.0.1:31501' })
    link.holds = true
    let compared = 0
    for (const { from, bytes } of messagesOf('sync')) {
      const message = decodeMessage(bytes!)
      if (from === 'dialer') {
        fake.receive(link, bytes!)
      } else if (isAnswer(message)) {
        const sent = link.sendOne()!
        expect(brief(sent)).equal(brief(message))
        expect(essence(sent)).equal(essence(message))
        compared += 1
      }
      fake.pass(1000)
    }
    expect(compared).greaterThan(330)
  })

  it('this node asks a node that it syncs from for the same first spans', () => {
    const fake = new FakeNetwork(new FakeChain(1), { sync_fetch_span: 40 })
    const link = fake.peer({ address: 'there:1', listen_address: '127.0.0.1:31504' })
    const asked: string[] = []
    const lines = messagesOf('sync')
    const first = lines.slice(
      0,
      lines.findIndex(({ bytes }) => bytes![0] === 7),
    )
    for (const { bytes } of first.filter(({ from }) => from === 'listener')) {
      // The answer to a ping has the time of another ping.
      if (bytes![0] !== 3) fake.receive(link, bytes!)
      asked.push(...link.take().map(essence))
    }
    const recorded = first.filter(({ from }) => from === 'dialer')
    const expected = recorded.map(({ bytes }) => essence(decodeMessage(bytes!)))
    expect(asked.toSorted()).deep.equal(expected.toSorted())
  })

  it('this node refuses another chain and itself as the recorded node does', () => {
    for (const name of ['another-chain', 'itself'] as const) {
      const lines = messagesOf(name)
      const fake = new FakeNetwork(new FakeChain(140))
      const link = fake.peer()
      if (name === 'itself') {
        const own = decodeMessage(lines[1]!.bytes!) as Handshake
        fake.network.state.node_id.set(own.node_id)
      }
      for (const { bytes } of lines.filter(({ from }) => from === 'dialer')) {
        fake.receive(link, bytes!)
      }
      const recorded = lines.filter(({ from }) => from === 'listener')
      expect(link.take().map(essence)).deep.equal(
        recorded.map(({ bytes }) => essence(decodeMessage(bytes!))),
      )
      expect(link.is_closed).equal(true)
    }
  })

  it('this node ends a second connection to the same node as the recorded node does', () => {
    const lines = messagesOf('twice-1').filter(({ from }) => from === 'listener')
    const fake = new FakeNetwork(new FakeChain(140))
    const hello = decodeMessage(lines.at(-1)!.bytes!) as Handshake
    fake.network.state.node_id.fill(0xff)
    const first = fake.peer({ address: 'there:1' })
    fake.receive(first, { ...hello, generation: 1 })
    const second = fake.peer({ address: 'there:2' })
    expect(second.kinds()).deep.equal(['time', 'handshake'])
    fake.receive(second, { ...hello, generation: 1 })
    expect(second.take().map(essence)).deep.equal([
      essence({ kind: 'go_away', reason: 'duplicate', node_id: new Uint8Array(32) }),
    ])
    expect([first.is_closed, second.is_closed]).deep.equal([false, true])
  })

  it('the first of two connections to the same node continues', () => {
    const fake = new FakeNetwork(new FakeChain(1))
    const link = fake.peer({ address: 'there:1', listen_address: '127.0.0.1:31504' })
    const lines = messagesOf('twice-2')
    // It was cut after the first blocks of the span.
    const blocks = lines.filter(({ bytes }) => bytes![0] === 7)
    for (const { bytes } of lines.filter(({ from }) => from === 'listener')) {
      // The answer to a ping has the time of another ping.
      if (bytes![0] !== 3) fake.receive(link, bytes!)
    }
    const recorded = lines.filter(({ from }) => from === 'dialer')
    expect(link.take().map(essence)).have.members(
      recorded.map(({ bytes }) => essence(decodeMessage(bytes!))),
    )
    expect(blocks.length).greaterThan(30)
    expect(fake.chain.head).equal(1 + blocks.length)
    expect(fake.network.sync.stage).equal('lib_catchup')
    expect(link.is_closed).equal(false)
  })

  it('blocks of a recorded sync are taken in their order', () => {
    const chain = new FakeChain(1)
    const fake = new FakeNetwork(chain, { sync_fetch_span: 40 })
    const link = fake.peer({ address: 'there:1' })
    fake.receive(link, fake.handshake({ root: 140, head: 140 }))
    fake.receive(link, {
      kind: 'notice',
      known_trx: { mode: 'last_irr_catch_up', pending: 140, ids: [] },
      known_blocks: { mode: 'last_irr_catch_up', pending: 140, ids: [chain.ids[139]!] },
    })
    const asked: string[] = []
    let sent = 1
    for (let rounds = 0; sent < 140 && rounds < 10; rounds++) {
      for (const message of link.take()) {
        if (message.kind !== 'sync_request') continue
        asked.push(`${message.start_block} ${message.end_block}`)
        for (let num = message.start_block; num <= message.end_block; num++) {
          fake.receive(link, fake.blockMessage(num))
          sent = num
        }
      }
    }
    expect(asked).deep.equal(['2 41', '42 81', '82 121', '122 140'])
    expect(chain.head).equal(140)
    expect(fake.network.sync.stage).equal('head_catchup')
    expect(blockNums(link.take())).deep.equal([])
  })
})
