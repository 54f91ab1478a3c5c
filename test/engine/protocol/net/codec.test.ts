import { expect } from 'chai'
import { ChainError } from '../../../../src/engine/errors.ts'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import { decodeMessage, encodeMessage } from '../../../../src/engine/protocol/net/codec.ts'
import {
  MESSAGE_KINDS,
  protocolVersion,
  type NetMessage,
} from '../../../../src/engine/protocol/net/message.ts'
import {
  SESSIONS,
  recordedConversations,
  recordedSession,
} from '../../../support/recorded_peers.ts'

/** Every recorded message of a node, and those of the program that are whole. */
function recordedMessages(): Uint8Array[] {
  const sessions = SESSIONS.flatMap((name) =>
    recordedSession(name).flatMap(({ bytes }) => bytes ?? []),
  )
  const conversations = recordedConversations().flatMap(({ raw, sent, received }) => [
    ...(raw ? [] : sent.filter((bytes) => !isWrong(bytes) && bytes.length < 2000)),
    ...received,
  ])
  return [...sessions, ...conversations]
}

function isWrong(bytes: Uint8Array): boolean {
  return refusalOf(bytes) !== undefined
}

function refusalOf(bytes: Uint8Array): string | undefined {
  try {
    decodeMessage(bytes)
    return undefined
  } catch (error) {
    if (error instanceof ChainError) return error.errorName
    throw error
  }
}

describe('messages between peers', () => {
  it('every recorded message is read and written to the same bytes, of each kind', () => {
    const kinds = new Map<string, number>()
    for (const bytes of recordedMessages()) {
      const message = decodeMessage(bytes)
      kinds.set(message.kind, (kinds.get(message.kind) ?? 0) + 1)
      expect(toHex(encodeMessage(message))).equal(toHex(bytes))
    }
    expect([...kinds.keys()]).have.members([...MESSAGE_KINDS])
    expect(kinds.get('signed_block')).greaterThan(400)
    expect(kinds.get('vote')).greaterThan(100)
  })

  it('a handshake of the reference has its fields', () => {
    const [, line] = recordedSession('another-chain')
    const message = decodeMessage(line!.bytes!)
    if (message.kind !== 'handshake') return expect.fail(message.kind)
    const { network_version, p2p_address, os, agent, generation, fork_db_head_num } = message
    expect({ network_version, p2p_address, os, agent, generation, fork_db_head_num }).deep.equal({
      network_version: 1216,
      p2p_address: '127.0.0.1:31504 - 25ac2fd',
      os: 'linux',
      agent: 'Spring Agent',
      generation: 1,
      fork_db_head_num: 1,
    })
    expect(protocolVersion(network_version)).equal(11)
  })

  it('modes and reasons that have no name are kept', () => {
    const ids = { mode: 7, pending: 1, ids: [new Uint8Array(32).fill(5)] }
    const messages: NetMessage[] = [
      { kind: 'request', req_trx: ids, req_blocks: ids },
      { kind: 'go_away', reason: 99, node_id: new Uint8Array(32) },
    ]
    for (const message of messages) {
      expect(decodeMessage(encodeMessage(message))).deep.equal(message)
    }
  })

  it('addresses of block producers are read and written to the same bytes', () => {
    const info = { version: 1, producer_name: 6n, bp_peer_info: Uint8Array.of(1, 2, 3) }
    const message: NetMessage = {
      kind: 'gossip_bp_peers',
      peers: [{ ...info, sig: new Uint8Array(66) }],
    }
    expect(decodeMessage(encodeMessage(message))).deep.equal(message)
  })

  it('versions beyond the range are version 0', () => {
    expect([0x04b4, 0x04b5, 0x04b5 + 106, 0x04b5 + 107, 0].map(protocolVersion)).deep.equal([
      0, 0, 106, 0, 0,
    ])
  })

  it('bytes that are not a message are refused', () => {
    expect(refusalOf(Uint8Array.of(13))).equal('plugin_exception')
    expect(refusalOf(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f))).equal('plugin_exception')
    expect(refusalOf(Uint8Array.of(1, 1))).equal('out_of_range_exception')
    const nack = encodeMessage({ kind: 'block_nack', id: new Uint8Array(32) })
    expect(refusalOf(Uint8Array.from([...nack, 1]))).equal('plugin_exception')
    // A list that says it has more ids than there are bytes.
    const ids = [4, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0x3f]
    expect(refusalOf(Uint8Array.from(ids))).equal('out_of_range_exception')
  })
})
