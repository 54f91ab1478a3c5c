/** What the network is told by the chain, and gives to its peers. */
import { expect } from 'chai'
import { PeerNetwork } from '../../src/net/peer_network.ts'
import type { PeerChain } from '../../src/net/peer_chain.ts'
import { StubNetwork, StubPeer, blockIdOf } from './support/stub_peer.ts'

const PRODUCERS = [{ producer_name: 5n }]

describe('the network beside the chain', () => {
  let stub: StubNetwork
  let network: PeerNetwork
  let peer: StubPeer

  beforeEach(() => {
    stub = new StubNetwork({
      producer_addresses: new Map([[5n, { host: 'there', port: '1', type: '' as const }]]),
    })
    network = new PeerNetwork(stub.state.options, {
      chain: stub.chain as Partial<PeerChain> as PeerChain,
      clock: stub.clock,
      log: () => {},
    })
    peer = new StubPeer(1)
    network.state.peers.add(peer)
  })

  /** The synchronization waits for blocks, and old ones came. */
  function catchUp(): void {
    peer.root_num = peer.fork_head_num = 200
    const ids = { pending: 200, ids: [blockIdOf(200)] }
    const mode = 'last_irr_catch_up' as const
    network.state.tasks.run(() => {
      network.sync.notice(peer, {
        kind: 'notice',
        known_trx: { mode, ...ids },
        known_blocks: { mode, ...ids },
      })
      network.sync.noteNewBlock(60_000_000)
    })
    expect(network.sync.catching_up).equal(true)
    peer.root_num = 0
    peer.take()
  }

  function applied(num: number): string[] {
    const [id, previous] = [blockIdOf(num), blockIdOf(num - 1)]
    stub.chain.head = num
    network.blockApplied(
      { id, previous, producer: 5n, packed: Uint8Array.of(num) },
      num,
      60_000_000,
    )
    return peer.take()
  }

  const vote = {
    block_id: blockIdOf(121),
    strong: true,
    finalizer_key: new Uint8Array(96),
    signature: new Uint8Array(192),
  }

  function voted(): string[] {
    network.voteCast(vote)
    return peer.take()
  }

  it('has an id of 32 random bytes', () => {
    const other = new PeerNetwork(stub.state.options, {
      chain: stub.chain as Partial<PeerChain> as PeerChain,
      clock: stub.clock,
      log: () => {},
    })
    expect(network.state.node_id).have.length(32)
    expect(network.state.node_id).not.deep.equal(other.state.node_id)
  })

  it('gives a block that is the head to peers, unless they were given it when it came', () => {
    expect(applied(121)).deep.equal(['general block 121'])
    stub.chain.executes_irreversible = true
    expect(applied(122)).deep.equal([])
  })

  it('gives no blocks and no own votes while it catches up', () => {
    expect(voted()).deep.equal(['general vote'])
    catchUp()
    expect([applied(150), voted()]).deep.equal([[], []])
  })

  it('tells the synchronization which blocks were executed', () => {
    catchUp()
    applied(200)
    expect(network.sync.stage).equal('head_catchup')
  })

  it('connects to scheduled producers', () => {
    const connected: string[] = []
    network.connections.connectToProducer = (address) => void connected.push(address)
    network.scheduled({ version: 1, producers: PRODUCERS }, undefined)
    network.producerKeysChanged()
    expect(connected).deep.equal(['there:1', 'there:1'])
  })

  it('takes votes that waited for a block when it is the head', async () => {
    const taken: unknown[] = []
    const retry = (): Promise<void> => {
      taken.push(vote)
      return Promise.resolve()
    }
    network.votes.add({
      session: 1,
      block_id: blockIdOf(121),
      received_us: stub.clock.now(),
      retry,
    })
    applied(121)
    await Promise.resolve()
    expect(taken).deep.equal([vote])
  })
})
