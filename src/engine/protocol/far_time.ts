/**
 * Times after the year 9999, as the library behind the reference's clock prints them: its years have
 * 16 bits and must be 1400 to 9999, and its time is microseconds of a Julian day number in 64 bits.
 * Rules: boost/date_time/{time_system_counted.hpp, gregorian_calendar.ipp, greg_year.hpp}.
 */
import { fail } from '../errors.ts'

/** The last millisecond that is printed as it is. */
export const MAX_DATE_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

const DAY_US = 86400n * 1000000n
/** The Julian day number of 1970-01-01. */
const EPOCH_DAY = 2440588n

/** A number as text with at least two digits. */
export const twoDigits = (n: bigint): string => n.toString().padStart(2, '0')

/** `.000001`; nothing where there is no fraction of a second. */
export const fractionToString = (us: bigint): string =>
  us === 0n ? '' : `.${us.toString().padStart(6, '0')}`

/**
 * Text of a time after the year 9999 (microseconds since 1970, 63 bits).
 * @throws ChainError of the standard library for a year that cannot be printed
 */
export function farTimePointToString(us: bigint): string {
  const seconds = us / 1000000n
  const ms = (us % 1000000n) / 1000n
  const ticks = BigInt.asIntN(64, EPOCH_DAY * DAY_US + seconds * 1000000n)
  const clock = clockToString(ticks % DAY_US)
  return `${dateToString(Number(BigInt.asUintN(32, ticks / DAY_US)))}T${clock}.${ms.toString().padStart(3, '0')}`
}

/** Of a day number, all in 32 bits. */
function dateToString(day_number: number): string {
  const times = (a: number, b: number): number => Math.imul(a, b) >>> 0
  const over = (a: number, b: number): number => Math.floor(a / b)
  const a = (day_number + 32044) >>> 0
  const b = over((times(4, a) + 3) >>> 0, 146097)
  const c = (a - over(times(146097, b), 4)) >>> 0
  const d = over((times(4, c) + 3) >>> 0, 1461)
  const e = (c - over(times(1461, d), 4)) >>> 0
  const m = over((times(5, e) + 2) >>> 0, 153)
  const day = (e - over(times(153, m) + 2, 5) + 1) & 0xffff
  const month = (m + 3 - 12 * over(m, 10)) & 0xffff
  const year = (times(100, b) + d - 4800 + over(m, 10)) & 0xffff
  if (year < 1400 || year > 9999) {
    fail('N5boost10wrapexceptINS_9gregorian8bad_yearEEE', 'Year is out of valid range: 1400..9999')
  }
  // If the remaining year has no 29th of February, it becomes the 1st of March.
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)
}

/** Of microseconds of a day, which are negative where the time has wrapped. */
function clockToString(us: bigint): string {
  const total = us < 0n ? -us : us
  const seconds = total / 1000000n
  const clock = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n].map(twoDigits).join(':')
  return `${us < 0n ? '-' : ''}${clock}${fractionToString(total % 1000000n)}`
}
