import { ChainError } from '../errors.ts'
import type { ErrorDetail, ErrorName } from '../errors.ts'

/** A value in an error's data, as it will stand in JSON; bigint for 64-bit integers. */
export type LogValue =
  string | number | bigint | boolean | readonly LogValue[] | { readonly [key: string]: LogValue }

/** Named arguments of a message, in the order that they were given in. */
export type LogData = Readonly<Record<string, LogValue>>

/** A line of an error's story that still has its format text and arguments apart. */
export interface FormattedDetail extends ErrorDetail {
  format: string
  data: LogData
}

/**
 * Refuses with a message made of the reference's format text and named arguments, which the JSON of
 * a failed transaction shows apart: `refuse('x', 'account ${a} is unknown', { a: 'alice' })`.
 */
export function refuse(name: ErrorName, format: string, data: LogData = {}): never {
  const error = new ChainError(name, formatLog(format, data))
  Object.assign(error.details[0]!, { format, data })
  throw error
}

/** Refuses unless `condition`; `data` is built only then. */
export function ensure(
  condition: unknown,
  name: ErrorName,
  format: string,
  data?: () => LogData,
): asserts condition {
  if (!condition) refuse(name, format, data?.())
}

/**
 * Runs `f`; a ChainError that leaves it gets one more line of story (spring: FC_CAPTURE_AND_RETHROW,
 * whose format is empty).
 */
export function withContext<T>(data: () => LogData, f: () => T, format = ''): T {
  try {
    return f()
  } catch (error) {
    if (error instanceof ChainError) addDetail(error, format, data())
    throw error
  }
}

/** Adds a line of story with its format and arguments. */
export function addDetail(error: ChainError, format: string, data: LogData): ChainError {
  error.append(formatLog(format, data))
  Object.assign(error.details.at(-1)!, { format, data })
  return error
}

/** Puts the arguments into `${name}` places, as the reference does (spring: fc::format_string). */
export function formatLog(format: string, data: LogData): string {
  return format.replace(/\$\{([^}]*)\}/g, (place, key: string) => {
    const value = data[key]
    return value === undefined ? place : typeof value === 'object' ? toJson(value) : String(value)
  })
}

function toJson(value: LogValue): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'bigint') return isSmall(part) ? Number(part) : part.toString()
    return typeof part === 'number' && !isSmall(BigInt(part)) ? String(part) : part
  })
}

// Beyond 32 bits the reference's JSON has strings.
function isSmall(value: bigint): boolean {
  return value <= 0xffffffffn && value >= -0xffffffffn
}
