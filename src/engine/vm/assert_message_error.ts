import { ChainError, formatLog } from '../errors.ts'

/** The host functions that fail with a text of the contract. */
export type AssertFunction = 'eosio_assert' | 'eosio_assert_message'

const FORMAT = 'assertion failure with message: ${s}'

/** A failed assertion with a text: which function failed is not in the reference's error. */
export class AssertMessageError extends ChainError {
  readonly function_name: AssertFunction
  /** The contract's text, at most 1024 bytes of it. */
  readonly text: string

  constructor(function_name: AssertFunction, text: string) {
    super('eosio_assert_message_exception', formatLog(FORMAT, { s: text }))
    this.withLog(FORMAT, { s: text })
    this.function_name = function_name
    this.text = text
  }
}
