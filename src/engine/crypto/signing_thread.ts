import type { Worker } from 'node:worker_threads'
import { endThread, startHelper } from '../start_thread.ts'
import { SharedSigning } from './shared_signing.ts'

/** Another thread that makes signatures beside the calling one. */
export class SigningThread {
  private readonly worker: Worker

  constructor() {
    this.worker = startHelper('./signing_worker', import.meta.url)
  }

  /** Begins to make signatures, at most so many together. The caller must end this. */
  begin(capacity: number): SharedSigning {
    const signing = SharedSigning.create(capacity)
    this.worker.postMessage(signing.memory)
    return signing
  }

  /** Ends the thread. */
  close(): Promise<void> {
    return endThread(this.worker)
  }
}
