/**
 * Times. A time point is microseconds since 1970, a time_point_sec is seconds, a block timestamp is
 * a slot: half seconds since 2000. Text is ISO 8601 in UTC without a zone.
 * spring: libraries/libfc/src/time.cpp, libraries/chain/include/eosio/chain/block_timestamp.hpp
 */
import { check, fail } from '../errors.ts'
import { BLOCK_INTERVAL_US, BLOCK_TIMESTAMP_EPOCH_MS } from './constants.ts'
import { parseInt64 } from './integer.ts'
import { parseIsoSeconds } from './iso_time.ts'

/** Microseconds since 1970-01-01 UTC. */
export type TimePointUs = number

const EPOCH_US = BLOCK_TIMESTAMP_EPOCH_MS * 1000

/** The time at which a slot starts. */
export function slotToUs(slot: number): TimePointUs {
  return slot * BLOCK_INTERVAL_US + EPOCH_US
}

/** The slot of a time, rounded down to milliseconds and then to slots, kept to 32 bits. */
export function usToSlot(us: TimePointUs): number {
  const ms = Math.trunc(us / 1000) - BLOCK_TIMESTAMP_EPOCH_MS
  // Times before 2000 wrap in the reference's unsigned arithmetic.
  if (ms < 0) return Number(BigInt.asUintN(32, BigInt.asUintN(64, BigInt(ms)) / 500n))
  return Math.floor((ms * 1000) / BLOCK_INTERVAL_US) >>> 0
}

let lastSlot = -1
let lastSlotText = ''

/** `2026-01-01T00:00:00.500`. */
export function slotToString(slot: number): string {
  if (slot !== lastSlot) {
    lastSlotText = timePointToString(slotToUs(slot))
    lastSlot = slot
  }
  return lastSlotText
}

const MAX_TEXT_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

function isoText(ms: number): string {
  if (ms > MAX_TEXT_MS) fail('std_exception', 'Year is out of valid range: 1400..9999')
  return new Date(ms).toISOString()
}

/** `2026-01-01T00:00:00.123`; microseconds are cut. Negative times print as durations. */
export function timePointToString(us: TimePointUs | bigint): string {
  if (us < 0) return durationToString(BigInt(us))
  const ms = typeof us === 'bigint' ? Number(us / 1000n) : Math.floor(us / 1000)
  return isoText(ms).slice(0, 23)
}

function durationToString(us: bigint): string {
  const total = -us
  const two = (n: bigint): string => n.toString().padStart(2, '0')
  const seconds = total / 1000000n
  const fraction = total % 1000000n
  const clock = two(seconds / 3600n) + two((seconds / 60n) % 60n) + two(seconds % 60n)
  return `-${clock}${fraction === 0n ? '' : `.${fraction.toString().padStart(6, '0')}`}`
}

/** `2026-01-01T00:00:00`. */
export function timePointSecToString(seconds: number): string {
  return isoText(seconds * 1000).slice(0, 19)
}

/** Seconds since 1970, kept to 32 bits. A fraction is dropped. Errors: `std_exception`. */
export function parseTimePointSec(text: string): number {
  return Number(BigInt.asUintN(32, BigInt(parseIsoSeconds(text))))
}

/**
 * Microseconds since 1970. What follows the point counts as milliseconds, padded to three digits,
 * so four digits are ten times as much: so the reference reads them.
 * Errors: `std_exception`, `parse_error_exception`.
 */
export function parseTimePoint(text: string): TimePointUs {
  const seconds = parseTimePointSec(text)
  const dot = text.indexOf('.')
  if (dot < 0) return seconds * 1e6
  const ms = parseInt64(`1${text.slice(dot + 1)}`.padEnd(4, '0')) - 1000n
  const us = BigInt(seconds) * 1000000n + ms * 1000n
  check(us <= Number.MAX_SAFE_INTEGER, 'overflow_exception', `Time is out of range: ${text}`)
  return Number(us)
}

/** The slot of a time in text. */
export function parseBlockTimestamp(text: string): number {
  return usToSlot(parseTimePoint(text))
}
