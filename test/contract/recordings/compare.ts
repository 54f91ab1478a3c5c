/** An answer of ours beside the recorded one of the reference. */
import type { Exchange } from '../support.ts'
import { tryJson } from '../support.ts'

/** What came back for a request: status and raw text. */
export interface Answered {
  status: number
  text: string
}

/** Two answers that differ, each as one line. */
export interface Difference {
  reference: string
  ours: string
}

/** Fields that tell the build, the clock, or a place in a source, by operation. */
const TRACE = ['elapsed', 'cpu_usage_us', 'billing_timer', 'context']
const HIDDEN: { [operation: string]: readonly string[] } = {
  get_info: ['server_version', 'server_version_string', 'server_full_version_string'],
  compute_transaction: TRACE,
  send_read_only_transaction: TRACE,
}

export const operationOf = (path: string): string => path.split('/').pop() ?? ''

/**
 * Compares status, then the error's identity and text, or the JSON value for value in order.
 * `added`: fields that the answer of ours has and the recorded one has not.
 */
export function difference(
  exchange: Exchange,
  ours: Answered,
  added: readonly string[] = [],
): Difference | undefined {
  const { path, status, response } = exchange
  const reference = describeAnswer(path, { status, text: response ?? '' }, [])
  const own = describeAnswer(path, ours, added)
  return reference === own ? undefined : { reference, ours: own }
}

function describeAnswer(
  path: string,
  { status, text }: Answered,
  added: readonly string[],
): string {
  const value = tryJson(text)
  const error = errorOf(value)
  if (status >= 300 && error !== undefined) return `${status} ${error}`
  for (const field of added) delete (value as { [field: string]: unknown })[field]
  const operation = operationOf(path)
  const hidden = HIDDEN[operation] ?? []
  const shown = JSON.stringify(value, (key, part: unknown) => {
    if (hidden.includes(key)) return '(hidden)'
    return key === 'error' && operation === 'push_transactions' ? firstLines(part) : part
  })
  return `${status} ${shown ?? text}`
}

/** `code`, `message`, `error.code`, `error.name`, `error.what` and the first detail's message. */
function errorOf(value: unknown): string | undefined {
  const { code, message, error } = (value ?? {}) as {
    code?: number
    message?: string
    error?: { code: number; name: string; what: string; details?: { message: string }[] }
  }
  if (error === undefined) return undefined
  return JSON.stringify([
    code,
    message,
    error.code,
    error.name,
    error.what,
    error.details?.[0]?.message,
  ])
}

/** Of an error as one text: its identity and its first detail; places in a source follow. */
function firstLines(text: unknown): string {
  return String(text).split('\n').slice(0, 2).join('\n')
}
