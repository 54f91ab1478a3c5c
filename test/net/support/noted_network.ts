/** Connections without sockets whose network notes what it is told: a test drives one part of it alone. */
import { decodeMessage, encodeMessage } from '../../../src/engine/protocol/net/codec.ts'
import { HEADER_SIZE } from '../../../src/engine/protocol/net/framing.ts'
import type { NetMessage } from '../../../src/engine/protocol/net/message.ts'
import type { Vote, VoteResult } from '../../../src/engine/protocol/vote.ts'
import { Dispatcher } from '../../../src/net/dispatcher.ts'
import {
  MAX_ALL_BLOCKS_IN_PROGRESS,
  MAX_ALL_TRANSACTIONS_IN_PROGRESS,
  MAX_BLOCKS_IN_PROGRESS,
  MAX_TRANSACTIONS_IN_PROGRESS,
  type NetworkOptions,
} from '../../../src/net/network_options.ts'
import type { Network } from '../../../src/net/network_parts.ts'
import type { BlockOutcome, ReceivedBlock } from '../../../src/net/peer_chain.ts'
import { Peer, type Link, type PeerSettings } from '../../../src/net/peer.ts'
import { receiveMessage } from '../../../src/net/receive/receive.ts'
import type { RemotePeer, SendQueue } from '../../../src/net/remote_peer.ts'
import { SharedMemory } from '../../../src/net/shared_memory.ts'
import { WaitingVotes } from '../../../src/net/waiting_votes.ts'
import { StubNetwork } from './stub_peer.ts'

/** The kind of a message with a block, which is its number in a chain of ids. */
const BLOCK = 7

/** Notes what a peer does with its connection. */
export class NotedLink implements Link {
  /** What was sent but for blocks. */
  readonly messages: NetMessage[] = []
  private done: string[] = []

  send(framed: Uint8Array, queue: SendQueue, last: boolean): void {
    const body = framed.subarray(HEADER_SIZE)
    if (body[0] === BLOCK) {
      this.done.push(`${queue} block ${body[1]}`)
      return
    }
    const message = decodeMessage(body)
    this.messages.push(message)
    this.done.push(`${queue} ${message.kind}${last ? ', the last' : ''}`)
  }

  clear(): void {
    this.done.push('clear')
  }

  close(reconnect: boolean): void {
    this.done.push(reconnect ? 'reconnect' : 'close')
  }

  /** What was done since the last call. */
  take(): string[] {
    return this.done.splice(0)
  }
}

/** A network on a chain of ids. Its synchronization and its producers note what they are told. */
export class NotedNetwork {
  readonly stub: StubNetwork
  readonly dispatcher: Dispatcher
  /** What the synchronization and the producers are; a test sets it. */
  readonly sync = { stage: 'in_sync', syncing: false, catching_up: false }
  readonly producers = { is_one_too_many: false, is_right: true }
  /** What the chain was given, with what answers. */
  readonly blocks: { received: ReceivedBlock; outcome: (outcome: BlockOutcome) => void }[] = []
  readonly transactions: { session: number; done: () => void }[] = []
  readonly votes: Vote[] = []
  vote_result: VoteResult = 'success'
  readonly network: Network
  private readonly noted: string[] = []

  constructor(options: Partial<NetworkOptions> = {}) {
    this.stub = new StubNetwork(options)
    this.dispatcher = new Dispatcher(this.stub.state)
    Object.assign(this.stub.chain, {
      accepts_votes: true,
      hasProducerKey: () => false,
      takeBlock: (received: ReceivedBlock, outcome: (outcome: BlockOutcome) => void) =>
        void this.blocks.push({ received, outcome }),
      takeTransaction: (_given: unknown, session: number, done: () => void) =>
        void this.transactions.push({ session, done }),
      takeVote: (vote: Vote) => {
        this.votes.push(vote)
        return Promise.resolve(this.vote_result)
      },
    })
    const note = (name: string) => (peer: RemotePeer, what?: unknown, more?: unknown) =>
      void this.noted.push([name, peer.id, ...[what, more].filter(isShort)].join(' '))
    this.network = {
      state: this.stub.state,
      dispatcher: this.dispatcher,
      votes: new WaitingVotes(),
      block_memory: new SharedMemory(MAX_ALL_BLOCKS_IN_PROGRESS, MAX_BLOCKS_IN_PROGRESS),
      transaction_memory: new SharedMemory(
        MAX_ALL_TRANSACTIONS_IN_PROGRESS,
        MAX_TRANSACTIONS_IN_PROGRESS,
      ),
      dropped_transactions: 0,
      failed_connections: 0,
      sync: Object.assign(this.sync, {
        handshake: (peer: RemotePeer, _message: unknown, latency: number) =>
          note('handshake')(peer, latency),
        notice: (peer: RemotePeer) => note('notice')(peer),
        received: (peer: RemotePeer, _id: unknown, num: number, age_us: number) =>
          note('received')(peer, num, age_us),
        rejected: note('rejected'),
        timedOut: note('timed out'),
        peerClosed: note('closed'),
        applied: (_id: unknown, num: number, age_us: number) =>
          void this.noted.push(`applied ${num} ${age_us}`),
        noteNewBlock: (age_us: number) => void this.noted.push(`new block ${age_us}`),
      }),
      producers: Object.assign(this.producers, {
        mark: note('mark'),
        greet: note('greet'),
        isOneTooMany: () => this.producers.is_one_too_many,
        receive: (peer: RemotePeer) => {
          note('gossip')(peer)
          return this.producers.is_right
        },
      }),
    } as unknown as Network
  }

  /** What the synchronization and the producers were told since the last call. */
  take(): string[] {
    return this.noted.splice(0)
  }

  /** A connection: of another node, or with an address to it. */
  peer(address = '', settings: Partial<PeerSettings> = {}): { peer: Peer; link: NotedLink } {
    const link = new NotedLink()
    const id = this.stub.state.peers.size + 1
    const all = { id, address, listen_address: 'here:9876', rate_limit: 0, ...settings }
    const peer = new Peer(this.network, all, link)
    this.stub.state.peers.add(peer)
    return { peer, link }
  }

  /** A connection that is open, and of which nothing was noted. */
  open(address = '', settings: Partial<PeerSettings> = {}): { peer: Peer; link: NotedLink } {
    const made = this.peer(address, settings)
    this.run(() => made.peer.opened())
    made.link.take()
    made.link.messages.length = 0
    this.take()
    return made
  }

  run(work: () => void): void {
    this.stub.state.tasks.run(work)
  }

  /** The peer sends a message. */
  receive(peer: Peer, message: NetMessage | Uint8Array): void {
    receiveMessage(peer, message instanceof Uint8Array ? message : encodeMessage(message))
  }

  /** Time passes, with its alarms. */
  pass(us: number): void {
    const { clock } = this.stub
    const until = clock.now() + us
    while (clock.fire(until));
    clock.set(until)
  }
}

function isShort(what: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof what)
}
