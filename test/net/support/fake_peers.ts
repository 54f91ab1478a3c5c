/** Peers without sockets: a chain that stands at a block, a link that collects, a clock of the test. */
import { blockId } from '../../../src/engine/crypto/digests.ts'
import { signDigest, type PrivateKey } from '../../../src/engine/crypto/keys.ts'
import { ChainError } from '../../../src/engine/errors.ts'
import { blockNumFromId, unpackSignedBlock } from '../../../src/engine/protocol/block.ts'
import { bytesEqual, fromHex, toHex } from '../../../src/engine/protocol/hex.ts'
import { decodeMessage, encodeMessage } from '../../../src/engine/protocol/net/codec.ts'
import { HEADER_SIZE } from '../../../src/engine/protocol/net/framing.ts'
import type { Handshake, NetMessage } from '../../../src/engine/protocol/net/message.ts'
import type { PackedTransaction } from '../../../src/engine/protocol/packed_transaction.ts'
import { Reader } from '../../../src/engine/protocol/reader.ts'
import { slotToUs, usToSlot } from '../../../src/engine/protocol/time.ts'
import type { Vote, VoteResult } from '../../../src/engine/protocol/vote.ts'
import type { NetworkOptions } from '../../../src/net/network_options.ts'
import type {
  BlockOutcome,
  PeerChain,
  ReceivedBlock,
  ReceivedTransaction,
} from '../../../src/net/peer_chain.ts'
import { PeerNetwork } from '../../../src/net/peer_network.ts'
import { Peer, type Link, type PeerSettings } from '../../../src/net/peer.ts'
import { receiveMessage } from '../../../src/net/receive/receive.ts'
import { WriteQueue, type QueuedMessage } from '../../../src/net/write_queue.ts'
import type { SendQueue } from '../../../src/net/remote_peer.ts'
import { recordedBlocks } from '../../engine/protocol/recorded_blocks.ts'
import { ManualClock } from '../../support/manual_clock.ts'

/** The options of a network that listens nowhere, with the reference's defaults. */
export const OPTIONS: NetworkOptions = {
  listeners: [],
  peers: [],
  producer_addresses: new Map(),
  gossip: new Map(),
  max_nodes_per_host: 1,
  max_clients: 25,
  accept_transactions: true,
  accept_votes: true,
  disable_block_nack: false,
  dedup_cache_expire_us: 10_000_000,
  keepalive_us: 10_000_000,
  connection_cleanup_us: 30_000_000,
  sync_fetch_span: 1000,
  sync_peer_limit: 3,
  agent_name: 'test',
  allowed: { any: true, producers: false, specified: false },
  peer_keys: new Set(),
  private_keys: [],
}

/** The id of the recorded chain. */
export const CHAIN_ID = fromHex('9371fb05f023fcc78b23923d70bdfe6642cdf1956d120045bcd1371e05c961a9')

/** The recorded chain up to some block; a block that follows is taken at once. */
export class FakeChain implements PeerChain {
  readonly chain_id: Uint8Array
  accepts_votes = false
  executes_irreversible = false
  /** The last irreversible block, the head, and the best block. */
  root: number
  head: number
  fork_head: number
  /** The last block that the best block makes irreversible; undefined: it is the root. */
  fork_head_root: number | undefined
  first = 1
  /** Blocks after the last irreversible one when a block was executed. */
  reversible = 0
  /** Of the blocks on its branch, and of those that follow. */
  readonly ids: Uint8Array[]
  /** Blocks are checked, and executed only when the test says so. */
  executes = true
  onApplied: (num: number) => void = () => {}
  readonly transactions: PackedTransaction[] = []
  readonly votes: Vote[] = []
  vote_result: VoteResult = 'success'
  own_producers: bigint[] = []
  /** Keys that producers registered for peers, and private keys of this node by their public keys. */
  readonly peer_keys = new Map<bigint, Uint8Array>()
  readonly secrets = new Map<string, PrivateKey>()
  protected readonly blocks: Uint8Array[]

  /** @param more blocks that follow the recorded chain */
  constructor(head: number, chain_id = CHAIN_ID, more: readonly Uint8Array[] = []) {
    this.chain_id = chain_id
    this.root = this.head = this.fork_head = head
    this.blocks = [...recordedBlocks().blocks, ...more]
    this.ids = this.blocks.map((packed) => blockId(unpackSignedBlock(new Reader(packed))))
  }

  position() {
    const at = (num: number) => this.ids[num - 1]!
    return {
      root_num: this.root,
      root_id: at(this.root),
      head_num: this.head,
      head_id: at(this.head),
      head_slot: usToSlot(this.timeOf(this.head)),
      fork_head_num: this.fork_head,
      fork_head_id: at(this.fork_head),
      fork_head_root_num: this.fork_head_root ?? this.root,
    }
  }

  earliestBlockNum() {
    return this.first
  }

  blockId(num: number) {
    return num <= this.fork_head ? this.ids[num - 1] : undefined
  }

  packedBlock(num: number) {
    return num >= this.first && num <= this.fork_head ? this.blocks[num - 1] : undefined
  }

  /** A block of the recorded chain, whether this one has it or not. */
  block(num: number): Uint8Array {
    return this.blocks[num - 1]!
  }

  timeOf(num: number): number {
    return slotToUs(unpackSignedBlock(new Reader(this.block(num))).timestamp)
  }

  producesFor(producer: bigint) {
    return this.own_producers.includes(producer)
  }

  hasProducerKey() {
    return false
  }

  peerKey(producer: bigint) {
    return this.peer_keys.get(producer)
  }

  signAs(public_key: Uint8Array, digest: Uint8Array) {
    const secret = this.secrets.get(toHex(public_key))
    return secret && signDigest(secret, digest)
  }

  takeBlock(received: ReceivedBlock, outcome: (o: BlockOutcome) => void) {
    const { header, id, block_num } = received
    try {
      received.open()
    } catch (error) {
      if (error instanceof ChainError) return outcome(error)
      throw error
    }
    const known = this.blockId(block_num)
    if (known !== undefined && bytesEqual(known, id)) return outcome('duplicate')
    const head = this.ids[this.fork_head - 1]!
    if (!bytesEqual(header.previous, head)) return outcome('unlinkable')
    this.fork_head = block_num
    outcome('appended')
    if (this.executes) this.execute(block_num)
  }

  /** Executes up to a block, which makes it irreversible, or one before it. */
  execute(num: number) {
    this.head = num
    this.root = Math.max(this.root, num - this.reversible)
    this.onApplied(num)
  }

  takeTransaction({ packed }: ReceivedTransaction, _session: number, done: () => void) {
    this.transactions.push(packed)
    done()
  }

  async takeVote(vote: Vote) {
    this.votes.push(vote)
    return this.vote_result
  }
}

/** Collects what a peer is sent. */
export class FakeLink implements Link {
  readonly sent: NetMessage[] = []
  is_closed = false
  reconnects = false
  peer!: Peer
  /** Messages stay unsent, as to a peer that does not read. */
  holds = false
  private readonly queue = new WriteQueue()
  /** Messages on their way, as on a socket. */
  private flight: QueuedMessage[] = []

  send(framed: Uint8Array, queue: SendQueue, last: boolean): void {
    this.queue.add({ framed, last }, queue)
    if (this.flight.length === 0) this.flight = this.queue.take()
  }

  clear(): void {
    this.queue.clear()
  }

  close(reconnect: boolean): void {
    if (this.is_closed) return
    this.is_closed = true
    this.reconnects = reconnect
    this.peer.closed()
  }

  /** Sends what waits, and what follows when it is sent. */
  flush(): void {
    for (;;) {
      const next = this.holds ? undefined : this.sendOne()
      if (next === undefined) return
      this.sent.push(next)
    }
  }

  /** Sends one message, as a slow connection does. */
  sendOne(): NetMessage | undefined {
    const next = this.is_closed ? undefined : this.flight.shift()
    if (next === undefined) return undefined
    if (this.flight.length === 0) {
      this.peer.network.state.tasks.run(() => {
        if (next.last) this.peer.close(false)
        else this.peer.written()
      })
      if (this.flight.length === 0) this.flight = this.queue.take()
    }
    return decodeMessage(next.framed.subarray(HEADER_SIZE))
  }

  /** What was sent since the last call. */
  take(): NetMessage[] {
    this.flush()
    return this.sent.splice(0)
  }

  kinds(): string[] {
    return this.take().map(({ kind }) => kind)
  }
}

/** A peer of a network, without a socket: one that connected, or with an address one that the node connected to. */
export function fakeLink(network: PeerNetwork, settings: Partial<PeerSettings> = {}): FakeLink {
  const link = new FakeLink()
  const all = { id: 1, address: '', listen_address: 'here:9876', rate_limit: 0, ...settings }
  link.peer = new Peer(network, all, link)
  network.state.peers.add(link.peer)
  network.state.tasks.run(() => link.peer.opened())
  return link
}

/** A network with peers that are driven by a test. */
export class FakeNetwork {
  readonly clock: ManualClock
  readonly chain: FakeChain
  readonly network: PeerNetwork
  readonly links: FakeLink[] = []
  readonly log: string[] = []

  constructor(chain: FakeChain, options: Partial<NetworkOptions> = {}) {
    this.chain = chain
    this.clock = new ManualClock(chain.timeOf(chain.head) + 60_000_000)
    this.network = new PeerNetwork(
      { ...OPTIONS, ...options },
      {
        chain,
        clock: this.clock,
        log: (_level, text) => void this.log.push(text),
        node_id: new Uint8Array(32).fill(0x55),
      },
    )
    announceBlocks(this.network, chain)
  }

  /** A peer that connected, or with an address one that this node connected to. */
  peer(settings: Partial<PeerSettings> = {}): FakeLink {
    const link = fakeLink(this.network, { id: this.links.length + 1, ...settings })
    this.links.push(link)
    return link
  }

  /** The peer sends a message. */
  receive(link: FakeLink, message: NetMessage | Uint8Array): void {
    const bytes = message instanceof Uint8Array ? message : encodeMessage(message)
    receiveMessage(link.peer, bytes)
    this.flush()
  }

  private flush(): void {
    for (const link of this.links) link.flush()
  }

  /** Time passes, with its alarms. */
  pass(us: number): void {
    const until = this.clock.now() + us
    while (this.clock.fire(until));
    this.clock.set(until)
    this.flush()
  }

  heartbeat(): void {
    this.network.state.tasks.run(() => {
      for (const { peer } of this.links) if (peer.is_open) peer.heartbeat()
    })
    this.flush()
  }

  /** See {@link fakeHandshake}. */
  handshake(given: HandshakeFields = {}): Handshake {
    return fakeHandshake(this.chain, this.clock.now(), given)
  }

  blockMessage(num: number): Uint8Array {
    return Uint8Array.from([7, ...this.chain.block(num)])
  }
}

/** The network is told of the blocks that its chain executes. */
export function announceBlocks(network: PeerNetwork, chain: FakeChain): void {
  chain.onApplied = (num) => {
    const packed = chain.block(num)
    const { previous, producer, timestamp } = unpackSignedBlock(new Reader(packed))
    const sent = { id: chain.ids[num - 1]!, previous, producer, packed }
    network.blockApplied(sent, num, network.state.now_us - slotToUs(timestamp))
  }
}

/** What a handshake says that is not usual. */
export type HandshakeFields = Partial<Handshake> & { root?: number; head?: number }

/** What a handshake says of a chain. */
type HandshakeChain = Pick<FakeChain, 'chain_id' | 'ids' | 'root' | 'fork_head'>

/** A handshake of a peer that has a chain, such as the recorded one, up to `head`. */
export function fakeHandshake(
  chain: HandshakeChain,
  now_us: number,
  given: HandshakeFields = {},
): Handshake {
  const { root = chain.root, head = chain.fork_head, ...fields } = given
  return {
    kind: 'handshake',
    network_version: 0x04b5 + 11,
    chain_id: chain.chain_id,
    node_id: new Uint8Array(32).fill(0x77),
    key: new Uint8Array(34),
    time: BigInt(now_us) * 1000n,
    token: new Uint8Array(32),
    sig: new Uint8Array(66),
    p2p_address: 'there:9876 - 7777777',
    fork_db_root_num: root,
    fork_db_root_id: chain.ids[root - 1]!,
    fork_db_head_num: head,
    fork_db_head_id: chain.ids[head - 1]!,
    os: 'linux',
    agent: 'test',
    generation: 1,
    ...fields,
  }
}

/** What a message says apart from the clock, the identity of the node and its name. */
export function essence(message: NetMessage): string {
  switch (message.kind) {
    case 'handshake': {
      const { network_version, chain_id, fork_db_root_num, fork_db_head_id, generation } = message
      const ids = [toHex(chain_id), fork_db_root_num, toHex(fork_db_head_id)]
      return ['handshake', network_version, ...ids, generation].join(' ')
    }
    case 'time':
      return 'time'
    default:
      return toHex(encodeMessage(message))
  }
}

/** False for messages that the clock or another connection caused. */
export function isAnswer(message: NetMessage): boolean {
  if (message.kind === 'time') return message.org !== 0n
  if (message.kind === 'handshake') return message.generation === 1
  return message.kind !== 'block_nack' || message.id.some((byte) => byte !== 0)
}

/** Numbers of the blocks among messages. */
export function blockNums(messages: readonly NetMessage[]): number[] {
  return messages.flatMap((message) =>
    message.kind === 'signed_block' ? blockNumFromId(blockId(message.block)) : [],
  )
}

/** A short text of a message, for comparisons. */
export function brief(message: NetMessage): string {
  switch (message.kind) {
    case 'signed_block':
      return `block ${blockNumFromId(blockId(message.block))}`
    case 'go_away':
      return `go_away ${message.reason}`
    case 'sync_request':
      return `sync_request ${message.start_block} ${message.end_block}`
    case 'block_nack':
      return `block_nack ${toHex(message.id).slice(0, 8)}`
    case 'notice':
      return `notice ${message.known_blocks.mode} ${message.known_blocks.pending}`
    case 'request':
      return `request ${message.req_blocks.mode}`
    default:
      return message.kind
  }
}
