import type { Json, JsonObject } from '../abi/json.ts'
import { logOf } from '../errors.ts'
import type { ErrorDetail } from '../errors.ts'
import type { LogData, LogValue } from '../chain/base/refuse.ts'
import { integerToJson } from '../abi/number_text.ts'
import type { ChainError } from '../errors.ts'
import { timePointToString } from '../protocol/time.ts'

/** An exception in a trace. */
export interface ExceptJson {
  code: number
  name: string
  message: string
  stack: { context: LogContextJson; format: string; data: JsonObject }[]
}

interface LogContextJson {
  level: string
  file: string
  line: number
  method: string
  hostname: string
  thread_name: string
  timestamp: string
}

/**
 * An exception as traces show it. Its context has no source location, because clients could not
 * look at the source. `at_us`: when it was thrown, microseconds.
 */
export function exceptJson(error: ChainError, at_us: number): ExceptJson {
  const std = stdTypeOf(error)
  return {
    code: error.code,
    name: std ?? error.errorName,
    message: std === undefined ? error.what : error.message,
    stack: logsOf(error).map(({ format, data, detail }, i) => ({
      context: {
        level: i === 0 && std === undefined ? 'error' : 'warn',
        file: detail.file,
        line: detail.line_number,
        method: detail.method,
        hostname: '',
        thread_name: 'nodeos',
        timestamp: timePointToString(at_us),
      },
      format,
      data,
    })),
  }
}

/** An exception as one text, as push_transactions answers it (spring: exception::to_detail_string). */
export function exceptDetailString(error: ChainError): string {
  const std = stdTypeOf(error)
  let text = `${error.code} ${std ?? error.errorName}: ${std === undefined ? error.what : error.message}\n`
  for (const { message, data, detail } of logsOf(error)) {
    text += `${message}\n    ${JSON.stringify(data)}\n`
    text += `    nodeos  ${detail.file}:${detail.line_number} ${detail.method}\n`
  }
  return text
}

interface Log {
  format: string
  message: string
  data: JsonObject
  detail: ErrorDetail
}

/**
 * Errors of the C++ library have no log of their own: their message precedes the first one that is
 * added.
 */
function logsOf(error: ChainError): Log[] {
  const std = stdTypeOf(error) !== undefined
  const details = std ? error.details.slice(1) : error.details
  return details.map((detail, i) => {
    const { format, data } = logOf(detail)
    const log: Log = {
      format,
      message: detail.message,
      data: logDataJson(data),
      detail,
    }
    if (std && i === 0) {
      log.format = `\${what}: ${log.format}`
      log.message = `${error.message}: ${log.message}`
      log.data.what = error.message
    }
    return log
  })
}

/** The name that the reference gives to failures of the C++ library: the mangled type. */
function stdTypeOf(error: ChainError): string | undefined {
  if (error.errorName !== 'std_exception') return undefined
  return error.std_type ?? 'N5boost10wrapexceptISt11logic_errorEE'
}

function logDataJson(data: LogData): JsonObject {
  return logValueJson(data) as JsonObject
}

function logValueJson(value: LogValue): Json {
  if (typeof value === 'bigint' || typeof value === 'number') return integerToJson(value)
  if (typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(logValueJson)
  const json: JsonObject = {}
  for (const [key, part] of Object.entries(value)) json[key] = logValueJson(part as LogValue)
  return json
}
