/**
 * Questions that were answered a moment ago, answered before koa hears of them and before anything of
 * them is parsed: that is most of what a short answer costs.
 *
 * A small body mostly comes with its head. Node.js has it in the stream as soon as the turn that read
 * the head gives way, so it can be looked at as bytes; what was not asked before is put back.
 */
import type { IncomingMessage, RequestListener } from 'node:http'
import { routes } from '../../generated/routes.ts'
import { MAX_QUESTION, isCached, type AnswerCache } from './answer_cache.ts'
import type { HttpMetrics } from './metrics.ts'
import { hasRoom, refusalOf, type InFlight } from './request_guard.ts'
import { answerHeaders, write } from './send.ts'
import type { Category, ServerOptions } from './server_options.ts'

export interface KeptAnswersDependencies {
  load: InFlight
  cache: AnswerCache
  metrics: HttpMetrics
}

/** @param otherwise hears of every request that is not answered here, as if nobody had looked at it */
export function keptAnswers(
  options: ServerOptions,
  { load, cache, metrics }: KeptAnswersDependencies,
  categories: ReadonlySet<Category>,
  hosts: ReadonlySet<string> | undefined,
  otherwise: RequestListener,
): RequestListener {
  const headers = answerHeaders(options)
  return (req, res) => {
    const path = req.url!
    const route = routes[path]
    const is_asked_here = route && categories.has(route.category) && isCached(route.operationId)
    if (!is_asked_here || req.method === 'OPTIONS') return otherwise(req, res)
    queueMicrotask(() => {
      const question = bodyAtHand(req)
      const answer = question && cache.find(route.operationId, question.toString())
      const is_served = answer && hasRoom(options, load, question.length) && !refusalOf(req, hosts)
      if (!is_served) {
        if (question) req.unshift(question)
        return otherwise(req, res)
      }
      metrics.count(path)
      write(req, res, headers, route.successStatus, answer)
    })
  }
}

/** The whole body when it is short, not packed, and already here. */
function bodyAtHand(req: IncomingMessage): Buffer | undefined {
  const { 'content-length': length, 'content-encoding': encoding } = req.headers
  if (length === undefined || encoding !== undefined) return undefined
  const size = Number(length)
  if (!(size > 0 && size <= MAX_QUESTION) || req.readableLength !== size) return undefined
  return req.read(size) as Buffer
}
