import { ChainError } from '../engine/index.ts'
import type { TransactionTrace } from '../engine/index.ts'
import { consoleOf } from './console.ts'

const ASSERTION = 'assertion failure with message: '

/**
 * A transaction that failed. `code`, `errorName` and `message` are the reference's; nothing of the
 * transaction has stayed.
 */
export class TransactionError extends ChainError {
  /** The text of the contract's assertion; undefined for other failures. */
  readonly assertion: string | undefined
  /** The number of an assertion that has no text (`check(condition, number)`). */
  readonly assertion_code: bigint | undefined
  /** What contracts printed before the failure. */
  readonly console: string

  /** @internal */
  constructor(cause: ChainError, trace: TransactionTrace) {
    super(cause.errorName, cause.message, { cause })
    this.name = 'TransactionError'
    this.details.splice(0, this.details.length, ...cause.details)
    const text = cause.details[0]?.message ?? ''
    const is_assertion = cause.errorName === 'eosio_assert_message_exception'
    this.assertion = is_assertion ? text.slice(ASSERTION.length) : undefined
    this.assertion_code =
      cause.errorName === 'eosio_assert_code_exception' ? trace.error_code : undefined
    this.console = consoleOf(trace)
  }
}
