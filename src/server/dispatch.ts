/**
 * Maps a path to its operation, calls it, and writes the answer. Nothing here depends on what an
 * operation does.
 */
import type { Context, Next } from 'koa'
import { routes, type Route } from '../../generated/routes.ts'
import type { AnswerCache } from './answer_cache.ts'
import { notFound } from './error_response.ts'
import type { HttpMetrics } from './metrics.ts'
import type { Operations } from './operations.ts'
import { LOCAL, type Category, type ServerOptions } from './server_options.ts'
import { checkResponse } from './response_check.ts'
import { answerPayload, payloadOf, send } from './send.ts'

const MINIMAL = /(^|[,;\s])return\s*=\s*"?minimal"?\s*($|[,;])/i

/** Refuses paths that this listener does not serve, before anything of the body is read. */
export function knownPaths(categories: ReadonlySet<Category>, metrics: HttpMetrics) {
  return (ctx: Context, next: Next): Promise<void> => {
    const route = routes[ctx.req.url!]
    if (!route) throw notFound()
    if (!categories.has(route.category)) throw notFound(notServed(route.category))
    metrics.count(ctx.req.url!)
    return next()
  }
}

/** The reason why an operation is unknown here, where clients cannot guess it. */
function notServed(category: Category): string | undefined {
  if (!LOCAL.includes(category)) return undefined
  return (
    `Unknown Endpoint: operations of ${category} are served only on loopback addresses; ` +
    `where plugins are named, also name eosio::${category}_api_plugin`
  )
}

/**
 * Answers one operation. The HTTP method is ignored, as in the reference: only the path selects the
 * operation.
 */
export function dispatch(
  operations: Operations,
  options: ServerOptions,
  cache: AnswerCache,
  onChange: () => void,
): (ctx: Context) => Promise<void> {
  return async (ctx) => {
    const route = routes[ctx.req.url!]!
    if (route.cacheable) return answerRead(ctx, route)
    try {
      const answer = await answerOf(ctx, route)
      const minimal = route.minimal && MINIMAL.test(ctx.get('prefer'))
      if (minimal) ctx.set('preference-applied', 'return=minimal')
      const payload = minimal ? payloadOf(null) : answerPayload(route.operationId, answer)
      send(ctx, route.successStatus, payload)
    } finally {
      cache.clear()
      onChange()
    }
  }

  async function answerRead(ctx: Context, route: Route): Promise<void> {
    const question = ctx.request.rawBody ?? ''
    let answer = cache.find(route.operationId, question)
    if (answer === undefined) {
      const version = cache.version()
      answer = answerPayload(route.operationId, await answerOf(ctx, route))
      cache.keep(route.operationId, question, answer, version)
    }
    send(ctx, route.successStatus, answer)
  }

  async function answerOf(ctx: Context, route: Route): Promise<unknown> {
    const answer = await operations.answer(route, ctx.request.body, ctx.method)
    if (options.validate_responses) await checkResponse(route.operationId, answer)
    return answer
  }
}
