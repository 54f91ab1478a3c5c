import type { ChainError } from '../../errors.ts'
import { AssertCodeError } from '../../vm/assert_code_error.ts'

/** Error code of chain failures without a code of their own (spring: system_error_code). */
const GENERIC_SYSTEM_ERROR = 10_000_000_000_000_000_000n

/** The code that a contract gave to its assertion, or the general code for other chain failures. */
export function errorCodeOf(error: ChainError): bigint | undefined {
  if (error instanceof AssertCodeError) return error.error_code
  return error.isChain ? GENERIC_SYSTEM_ERROR : undefined
}
