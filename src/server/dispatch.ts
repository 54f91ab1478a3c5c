/**
 * From a path to its handler and back: one look-up, the contract's check of the body, the handler,
 * the answer. Nothing here knows what an operation does.
 */
import type { Context, Next } from 'koa'
import { routes, type Route } from '../../generated/routes.ts'
import type { ValidationError } from '../../generated/validators.ts'
import { ChainError, type Engine } from '../engine/index.ts'
import { isCached, type AnswerCache } from './answer_cache.ts'
import { invalidRequest, notFound } from './error_response.ts'
import { METRICS_PATH, type HttpMetrics } from './metrics.ts'
import type { Category, ServerOptions } from './server_options.ts'
import { checkResponse } from './response_check.ts'
import { payloadOf, send } from './send.ts'

const MINIMAL = /(^|[,;\s])return\s*=\s*"?minimal"?\s*($|[,;])/i

/** Refuses paths that this listener does not serve, before anything of the body is read. */
export function knownPaths(categories: ReadonlySet<Category>, metrics: HttpMetrics) {
  return (ctx: Context, next: Next): Promise<void> => {
    const route = routes[ctx.req.url!]
    if (!route || !categories.has(route.category)) throw notFound()
    metrics.count(ctx.req.url!)
    return next()
  }
}

/**
 * Answers one operation.
 * The method is not looked at, as in the reference: the path alone names the operation.
 */
export function dispatch(
  engine: Engine,
  options: ServerOptions,
  categories: ReadonlySet<Category>,
  cache: AnswerCache,
): (ctx: Context) => Promise<void> {
  const served = Object.keys(routes).filter((path) => categories.has(routes[path]!.category))
  if (categories.has('prometheus')) served.push(METRICS_PATH)
  const listener = { apis: served.sort() }
  return async (ctx) => {
    const route = routes[ctx.req.url!]!
    if (isCached(route.operationId)) return answerRead(ctx, route)
    try {
      const answer = await answerOf(ctx, route)
      const minimal = route.minimal && MINIMAL.test(ctx.get('prefer'))
      if (minimal) ctx.set('preference-applied', 'return=minimal')
      send(ctx, route.successStatus, payloadOf(minimal ? null : answer))
    } finally {
      cache.clear()
    }
  }

  async function answerRead(ctx: Context, route: Route): Promise<void> {
    const question = ctx.request.rawBody ?? ''
    let answer = cache.find(route.operationId, question)
    if (answer === undefined) {
      const version = cache.version()
      answer = payloadOf(await answerOf(ctx, route))
      cache.keep(route.operationId, question, answer, version)
    }
    send(ctx, route.successStatus, answer)
  }

  async function answerOf(ctx: Context, route: Route): Promise<unknown> {
    const body = readBody(route, ctx.request.body, ctx.method)
    const answer = await route.handler(engine, body as never, listener)
    if (options.validate_responses) await checkResponse(route.operationId, answer)
    return answer
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

/** The deepest complaint is the most telling: alternatives that do not fit at all are shallow. */
function describe(errors: readonly ValidationError[]): string | undefined {
  let best: ValidationError | undefined
  for (const error of errors) {
    if (!best || error.instancePath.length > best.instancePath.length) best = error
  }
  if (!best) return undefined
  return `${best.instancePath || 'the body'} ${best.message ?? best.keyword}`
}
