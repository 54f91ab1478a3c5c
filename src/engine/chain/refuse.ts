import { ChainError, formatLog } from '../errors.ts'
import type { ErrorName, LogData } from '../errors.ts'

/**
 * Refuses with a message made of the reference's format text and named arguments, which the JSON of
 * a failed transaction shows apart: `refuse('x', 'account ${a} is unknown', { a: 'alice' })`.
 */
export function refuse(name: ErrorName, format: string, data: LogData = {}): never {
  throw new ChainError(name, formatLog(format, data), { format, data })
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
