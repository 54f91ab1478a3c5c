/** The contract's check of the body of a request. */
import type { Route } from '../../generated/routes.ts'
import type { ValidationError } from '../../generated/validators.ts'
import { ChainError } from '../engine/reading.ts'
import { invalidRequest } from './error_response.ts'

/** The body as an operation takes it.
 *  @throws ChainError for a body that violates the contract */
export function readBody(route: Route, body: unknown, method: string): unknown {
  if (isEmpty(body)) {
    if (route.body === 'required') {
      const error = new ChainError('invalid_http_request', 'A Request body is required')
      throw method === 'GET' ? error.append('this was a GET; send a POST with a body') : error
    }
    return {}
  }
  if (route.validateBody(body)) return body
  if (route.body === 'none') throw invalidRequest('no parameter should be given')
  throw invalidRequest(describe(route.validateBody.errors ?? []))
}

/** No body at all and an object without fields are the same. */
function isEmpty(body: unknown): boolean {
  if (body === undefined) return true
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false
  for (const _ in body) return false
  return true
}

/** The deepest error says most: alternatives that do not fit at all are shallow. */
function describe(errors: readonly ValidationError[]): string | undefined {
  let best: ValidationError | undefined
  for (const error of errors) {
    if (!best || error.instancePath.length > best.instancePath.length) best = error
  }
  if (!best) return undefined
  return `${best.instancePath || 'the body'} ${best.message ?? best.keyword}`
}
