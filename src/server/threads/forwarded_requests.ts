/** The plain requests of an HTTP thread that the chain's thread answers: their connections stay with the HTTP thread. */
import { routes } from '../../../generated/routes.ts'
import { SUBMISSIONS, type StateReader, type SubmissionName } from '../../engine/reading.ts'
import type { LaterAnswers } from '../direct_connections.ts'
import type { DirectAnswer } from '../direct_reads.ts'
import { isDirectSubmission, type DirectSubmission } from '../direct_submissions.ts'
import type { Failure } from '../failures.ts'
import type { HttpMetrics } from '../metrics.ts'
import { plainJson } from '../plain_json.ts'
import { readBody } from '../read_body.ts'
import { hasRoom, type InFlight } from '../request_guard.ts'
import { payloadOf } from '../send.ts'
import type { Category, ServerOptions } from '../server_options.ts'
import { Batches } from './batches.ts'
import type { ForwardedAnswer, ForwardedRequest } from './messages.ts'

/** Sends requests to the chain's thread, those of one turn of the event loop together. */
export class ForwardedRequests {
  private readonly batches: Batches<ForwardedRequest>
  private readonly waiting = new Map<number, (answer: DirectAnswer | undefined) => void>()
  private last_id = 0

  constructor(send: (requests: ForwardedRequest[]) => void) {
    this.batches = new Batches(send)
  }

  /** The answer; undefined if the connection must be given to the chain's thread. */
  ask(request: Omit<ForwardedRequest, 'id'>): Promise<DirectAnswer | undefined> {
    const id = ++this.last_id
    this.batches.add({ id, ...request })
    return new Promise((resolve) => this.waiting.set(id, resolve))
  }

  /** Answers of the chain's thread. */
  receive(answers: readonly ForwardedAnswer[]): void {
    for (const { id, answer } of answers) {
      this.waiting.get(id)?.(answer)
      this.waiting.delete(id)
    }
  }
}

/** The parts of an HTTP thread that its submissions use. */
export interface ThreadSubmissionsDependencies {
  load: InFlight
  metrics: Pick<HttpMetrics, 'counter'>
  /** It changes with the chain. */
  reader: () => Pick<StateReader, 'prepare' | 'takesSubmissions'>
  requests: ForwardedRequests
  /** Called for each request, before it is processed. */
  onRequest: (is_submission: boolean) => void
  /** The answer for an error that an operation threw. */
  failureOf: (path: string, error: unknown) => Failure
  /** Whether an error says that another thread must answer. */
  isElsewhere: (error: unknown) => boolean
}

/**
 * The requests of one listener that the chain's thread answers: submissions, which are read, checked and packed
 * here, and reads that this thread cannot answer.
 */
export class ThreadSubmissions implements LaterAnswers {
  private readonly options: ServerOptions
  private readonly deps: ThreadSubmissionsDependencies
  private readonly listener: number
  private readonly served: ReadonlyMap<string, DirectSubmission>

  /** @param listener its number */
  constructor(
    options: ServerOptions,
    deps: ThreadSubmissionsDependencies,
    categories: ReadonlySet<Category>,
    listener: number,
  ) {
    this.options = options
    this.deps = deps
    this.listener = listener
    const served = Object.entries(routes).filter(
      ([, route]) =>
        categories.has(route.category) && (route.cacheable || isDirectSubmission(route)),
    )
    this.served = new Map(
      served.map(([path, route]) => [path, { path, route, counter: deps.metrics.counter(path) }]),
    )
  }

  find(path: string): DirectSubmission | undefined {
    return this.served.get(path)
  }

  answer(
    found: DirectSubmission,
    text: string,
    bytes: number,
    method: string,
  ): Promise<DirectAnswer | undefined> | undefined {
    const { options, deps, listener } = this
    if (bytes > options.max_body_size || !hasRoom(options, deps.load, bytes)) return undefined
    const { path, route, counter } = found
    const forward = (body: string | Uint8Array): Promise<DirectAnswer | undefined> =>
      deps.requests.ask({ listener, path, method, bytes, body })
    const operation = route.operationId
    deps.onRequest(isSubmission(operation))
    if (!isSubmission(operation) || !deps.reader().takesSubmissions) return forward(text)
    const json = text === '' ? undefined : plainJson(text)
    if (json === undefined && text !== '') return undefined
    try {
      return forward(deps.reader().prepare(operation, readBody(route, json, method)))
    } catch (error) {
      if (deps.isElsewhere(error)) return forward(text)
      counter.count++
      const { status, body } = deps.failureOf(path, error)
      return Promise.resolve({ status, payload: payloadOf(body) })
    }
  }
}

function isSubmission(operation: string): operation is SubmissionName {
  return (SUBMISSIONS as readonly string[]).includes(operation)
}
