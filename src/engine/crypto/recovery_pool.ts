/**
 * Recovers public keys on other threads.
 *
 * Requests wait in one queue. A worker has at most one message in flight and takes what waits when
 * it is free, so a lone request goes at once and a flood travels in few messages. Threads start
 * with the first request, and do not keep the process alive while they have nothing to do.
 */
import { Worker } from 'node:worker_threads'
import { recoverKey } from './keys.ts'
import type { RecoveryRequest } from './recovery_message.ts'
import { packRequests, unpackAnswers } from './recovery_message.ts'

interface Job extends RecoveryRequest {
  resolve(keys: Uint8Array[]): void
  reject(error: Error): void
}

interface Thread {
  worker: Worker
  /** Requests that its message in flight holds, in order. */
  jobs: Job[]
}

/** Enough to make the cost of a message small, few enough to keep an answer's latency small. */
const MAX_BATCH = 64

/** A thread of compiled code, or, when this file runs from source as in tests, of sources. */
function startWorker(): Worker {
  if (!import.meta.url.endsWith('.ts')) {
    return new Worker(new URL('./recovery_worker.js', import.meta.url))
  }
  const source = new URL('./recovery_worker.ts', import.meta.url).href
  const boot = `import('tsx/esm/api').then(({ register }) => (register(), import('${source}')))`
  return new Worker(boot, { eval: true })
}

/** A fixed number of threads; with 0 the caller's own thread does the work. */
export class RecoveryPool {
  private readonly size: number
  private readonly threads: Thread[] = []
  private readonly queue: Job[] = []
  private scheduled = false
  private closed = false

  constructor(threads: number) {
    this.size = threads
  }

  /**
   * The keys of signatures over one digest, in their order.
   * Rejects with the refusal of the first signature that is refused; other requests go on.
   */
  recover(digest: Uint8Array, signatures: readonly Uint8Array[]): Promise<Uint8Array[]> {
    return new Promise((resolve, reject) => {
      if (this.closed) throw new Error('the recovery pool is closed')
      if (signatures.length === 0) return resolve([])
      if (this.size === 0) return resolve(signatures.map((s) => recoverKey(s, digest)))
      this.queue.push({ digest, signatures, resolve, reject })
      this.schedule()
    })
  }

  /** Sends at the end of the current task, so that requests made together travel together. */
  private schedule(): void {
    if (this.scheduled) return
    this.scheduled = true
    queueMicrotask(() => {
      this.scheduled = false
      this.dispatch()
    })
  }

  private dispatch(): void {
    while (this.queue.length > 0 && !this.closed) {
      const thread = this.idleThread()
      if (thread === undefined) return
      const share = Math.ceil(this.queue.length / this.size)
      thread.jobs = this.queue.splice(0, Math.min(share, MAX_BATCH))
      const message = packRequests(thread.jobs)
      thread.worker.ref()
      thread.worker.postMessage(message, [message.buffer as ArrayBuffer])
    }
  }

  private idleThread(): Thread | undefined {
    const idle = this.threads.find((t) => t.jobs.length === 0)
    if (idle !== undefined) return idle
    return this.threads.length < this.size ? this.startThread() : undefined
  }

  private startThread(): Thread {
    const worker = startWorker()
    const thread: Thread = { worker, jobs: [] }
    worker.on('message', (bytes: Uint8Array) => this.finish(thread, bytes))
    worker.on('error', (error) => this.drop(thread, error as Error))
    worker.on('exit', (code) => this.drop(thread, new Error(`recovery thread ended (${code})`)))
    worker.unref()
    this.threads.push(thread)
    return thread
  }

  private finish(thread: Thread, bytes: Uint8Array): void {
    const { jobs } = thread
    thread.jobs = []
    thread.worker.unref()
    const answers = unpackAnswers(bytes)
    jobs.forEach((job, i) => {
      const answer = answers[i]
      if (Array.isArray(answer)) job.resolve(answer)
      else job.reject(answer ?? new Error('a recovery thread left a request unanswered'))
    })
    this.dispatch()
  }

  /** Forgets a thread that ended; what it worked on fails, what waits goes to a new one. */
  private drop(thread: Thread, error: Error): void {
    const at = this.threads.indexOf(thread)
    if (at < 0) return
    this.threads.splice(at, 1)
    for (const job of thread.jobs) job.reject(error)
    this.dispatch()
  }

  /** Ends the threads; requests without an answer are rejected. */
  async close(): Promise<void> {
    this.closed = true
    const error = new Error('the recovery pool is closed')
    for (const job of this.queue.splice(0)) job.reject(error)
    const threads = this.threads.splice(0)
    for (const { jobs } of threads) for (const job of jobs) job.reject(error)
    await Promise.all(threads.map((t) => t.worker.terminate()))
  }
}
