import { ChainError } from '../errors.ts'
import type { ErrorName } from '../errors.ts'

type LogData = Readonly<Record<string, string | number | bigint>>

/**
 * Refuses with the reference's format text; its arguments are kept apart in the detail, for traces
 * show them so.
 */
export function refuse(name: ErrorName, format: string, data: LogData = {}): never {
  throw refusal(name, format, data)
}

export function refusal(name: ErrorName, format: string, data: LogData = {}): ChainError {
  const text = format.replace(/\$\{([^}]*)\}/g, (place, key: string) => String(data[key] ?? place))
  const error = new ChainError(name, text)
  Object.assign(error.details[0]!, { format, data })
  return error
}

/** What the reference says when a pointer leaves memory, and when an integer division traps. */
export function accessRefusal(detail = 'wasm memory out-of-bounds'): ChainError {
  return refusal('wasm_execution_error', 'access violation: ${d}', { d: detail })
}

export function accessViolation(detail?: string): never {
  throw accessRefusal(detail)
}

/** Any other trap. */
export function systemRefusal(detail: string): ChainError {
  return refusal('wasm_execution_error', 'eos-vm system failure: ${d}', { d: detail })
}

export function systemFailure(detail: string): never {
  throw systemRefusal(detail)
}
