/** An answer of ours beside the recorded one of the reference. */
import type { Exchange } from '../support.ts'
import { tryJson } from '../support.ts'

/** What came back for a request: status and raw text. */
export interface Answered {
  status: number
  text: string
}

/** How two answers differ: nothing, or one line for each side. */
export type Difference = { reference: string; ours: string } | undefined

/** Fields that tell the build or the clock, by operation; `*` is every operation. */
const CLOCK: { [operation: string]: ReadonlySet<string> } = {
  get_info: new Set(['server_version', 'server_version_string', 'server_full_version_string']),
  compute_transaction: new Set(['elapsed', 'cpu_usage_us', 'timestamp']),
  send_read_only_transaction: new Set(['elapsed', 'cpu_usage_us', 'timestamp']),
}

/** Compares status, then the error's identity and text, or the JSON value for value in order. */
export function difference(exchange: Exchange, ours: Answered): Difference {
  const reference = describeAnswer(exchange.path, exchange.status, exchange.response ?? '')
  const own = describeAnswer(exchange.path, ours.status, ours.text)
  return reference === own ? undefined : { reference, ours: own }
}

function describeAnswer(path: string, status: number, text: string): string {
  const value = tryJson(text)
  const error = errorOf(value)
  if (status >= 300 && error !== undefined) return `${status} ${error}`
  const hidden = CLOCK[path.split('/').pop() ?? '']
  const shown = JSON.stringify(value, (key, v: unknown) => (hidden?.has(key) ? '(clock)' : v))
  return `${status} ${shown ?? text}`
}

/** `code`, `error.code`, `error.name`, `error.what` and the first detail's message. */
function errorOf(value: unknown): string | undefined {
  const { code, message, error } = (value ?? {}) as {
    code?: number
    message?: string
    error?: { code: number; name: string; what: string; details?: { message: string }[] }
  }
  if (error === undefined) return undefined
  const detail = error.details?.[0]?.message
  return JSON.stringify([code, message, error.code, error.name, error.what, detail])
}
