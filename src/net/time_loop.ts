/**
 * The round trip to a peer and the difference of the clocks.
 * spring: plugins/net_plugin/net_plugin.cpp (send_time, handle_message time_message); RFC 5905
 */
import { BLOCK_INTERVAL_US } from '../engine/protocol/constants.ts'
import type { TimeMessage } from '../engine/protocol/net/message.ts'

/** 2023-06-08 in seconds: smaller numbers are not times. */
const SECONDS = 1_686_211_688n
const NS_IN_US = 1000

/** What a time message leads to. */
export interface TimeResult {
  /** Messages to send, in order. */
  answers: TimeMessage[]
  /** A ping was answered. */
  measured: boolean
  /** The peer's clock is ahead of this one by so many microseconds at least, or behind if it is negative: more
   *  than a block interval. */
  offset_us?: number
}

/** Nothing to do. */
const NOTHING: TimeResult = { answers: [], measured: false }

/** Pings a peer, one ping at a time. */
export class TimeLoop {
  /** Round trip; Infinity until it was measured. */
  ping_us = Infinity
  /** The time in the ping that is not answered yet; 0: none. */
  private org = 0n
  /** That ping, or its answer, waits behind blocks. */
  private is_among_blocks = false
  /** The time in the last message of the peer. */
  private xmt = 0n

  /** The connection ended. */
  reset(): void {
    this.ping_us = Infinity
    this.org = 0n
  }

  /**
   * A new ping; one in progress no longer counts.
   * @param now_ns nanoseconds since 1970
   * @param is_among_blocks many blocks are on their way to the peer or from it: the round trip can only be shorter
   */
  restart(now_ns: bigint, is_among_blocks: boolean): TimeMessage {
    this.org = now_ns
    this.is_among_blocks = is_among_blocks
    return { kind: 'time', org: 0n, rec: 0n, xmt: now_ns, dst: 0n }
  }

  /** Takes a time message of the peer. */
  receive(message: TimeMessage, now_ns: bigint): TimeResult {
    const { org, rec, xmt } = message
    if (xmt === 0n) return NOTHING
    if (org !== 0n) {
      if (org !== this.org) return NOTHING
      const taken_us = Number(now_ns - org) / NS_IN_US
      this.ping_us = this.is_among_blocks ? Math.min(this.ping_us, taken_us) : taken_us
    }
    const sent = nanoseconds(xmt)
    if (sent === this.xmt) return NOTHING
    this.xmt = sent
    if (org === 0n) {
      const answer: TimeMessage = { kind: 'time', org: xmt, rec: now_ns, xmt: now_ns, dst: 0n }
      return { answers: [answer], measured: false }
    }
    const offset_us = leastOffset(org, nanoseconds(rec), sent, now_ns)
    this.org = 0n
    return {
      answers: [],
      measured: true,
      ...(Math.abs(offset_us) > BLOCK_INTERVAL_US ? { offset_us } : {}),
    }
  }
}

/**
 * How far the peer's clock is at least ahead of this one (negative: behind it), in microseconds; 0 if both may be the
 * same. The reference takes the middle between the bounds, and so reports a difference when one way took a second
 * longer than the other: messages wait behind blocks.
 */
function leastOffset(org: bigint, rec: bigint, xmt: bigint, dst: bigint): number {
  // The ping arrived after it was sent, and so did the answer.
  const most = Number(rec - org)
  const least = Number(xmt - dst)
  if (least > 0) return least / NS_IN_US
  return Math.min(most, 0) / NS_IN_US
}

/** Old programs send other units. */
function nanoseconds(time: bigint): bigint {
  for (const factor of [1n, 1000n, 1_000_000n, 1_000_000_000n]) {
    if (time >= (SECONDS * 1_000_000_000n) / factor) return time * factor
  }
  return 0n
}
