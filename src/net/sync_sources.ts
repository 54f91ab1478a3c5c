/**
 * The peers that may be asked for blocks, and which of them is asked next.
 * spring: plugins/net_plugin/net_plugin.cpp (sync_manager::find_next_sync_node)
 */
import { SECOND_US } from '../engine/protocol/constants.ts'
import type { NetworkState } from './network_state.ts'
import type { RemotePeer } from './remote_peer.ts'

/** A host that did not give what it has, or gave wrong blocks, is not believed for this time while others are there. */
const DISTRUST_US = 300 * SECOND_US
/** Most hosts that are remembered. */
const MAX_HOSTS = 1000

/** Decides which peers are believed and asked. A new connection of a host does not make it forgotten. */
export class SyncSources {
  private readonly state: NetworkState
  /** Hosts that failed, and when. */
  private readonly failed = new Map<string, number>()
  private ordinal = 0

  constructor(state: NetworkState) {
    this.state = state
  }

  /** A peer did not give what it says that it has. */
  fail({ host }: RemotePeer): void {
    this.failed.delete(host)
    this.failed.set(host, this.state.now_us)
    if (this.failed.size <= MAX_HOSTS) return
    const [oldest] = this.failed.keys()
    this.failed.delete(oldest!)
  }

  /** A peer gave all that it was asked for. */
  succeed({ host }: RemotePeer): void {
    this.failed.delete(host)
  }

  /** What a peer says counts: it did not fail, or no other is there. */
  believes(peer: RemotePeer): boolean {
    if (!this.hasFailed(peer)) return true
    for (const other of this.state.blockPeers()) {
      if (other.current && !this.hasFailed(other)) return false
    }
    return true
  }

  /** The highest last irreversible block of the peers that are believed. */
  highestRoot(except?: RemotePeer): number {
    let highest = 0
    for (const peer of this.state.blockPeers()) {
      if (peer === except || !peer.current || !this.believes(peer)) continue
      highest = Math.max(highest, peer.root_num)
    }
    return highest
  }

  /**
   * The peer that is asked for the blocks from this one on. Those that this node connects to come before those that
   * connected, and those that failed come last; of the first of these groups the nearest peers take turns.
   * @param preferred it is asked if it is in that group
   * @param except it is not asked
   */
  next(
    start: number,
    known_root: number,
    { preferred, except }: { preferred?: RemotePeer; except?: RemotePeer } = {},
  ): RemotePeer | undefined {
    const { sync_fetch_span, sync_peer_limit } = this.state.options
    const needed = Math.min(start + sync_fetch_span, known_root)
    const able = [...this.state.blockPeers()].filter(
      (peer) =>
        peer !== except &&
        peer.current &&
        peer.no_retry === 'no_reason' &&
        peer.start_block_num <= start &&
        peer.fork_head_num >= needed,
    )
    const best = Math.min(...able.map((peer) => this.group(peer)))
    const group = able.filter((peer) => this.group(peer) === best)
    if (preferred !== undefined && group.includes(preferred)) return preferred
    const nearest = group
      .toSorted((a, b) => (a.ping_us === b.ping_us ? 0 : a.ping_us - b.ping_us))
      .slice(0, sync_peer_limit)
    const [source] = nearest.toSorted((a, b) => a.sync_ordinal - b.sync_ordinal)
    return source
  }

  /** A peer is asked: those that were not asked for longer come first. */
  noteAsked(peer: RemotePeer): void {
    peer.sync_ordinal = ++this.ordinal
  }

  private group(peer: RemotePeer): number {
    if (this.hasFailed(peer)) return 2
    return peer.is_incoming ? 1 : 0
  }

  private hasFailed({ host }: RemotePeer): boolean {
    const failed_us = this.failed.get(host)
    return failed_us !== undefined && this.state.now_us - failed_us < DISTRUST_US
  }
}
