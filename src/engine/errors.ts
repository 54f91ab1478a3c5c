/**
 * Failures that come from input or from the state of the chain: `ChainError`.
 *
 * Impossible states are `node:assert` failures instead, and stop the node.
 */
import { logDetail, logOf, plainDetail } from './error_log.ts'
import type { ErrorDetail, ErrorLog, LogData } from './error_log.ts'
import { ERRORS } from './error_table.ts'
import type { ErrorName } from './error_table.ts'

export { ERRORS } from './error_table.ts'
export type { ErrorEntry, ErrorName } from './error_table.ts'
export { formatLog, limitedMessage, logOf, printableMessage } from './error_log.ts'
export type { ErrorDetail, ErrorLog, LogData, LogValue } from './error_log.ts'

/** An error of the chain: a row of the error table with a message of its own. */
export class ChainError extends Error {
  readonly code: number
  readonly errorName: ErrorName
  readonly what: string
  readonly details: ErrorDetail[]
  /** Of a `std_exception` that contracts can cause: the name of its C++ type. */
  std_type?: ErrorName

  constructor(errorName: ErrorName, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ChainError'
    this.errorName = errorName
    this.code = ERRORS[errorName].code
    // Standard library exceptions have no text but their own.
    this.what = this.isStd ? message : ERRORS[errorName].what
    this.details = [plainDetail(message)]
  }

  /** Stores the cause's format text and arguments separately, as traces show them. */
  withLog(format: string, data: LogData): this {
    this.details[0] = logDetail(format, data)
    return this
  }

  /** Adds what was being done when it failed, as a rethrow of the reference does. */
  append(message: string): this {
    this.details.push(plainDetail(message))
    return this
  }

  /** As {@link append}, with a format text and its arguments. */
  appendLog(format: string, data: LogData): this {
    this.details.push(logDetail(format, data))
    return this
  }

  /**
   * The name and the lines in answers. Exceptions of the standard library have no line of their own:
   * once an action has added what was being done, their text leads that line, and the name is that
   * of their type. spring: exception.hpp FC_RETHROW_EXCEPTIONS
   */
  get answered(): { name: ErrorName; details: ErrorDetail[] } {
    const [cause, done, ...rest] = this.details
    if (!this.std_type || !cause || !done) return { name: this.errorName, details: this.details }
    const { format, data } = logOf(done)
    const first = logDetail(`\${what}: ${format}`, { what: cause.message, ...data })
    return { name: this.std_type, details: [first, ...rest] }
  }

  /** True for errors of the chain's own families (`chain_exception` and below). */
  get isChain(): boolean {
    return this.code >= ERRORS.chain_exception.code
  }

  /** True for exceptions of the standard library, whose `what` is their message. */
  get isStd(): boolean {
    return this.code === ERRORS.std_exception.code
  }

  /** True for an exception of the standard library that nothing in the reference has rethrown yet. */
  get isBare(): boolean {
    return this.isStd && this.errorName !== 'std_exception'
  }

  /** True when this error is `family` or derives from it, for example `resource_exhausted_exception`. */
  is(family: ErrorName): boolean {
    let name: string | undefined = this.errorName
    while (name !== undefined) {
      if (name === family) return true
      name = ERRORS[name as ErrorName].base
    }
    return false
  }
}

/** A ChainError as plain data, which can be sent between threads. */
export interface ErrorRecord {
  name: ErrorName
  /** Its lines, the cause first. */
  logs: ErrorLog[]
}

/** The record of an error. */
export function recordOf({ errorName, details }: ChainError): ErrorRecord {
  return { name: errorName, logs: details.map(logOf) }
}

/** A new error with the name, the message and the lines of a record. */
export function errorOf({ name, logs }: ErrorRecord): ChainError {
  const details = logs.map(({ format, data }) => logDetail(format, data))
  const error = new ChainError(name, details[0]!.message)
  error.details.splice(0, 1, ...details)
  return error
}

/** The node has enough to do: the request may be made again later. */
export class BusyError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BusyError'
  }
}

/** A request that is refused with a status and a sentence, and no error of the chain, as some plugins of the reference do. */
export class RequestError extends Error {
  readonly status: 400 | 404

  constructor(status: 400 | 404, message: string) {
    super(message)
    this.name = 'RequestError'
    this.status = status
  }
}

/**
 * Throws the named error.
 * @throws ChainError always
 */
export function fail(name: ErrorName, message: string): never {
  throw new ChainError(name, message)
}

/**
 * Throws the named error unless `cond` holds; give a function where the message costs something.
 * @throws ChainError
 */
export function check(
  cond: unknown,
  name: ErrorName,
  message: string | (() => string),
): asserts cond {
  if (cond) return
  throw new ChainError(name, typeof message === 'string' ? message : message())
}

/**
 * Runs `f`; an error that is not of the chain's families becomes `name`, led by `message`.
 * Chain errors keep their name and get `message` as context.
 * spring: EOS_RETHROW_EXCEPTIONS in libraries/chain/include/eosio/chain/exceptions.hpp
 * @throws ChainError, and other errors that `f` throws
 */
export function rethrowAs<T>(name: ErrorName, message: string | (() => string), f: () => T): T {
  try {
    return f()
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    const text = typeof message === 'string' ? message : message()
    if (error.isChain) throw error.append(text)
    if (error.isBare) throw new ChainError(name, `${text} (${error.message})`, { cause: error })
    const wrapped = new ChainError(name, text, { cause: error })
    wrapped.details.push(...error.details)
    throw wrapped
  }
}
