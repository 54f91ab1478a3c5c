/**
 * Answers short reads without koa, which is most of the cost of a short answer: from the cache, or
 * by calling the operation at once.
 */
import { routes, type Route } from '../../generated/routes.ts'
import { MAX_QUESTION, type AnswerCache } from './answer_cache.ts'
import type { Failure } from './failures.ts'
import { plainJson } from './plain_json.ts'
import type { HttpMetrics, RequestCounter } from './metrics.ts'
import type { Operations } from './operations.ts'
import { hasRoom, type InFlight } from './request_guard.ts'
import { answerPayload, payloadOf, type Payload } from './send.ts'
import type { Category, ServerOptions } from './server_options.ts'

/** The parts of the server that direct reads use. */
export interface DirectReadsDependencies {
  load: InFlight
  cache: AnswerCache
  metrics: Pick<HttpMetrics, 'counter'>
  operations: Pick<Operations, 'answer'> & Partial<Pick<Operations, 'mustWait'>>
  /** The answer for an error that an operation threw. */
  failureOf: (path: string, error: unknown) => Failure
  /** The operations that are answered; default: all reads. */
  only?: ReadonlySet<string>
  /** Whether an error says that another thread must answer. */
  isElsewhere?: (error: unknown) => boolean
  /** Called for each answer. */
  onAnswer?: () => void
}

/** A path that is read directly. */
export interface DirectRead {
  path: string
  route: Route
  counter: RequestCounter
}

/** A status and a body. */
export interface DirectAnswer {
  status: number
  payload: Payload
}

/** The reads of one listener that can be answered directly. */
export class DirectReads {
  private readonly options: ServerOptions
  private readonly deps: DirectReadsDependencies
  private readonly served: ReadonlyMap<string, DirectRead>
  /** Bytes of the longest body. */
  readonly longest: number

  constructor(
    options: ServerOptions,
    deps: DirectReadsDependencies,
    categories: ReadonlySet<Category>,
  ) {
    this.options = options
    this.deps = deps
    this.longest = Math.min(MAX_QUESTION, options.max_body_size)
    const served = Object.entries(routes).filter(
      ([, { category, cacheable, operationId }]) =>
        categories.has(category) && cacheable && (deps.only?.has(operationId) ?? true),
    )
    this.served = new Map(
      served.map(([path, route]) => [path, { path, route, counter: deps.metrics.counter(path) }]),
    )
  }

  /** The read of a path; undefined if requests of this path are not answered here. */
  find(path: string): DirectRead | undefined {
    return this.served.get(path)
  }

  /** Whether the node takes one more request with a body of so many bytes. */
  hasRoom(bytes: number): boolean {
    return bytes <= this.longest && hasRoom(this.options, this.deps.load, bytes)
  }

  /**
   * Answers a request that passed all checks of heads; undefined for one that koa must answer.
   * @param question the request body, '' if there is none
   */
  answer(read: DirectRead, question: string, method: string): DirectAnswer | undefined {
    const { cache } = this.deps
    const { route } = read
    this.deps.onAnswer?.()
    const kept = cache.find(route.operationId, question)
    if (kept) {
      read.counter.count++
      return { status: route.successStatus, payload: kept }
    }
    // Checks of answers and a chain that is replaced are asynchronous.
    if (this.options.validate_responses || this.deps.operations.mustWait) return undefined
    const body = question === '' ? undefined : plainJson(question)
    if (body === undefined && question !== '') return undefined
    const version = cache.version()
    const answer = this.made(read, body, method)
    if (!answer) return undefined
    read.counter.count++
    if (answer.status === route.successStatus) {
      cache.keep(route.operationId, question, answer.payload, version)
    }
    return answer
  }

  private made(
    { route, path }: DirectRead,
    body: unknown,
    method: string,
  ): DirectAnswer | undefined {
    try {
      const value = this.deps.operations.answer(route, body, method)
      if (value instanceof Promise) throw new Error(`${route.operationId} is not a direct read`)
      return { status: route.successStatus, payload: answerPayload(route.operationId, value) }
    } catch (error) {
      if (this.deps.isElsewhere?.(error)) return undefined
      const failure = this.deps.failureOf(path, error)
      return { status: failure.status, payload: payloadOf(failure.body) }
    }
  }
}
