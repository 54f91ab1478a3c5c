/**
 * Reads ISO 8601 text as leniently as the library behind the reference's clock does.
 * Rules: libraries/libfc/src/time.cpp over boost/date_time/{date,time}_parsing.hpp.
 */
import { INT64_MAX } from './integer.ts'
import { check, fail } from '../errors.ts'

const MONTHS = new Map(
  `january february march april may june july august september october november december`
    .split(' ')
    .flatMap((name, i) => [
      [name, i + 1],
      [name.slice(0, 3), i + 1],
    ]),
)

/** Microseconds. */
const SECOND = 1000000n
const DAY = 86400n * SECOND
const FRACTION_DIGITS = 6

function bad(text: string): never {
  fail('std_exception', `unable to convert ISO-formatted string to fc::time_point_sec (${text})`)
}

/** An integer within bounds, with a sign where the bounds have negative numbers. */
function integer(token: string | undefined, min: number, max: number, text: string): number {
  const pattern = min < 0 ? /^[+-]?[0-9]{1,18}$/ : /^\+?[0-9]{1,18}$/
  if (token === undefined || !pattern.test(token)) bad(text)
  const value = Number(token)
  if (value < min || value > max) bad(text)
  return value
}

const unsigned16 = (token: string | undefined, text: string): number =>
  integer(token, 0, 0xffff, text)

function month(token: string | undefined, text: string): number {
  const named = token !== undefined && !/^[0-9]/.test(token)
  return named ? (MONTHS.get(token.toLowerCase()) ?? bad(text)) : unsigned16(token, text)
}

/** Microseconds since 1970 of a calendar day; impossible days are refused. */
function startOfDay(year: number, month_number: number, day: number, text: string): bigint {
  if (year < 1400 || year > 9999 || month_number < 1 || month_number > 12 || day < 1) bad(text)
  const ms = Date.UTC(year, month_number - 1, day)
  if (new Date(ms).getUTCMonth() !== month_number - 1) bad(text)
  return BigInt(ms) * 1000n
}

/** `2026-01-01`, also with `,`, `.`, `/` or space between the parts. */
function delimitedDate(date: string, text: string): bigint {
  const tokens = date.split(/[,\-. /]/).filter((t) => t !== '')
  return startOfDay(
    unsigned16(tokens[0], text),
    month(tokens[1], text),
    unsigned16(tokens[2], text),
    text,
  )
}

/** Microseconds of a duration. Any negative part makes all of it negative. */
function duration(hours: number, minutes: number, seconds: number, fraction: bigint): bigint {
  const parts = [hours, minutes, seconds].map((part) => BigInt(Math.abs(part)))
  const [h = 0n, m = 0n, s = 0n] = parts
  const total = (h * 3600n + m * 60n + s) * SECOND + (fraction < 0n ? -fraction : fraction)
  const negative = hours < 0 || minutes < 0 || seconds < 0 || fraction < 0n
  return negative ? -total : total
}

/** The first six digits after a point, as microseconds. */
function fractionFromText(digits: string, text: string): bigint {
  const kept = digits.slice(0, FRACTION_DIGITS)
  const value = integer(kept, -SAFE, SAFE, text)
  return BigInt(value) * 10n ** BigInt(FRACTION_DIGITS - kept.length)
}

const SAFE = Number.MAX_SAFE_INTEGER

/** `00:00:00.000`, whose parts may be missing from the right, and may exceed their usual range. */
function delimitedTime(time: string, text: string): bigint {
  if (time === '') bad(text)
  const tokens = time.split(/[-:,.]/).filter((t) => t !== '')
  const [hours, minutes, seconds, fraction] = tokens
  const total = duration(
    hours === undefined ? 0 : integer(hours, -0x80000000, 0x7fffffff, text),
    minutes === undefined ? 0 : unsigned16(minutes, text),
    seconds === undefined ? 0 : unsigned16(seconds, text),
    fraction === undefined ? 0n : fractionFromText(fraction, text),
  )
  return time.startsWith('-') ? -total : total
}

/** `20260101`; the rest of the text is ignored. */
function undelimitedDate(date: string, text: string): bigint {
  const part = (from: number, to: number): number =>
    date.length < to ? 0 : unsigned16(date.slice(from, to), text)
  return startOfDay(part(0, 4), part(4, 6), part(6, 8), text)
}

/** `000000` with an optional fraction, which may be truncated; the rest of the text is ignored. */
function undelimitedTime(time: string, text: string): bigint {
  if (time === '') bad(text)
  const negative = time.startsWith('-')
  const digits = negative ? time.slice(1) : time
  const part = (from: number, max: number): number => {
    const token = digits.slice(from, from + 2)
    return token === '' ? 0 : integer(token, -max - 1, max, text)
  }
  // Any one character in place of the point.
  const fraction = digits.slice(7, 7 + FRACTION_DIGITS)
  const total = duration(
    part(0, 0x7fffffff),
    part(2, 0x7fff),
    part(4, 0x7fff),
    fraction === '' ? 0n : fractionFromText(fraction, text),
  )
  return negative ? -total : total
}

/**
 * The texts that the library prints for special times, and also reads at the start of a text.
 * Microseconds since 1970.
 */
const SPECIAL: readonly [word: string, us: bigint][] = [
  ['not-a-date-time', INT64_MAX - 1n],
  ['-infinity', -INT64_MAX - 1n],
  ['+infinity', INT64_MAX],
  ['minimum-date-time', BigInt(Date.UTC(1400, 0, 1)) * 1000n],
  ['maximum-date-time', BigInt(Date.UTC(9999, 11, 31)) * 1000n + DAY - 1n],
]

function specialTime(text: string): bigint | undefined {
  if (!/^[+\-nm]/.test(text)) return undefined
  const lower = text.toLowerCase()
  return SPECIAL.find(([word]) => lower.startsWith(word))?.[1]
}

/**
 * Whole seconds since 1970 (may be negative).
 * @throws ChainError std_exception
 */
export function parseIsoSeconds(text: string): bigint {
  check(text.length <= 64, 'std_exception', 'time text is too long')
  const at = text.indexOf('T')
  const date = at < 0 ? text : text.slice(0, at)
  const time = at < 0 ? '' : text.slice(at + 1)
  const us =
    text.length >= 5 && text[4] === '-'
      ? delimitedDate(date, text) + delimitedTime(time, text)
      : (specialTime(text) ?? undelimitedDate(date, text) + undelimitedTime(time, text))
  return us / SECOND
}
