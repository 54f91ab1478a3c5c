/**
 * The processing of a request that is not a short read: guard -> documents -> path ->
 * site -> body -> operation. One error mapper makes the answers for all errors. Each listener has
 * an app of its own, because each serves its own categories.
 */
import type { RequestListener } from 'node:http'
import type { Context, Next } from 'koa'
import type { ServedEngine } from '../engine/index.ts'
import type { AnswerCache } from './answer_cache.ts'
import { crossSiteGuard } from './cross_site.ts'
import { dispatch, knownPaths } from './dispatch.ts'
import { FIRST_PAGE, SHOWN_ADDRESS, type Documents } from './documents.ts'
import { closeUnlessAsked } from './expect.ts'
import type { Failures } from './failures.ts'
import { jsonBody } from './json_body.ts'
import type { HttpMetrics } from './metrics.ts'
import type { Operations } from './operations.ts'
import { servePages } from './pages.ts'
import { requestGuard, type InFlight } from './request_guard.ts'
import { answerHeaders, payloadOf, send } from './send.ts'
import type { Category, ServerOptions } from './server_options.ts'

/** The parts of the node that an app uses. */
export interface AppDependencies {
  engine: ServedEngine
  documents: Documents
  load: InFlight
  cache: AnswerCache
  metrics: HttpMetrics
  failures: Failures
  operations: Operations
}

/**
 * Makes the koa application of one address: host check, limits, bodies, routing and errors. Loads koa, which
 * takes a good part of the time of a start.
 */
export async function createApp(
  options: ServerOptions,
  deps: AppDependencies,
  categories: ReadonlySet<Category>,
  hosts: ReadonlySet<string> | undefined,
): Promise<RequestListener> {
  const { default: Koa } = await import('koa')
  const { failures, operations } = deps
  const app = new Koa()
  // Failures of sockets that went away; answers are made below.
  app.silent = true
  app.use(answerFailures(options, failures))
  app.use(requestGuard(options, hosts, deps.load))
  app.use(serveDocuments(deps.documents))
  app.use(servePages(() => deps.engine.pages, deps.metrics, categories))
  app.use(knownPaths(categories, deps.metrics))
  app.use(crossSiteGuard(options))
  app.use(await jsonBody(options.max_body_size))
  app.use(dispatch(operations, options, deps.cache, () => deps.engine.reads?.changed()))
  return app.callback()
}

function answerFailures(options: ServerOptions, failures: Failures) {
  const headers = answerHeaders(options)
  return async (ctx: Context, next: Next): Promise<void> => {
    ctx.state.headers = headers
    closeUnlessAsked(ctx)
    try {
      await next()
    } catch (error) {
      const { status, body } = await failures.checked(ctx.req.url!, error)
      send(ctx, status, payloadOf(body))
    }
  }
}

function serveDocuments(documents: Documents) {
  const answer = async (ctx: Context): Promise<void> => {
    const document = await documents.get(ctx.req.url!)
    ctx.set(ctx.state.headers)
    ctx.status = 200
    ctx.set('content-type', document.type)
    ctx.body = document.names_address ? withOwnPort(document.content, ctx) : document.content
  }
  return (ctx: Context, next: Next) => {
    if (documents.has(ctx.req.url!)) return answer(ctx)
    if (!asksForFirstPage(ctx)) return next()
    ctx.set(ctx.state.headers)
    ctx.redirect(FIRST_PAGE)
  }
}

/** Only a browser asks for HTML; other clients get what the reference answers. */
function asksForFirstPage({ req }: Context): boolean {
  if (req.url !== '/' || (req.method !== 'GET' && req.method !== 'HEAD')) return false
  return req.headers.accept?.includes('text/html') ?? false
}

/** Commands and links that a reader copies name the port that this request came to. */
function withOwnPort(content: Buffer, { req }: Context): string | Buffer {
  const { localPort } = req.socket
  if (localPort === undefined) return content
  return content.toString().replaceAll(SHOWN_ADDRESS, `127.0.0.1:${localPort}`)
}
