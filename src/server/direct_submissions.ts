/**
 * Answers submissions without node:http and koa, which cost more than the execution of a short transaction.
 * An answer comes later, when the keys were recovered and the transaction was executed.
 */
import { routes, type Route } from '../../generated/routes.ts'
import type { AnswerCache } from './answer_cache.ts'
import type { DirectAnswer } from './direct_reads.ts'
import type { Failure } from './failures.ts'
import type { HttpMetrics, RequestCounter } from './metrics.ts'
import type { Operations } from './operations.ts'
import { plainJson } from './plain_json.ts'
import { hasRoom, type InFlight } from './request_guard.ts'
import { answerPayload, payloadOf } from './send.ts'
import type { Category, ServerOptions } from './server_options.ts'

/**
 * Operations of these kinds whose answers may not be kept: transactions, blocks and a few questions. Web wallets
 * send them from pages of other sites, so that nothing of the head but the Host is checked.
 */
const SUBMISSIONS: readonly Category[] = ['chain_ro', 'chain_rw']

/** The parts of the server that direct submissions use. */
export interface DirectSubmissionsDependencies {
  load: InFlight
  cache: Pick<AnswerCache, 'clear'>
  metrics: Pick<HttpMetrics, 'counter'>
  operations: Pick<Operations, 'answer'>
  /** The answer for an error that an operation threw. */
  failureOf: (path: string, error: unknown) => Failure
  /** Executes a submission that another thread has prepared; absent if no thread does that. */
  submit?: (prepared: Uint8Array) => Promise<unknown>
  /** Called after each operation: it may have changed anything. */
  onChange: () => void
}

/** A path that takes submissions. */
export interface DirectSubmission {
  path: string
  route: Route
  counter: RequestCounter
}

/** Whether the requests of a path may be answered directly although their answers may not be kept. */
export function isDirectSubmission({ category, cacheable }: Route): boolean {
  return SUBMISSIONS.includes(category) && !cacheable
}

/** The submissions of one listener that can be answered directly. */
export class DirectSubmissions {
  private readonly options: ServerOptions
  private readonly deps: DirectSubmissionsDependencies
  private readonly served: ReadonlyMap<string, DirectSubmission>

  constructor(
    options: ServerOptions,
    deps: DirectSubmissionsDependencies,
    categories: ReadonlySet<Category>,
  ) {
    this.options = options
    this.deps = deps
    const served = Object.entries(routes).filter(
      ([, route]) => categories.has(route.category) && isDirectSubmission(route),
    )
    this.served = new Map(
      served.map(([path, route]) => [path, { path, route, counter: deps.metrics.counter(path) }]),
    )
  }

  /** The submission of a path; undefined if requests of this path are not answered here. */
  find(path: string): DirectSubmission | undefined {
    return this.served.get(path)
  }

  /**
   * Begins a request that passed all checks of heads; undefined for one that koa must answer.
   * @param text the request body, '' if there is none
   * @param bytes of the request body
   */
  answer(
    submission: DirectSubmission,
    text: string,
    bytes: number,
    method: string,
  ): Promise<DirectAnswer> | undefined {
    if (bytes > this.options.max_body_size) return undefined
    if (!hasRoom(this.options, this.deps.load, bytes)) return undefined
    const body = text === '' ? undefined : plainJson(text)
    if (body === undefined && text !== '') return undefined
    const { operations } = this.deps
    return this.made(submission, bytes, () => operations.answer(submission.route, body, method))
  }

  /** Begins a submission that another thread has prepared; undefined if the node has too many requests.
   *  @param bytes of the request body */
  submit(
    submission: DirectSubmission,
    prepared: Uint8Array,
    bytes: number,
  ): Promise<DirectAnswer> | undefined {
    if (!hasRoom(this.options, this.deps.load, bytes)) return undefined
    return this.made(submission, bytes, () => this.deps.submit!(prepared))
  }

  private async made(
    { route, path, counter }: DirectSubmission,
    bytes: number,
    operate: () => unknown,
  ): Promise<DirectAnswer> {
    const { load, cache, failureOf, onChange } = this.deps
    counter.count++
    load.requests += 1
    load.bytes += bytes
    try {
      const answer = await operate()
      return { status: route.successStatus, payload: answerPayload(route.operationId, answer) }
    } catch (error) {
      const failure = failureOf(path, error)
      return { status: failure.status, payload: payloadOf(failure.body) }
    } finally {
      load.requests -= 1
      load.bytes -= bytes
      cache.clear()
      onChange()
    }
  }
}
