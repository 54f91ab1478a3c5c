/**
 * Gets blocks from peers until this node has what they have: irreversible ones in spans from
 * several peers, then those up to a peer's best block, then each as it is made.
 * spring: plugins/net_plugin/net_plugin.cpp (sync_manager)
 */
import { blockNumFromId } from '../engine/protocol/block.ts'
import { bytesEqual, toHex } from '../engine/protocol/hex.ts'
import { PROTOCOL, noIds, type Handshake, type Notice } from '../engine/protocol/net/message.ts'
import { BLOCK_INTERVAL_US } from '../engine/protocol/constants.ts'
import type { Dispatcher } from './dispatcher.ts'
import { RESPONSE_US } from './network_options.ts'
import type { NetworkState } from './network_state.ts'
import type { CatchUpHead, RemotePeer } from './remote_peer.ts'
import { SyncProgress } from './sync_progress.ts'
import { SyncSources } from './sync_sources.ts'

/** `lib_catchup`: irreversible blocks are missing; `head_catchup`: blocks after them are. */
export type SyncStage = 'in_sync' | 'lib_catchup' | 'head_catchup'

const STAGE_NAMES = {
  in_sync: 'in sync',
  lib_catchup: 'lib catchup',
  head_catchup: 'head catchup',
} as const

/** New blocks of this age come while this node catches up, and else only after a pause of all producers. */
const OLD_US = 5_000_000

/** Decides which peer is asked for which blocks. */
export class SyncManager {
  private readonly state: NetworkState
  private readonly dispatcher: Dispatcher
  private readonly progress: SyncProgress
  private readonly sources: SyncSources
  private stage_: SyncStage = 'in_sync'
  /** Highest last irreversible block of the connected peers. */
  private known_root = 0
  /** Last block of the last span that was asked for; 0 if it must be asked for anew. */
  private last_requested = 0
  private next_expected = 1
  /** The peer whose blocks are awaited, the first block that it was asked for, and when it was. */
  private source: RemotePeer | undefined
  private span_start = 0
  private asked_us = 0
  /** The peers that were asked since the last restart. */
  private readonly givers = new Set<RemotePeer>()
  private active_us = -Infinity
  /** The blocks up to the peers' are here; handshakes are sent when they are executed. */
  private handshakes_when_synced = false
  /** The last new block that came since the synchronization began was an old one. */
  private has_old_blocks = false
  /** Peers that are less than this behind get blocks by another way; blocks. */
  private readonly min_distance: number

  constructor(state: NetworkState, dispatcher: Dispatcher) {
    this.state = state
    this.dispatcher = dispatcher
    this.progress = new SyncProgress(state.log)
    this.sources = new SyncSources(state)
    this.min_distance = Math.floor(Math.floor(state.options.keepalive_us / BLOCK_INTERVAL_US) / 2)
  }

  /** Whether blocks are fetched, and which. */
  get stage(): SyncStage {
    return this.stage_
  }

  /** A peer says that irreversible blocks are missing here. */
  get syncing(): boolean {
    return this.stage_ === 'lib_catchup'
  }

  /** Irreversible blocks are missing, and old ones come: this node's head is not that of the network. A
   *  peer that only says so does not stop production and relay. */
  get catching_up(): boolean {
    return this.syncing && this.has_old_blocks
  }

  /** A new block of a peer joined the chain. Recent ones come while nothing is missing, too.
   *  @param age_us time since the time of the block */
  noteNewBlock(age_us: number): void {
    this.has_old_blocks = age_us >= OLD_US
  }

  /** A handshake of a peer that is welcome. @param latency_blocks blocks in a round trip */
  handshake(peer: RemotePeer, message: Handshake, latency_blocks: number): void {
    if (!peer.has_blocks) return
    const { root_num, fork_head_num, fork_head_id } = this.state.position()
    this.noteRoot(peer)
    const { fork_db_head_num: head_num, fork_db_head_id: head_id } = message
    if (bytesEqual(fork_head_id, head_id)) {
      peer.syncing_from_us = false
    } else if (fork_head_num < message.fork_db_root_num) {
      peer.syncing_from_us = false
      if (peer.sent_handshakes > 0) peer.sendHandshake()
    } else if (root_num > head_num + latency_blocks + this.min_distance) {
      if (!this.understandsNotices(peer, message)) return
      peer.send({
        kind: 'notice',
        known_trx: { mode: 'last_irr_catch_up', pending: root_num, ids: [] },
        known_blocks: {
          mode: 'last_irr_catch_up',
          pending: fork_head_num,
          ids: this.announcedIds(peer, fork_head_id),
        },
      })
      peer.syncing_from_us = true
    } else if (fork_head_num + latency_blocks < head_num) {
      peer.syncing_from_us = false
      this.verifyCatchUp(peer, head_num, head_id)
    } else if (fork_head_num >= head_num + latency_blocks) {
      this.announceHead(peer, message, fork_head_num, fork_head_id)
    } else {
      peer.syncing_from_us = false
    }
  }

  /** This node is ahead: says so, and asks for the peer's blocks if they are of another branch. */
  private announceHead(
    peer: RemotePeer,
    message: Handshake,
    fork_head_num: number,
    fork_head_id: Uint8Array,
  ): void {
    if (this.understandsNotices(peer, message)) {
      peer.send({
        kind: 'notice',
        known_trx: noIds(),
        known_blocks: {
          mode: 'catch_up',
          pending: fork_head_num,
          ids: this.announcedIds(peer, fork_head_id),
        },
      })
    }
    peer.syncing_from_us = false
    const mine = this.state.chain.blockId(blockNumFromId(message.fork_db_head_id))
    if (mine !== undefined && bytesEqual(mine, message.fork_db_head_id)) return
    peer.send({
      kind: 'request',
      req_trx: noIds(),
      req_blocks: { mode: 'catch_up', pending: 0, ids: [] },
    })
  }

  private understandsNotices(peer: RemotePeer, { generation }: Handshake): boolean {
    return generation > 1 || peer.protocol_version > PROTOCOL.base
  }

  /** The best block, and as an id without its hash the number of the first block of this node. */
  private announcedIds(peer: RemotePeer, head_id: Uint8Array): Uint8Array[] {
    if (peer.protocol_version < PROTOCOL.block_range) return [head_id]
    const first = new Uint8Array(32)
    new DataView(first.buffer).setUint32(0, this.state.chain.earliestBlockNum())
    return [head_id, first]
  }

  /** A notice of the modes catch_up or last_irr_catch_up. */
  notice(peer: RemotePeer, { known_trx, known_blocks }: Notice): void {
    if (known_blocks.mode === 'last_irr_catch_up') {
      peer.root_num = known_trx.pending
      if (!this.sources.believes(peer)) return
      this.noteRoot(peer)
      return this.startSync(peer)
    }
    const [id] = known_blocks.ids
    if (id === undefined) return peer.log('warn', 'sent a catch-up notice without a block')
    if (this.dispatcher.hasBlock(id)) peer.sendHandshake()
    else this.verifyCatchUp(peer, known_blocks.pending, id)
  }

  /** A connection ended: what it had no longer counts, and another peer takes its place. */
  peerClosed(peer: RemotePeer): void {
    this.known_root = this.sources.highestRoot(peer)
    this.givers.delete(peer)
    if (peer === this.source) this.continueElsewhere()
  }

  /** A peer did not answer in time. */
  timedOut(peer: RemotePeer): void {
    if (peer === this.source) {
      peer.log('info', `sends no blocks in time; the next expected is ${this.next_expected}`)
      this.sources.fail(peer)
      this.known_root = this.sources.highestRoot()
      peer.cancelSync()
      this.continueElsewhere()
    }
    peer.close(true)
  }

  /** What is missing of the span is asked for anew. */
  private continueElsewhere(): void {
    this.restartFrom(Math.max(this.next_expected, this.state.position().root_num + 1))
    this.requestNext()
  }

  /** A block of a peer was refused. @param at_once the block is invalid rather than unlinkable */
  rejected(peer: RemotePeer, block_num: number, at_once: boolean): void {
    peer.rejections.rejected(this.state.now_us)
    const is_of_span = block_num < this.next_expected && this.givers.has(peer)
    if (at_once || peer.rejections.exceeded) {
      peer.log('warn', `block ${block_num} is not accepted, the connection is closed`)
      if (is_of_span) this.sources.fail(peer)
      peer.close(!at_once)
    } else {
      peer.sendHandshake()
    }
    if (!is_of_span) return
    this.source?.cancelSync()
    this.restartFrom(this.state.position().root_num + 1)
    this.requestNext()
  }

  /** A block came from a peer. @param age_us time since the time of the block */
  received(peer: RemotePeer, id: Uint8Array, block_num: number, age_us: number): void {
    peer.last_block_us = this.state.now_us
    // A peer that gets blocks from this node has no recent ones to send.
    if (age_us < BLOCK_INTERVAL_US) peer.syncing_from_us = false
    if (this.stage_ === 'head_catchup') return this.endHeadCatchUp(id, block_num)
    if (this.stage_ !== 'lib_catchup') return
    if (block_num >= this.known_root) this.handshakes_when_synced = true
    // Any peer may send blocks at any time: those that this one was asked for count, in their order.
    if (peer === this.source && block_num === this.next_expected) this.receivedNext(peer)
  }

  /** The next block of the span came. */
  private receivedNext(peer: RemotePeer): void {
    const block_num = this.next_expected
    this.next_expected += 1
    this.active_us = this.state.now_us
    if (block_num < this.last_requested) {
      if (!this.isTooSlow(peer, block_num)) peer.awaitBlock()
      return
    }
    this.sources.succeed(peer)
    this.source = undefined
    peer.cancelSyncWait()
    if (this.mayRequestAhead(block_num)) this.requestNext()
  }

  /**
   * The peer gives blocks more slowly than they are made, none of them waits here, and another peer has them. Then
   * its time to answer does not begin again.
   */
  private isTooSlow(peer: RemotePeer, block_num: number): boolean {
    const elapsed_us = this.state.now_us - this.asked_us
    const came = this.next_expected - this.span_start
    if (elapsed_us < RESPONSE_US || came * BLOCK_INTERVAL_US >= elapsed_us) return false
    if (this.state.position().fork_head_num < block_num - 1) return false
    return this.sources.next(this.next_expected, this.known_root, { except: peer }) !== undefined
  }

  /**
   * A block was executed. If blocks are executed only when they are irreversible, it joined the fork
   * database or was executed.
   * @param age_us time since the time of the block
   */
  applied(id: Uint8Array, block_num: number, age_us: number): void {
    this.active_us = this.state.now_us
    if (this.stage_ === 'head_catchup') {
      this.endHeadCatchUp(id, block_num)
    } else if (this.stage_ === 'lib_catchup') {
      this.progress.applied(block_num, this.known_root, this.state.now_us)
      if (block_num >= this.known_root) {
        this.setStage('head_catchup')
        this.state.sendHandshakes()
      } else if (this.mayRequestAhead(this.lastKnown(block_num))) {
        this.requestNext()
      }
    }
    if (age_us < BLOCK_INTERVAL_US && this.handshakes_when_synced) {
      this.state.sendHandshakes()
      this.handshakes_when_synced = false
    }
  }

  private noteRoot(peer: RemotePeer): void {
    if (!this.sources.believes(peer)) return
    this.known_root = Math.max(this.known_root, peer.root_num)
  }

  /** The peer says that it has irreversible blocks. */
  private startSync(peer: RemotePeer): void {
    const { root_num } = this.state.position()
    const required =
      this.last_requested < this.known_root || this.next_expected < this.last_requested
    if (!required || peer.root_num <= root_num) return peer.sendHandshake()
    const active = this.state.now_us - this.active_us < RESPONSE_US
    if (!this.syncing && !this.sources.next(root_num + 1, this.known_root)) return
    if (this.stage_ !== 'lib_catchup' || !active) {
      if (!this.syncing) this.has_old_blocks = false
      this.setStage('lib_catchup')
      this.progress.begin(root_num, this.state.now_us)
      this.source?.cancelSync()
      this.restartFrom(root_num + 1)
      this.requestNext(peer)
    } else if (this.last_requested > 0 && this.mayRequestAhead(this.next_expected - 1)) {
      this.requestNext()
    }
  }

  /** Blocks are asked for anew, beginning with this one. */
  private restartFrom(block_num: number): void {
    this.last_requested = 0
    this.next_expected = block_num
    this.source = undefined
    this.givers.clear()
  }

  /** The block up to which all came: an executed one says nothing if it was executed when irreversible. */
  private lastKnown(applied_num: number): number {
    return this.state.chain.executes_irreversible ? this.next_expected - 1 : applied_num
  }

  /**
   * Not more than one span of blocks waits to be executed. Blocks that are not irreversible yet do not
   * count if blocks are executed only then: without later ones they could never be executed.
   */
  private mayRequestAhead(block_num: number): boolean {
    if (block_num < this.last_requested || this.last_requested >= this.known_root) return false
    const { chain, options } = this.state
    const { head_num, fork_head_num, fork_head_root_num } = this.state.position()
    if (block_num - head_num < options.sync_fetch_span) return true
    if (!chain.executes_irreversible) return false
    const executable = Math.max(0, fork_head_root_num - head_num)
    return executable + Math.max(0, block_num - fork_head_num) < options.sync_fetch_span
  }

  /** Asks a peer for the next span: this one if it can, else the one whose turn it is. */
  private requestNext(preferred?: RemotePeer): void {
    const { sync_fetch_span } = this.state.options
    const start = this.next_expected
    const source = this.sources.next(start, this.known_root, preferred && { preferred })
    const end = Math.min(start + sync_fetch_span - 1, this.known_root)
    if (source === undefined || end < start) {
      const what = source === undefined ? 'no peer has the next blocks' : 'no blocks to ask for'
      this.state.log('warn', `the synchronization stops: ${what}`)
      return this.stopSync()
    }
    this.last_requested = end
    this.source = source
    this.span_start = start
    if (source !== preferred) this.sources.noteAsked(source)
    this.givers.add(source)
    this.active_us = this.asked_us = this.state.now_us
    this.state.tasks.post(() => {
      source.log('debug', `asked for blocks ${start} to ${end}`)
      source.requestBlocks(start, end)
    })
  }

  private stopSync(): void {
    this.known_root = this.state.position().root_num
    this.restartFrom(this.known_root + 1)
    this.setStage('in_sync')
    this.state.sendHandshakes()
  }

  /** Asks a peer for its blocks after this node's best one, unless another peer is asked for them. */
  private verifyCatchUp(peer: RemotePeer, num: number, id: Uint8Array): void {
    const before = this.catchUpHead(peer)
    if (!this.sources.believes(peer)) return
    for (const other of this.state.blockPeers()) {
      const head = this.catchUpHead(other)
      if (head === undefined || (head.num <= num && !bytesEqual(head.id, id))) continue
      peer.catch_up_head = undefined
      peer.send({ kind: 'request', req_trx: noIds(), req_blocks: noIds() })
      return
    }
    const { root_num, fork_head_id } = this.state.position()
    if (this.stage_ === 'lib_catchup' || num < root_num) return peer.sendHandshake()
    peer.log('debug', `has block ${num} ${toHex(id)}, which is asked for`)
    this.setStage('head_catchup')
    peer.catch_up_head = { num, id, since_us: before?.since_us ?? this.state.now_us }
    peer.send({
      kind: 'request',
      req_trx: noIds(),
      req_blocks: { mode: 'catch_up', pending: 0, ids: [fork_head_id] },
    })
  }

  /** The block that a peer announced; one that sends no blocks does not keep others from it. */
  private catchUpHead(peer: RemotePeer): CatchUpHead | undefined {
    const head = peer.catch_up_head
    if (head === undefined) return undefined
    const active_us = Math.max(head.since_us, peer.last_new_block_us)
    if (this.state.now_us - active_us > RESPONSE_US) {
      peer.catch_up_head = undefined
      this.sources.fail(peer)
    }
    return peer.catch_up_head
  }

  private endHeadCatchUp(id: Uint8Array, block_num: number): void {
    this.source = undefined
    let waits = false
    for (const peer of this.state.blockPeers()) {
      const head = peer.catch_up_head
      if (head === undefined) continue
      if (head.num >= block_num && !bytesEqual(head.id, id)) waits = true
      else peer.catch_up_head = undefined
    }
    if (waits) return
    this.setStage('in_sync')
    this.handshakes_when_synced = true
  }

  private setStage(stage: SyncStage): void {
    if (stage === this.stage_) return
    this.state.log(
      'info',
      `synchronization: ${STAGE_NAMES[this.stage_]} becomes ${STAGE_NAMES[stage]}`,
    )
    this.stage_ = stage
  }
}
