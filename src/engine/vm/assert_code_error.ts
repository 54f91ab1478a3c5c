import { ChainError } from '../errors.ts'
import type { ErrorName } from '../errors.ts'

/** A failed `eosio_assert_code`: traces report its code. */
export class AssertCodeError extends ChainError {
  /** Unsigned 64 bits. */
  readonly error_code: bigint

  constructor(name: ErrorName, message: string, error_code: bigint) {
    super(name, message)
    this.error_code = error_code
  }
}
