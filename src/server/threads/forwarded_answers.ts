/** Answers of the chain's thread to plain requests of one HTTP thread. */
import type { DirectAnswer, DirectReads } from '../direct_reads.ts'
import type { DirectSubmissions } from '../direct_submissions.ts'
import { Batches } from './batches.ts'
import type { ForwardedAnswer, ForwardedRequest } from './messages.ts'

/** What answers the requests of a listener. */
export interface ForwardingListener {
  reads: DirectReads
  submissions: DirectSubmissions
}

/** Answers requests in their order, and sends the answers of one turn of the event loop together. */
export class ForwardedAnswers {
  private readonly listeners: readonly ForwardingListener[]
  private readonly batches: Batches<ForwardedAnswer>

  constructor(
    listeners: readonly ForwardingListener[],
    send: (answers: ForwardedAnswer[]) => void,
  ) {
    this.listeners = listeners
    this.batches = new Batches(send)
  }

  /** Answers requests that the HTTP thread has sent. Each is answered once, with its id. */
  receive(requests: readonly ForwardedRequest[]): void {
    for (const request of requests) {
      const { id } = request
      const answer = this.answer(request)
      if (answer instanceof Promise) void answer.then((answer) => this.batches.add({ id, answer }))
      else this.batches.add({ id, answer })
    }
  }

  /** Undefined for a request that needs its connection here. */
  private answer({
    listener,
    path,
    method,
    bytes,
    body,
  }: ForwardedRequest): DirectAnswer | undefined | Promise<DirectAnswer> {
    const { reads, submissions } = this.listeners[listener]!
    const submission = submissions.find(path)
    if (typeof body !== 'string') return submissions.submit(submission!, body, bytes)
    if (submission) return submissions.answer(submission, body, bytes, method)
    const read = reads.find(path)
    return read && reads.hasRoom(bytes) ? reads.answer(read, body, method) : undefined
  }
}
