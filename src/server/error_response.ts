/**
 * The one place where failures become HTTP answers.
 * spring: plugins/http_plugin/http_plugin.cpp (handle_exception)
 */
import {
  BusyError,
  ChainError,
  ERRORS,
  RequestError,
  limitedMessage,
  printableMessage,
  type ErrorDetail,
} from '../engine/reading.ts'

/** The body of every answer that is not a success. */
export interface ErrorBody {
  code: number
  message: string
  error: { code: number; name: string; what: string; details: ErrorDetail[] }
}

/** Failures of the HTTP side, which no chain error names. */
export class HttpError extends Error {
  readonly status: number
  readonly body: ErrorBody

  constructor(status: number, body: ErrorBody) {
    super(body.message)
    this.status = status
    this.body = body
  }
}

const STATUS_TEXT: Record<number, string> = {
  400: 'Invalid Request',
  401: 'UnAuthorized',
  409: 'Conflict',
  500: 'Internal Service Error',
}

/** Two errors have a title of their own. */
const TITLES: Record<string, string> = {
  unknown_block_exception: 'Unknown Block',
  account_query_exception: 'Account lookup',
}

/** Most details that an answer carries when errors are verbose. spring: http_plugin.hpp */
const MAX_DETAILS = 10

/**
 * @param verbose whether the answer has all details, not only the first
 * @returns undefined for a fault of this program
 */
export function errorResponse(
  error: unknown,
  verbose: boolean,
): { status: number; body: ErrorBody } | undefined {
  if (error instanceof HttpError) return { status: error.status, body: error.body }
  if (error instanceof BusyError) {
    const { status, body } = busy(error.message)
    return { status, body }
  }
  if (error instanceof RequestError) {
    const { status, message } = error
    const nothing = { code: 0, name: '', what: '', details: [] }
    return { status, body: { code: status, message, error: nothing } }
  }
  if (!(error instanceof ChainError)) return undefined
  const status = ERRORS[error.errorName].http ?? 500
  const { name, details } = error.answered
  return {
    status,
    body: {
      code: status,
      message: TITLES[error.errorName] ?? STATUS_TEXT[status]!,
      error: {
        code: error.code,
        name,
        what: error.what,
        details: detailsOf(details, verbose),
      },
    },
  }
}

/**
 * Maximum length of a message when errors are verbose, because a message may quote a whole body.
 */
const MAX_VERBOSE_MESSAGE = 16_384

function cut(message: string): string {
  const shown = printableMessage(message.slice(0, MAX_VERBOSE_MESSAGE))
  return message.length > MAX_VERBOSE_MESSAGE ? `${shown}...` : shown
}

function detailsOf(details: readonly ErrorDetail[], verbose: boolean): ErrorDetail[] {
  if (!verbose) {
    return details.slice(0, 1).map((detail) => ({ ...detail, message: limitedMessage(detail) }))
  }
  return details
    .slice(0, MAX_DETAILS)
    .map((detail) => ({ ...detail, message: cut(detail.message) }))
}

/** A fault of this program: the answer says only that; the log has the details. */
export function internalError(): { status: number; body: ErrorBody } {
  const message = 'an internal error happened; the log of the node has the details'
  return { status: 500, body: plainError(500, 'Internal Service Error', message) }
}

/** An answer with an error that does not come from the chain. */
export function plainError(status: number, message: string, detail: string): ErrorBody {
  return {
    code: status,
    message,
    error: {
      code: 0,
      name: 'exception',
      what: 'unspecified',
      details: [{ message: detail, file: '', line_number: 0, method: '' }],
    },
  }
}

/** The error for a path without an operation (404). */
export function notFound(detail = 'Unknown Endpoint'): HttpError {
  return new HttpError(404, plainError(404, 'Not Found', detail))
}

/** The error for a body above the limit (413). */
export function bodyTooLarge(limit: number): HttpError {
  const detail = `the request body is larger than ${limit} bytes`
  return new HttpError(413, plainError(413, 'Payload Too Large', detail))
}

/** The node has enough to do. */
export function busy(what: string): HttpError {
  const error = { code: 503, name: 'Busy', what, details: [] }
  return new HttpError(503, { code: 503, message: 'Busy', error })
}

/** A 400 that names what the contract does not allow.
 *  @param reason where and what, in words */
export function invalidRequest(reason?: string): ChainError {
  const error = new ChainError('invalid_http_request', 'Unable to parse valid input from POST body')
  return reason === undefined ? error : error.append(reason)
}
