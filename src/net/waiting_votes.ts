/**
 * Votes that came before their blocks.
 * spring: libraries/chain/include/eosio/chain/vote_processor.hpp
 */
import { toHex } from '../engine/protocol/hex.ts'

/** A vote that waits longer is dropped. spring: too_old */
const MAX_AGE_US = 5_000_000
/** A peer whose votes find no block so often is of no use. spring: max_votes_per_connection */
const MAX_VOTES = 2500

/** A vote whose block is not known yet. */
export interface WaitingVote {
  /** Of the connection that it came from. */
  session: number
  block_id: Uint8Array
  received_us: number
  /** Takes it once more. */
  retry: () => Promise<void>
}

/** Keeps votes until their blocks are known, for some seconds and for a bounded number. */
export class WaitingVotes {
  /** In the order in which they came. */
  private readonly all = new Set<WaitingVote>()
  private readonly by_block = new Map<string, Set<WaitingVote>>()
  /** Votes of each peer that found no block since none waited; those that were dropped count. */
  private readonly counts = new Map<number, number>()

  /** Number of votes that wait for their blocks. */
  get size(): number {
    return this.all.size
  }

  /** Number of connections whose votes are counted. */
  get counted_sessions(): number {
    return this.counts.size
  }

  /** Keeps a vote. Returns false if the peer has sent too many: then all of its votes are dropped. */
  add(waiting: WaitingVote): boolean {
    const { session, block_id, received_us } = waiting
    if (this.all.size === 0) this.counts.clear()
    const count = (this.counts.get(session) ?? 0) + 1
    this.counts.set(session, count)
    if (count > MAX_VOTES) {
      this.drop(session)
      return false
    }
    this.dropOld(received_us)
    this.all.add(waiting)
    const key = toHex(block_id)
    const same_block = this.by_block.get(key) ?? new Set()
    this.by_block.set(key, same_block.add(waiting))
    return true
  }

  /** Removes and returns the votes on a block, in the order in which they came. */
  take(block_id: Uint8Array, now_us: number): WaitingVote[] {
    this.dropOld(now_us)
    const taken = [...(this.by_block.get(toHex(block_id)) ?? [])]
    for (const waiting of taken) {
      this.remove(waiting)
      const count = this.counts.get(waiting.session) ?? 0
      if (count > 0) this.counts.set(waiting.session, count - 1)
    }
    return taken
  }

  /** Drops the votes of a connection, which has ended. */
  drop(session: number): void {
    this.counts.delete(session)
    for (const waiting of this.all) if (waiting.session === session) this.remove(waiting)
  }

  private dropOld(now_us: number): void {
    for (const waiting of this.all) {
      if (now_us - waiting.received_us < MAX_AGE_US) return
      this.remove(waiting)
    }
  }

  private remove(waiting: WaitingVote): void {
    this.all.delete(waiting)
    const key = toHex(waiting.block_id)
    const same_block = this.by_block.get(key)
    same_block?.delete(waiting)
    if (same_block?.size === 0) this.by_block.delete(key)
  }
}
