/** Networks with a chain of the test and real sockets on loopback addresses. */
import { connect, type Socket } from 'node:net'
import { decodeMessage, encodeMessage } from '../../../src/engine/protocol/net/codec.ts'
import { FrameReader, frame } from '../../../src/engine/protocol/net/framing.ts'
import type { NetMessage } from '../../../src/engine/protocol/net/message.ts'
import { parseListenAddress } from '../../../src/net/address.ts'
import type { NetworkOptions } from '../../../src/net/network_options.ts'
import { PeerNetwork } from '../../../src/net/peer_network.ts'
import { ManualClock } from '../../support/manual_clock.ts'
import { FakeChain, OPTIONS, announceBlocks } from './fake_peers.ts'

/** What differs between networks of a test. */
export interface SocketNetworkOptions extends Partial<Omit<NetworkOptions, 'listeners'>> {
  /** What follows the address of each listener, such as `:trx`. */
  listeners?: readonly string[]
  /** The last block of the chain. */
  head?: number
  /** See {@link ManualClock}. */
  look_us?: number
}

/** A network that listens and connects. Its clock stands still. */
export class SocketNetwork {
  readonly chain: FakeChain
  readonly clock: ManualClock
  readonly network: PeerNetwork
  /** Lines of the log. */
  readonly lines: string[] = []

  private constructor({ listeners = [], head = 100, look_us, ...options }: SocketNetworkOptions) {
    this.chain = new FakeChain(head)
    this.clock = new ManualClock(this.chain.timeOf(head) + 60_000_000, look_us)
    const listenerOptions = listeners.map((suffix) => {
      const text = `127.0.0.1:0${suffix}`
      return { text, address: parseListenAddress(text), public_address: text }
    })
    this.network = new PeerNetwork(
      { ...OPTIONS, max_nodes_per_host: 100, ...options, listeners: listenerOptions },
      { chain: this.chain, clock: this.clock, log: (_level, text) => void this.lines.push(text) },
    )
    announceBlocks(this.network, this.chain)
  }

  static async start(options: SocketNetworkOptions = {}): Promise<SocketNetwork> {
    const made = new SocketNetwork(options)
    await made.network.listen()
    made.network.start()
    return made
  }

  /** The port of a listener. */
  port(index = 0): number {
    return this.network.addresses()[index]!.port
  }

  get connections() {
    return [...this.network.connections]
  }
}

/** A socket that speaks the protocol, and keeps what it is sent. */
export class RawPeer {
  readonly received: NetMessage[] = []
  readonly socket: Socket

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1')
    const frames = new FrameReader()
    this.socket.on('data', (chunk) => {
      for (const message of frames.push(chunk)) this.received.push(decodeMessage(message))
    })
    // The node may end the connection while this writes.
    this.socket.on('error', () => this.socket.destroy())
  }

  send(...messages: NetMessage[]): void {
    for (const message of messages) this.socket.write(frame(encodeMessage(message)))
  }
}

/** Starts networks for the tests of a suite, and ends them and its raw peers after each test. */
export function startedNetworks(): {
  start: (options: SocketNetworkOptions) => Promise<SocketNetwork>
  raws: RawPeer[]
} {
  const networks: SocketNetwork[] = []
  const raws: RawPeer[] = []
  afterEach(async () => {
    for (const { socket } of raws.splice(0)) socket.destroy()
    for (const { network } of networks.splice(0)) await network.stop()
  })
  const start = async (options: SocketNetworkOptions): Promise<SocketNetwork> => {
    const made = await SocketNetwork.start(options)
    networks.push(made)
    return made
  }
  return { start, raws }
}
