import { ChainError, formatLog } from '../errors.ts'
import type { ErrorName, LogData } from '../errors.ts'

/**
 * Throws an error with the reference's format text. Its arguments are stored separately, as traces
 * show them.
 * @throws ChainError
 */
export function refuse(name: ErrorName, format: string, data: LogData = {}): never {
  throw refusal(name, format, data)
}

/** The error of {@link refuse}, without throwing it. */
export function refusal(name: ErrorName, format: string, data: LogData = {}): ChainError {
  return new ChainError(name, formatLog(format, data)).withLog(format, data)
}

/** The reference's error for a pointer outside of memory, and for a trap of integer division. */
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
