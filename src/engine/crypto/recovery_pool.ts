/**
 * Recovers public keys on other threads.
 *
 * Requests wait in one queue. A thread has at most two messages in progress. When it is free it takes all waiting
 * requests, so a single request starts at once, and many requests need few messages. Threads start with the first
 * request. Until one is ready, and when none is left, the calling thread does the work. Idle threads do not keep the
 * process alive. Whole blocks are shared with all threads ({@link BlockKeys}).
 */
import type { Worker } from 'node:worker_threads'
import { ChainError } from '../errors.ts'
import type { SignedBlock } from '../protocol/block.ts'
import { BlockKeys } from './block_keys.ts'
import { endThread, startThread } from '../start_thread.ts'
import { recoverKeys } from './recover_keys.ts'
import type { Recovered, RecoveryRequest } from './recovery_message.ts'
import { packRequests, READY, unpackAnswers } from './recovery_message.ts'

interface Job extends RecoveryRequest {
  resolve(recovered: Recovered): void
  reject(error: Error): void
}

interface Thread {
  worker: Worker
  ready: boolean
  /** Resolves when the thread is ready or has failed. */
  settled: Promise<void>
  /** Requests of its messages in flight, in order. */
  messages: Job[][]
}

/** Messages that a thread may have in flight: it has the next one while the caller works on the last answers. */
const MESSAGES_IN_FLIGHT = 2

/** Most requests of a message: enough to make its cost small, few enough to keep an answer's latency small. */
const MOST_REQUESTS = 64

/** A fixed number of threads; with 0 the caller's own thread does all the work. */
export class RecoveryPool {
  private readonly size: number
  private threads: Thread[] | undefined
  private readonly queue: Job[] = []
  private scheduled = false
  private closed = false

  constructor(threads: number) {
    this.size = threads
  }

  /** Starts the threads, if they did not start yet, and waits until each is ready or has failed. */
  async start(): Promise<void> {
    const threads = this.startThreads()
    // A caller waits: keep the process alive until then.
    for (const { worker } of threads) worker.ref()
    await Promise.all(threads.map((t) => t.settled))
    for (const thread of threads) this.leaveIdle(thread)
  }

  /** @throws ChainError interrupt_exception once it is closed */
  checkOpen(): void {
    if (this.closed) throw closedError()
  }

  /**
   * Recovers the keys of signatures over one digest, in their order. Rejects with the error of the
   * first signature that is invalid or has no time left. Other requests are not affected.
   */
  recover(
    digest: Uint8Array,
    signatures: readonly Uint8Array[],
    time_limit_us = Infinity,
  ): Promise<Recovered> {
    return new Promise((resolve, reject) => {
      this.checkOpen()
      if (signatures.length === 0) return resolve({ keys: [], cpu_usage_us: 0 })
      if (!this.startThreads().some((t) => t.ready)) {
        return resolve(recoverKeys(digest, signatures, time_limit_us))
      }
      this.queue.push({ digest, signatures, time_limit_us, resolve, reject })
      this.schedule()
    })
  }

  /**
   * Gives a block to the threads that are ready. The caller calls `work` of the answer when it needs the results.
   * @param packed the same block, packed
   */
  shareBlock(block: SignedBlock, packed: Uint8Array, chain_id: Uint8Array): BlockKeys {
    const keys = BlockKeys.create(block, packed, chain_id)
    for (const { worker, ready } of this.startThreads()) {
      if (ready) worker.postMessage(keys.shared)
    }
    return keys
  }

  /**
   * Sends in this turn of the event loop, when all sockets that have data were read: requests that come together
   * travel together. A message costs the caller as much as a good part of a short transaction.
   */
  private schedule(): void {
    if (this.scheduled) return
    this.scheduled = true
    setImmediate(() => {
      this.scheduled = false
      this.dispatch()
    })
  }

  private dispatch(): void {
    for (let in_flight = 0; in_flight < MESSAGES_IN_FLIGHT; in_flight++) {
      for (const thread of this.threads ?? []) {
        if (this.queue.length === 0) return
        if (thread.ready && thread.messages.length === in_flight) this.send(thread)
      }
    }
  }

  private send(thread: Thread): void {
    const share = Math.ceil(this.queue.length / this.size)
    const jobs = this.queue.splice(0, Math.min(share, MOST_REQUESTS))
    thread.messages.push(jobs)
    const message = packRequests(jobs)
    thread.worker.ref()
    thread.worker.postMessage(message, [message.buffer as ArrayBuffer])
  }

  private startThreads(): Thread[] {
    this.threads ??= Array.from({ length: this.size }, () => this.startThread())
    return this.threads
  }

  private startThread(): Thread {
    const worker = startThread('./recovery_worker', import.meta.url)
    let settle!: () => void
    const settled = new Promise<void>((resolve) => (settle = resolve))
    const thread: Thread = { worker, ready: false, settled, messages: [] }
    worker.on('message', (message: Uint8Array | typeof READY) => {
      if (message === READY) thread.ready = true
      else this.finish(thread, message)
      settle()
    })
    const drop = (error: Error): void => {
      this.drop(thread, error)
      settle()
    }
    worker.on('error', drop)
    worker.on('exit', (code) => drop(new Error(`a recovery thread ended (${code})`)))
    worker.unref()
    return thread
  }

  private finish(thread: Thread, bytes: Uint8Array): void {
    const jobs = thread.messages.shift() ?? []
    this.leaveIdle(thread)
    const answers = unpackAnswers(bytes)
    jobs.forEach((job, i) => {
      const answer = answers[i]
      if (answer && !(answer instanceof Error)) job.resolve(answer)
      else job.reject(answer ?? new Error('a recovery thread left a request unanswered'))
    })
    this.dispatch()
  }

  /** A thread without work does not keep the process alive, unless {@link close} waits for its end. */
  private leaveIdle({ worker, messages }: Thread): void {
    if (messages.length === 0 && !this.closed) worker.unref()
  }

  /** Removes a thread that ended. Its requests fail; the other threads continue. */
  private drop(thread: Thread, error: Error): void {
    if (this.closed || this.threads?.includes(thread) !== true) return
    this.threads = this.threads.filter((t) => t !== thread)
    process.emitWarning(error)
    for (const job of thread.messages.flat()) job.reject(error)
    if (this.threads.some((t) => t.ready)) return this.dispatch()
    for (const job of this.queue.splice(0)) job.reject(error)
  }

  /** Ends the threads; requests without an answer are rejected. */
  async close(): Promise<void> {
    this.closed = true
    const threads = this.threads ?? []
    this.threads = []
    const error = closedError()
    for (const job of this.queue.splice(0)) job.reject(error)
    for (const { messages } of threads) for (const job of messages.flat()) job.reject(error)
    await Promise.all(threads.map(({ worker }) => endThread(worker)))
  }
}

/** An error like others of transactions: those that wait for keys are dropped when the node stops. */
function closedError(): ChainError {
  return new ChainError('interrupt_exception', 'the recovery pool is closed')
}
