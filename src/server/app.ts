/**
 * The way of a request: kept answer, or guard -> documents -> path -> site -> body -> operation, and every failure to the
 * one error mapper. One app for each listener, since each serves its own categories.
 */
import type { RequestListener } from 'node:http'
import Koa, { type Context, type Next } from 'koa'
import type { Engine } from '../engine/index.ts'
import { routes } from '../../generated/routes.ts'
import type { AnswerCache } from './answer_cache.ts'
import { crossSiteGuard } from './cross_site.ts'
import { dispatch, knownPaths } from './dispatch.ts'
import type { Documents } from './documents.ts'
import { errorResponse, internalError } from './error_response.ts'
import { closeUnlessAsked } from './expect.ts'
import { jsonBody } from './json_body.ts'
import { keptAnswers } from './kept_answers.ts'
import { serveMetrics, type HttpMetrics } from './metrics.ts'
import { requestGuard, type InFlight } from './request_guard.ts'
import { checkFailure, ContractViolation } from './response_check.ts'
import { answerHeaders, payloadOf, send } from './send.ts'
import type { Category, ServerOptions } from './server_options.ts'

export interface AppDependencies {
  engine: Engine
  documents: Documents
  load: InFlight
  cache: AnswerCache
  metrics: HttpMetrics
  log: (level: 'warn' | 'error', message: string) => void
}

export function createApp(
  options: ServerOptions,
  deps: AppDependencies,
  categories: ReadonlySet<Category>,
  hosts: ReadonlySet<string> | undefined,
): RequestListener {
  const app = new Koa()
  // Failures of sockets that went away; answers are made below.
  app.silent = true
  app.use(answerFailures(options, deps))
  app.use(requestGuard(options, hosts, deps.load))
  app.use(serveDocuments(deps.documents))
  app.use(serveMetrics(deps.engine, deps.metrics, categories))
  app.use(knownPaths(categories, deps.metrics))
  app.use(crossSiteGuard(options))
  app.use(jsonBody(options.max_body_size))
  app.use(dispatch(deps.engine, options, categories, deps.cache))
  return keptAnswers(options, deps, categories, hosts, app.callback())
}

function answerFailures(options: ServerOptions, deps: AppDependencies) {
  const headers = answerHeaders(options)
  return async (ctx: Context, next: Next): Promise<void> => {
    ctx.state.headers = headers
    closeUnlessAsked(ctx)
    try {
      await next()
    } catch (error) {
      const { status, body } = await failureOf(ctx.req.url!, error)
      send(ctx, status, payloadOf(body))
    }
  }

  /** The answer for an error; one that the contract does not know is a fault of this program too. */
  async function failureOf(path: string, error: unknown): Promise<Failure> {
    const answer = errorResponse(error, options.verbose_errors)
    if (!answer) return fault(path, error)
    if (!options.validate_responses) return answer
    try {
      await checkFailure(routes[path]?.operationId, answer.status, answer.body)
      return answer
    } catch (violation) {
      return fault(path, violation)
    }
  }

  function fault(path: string, error: unknown): Failure {
    if (error instanceof ContractViolation) deps.metrics.violation(path)
    deps.log('error', `${path}: ${(error as Error).stack ?? String(error)}`)
    return internalError()
  }
}

type Failure = ReturnType<typeof internalError>

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
