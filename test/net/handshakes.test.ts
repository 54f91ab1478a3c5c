/** Who may connect, by the keys of handshakes. */
import { expect } from 'chai'
import { publicKeyOf, signDigest } from '../../src/engine/crypto/keys.ts'
import { toHex } from '../../src/engine/protocol/hex.ts'
import type { Handshake } from '../../src/engine/protocol/net/message.ts'
import { isAuthentic, makeHandshake, restrictsPeers, timeToken } from '../../src/net/handshakes.ts'
import type { AllowedConnections, NetworkOptions } from '../../src/net/network_options.ts'
import { NO_ID } from '../../src/net/network_state.ts'
import { secretOf } from '../engine/chain/support/test_chain.ts'
import { StubNetwork, blockIdOf } from './support/stub_peer.ts'

const [OWN, PEER, PRODUCER, STRANGER] = [1, 2, 3, 4].map((seed) => secretOf(seed))
const keyOf = (secret = PEER) => publicKeyOf(secret!)
const TIME = 1_795_000_000_000_000_000n
const NO_SIGNATURE = new Uint8Array(66)

describe('the keys of handshakes', () => {
  const allowed = (...kinds: (keyof AllowedConnections)[]): AllowedConnections => ({
    any: kinds.includes('any'),
    producers: kinds.includes('producers'),
    specified: kinds.includes('specified'),
  })

  function network(given: AllowedConnections, more: Partial<NetworkOptions> = {}): StubNetwork {
    const stub = new StubNetwork({
      allowed: given,
      peer_keys: new Set([toHex(keyOf())]),
      private_keys: [
        { public_key: keyOf(OWN), key: OWN! },
        { public_key: keyOf(STRANGER).with(0, 1), key: OWN! },
      ],
      ...more,
    })
    const hasProducerKey = (key: Uint8Array) => toHex(key) === toHex(keyOf(PRODUCER))
    return Object.assign(stub, { chain: Object.assign(stub.chain, { hasProducerKey }) })
  }

  function signed(secret = PEER, fields: Partial<Handshake> = {}): Handshake {
    const token = timeToken(TIME)
    return {
      time: TIME,
      key: keyOf(secret),
      token,
      sig: signDigest(secret!, token),
      ...fields,
    } as Handshake
  }

  const may = (given: AllowedConnections, message: Handshake): boolean =>
    isAuthentic(network(given).state, message)

  it('do not matter where every node may connect', () => {
    const wrong = signed(STRANGER, { sig: NO_SIGNATURE })
    expect(may(allowed('any'), wrong)).equal(true)
    for (const more of ['producers', 'specified'] as const) {
      expect(may(allowed('any', more), wrong)).equal(false)
      expect(restrictsPeers(network(allowed('any', more)).state.options)).equal(true)
    }
    expect(restrictsPeers(network(allowed('any')).state.options)).equal(false)
  })

  it('let no one in where none may connect', () => {
    expect(may(allowed(), signed())).equal(false)
    expect(restrictsPeers(network(allowed()).state.options)).equal(true)
  })

  it('are those of peers, of this node and of its producers, whichever kind is allowed', () => {
    for (const kind of ['producers', 'specified'] as const) {
      for (const secret of [PEER, OWN, PRODUCER]) {
        expect(may(allowed(kind), signed(secret))).equal(true)
      }
      expect(may(allowed(kind), signed(STRANGER))).equal(false)
    }
  })

  it('must have signed the time', () => {
    const wrong: Partial<Handshake>[] = [
      { sig: NO_SIGNATURE },
      { token: NO_ID },
      { sig: NO_SIGNATURE, token: NO_ID },
      { sig: signDigest(STRANGER!, timeToken(TIME)) },
      { time: TIME + 1n },
      { sig: new Uint8Array(66).fill(0xff).with(0, 0) },
    ]
    for (const fields of wrong) {
      expect(
        may(allowed('specified'), signed(PEER, fields)),
        JSON.stringify(Object.keys(fields)),
      ).equal(false)
    }
  })

  it('of this node are the first of its own; without one its handshakes have no token', () => {
    const stub = network(allowed('any'))
    const given = { version: 11, p2p_address: 'here:1', generation: 3 }
    const made = makeHandshake(stub.state, given)
    expect(made.token).deep.equal(timeToken(made.time))
    expect([toHex(made.key), toHex(made.sig)]).deep.equal([
      toHex(keyOf(OWN)),
      toHex(signDigest(OWN!, made.token)),
    ])
    const bare = makeHandshake(network(allowed('any'), { private_keys: [] }).state, given)
    expect(bare).deep.equal({
      kind: 'handshake',
      network_version: 0x04b5 + 11,
      chain_id: stub.chain.chain_id,
      node_id: new Uint8Array(32).fill(0x55),
      key: new Uint8Array(34),
      time: BigInt(stub.clock.now()) * 1000n,
      token: NO_ID,
      sig: NO_SIGNATURE,
      p2p_address: 'here:1 - 5555555',
      fork_db_root_num: 100,
      fork_db_root_id: blockIdOf(100),
      fork_db_head_num: 120,
      fork_db_head_id: blockIdOf(120),
      os: process.platform === 'darwin' ? 'osx' : process.platform,
      agent: 'test',
      generation: 3,
    })
  })
})
