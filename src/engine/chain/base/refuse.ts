import { ChainError, formatLog } from '../../errors.ts'
import type { ErrorName, LogData } from '../../errors.ts'

export type { LogData, LogValue } from '../../errors.ts'

/**
 * Throws an error whose message is the reference's format text with named arguments, which the JSON
 * of a failed transaction shows separately: `refuse('x', 'account ${a} is unknown', { a: 'alice'
 * })`.
 * @throws ChainError always
 */
export function refuse(name: ErrorName, format: string, data: LogData = {}): never {
  throw new ChainError(name, formatLog(format, data)).withLog(format, data)
}

/**
 * Refuses unless `condition`. `data` is built only then.
 * @throws ChainError name, with the arguments of `format`
 */
export function ensure(
  condition: unknown,
  name: ErrorName,
  format: string,
  data?: () => LogData,
): asserts condition {
  if (!condition) refuse(name, format, data?.())
}

/**
 * Runs `f`. A ChainError that it throws gets one more log line (spring: FC_CAPTURE_AND_RETHROW,
 * whose format is empty).
 */
export function withContext<T>(data: () => LogData, f: () => T, format = ''): T {
  try {
    return f()
  } catch (error) {
    if (error instanceof ChainError) error.appendLog(format, data())
    throw error
  }
}

/** Adds a log line with its format and arguments to an error. */
export function addDetail(error: ChainError, format: string, data: LogData): ChainError {
  return error.appendLog(format, data)
}
