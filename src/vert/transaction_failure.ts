import { ChainError } from '../engine/errors.ts'
import { AssertCodeError } from '../engine/vm/assert_code_error.ts'
import { AssertMessageError } from '../engine/vm/assert_message_error.ts'
import { antelopeAssert, antelopeAssertCode, antelopeAssertMessage } from './assert_texts.ts'

/**
 * A transaction that failed: `message` is the text that VeRT gives, the other fields and `cause` are
 * the reference's.
 */
export class TransactionFailure extends ChainError {
  constructor(cause: ChainError) {
    super(cause.errorName, textOf(cause), { cause })
    this.name = 'Error'
    this.details.splice(0, this.details.length, ...cause.details)
  }
}

const MISSING_AUTHORITY = /^missing authority of ([^/]*)(?:\/(.+))?$/

/** Texts that differ, by the engine's. */
const TEXTS: Record<string, string> = {
  'abort() called': 'abort',
  'eos-vm system failure: unreachable': 'unreachable',
  'access violation: wasm memory out-of-bounds': 'memory access out of bounds',
  'could not insert object, most likely a uniqueness constraint was violated':
    'key uniqueness violation',
}

function textOf(error: ChainError): string {
  if (error instanceof AssertMessageError) {
    const text = error.function_name === 'eosio_assert' ? antelopeAssert : antelopeAssertMessage
    return text(error.text)
  }
  if (error instanceof AssertCodeError)
    return antelopeAssertMessage(antelopeAssertCode(error.error_code))
  const authority = MISSING_AUTHORITY.exec(error.message)
  if (authority && error.errorName === 'missing_auth_exception') {
    const [, account, permission] = authority
    return `missing required authority ${account}${permission ? `@${permission}` : ''}`
  }
  return TEXTS[error.message] ?? error.message
}
