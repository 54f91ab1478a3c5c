/**
 * Prepares codes on another thread before they run, and checks codes there before they are set. Results are read without the event loop,
 * because the contract runs in the middle of a transaction; for the same reason the caller can wait
 * for them synchronously.
 *
 * The thread starts with the first request. Until it is ready, and after it has ended, the calling
 * thread does the work.
 */
import type { Log } from '../../log.ts'
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import type { MessagePort, Worker } from 'node:worker_threads'
import { endThread, startThread } from '../../start_thread.ts'
import { toHex } from '../../protocol/hex.ts'
import type { CodeRules } from '../validate.ts'
import { CodeChecks } from './code_checks.ts'
import type { CheckedCode } from './code_checks.ts'
import { DiskCodeStore } from './disk_code_store.ts'
import { LocalPreparer } from './preparer.ts'
import type { CodePreparer } from './preparer.ts'
import type { Preparation, PreparationTask } from './prepared_code.ts'
import {
  ANSWER_COUNT,
  CLOSING,
  PREPARED,
  READY,
  SIGNAL_WORDS,
  WARM_UP,
  taskMessage,
} from './preparer_message.ts'
import type { AnswerMessage, CheckAnswer, PreparerData, TaskMessage } from './preparer_message.ts'

/** Options of the preparation thread. */
export interface PreparerOptions {
  /** The folder of prepared codes; if absent, they are not stored. */
  folder?: string
  /** Bytes of that folder's files. Default 256 MiB. */
  max_folder_bytes?: number
  log: Log
}

const MAX_FOLDER_BYTES = 256 * 1024 * 1024
/** Requests that wait in advance, at most; each holds a copy of its code. */
const MAX_PENDING = 64
const MAX_PENDING_BYTES = 32 * 1024 * 1024
/** Results that wait for their first use. Machine code is several times as long as the code. */
const MAX_READY = 256
const MAX_READY_BYTES = 64 * 1024 * 1024
/** A thread that does not answer for this time has ended; milliseconds. */
const LOST_AFTER_MS = 60_000
/** Of the thread's heap, which a code of the greatest size must fit. */
const HEAP_MB = 1024
/** Of it, for new objects: more makes preparation hardly faster. */
const YOUNG_MB = 6

interface Received {
  message: AnswerMessage
}

interface Thread {
  worker: Worker
  urgent: MessagePort
  answers: MessagePort
  words: Int32Array
}

/**
 * Prepares code for execution on a separate thread, and prepares it on the calling thread while the
 * other thread is not available.
 */
export class PreparerThread implements CodePreparer {
  private readonly options: PreparerOptions
  private readonly local: LocalPreparer
  private thread: Thread | undefined
  private ended = false
  /** Total bytes of the requested codes that the thread has not answered. */
  private readonly pending = new Map<string, number>()
  private pending_bytes = 0
  /** The pending codes that a caller has waited for. */
  private readonly urgent_keys = new Set<string>()
  private readonly ready = new Map<string, Preparation>()
  private ready_bytes = 0
  /** The codes that were prepared in advance, until they are announced. */
  private readonly unannounced: string[] = []
  onPrepared: CodePreparer['onPrepared']
  private readonly checks = new CodeChecks()

  constructor(options: PreparerOptions) {
    this.options = options
    const { folder, log } = options
    const store = folder === undefined ? undefined : new DiskCodeStore(folder, this.maxBytes, log)
    this.local = new LocalPreparer(store)
  }

  private get maxBytes(): number {
    return this.options.max_folder_bytes ?? MAX_FOLDER_BYTES
  }

  /** Starts the thread, if it did not start yet; it needs a while until it is ready. */
  start(): void {
    if (this.thread === undefined && !this.ended) this.thread = this.startThread()
  }

  /** Lets the thread, which starts if it did not, warm up: not during a start, which needs the processors. */
  warmUp(): void {
    this.start()
    this.thread?.worker.postMessage(WARM_UP)
  }

  /** Starts the thread and resolves when it is ready, or has ended. */
  async started(): Promise<void> {
    this.start()
    const { thread } = this
    if (thread === undefined || Atomics.load(thread.words, READY) !== 0) return
    const { worker } = thread
    worker.ref()
    await new Promise<void>((resolve) => {
      worker.once('message', () => resolve())
      worker.once('exit', () => resolve())
    })
    // Unless `close` waits for its end.
    if (this.thread === thread) worker.unref()
  }

  /** Whether one more request in advance is permitted. */
  get hasRoom(): boolean {
    this.receive()
    return this.pending.size < MAX_PENDING && this.pending_bytes < MAX_PENDING_BYTES
  }

  request(task: PreparationTask, may_start = true): void {
    if (may_start) this.start()
    const key = keyOf(task)
    if (this.thread === undefined || !this.hasRoom) return
    if (this.pending.has(key) || this.ready.has(key)) return
    this.send(this.thread.worker, key, task)
  }

  prepare(task: PreparationTask, time_limit_ms: number): Preparation | undefined {
    const key = keyOf(task)
    this.receive()
    const known = this.take(key)
    if (known !== undefined) return known
    const { thread } = this
    if (thread === undefined || Atomics.load(thread.words, READY) === 0) {
      return this.local.prepare(task)
    }
    // Also if it was requested in advance: this request overtakes the earlier one.
    if (!this.urgent_keys.has(key)) {
      this.urgent_keys.add(key)
      this.send(thread.urgent, key, task)
    }
    return this.waitFor(thread, key, task, time_limit_ms)
  }

  check(code: Uint8Array, rules: CodeRules): Promise<CheckedCode | undefined> {
    this.start()
    const { thread } = this
    if (thread === undefined) return Promise.resolve(undefined)
    return this.checks.ask(
      (message) => thread.urgent.postMessage(message, [message.code.buffer as ArrayBuffer]),
      code,
      rules,
    )
  }

  /** Ends the thread when it has done what it is at. */
  async close(): Promise<void> {
    const { thread } = this
    this.ended = true
    this.thread = undefined
    this.checks.endAll()
    if (thread === undefined) return
    Atomics.store(thread.words, CLOSING, 1)
    await endThread(thread.worker)
    thread.urgent.close()
    thread.answers.close()
  }

  /**
   * Blocks until the answer arrives or the time is over. If another answer arrives first, the time
   * starts again.
   */
  private waitFor(
    thread: Thread,
    key: string,
    task: PreparationTask,
    time_limit_ms: number,
  ): Preparation | undefined {
    const limited = time_limit_ms < LOST_AFTER_MS
    for (;;) {
      const seen = Atomics.load(thread.words, ANSWER_COUNT)
      this.receive()
      const answer = this.take(key)
      if (answer !== undefined) return answer
      // A failure of the thread's own.
      if (!this.pending.has(key)) return this.local.prepare(task)
      const limit = limited ? time_limit_ms : LOST_AFTER_MS
      if (Atomics.wait(thread.words, ANSWER_COUNT, seen, limit) !== 'timed-out') continue
      if (limited) return undefined
      this.drop(new Error('the thread that prepares codes does not answer'))
      return this.local.prepare(task)
    }
  }

  private send(
    port: { postMessage(message: TaskMessage): void },
    key: string,
    task: PreparationTask,
  ): void {
    const overtakes = this.pending.has(key)
    const message = taskMessage(key, task, overtakes)
    const { length } = message.code
    if (!overtakes) this.pending_bytes += length
    this.pending.set(key, length)
    port.postMessage(message)
  }

  /** Reads what has come back. */
  private receive(): void {
    while (this.thread !== undefined) {
      const next: Received | undefined = receiveMessageOnPort(this.thread.answers)
      if (next === undefined) return
      const { message } = next
      if ('log' in message) this.options.log(message.level, message.log)
      else this.answered(message)
    }
  }

  private answered(message: Exclude<AnswerMessage, { log: string }>): void {
    const pending = this.pending.get(message.key)
    // It was requested twice, and this is the second result.
    if (pending === undefined) return
    this.pending.delete(message.key)
    const is_urgent = this.urgent_keys.delete(message.key)
    this.pending_bytes -= pending
    if ('failed' in message) {
      this.options.log('warn', `code could not be prepared in advance: ${message.failed}`)
      return
    }
    const { key, preparation } = message
    this.ready.set(key, preparation)
    this.ready_bytes += sizeOf(preparation)
    if (!is_urgent) this.unannounced.push(key)
    for (const oldest of this.ready.keys()) {
      if (this.ready.size <= MAX_READY && this.ready_bytes <= MAX_READY_BYTES) return
      if (oldest !== key) this.take(oldest)
    }
  }

  /** Announces the next prepared code, unless it is already in use. */
  private announceNext(): void {
    this.receive()
    const key = this.unannounced.shift()
    const preparation = key === undefined ? undefined : this.ready.get(key)
    if (preparation !== undefined) this.onPrepared?.(preparation)
  }

  private take(key: string): Preparation | undefined {
    const preparation = this.ready.get(key)
    if (preparation === undefined) return undefined
    this.ready.delete(key)
    this.ready_bytes -= sizeOf(preparation)
    return preparation
  }

  private startThread(): Thread {
    const urgent = new MessageChannel()
    const answers = new MessageChannel()
    const signals = new SharedArrayBuffer(SIGNAL_WORDS * Int32Array.BYTES_PER_ELEMENT)
    const data: PreparerData = {
      folder: this.options.folder,
      max_bytes: this.maxBytes,
      urgent: urgent.port2,
      answers: answers.port2,
      signals,
    }
    const worker = startWorker(data)
    worker.on('message', (message: 'ready' | typeof PREPARED | CheckAnswer) => {
      if (message === PREPARED) this.announceNext()
      else if (message !== 'ready') this.checks.answered(message)
    })
    worker.on('error', (error) => this.drop(error))
    worker.on('exit', () => this.drop(new Error('the thread that prepares codes ended')))
    worker.unref()
    return { worker, urgent: urgent.port1, answers: answers.port1, words: new Int32Array(signals) }
  }

  /** Continues without the thread. */
  private drop(error: Error): void {
    if (this.thread === undefined) return
    this.options.log(
      'warn',
      `the preparation thread failed, so code is prepared when it runs: ${error.message}`,
    )
    this.thread = undefined
    this.ended = true
    this.pending.clear()
    this.urgent_keys.clear()
    this.pending_bytes = 0
    this.checks.endAll()
  }
}

function startWorker(workerData: PreparerData): Worker {
  const transferList = [workerData.urgent, workerData.answers]
  const options = {
    workerData,
    transferList,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
  }
  return startThread('./preparer_worker', import.meta.url, options)
}

function keyOf({ code_hash, max_call_depth, movable_memory }: PreparationTask): string {
  return `${toHex(code_hash)} ${max_call_depth} ${movable_memory}`
}

function sizeOf(preparation: Preparation): number {
  return preparation.facts === undefined ? 0 : preparation.size
}
