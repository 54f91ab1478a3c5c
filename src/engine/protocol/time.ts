/**
 * Times. A time point is microseconds since 1970, a time_point_sec is seconds, a block timestamp is
 * a slot: half seconds since 2000. Text is ISO 8601 in UTC without a zone.
 * spring: libraries/libfc/src/time.cpp, libraries/chain/include/eosio/chain/block_timestamp.hpp
 */
import { check } from '../errors.ts'
import { BLOCK_INTERVAL_US, BLOCK_TIMESTAMP_EPOCH_MS } from './constants.ts'
import {
  MAX_DATE_MS,
  farTimePointToString,
  fractionToString,
  twoDigits as two,
} from './far_time.ts'
import { INT64_MIN, parseInt64 } from './integer.ts'
import { parseIsoSeconds } from './iso_time.ts'

/** Microseconds since 1970-01-01 UTC. */
export type TimePointUs = number

const EPOCH_US = BLOCK_TIMESTAMP_EPOCH_MS * 1000

/** The time at which a slot starts. */
export function slotToUs(slot: number): TimePointUs {
  return slot * BLOCK_INTERVAL_US + EPOCH_US
}

/** The slot of a time, rounded down to milliseconds and then to slots, truncated to 32 bits. */
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

/** `2026-01-01T00:00:00.123`; microseconds are cut. Negative times print as durations. */
export function timePointToString(us: TimePointUs | bigint): string {
  if (us < 0) return durationToString(BigInt(us))
  const ms = typeof us === 'bigint' ? Number(us / 1000n) : Math.floor(us / 1000)
  if (ms > MAX_DATE_MS) return farTimePointToString(BigInt(us))
  const day = Math.floor(ms / DAY_MS)
  const second = Math.floor((ms - day * DAY_MS) / 1000)
  return `${dayText(day)}${clockText(second)}.${String(ms % 1000).padStart(3, '0')}`
}

const DAY_MS = 86_400_000

/** Times of answers are of few days. */
const KNOWN_DAYS = 64
const day_texts = new Map<number, string>()

/** `2026-01-01T`. @param day days since 1970, at most in 9999 */
function dayText(day: number): string {
  let text = day_texts.get(day)
  if (text === undefined) {
    text = new Date(day * DAY_MS).toISOString().slice(0, 11)
    if (day_texts.size >= KNOWN_DAYS) day_texts.clear()
    day_texts.set(day, text)
  }
  return text
}

/** `00` to `59`. */
const SIXTY = Array.from({ length: 60 }, (_, i) => String(i).padStart(2, '0'))

/** `23:59:59`, of a second of a day. */
function clockText(second: number): string {
  const minute = Math.floor(second / 60)
  return `${SIXTY[Math.floor(minute / 60)]}:${SIXTY[minute % 60]}:${SIXTY[second % 60]}`
}

function durationToString(us: bigint): string {
  if (us === INT64_MIN) return '-infinity'
  const total = -us
  const seconds = total / 1000000n
  const clock = `${two(seconds / 3600n)}${two((seconds / 60n) % 60n)}${two(seconds % 60n)}`
  return `-${clock}${fractionToString(total % 1000000n)}`
}

/** `2026-01-01T00:00:00`. */
export function timePointSecToString(seconds: number): string {
  const day = Math.floor(seconds / 86_400)
  return dayText(day) + clockText(seconds - day * 86_400)
}

/**
 * Seconds since 1970, truncated to 32 bits. A fraction is dropped.
 * @throws ChainError std_exception
 */
export function parseTimePointSec(text: string): number {
  return Number(BigInt.asUintN(32, parseIsoSeconds(text)))
}

/**
 * Microseconds since 1970. What follows the point counts as milliseconds, padded to three digits,
 * so four digits are ten times as much: so the reference reads them. Too large ones wrap.
 * @throws ChainError `std_exception`, `parse_error_exception`
 */
export function parseWideTimePoint(text: string): bigint {
  const us = BigInt(parseTimePointSec(text)) * 1000000n
  const dot = text.indexOf('.')
  if (dot < 0) return us
  const ms = parseInt64(`1${text.slice(dot + 1)}`.padEnd(4, '0')) - 1000n
  return BigInt.asIntN(64, us + ms * 1000n)
}

/**
 * The microseconds of a time in text.
 * @throws ChainError std_exception, parse_error_exception, or overflow_exception beyond 2^53
 */
export function parseTimePoint(text: string): TimePointUs {
  const us = parseWideTimePoint(text)
  const is_safe = -MAX_SAFE <= us && us <= MAX_SAFE
  check(is_safe, 'overflow_exception', `Time is out of range: ${text}`)
  return Number(us)
}

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER)

/**
 * The slot of a time in text.
 * @throws ChainError std_exception, parse_error_exception
 */
export function parseBlockTimestamp(text: string): number {
  const ms = parseWideTimePoint(text) / 1000n - BigInt(BLOCK_TIMESTAMP_EPOCH_MS)
  // Times before 2000 wrap, as in usToSlot.
  return Number(BigInt.asUintN(32, BigInt.asUintN(64, ms) / BigInt(BLOCK_INTERVAL_US / 1000)))
}
