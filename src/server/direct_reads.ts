/**
 * Answers short reads without koa, which is most of the cost of a short answer: from the cache, or
 * by calling the operation at once.
 *
 * A small body usually arrives with its head. Node.js has it in the stream when the turn that read
 * the head ends, so it can be read at once. Every unusual request is left to koa unchanged: a body
 * that is packed, late, long or not plain JSON, a refused host, a full node.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { routes, type Route } from '../../generated/routes.ts'
import { MAX_QUESTION, isCached, type AnswerCache } from './answer_cache.ts'
import type { Failure } from './failures.ts'
import { plainJson } from './json_body.ts'
import type { HttpMetrics } from './metrics.ts'
import type { Operations } from './operations.ts'
import { hasRoom, refusalOf, type InFlight } from './request_guard.ts'
import { answerHeaders, payloadOf, write, type Payload } from './send.ts'
import type { Category, ServerOptions } from './server_options.ts'

/** The parts of the server that direct reads use. */
export interface DirectReadsDependencies {
  load: InFlight
  cache: AnswerCache
  metrics: HttpMetrics
  operations: Pick<Operations, 'answer'>
  /** The answer for an error that an operation threw. */
  failureOf: (path: string, error: unknown) => Failure
}

/** @param otherwise gets every request that is not answered here */
export function directReads(
  options: ServerOptions,
  { load, cache, metrics, operations, failureOf }: DirectReadsDependencies,
  categories: ReadonlySet<Category>,
  hosts: ReadonlySet<string> | undefined,
  otherwise: RequestListener,
): RequestListener {
  const headers = answerHeaders(options)
  const longest = Math.min(MAX_QUESTION, options.max_body_size)
  const served = new Map(
    Object.entries(routes).filter(
      ([, route]) => categories.has(route.category) && isCached(route.operationId),
    ),
  )

  return (req, res) => {
    const path = req.url!
    const route = served.get(path)
    if (!route || req.method === 'OPTIONS') return otherwise(req, res)
    queueMicrotask(() => {
      const bytes = bodyAtHand(req, longest)
      if (bytes && hasRoom(options, load, bytes.length) && !refusalOf(req, hosts)) {
        if (answer(req, res, route, bytes.toString())) return
      }
      if (bytes && bytes.length > 0) req.unshift(bytes)
      otherwise(req, res)
    })
  }

  /**
   * Returns whether the request was answered.
   * @param question the request body, '' if there is none
   */
  function answer(
    req: IncomingMessage,
    res: ServerResponse,
    route: Route,
    question: string,
  ): boolean {
    const path = req.url!
    const kept = cache.find(route.operationId, question)
    if (kept) {
      metrics.count(path)
      write(req, res, headers, route.successStatus, kept)
      return true
    }
    // Checks of answers are asynchronous.
    if (options.validate_responses) return false
    const body = question === '' ? undefined : plainJson(question)
    if (body === undefined && question !== '') return false
    metrics.count(path)
    const { status, payload } = made(route, path, body, req.method!)
    if (status === route.successStatus) {
      cache.keep(route.operationId, question, payload, cache.version())
    }
    write(req, res, headers, status, payload)
    return true
  }

  function made(
    route: Route,
    path: string,
    body: unknown,
    method: string,
  ): { status: number; payload: Payload } {
    try {
      const value = operations.answer(route, body, method)
      if (value instanceof Promise) throw new Error(`${route.operationId} is not a direct read`)
      return { status: route.successStatus, payload: payloadOf(value) }
    } catch (error) {
      const failure = failureOf(path, error)
      return { status: failure.status, payload: payloadOf(failure.body) }
    }
  }
}

const NO_BODY = Buffer.alloc(0)

/** The whole body if it is short, not packed, and has arrived; no bytes if there is none. */
function bodyAtHand(req: IncomingMessage, longest: number): Buffer | undefined {
  const { headers } = req
  const length = headers['content-length']
  const is_usual =
    headers['content-encoding'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers.expect === undefined
  if (!is_usual) return undefined
  const size = Number(length ?? 0)
  if (size === 0) return NO_BODY
  if (!(size <= longest) || req.readableLength !== size) return undefined
  return req.read(size) as Buffer
}
