/**
 * The messages of errors: a format text with named arguments, as the reference logs them. Answers
 * show the formatted text; traces show format and arguments separately.
 * spring: libraries/libfc/src/{log/log_message,variant}.cpp
 */

/** One log line of an error: the first is the cause, later ones say what was being done. */
export interface ErrorDetail {
  message: string
  file: string
  line_number: number
  method: string
}

/** A value in an error's data, as it will stand in JSON; bigint for 64-bit integers. */
export type LogValue = Scalar | readonly LogValue[] | { readonly [key: string]: LogValue }
type Scalar = string | number | bigint | boolean

/** Named arguments of a message, in the order that they were given in. */
export type LogData = Readonly<Record<string, LogValue>>

/** A message before its arguments are put in. */
export interface ErrorLog {
  format: string
  data: LogData
}

// Separate from the details, because answers show the details themselves.
const logs = new WeakMap<ErrorDetail, ErrorLog>()

/** A line of story made of a format text and its arguments. */
export function logDetail(format: string, data: LogData): ErrorDetail {
  const detail = plainDetail(formatLog(format, data))
  logs.set(detail, { format, data })
  return detail
}

/** A line of story that is one text. */
export function plainDetail(message: string): ErrorDetail {
  return { message, file: '', line_number: 0, method: '' }
}

/** Format and arguments of a line of story. */
export function logOf(detail: ErrorDetail): ErrorLog {
  return logs.get(detail) ?? { format: detail.message, data: {} }
}

/** Puts the arguments into their `${name}` places; unknown places stay. */
export function formatLog(format: string, data: LogData): string {
  return format.replace(PLACE, (place, key: string) => {
    const value = data[key]
    if (value === undefined) return place
    return typeof value === 'object' ? toJson(value) : String(value)
  })
}

/** Characters that a message shows as `\u00NN`: controls, but not the tab and the ends of lines. */
const CONTROLS = /[^\P{Cc}\t\n\r]/gu

/**
 * A message as answers show it. Its length is the caller's to limit: it grows up to six times.
 * spring: libraries/libfc/src/variant.cpp clean_append
 */
export function printableMessage(message: string): string {
  return message.replace(
    CONTROLS,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const PLACE = /\$\{([^}]*)\}/g
/** About how long a limited message may be, in characters. */
const MAX_LIMITED = 1024

/**
 * The message of a line of story as short as answers have it unless errors are verbose: the room
 * that the format leaves of 1024 characters is shared by the arguments; texts that need more are
 * cut, lists and objects that need more stay out.
 */
export function limitedMessage(detail: ErrorDetail): string {
  const { format: whole, data } = logOf(detail)
  const format = whole.length > MAX_LIMITED ? `${whole.slice(0, MAX_LIMITED)}...` : whole
  const count = Math.max(1, Object.keys(data).length)
  const room = Math.floor((Math.max(MAX_LIMITED, format.length) - format.length) / count)
  let result = ''
  let end = 0
  for (const { 0: place, 1: key, index } of format.matchAll(PLACE)) {
    result += printableMessage(format.slice(end, index))
    if (result.length > MAX_LIMITED) return `${result}...`
    result += limitedValue(data[key!], place, room, result.length)
    end = index + place.length
  }
  return result + printableMessage(format.slice(end))
}

function limitedValue(
  value: LogValue | undefined,
  place: string,
  room: number,
  length: number,
): string {
  if (value === undefined) return place
  if (typeof value === 'object') {
    const json = toJson(value)
    return length >= MAX_LIMITED || json.length > room ? place : json
  }
  if (typeof value !== 'string' || value.length <= room) return printableMessage(String(value))
  return `${printableMessage(value.slice(0, Math.min(room, MAX_LIMITED - length)))}...`
}

function toJson(value: LogValue): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== 'bigint' && typeof part !== 'number') return part
    // Beyond 32 bits the reference's JSON has strings.
    return part <= 0xffffffff && part >= -0xffffffff ? Number(part) : String(part)
  })
}
