/** The recorded conversations of a program with a node of the reference, with this node in its place. */
import { expect } from 'chai'
import { decodeMessage } from '../../src/engine/protocol/net/codec.ts'
import { FrameReader } from '../../src/engine/protocol/net/framing.ts'
import { ChainError } from '../../src/engine/errors.ts'
import { recordedConversations, type Conversation } from '../support/recorded_peers.ts'
import { FakeChain, FakeNetwork, essence, isAnswer } from './support/fake_peers.ts'

/** The block at which the recorded node stands. */
const HEAD = 140

/**
 * Conversations that this node ends otherwise, each with its reason.
 */
const OTHERWISE: Readonly<Record<string, string>> = {
  'bytes after a handshake':
    'bytes that follow a message within its length are refused, the reference takes them for the next length',
}

interface Played {
  closed: boolean
  received: string[]
}

function play({ sent, raw }: Conversation): Played {
  const fake = new FakeNetwork(new FakeChain(HEAD))
  const link = fake.peer({ listen_address: '127.0.0.1:31501' })
  const frames = new FrameReader()
  for (const bytes of sent) {
    if (!raw) fake.receive(link, bytes)
    else readAll(frames, bytes)
    fake.pass(60_000)
  }
  return { closed: link.is_closed, received: link.take().filter(isAnswer).map(essence) }

  function readAll(reader: FrameReader, bytes: Uint8Array): void {
    try {
      for (const message of reader.push(bytes)) fake.receive(link, message)
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      link.close(false)
    }
  }
}

describe('recorded conversations with a stranger', () => {
  for (const conversation of recordedConversations()) {
    const { name, received, closed } = conversation
    const reason = OTHERWISE[name]
    it(reason === undefined ? name : `${name} (${reason})`, () => {
      const played = play(conversation)
      const expected = received.map(decodeMessage).filter(isAnswer).map(essence)
      if (reason !== undefined) return expect(played).deep.equal({ closed: true, received: [] })
      expect(played.received).deep.equal(expected)
      expect(played.closed).equal(closed !== null)
    })
  }
})
