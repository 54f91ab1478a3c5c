/**
 * The processing of a request: a short read directly, all others by guard -> documents -> path ->
 * site -> body -> operation. One error mapper makes the answers for all errors. Each listener has
 * an app of its own, because each serves its own categories.
 */
import type { RequestListener } from 'node:http'
import Koa, { type Context, type Next } from 'koa'
import type { Engine } from '../engine/index.ts'
import type { AnswerCache } from './answer_cache.ts'
import { crossSiteGuard } from './cross_site.ts'
import { DirectReads } from './direct_reads.ts'
import { directRequests } from './direct_requests.ts'
import { dispatch, knownPaths } from './dispatch.ts'
import type { Documents } from './documents.ts'
import { closeUnlessAsked } from './expect.ts'
import { Failures } from './failures.ts'
import { jsonBody } from './json_body.ts'
import type { HttpMetrics } from './metrics.ts'
import { Operations } from './operations.ts'
import { servePages } from './pages.ts'
import { requestGuard, type InFlight } from './request_guard.ts'
import { answerHeaders, payloadOf, send } from './send.ts'
import type { Category, ServerOptions } from './server_options.ts'

/** The parts of the node that an app uses. */
export interface AppDependencies {
  engine: Engine
  documents: Documents
  load: InFlight
  cache: AnswerCache
  metrics: HttpMetrics
  log: (level: 'warn' | 'error', message: string) => void
}

/** What serves one address. */
export interface App {
  reads: DirectReads
  /** Answers every request: a short read directly, all others by koa. */
  listener: RequestListener
}

/** Makes the application of one address: host check, limits, bodies, routing and errors. */
export function createApp(
  options: ServerOptions,
  deps: AppDependencies,
  categories: ReadonlySet<Category>,
  hosts: ReadonlySet<string> | undefined,
): App {
  const failures = new Failures(options, deps)
  const operations = new Operations(deps.engine, categories)
  const app = new Koa()
  // Failures of sockets that went away; answers are made below.
  app.silent = true
  app.use(answerFailures(options, failures))
  app.use(requestGuard(options, hosts, deps.load))
  app.use(serveDocuments(deps.documents))
  app.use(servePages(deps.engine.pages, deps.metrics, categories))
  app.use(knownPaths(categories, deps.metrics))
  app.use(crossSiteGuard(options))
  app.use(jsonBody(options.max_body_size))
  app.use(dispatch(operations, options, deps.cache))
  const direct = { ...deps, operations, failureOf: failures.of }
  const reads = new DirectReads(options, direct, categories)
  return { reads, listener: directRequests(options, reads, hosts, app.callback()) }
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
    ctx.body = document.content
  }
  return (ctx: Context, next: Next) => (documents.has(ctx.req.url!) ? answer(ctx) : next())
}
