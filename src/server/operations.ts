/** Operations by their routes: the contract's check of the body, then the handler. */
import { routes, type Route } from '../../generated/routes.ts'
import type { ValidationError } from '../../generated/validators.ts'
import type { Listener } from '../handlers/types.ts'
import { ChainError, type ServedEngine } from '../engine/index.ts'
import { invalidRequest } from './error_response.ts'
import { pagePaths } from './pages.ts'
import type { Category } from './server_options.ts'

/** The operations that one listener serves. */
export class Operations {
  private readonly engine: ServedEngine
  private readonly listener: Listener

  constructor(engine: ServedEngine, categories: ReadonlySet<Category>) {
    const served = Object.keys(routes).filter((path) => categories.has(routes[path]!.category))
    served.push(...pagePaths(engine.pages, categories))
    this.engine = engine
    this.listener = { apis: served.sort() }
  }

  /**
   * The answer of an operation, or a promise of it.
   * @param body undefined if there is none
   * @throws ChainError for a body that violates the contract, and errors of the handler
   */
  answer(route: Route, body: unknown, method: string): unknown {
    return route.handler(this.engine, readBody(route, body, method) as never, this.listener)
  }
}

function readBody(route: Route, body: unknown, method: string): unknown {
  if (isEmpty(body)) {
    if (route.body === 'required') {
      const error = new ChainError('invalid_http_request', 'A Request body is required')
      throw method === 'GET' ? error.append('this was a GET; ask by POST, with a body') : error
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
