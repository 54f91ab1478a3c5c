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
  /** The clocks differ by so many microseconds, more than a block interval. */
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
  /** The time in the last message of the peer. */
  private xmt = 0n

  /** The connection ended. */
  reset(): void {
    this.ping_us = Infinity
    this.org = 0n
  }

  /** A new ping; one in progress no longer counts. @param now_ns nanoseconds since 1970 */
  restart(now_ns: bigint): TimeMessage {
    this.org = now_ns
    return { kind: 'time', org: 0n, rec: 0n, xmt: now_ns, dst: 0n }
  }

  /** Takes a time message of the peer. */
  receive(message: TimeMessage, now_ns: bigint): TimeResult {
    const { org, rec, xmt } = message
    if (xmt === 0n) return NOTHING
    if (org !== 0n) {
      if (org !== this.org) return NOTHING
      this.ping_us = Number(now_ns - org) / NS_IN_US
    }
    const sent = nanoseconds(xmt)
    if (sent === this.xmt) return NOTHING
    this.xmt = sent
    if (org === 0n) {
      const answer: TimeMessage = { kind: 'time', org: xmt, rec: now_ns, xmt: now_ns, dst: 0n }
      return { answers: [answer], measured: false }
    }
    const offset_us = (Number(nanoseconds(rec) - this.org) + Number(sent - now_ns)) / 2 / NS_IN_US
    this.org = 0n
    return {
      answers: [],
      measured: true,
      ...(Math.abs(offset_us) > BLOCK_INTERVAL_US ? { offset_us } : {}),
    }
  }
}

/** Old programs send other units. */
function nanoseconds(time: bigint): bigint {
  for (const factor of [1n, 1000n, 1_000_000n, 1_000_000_000n]) {
    if (time >= (SECONDS * 1_000_000_000n) / factor) return time * factor
  }
  return 0n
}
