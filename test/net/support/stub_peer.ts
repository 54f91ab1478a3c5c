/** A peer and a chain as the parts of the network see them: a test sets what they are, and reads what they are told. */
import type { NetMessage } from '../../../src/engine/protocol/net/message.ts'
import { decodeMessage } from '../../../src/engine/protocol/net/codec.ts'
import { HEADER_SIZE } from '../../../src/engine/protocol/net/framing.ts'
import { BlockStatusMonitor } from '../../../src/net/block_status_monitor.ts'
import type { NetworkOptions } from '../../../src/net/network_options.ts'
import { NetworkState } from '../../../src/net/network_state.ts'
import type { PeerChain } from '../../../src/net/peer_chain.ts'
import type { RemotePeer, SendQueue } from '../../../src/net/remote_peer.ts'
import { ManualClock } from '../../support/manual_clock.ts'
import { OPTIONS } from './fake_peers.ts'

/** An id of a block with this number. @param branch another one for each branch */
export function blockIdOf(num: number, branch = 0): Uint8Array {
  const id = new Uint8Array(32).fill(branch)
  new DataView(id.buffer).setUint32(0, num)
  return id
}

/** A chain of ids, whose blocks are their numbers. */
export class StubChain {
  readonly chain_id = new Uint8Array(32).fill(0xc1)
  root = 100
  head = 120
  fork_head = 120
  /** The last block that the best one makes irreversible. */
  fork_head_root = 100
  first = 1
  executes_irreversible = false
  own_producers: bigint[] = []

  position() {
    return {
      root_num: this.root,
      root_id: blockIdOf(this.root),
      head_num: this.head,
      head_id: blockIdOf(this.head),
      head_slot: this.head,
      fork_head_num: this.fork_head,
      fork_head_id: blockIdOf(this.fork_head),
      fork_head_root_num: this.fork_head_root,
    }
  }

  earliestBlockNum(): number {
    return this.first
  }

  blockId(num: number): Uint8Array | undefined {
    return num >= this.first && num <= this.fork_head ? blockIdOf(num) : undefined
  }

  packedBlock(num: number): Uint8Array | undefined {
    return this.blockId(num) && Uint8Array.of(num)
  }

  producesFor(producer: bigint): boolean {
    return this.own_producers.includes(producer)
  }
}

/** A peer that is connected, with blocks up to a number. What is done with it is noted. */
export class StubPeer implements RemotePeer {
  readonly id: number
  readonly session: number
  has_blocks = true
  has_transactions = true
  is_open = true
  is_client = false
  is_incoming = false
  host: string
  producer = 'none' as const
  connected = true
  current = true
  protocol_version = 11
  ping_us = Infinity
  last_handshake = undefined
  sent_handshakes = 1
  readonly rejections = new BlockStatusMonitor()
  no_retry: RemotePeer['no_retry'] = 'no_reason'
  root_num = 0
  fork_head_num = 0
  start_block_num = 0
  syncing_from_us = false
  catch_up_head: RemotePeer['catch_up_head']
  sync_ordinal = 0
  sync_last_requested = 0
  notice_request: Uint8Array | undefined
  last_block_received_us = 0
  last_new_block_us = 0
  last_block_us = 0
  consecutive_nacks = 0
  /** What was done, in short. */
  private done: string[] = []
  private messages: NetMessage[] = []
  /** Lines of the log. */
  readonly lines: string[] = []

  constructor(id: number) {
    this.id = id
    this.session = 1000 + id
    this.host = `host${id}`
  }

  /** What was done since the last call. */
  take(): string[] {
    return this.done.splice(0)
  }

  /** The messages since the last call. */
  takeMessages(): NetMessage[] {
    this.done = []
    return this.messages.splice(0)
  }

  send(message: NetMessage): void {
    this.messages.push(message)
    this.done.push(`send ${message.kind}`)
  }

  sendFramed(framed: Uint8Array, queue: SendQueue): void {
    const body = framed.subarray(HEADER_SIZE)
    if (body[0] !== 7) this.messages.push(decodeMessage(body))
    this.done.push(`${queue} ${body[0] === 7 ? `block ${body[1]}` : decodeMessage(body).kind}`)
  }

  sendHandshake(): void {
    this.done.push('handshake')
  }

  sendBlockNack(id: Uint8Array): void {
    this.done.push(`nack ${new DataView(id.buffer).getUint32(0)}`)
  }

  requestBlocks(start: number, end: number): void {
    this.sync_last_requested = end
    this.done.push(`request ${start} ${end}`)
  }

  cancelSync(): void {
    this.sync_last_requested = 0
    this.done.push('cancel')
  }

  cancelSyncWait(): void {
    this.done.push('no wait')
  }

  awaitBlock(): void {
    this.done.push('wait')
  }

  close(reconnect: boolean): void {
    this.done.push(reconnect ? 'reconnect' : 'close')
  }

  log(level: string, text: string): void {
    this.lines.push(`${level} ${text}`)
  }
}

/** What peers share, with a chain of ids. */
export class StubNetwork {
  readonly chain = new StubChain()
  readonly clock = new ManualClock(1_795_000_000_000_000, 0)
  readonly lines: string[] = []
  readonly state: NetworkState

  constructor(options: Partial<NetworkOptions> = {}) {
    this.state = new NetworkState(
      { ...OPTIONS, ...options },
      {
        chain: this.chain as Partial<PeerChain> as PeerChain,
        clock: this.clock,
        log: (level, text) => void this.lines.push(`${level} ${text}`),
        node_id: new Uint8Array(32).fill(0x55),
      },
    )
  }

  /** A peer with the same blocks, all of them irreversible, up to a number. */
  peer(head = 0): StubPeer {
    const peer = new StubPeer(this.state.peers.size + 1)
    peer.root_num = peer.fork_head_num = head
    this.state.peers.add(peer)
    return peer
  }

  pass(us: number): void {
    this.clock.set(this.clock.now() + us)
  }
}
