/**
 * Signs and verifies with BLS keys on another thread, because each takes tens of milliseconds. The
 * thread starts with the first request; if it cannot, or ends, the caller's own does the work.
 */
import type { Worker } from 'node:worker_threads'
import { startThread } from '../start_thread.ts'
import type { BlsSigners } from './bls.ts'
import { blsAggregateVerify, blsSign } from './bls.ts'

/** It keeps few objects: else V8 gives its young generation several times this while the thread loads its program. */
const FEW_OBJECTS = { resourceLimits: { maxYoungGenerationSizeMb: 3 } }

/** A request to the thread. */
export type BlsTask =
  | { kind: 'sign'; secret: Uint8Array; message: Uint8Array }
  | { kind: 'verify'; signers: BlsSigners[]; signature: Uint8Array }

/** The result of a BLS task: a signature, or whether one is valid. */
export type BlsAnswer = Uint8Array | boolean

/** Does a task on the thread that calls. */
export function runBlsTask(task: BlsTask): BlsAnswer {
  return task.kind === 'sign'
    ? blsSign(task.secret, task.message)
    : blsAggregateVerify(task.signers, task.signature)
}

interface Job {
  task: BlsTask
  resolve(answer: BlsAnswer): void
  reject(error: Error): void
}

/**
 * Signs and verifies with BLS on a separate thread. If the thread fails, the calling thread does the
 * work. A promise rejects with the error of its operation.
 */
export class BlsThread {
  private worker: Worker | undefined
  private broken = false
  /** Requests that the thread works on, in order. */
  private readonly jobs: Job[] = []

  /** The number of tasks that are not done. */
  get pending(): number {
    return this.jobs.length
  }

  /**
   * The signature of `message` in affine form, as {@link blsSign} makes it.
   * @param secret the bytes of a BLS private key
   */
  sign(secret: Uint8Array, message: Uint8Array): Promise<Uint8Array> {
    return this.run({ kind: 'sign', secret, message }) as Promise<Uint8Array>
  }

  /**
   * Whether an aggregate signature is that of all signers on their messages, as {@link
   * blsAggregateVerify} decides it.
   */
  verify(signers: BlsSigners[], signature: Uint8Array): Promise<boolean> {
    return this.run({ kind: 'verify', signers, signature }) as Promise<boolean>
  }

  /** Ends the thread. The calling thread does the work that is left and all later work. */
  async close(): Promise<void> {
    this.broken = true
    const { worker } = this
    this.worker = undefined
    // Its code is WebAssembly, which may be stopped anywhere.
    await worker?.terminate()
    this.takeOver()
  }

  private run(task: BlsTask): Promise<BlsAnswer> {
    return new Promise((resolve, reject) => {
      const worker = this.start()
      if (worker === undefined) return resolve(runBlsTask(task))
      this.jobs.push({ task, resolve, reject })
      worker.ref()
      worker.postMessage(task)
    })
  }

  private start(): Worker | undefined {
    if (this.broken || this.worker) return this.worker
    const worker = startThread('./bls_worker', import.meta.url, FEW_OBJECTS)
    worker.on('message', (answer: { value: BlsAnswer } | { error: Error }) => {
      const job = this.jobs.shift()
      // Unless `close` waits for its end.
      if (this.jobs.length === 0 && this.worker === worker) worker.unref()
      if ('value' in answer) job?.resolve(answer.value)
      else job?.reject(answer.error)
    })
    const drop = (): void => {
      if (this.worker !== worker) return
      this.broken = true
      this.worker = undefined
      this.takeOver()
    }
    worker.on('error', (error) => {
      process.emitWarning(error)
      drop()
    })
    worker.on('exit', drop)
    worker.unref()
    return (this.worker = worker)
  }

  /** Requests that the thread did not complete are done here. */
  private takeOver(): void {
    for (const { task, resolve, reject } of this.jobs.splice(0)) {
      try {
        resolve(runBlsTask(task))
      } catch (error) {
        reject(error as Error)
      }
    }
  }
}
