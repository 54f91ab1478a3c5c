/**
 * Reads ISO 8601 text as leniently as the library behind the reference's clock does.
 * Rules: libraries/libfc/src/time.cpp over boost/date_time/{date,time}_parsing.hpp.
 */
import { check, fail } from '../errors.ts'

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

function bad(text: string): never {
  fail('std_exception', `unable to convert ISO-formatted string to fc::time_point_sec (${text})`)
}

function number(token: string | undefined, max: number, text: string): number {
  if (token === undefined || !/^\+?[0-9]{1,18}$/.test(token)) bad(text)
  const value = Number(token)
  if (value > max) bad(text)
  return value
}

function month(token: string | undefined, text: string): number {
  if (token !== undefined && !/^[0-9]/.test(token)) {
    const index = MONTHS.indexOf(token.toLowerCase().slice(0, 3))
    if (index < 0 || token.length < 3) bad(text)
    return index + 1
  }
  return number(token, 0xffff, text)
}

/** Seconds of a calendar day; impossible days are refused. */
function secondsOfDay(year: number, monthNumber: number, day: number, text: string): number {
  if (year < 1400 || year > 9999 || monthNumber < 1 || monthNumber > 12 || day < 1) bad(text)
  const ms = Date.UTC(year, monthNumber - 1, day)
  if (new Date(ms).getUTCMonth() !== monthNumber - 1) bad(text)
  return ms / 1000
}

/** `2026-01-01`, also with `,`, `.`, `/` or space between the parts. */
function delimitedDate(date: string, text: string): number {
  const tokens = date.split(/[,\-. /]/).filter((t) => t !== '')
  return secondsOfDay(
    number(tokens[0], 0xffff, text),
    month(tokens[1], text),
    number(tokens[2], 0xffff, text),
    text,
  )
}

/** `00:00:00.000`, whose parts may be missing from the right, and may exceed their usual range. */
function delimitedTime(time: string, text: string): number {
  if (time === '') bad(text)
  const tokens = time.split(/[-:,.]/).filter((t) => t !== '')
  const hours = tokens.length > 0 ? number(tokens[0], 0x7fffffff, text) : 0
  const minutes = tokens.length > 1 ? number(tokens[1], 0xffff, text) : 0
  const seconds = tokens.length > 2 ? number(tokens[2], 0xffff, text) : 0
  let fraction = 0
  if (tokens.length > 3) fraction = number(tokens[3]?.slice(0, 6).padEnd(6, '0'), 1e6, text) / 1e6
  const total = hours * 3600 + minutes * 60 + seconds + fraction
  return time.startsWith('-') ? -total : total
}

/** `20260101`. */
function undelimitedDate(date: string, text: string): number {
  if (!/^[0-9]{8}$/.test(date)) bad(text)
  return secondsOfDay(
    Number(date.slice(0, 4)),
    Number(date.slice(4, 6)),
    Number(date.slice(6, 8)),
    text,
  )
}

/** `000000` with an optional fraction. */
function undelimitedTime(time: string, text: string): number {
  const match = /^(-?)([0-9]{1,2})([0-9]{0,2})([0-9]{0,2})(\.[0-9]{0,6})?[0-9]*$/.exec(time)
  if (match === null) bad(text)
  const [, sign, hours, minutes, seconds, fraction] = match
  const total =
    Number(hours) * 3600 +
    Number(minutes) * 60 +
    Number(seconds) +
    (fraction === undefined || fraction === '.' ? 0 : Number(`0${fraction}`))
  return sign === '-' ? -total : total
}

/** Whole seconds since 1970 (may be negative). Errors: `std_exception`. */
export function parseIsoSeconds(text: string): number {
  check(text.length <= 64, 'std_exception', 'time text is too long')
  const at = text.indexOf('T')
  const date = at < 0 ? text : text.slice(0, at)
  const time = at < 0 ? '' : text.slice(at + 1)
  if (text.length >= 5 && text[4] === '-') {
    return Math.trunc(delimitedDate(date, text) + delimitedTime(time, text))
  }
  return Math.trunc(undelimitedDate(date, text) + undelimitedTime(time, text))
}
