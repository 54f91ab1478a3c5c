import { ChainError, formatLog } from '../errors.ts'
import type { ErrorName, LogData } from '../errors.ts'

/**
 * Refuses with the reference's format text; its arguments are kept apart in the detail, for traces
 * show them so.
 */
export function refuse(name: ErrorName, format: string, data: LogData = {}): never {
  throw refusal(name, format, data)
}

/** The error of {@link refuse}, without throwing it. */
export function refusal(name: ErrorName, format: string, data: LogData = {}): ChainError {
  return new ChainError(name, formatLog(format, data)).withLog(format, data)
}

/** What the reference says when a pointer leaves memory, and when an integer division traps. */
export function accessRefusal(detail = 'wasm memory out-of-bounds'): ChainError {
  return refusal('wasm_execution_error', 'access violation: ${d}', { d: detail })
}

/**
 * Throws the error of an access outside of memory.
 * @throws ChainError wasm_execution_error
 */
export function accessViolation(detail?: string): never {
  throw accessRefusal(detail)
}

/** Any other trap. */
export function systemRefusal(detail: string): ChainError {
  return refusal('wasm_execution_error', 'eos-vm system failure: ${d}', { d: detail })
}

/**
 * Throws the error of any other trap.
 * @throws ChainError wasm_execution_error
 */
export function systemFailure(detail: string): never {
  throw systemRefusal(detail)
}
