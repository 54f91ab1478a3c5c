import type { Worker } from 'node:worker_threads'
import { endThread, startHelper } from '../start_thread.ts'
import { SyncRequest } from './sync_request.ts'

/** It has hardly any objects. */
const FEW_OBJECTS = { maxYoungGenerationSizeMb: 1 }

/** Another thread that waits for the disk, while the calling one does something else. */
export class SyncThread {
  private readonly request = new SyncRequest()
  private readonly worker: Worker

  constructor() {
    const { memory } = this.request
    const options = { workerData: memory, resourceLimits: FEW_OBJECTS }
    this.worker = startHelper('./sync_worker', import.meta.url, options)
  }

  /**
   * Returns when the file is on the disk.
   * @param meanwhile does a small part of other work, and returns whether there was any
   * @throws Error of node:fs, or what `meanwhile` throws
   */
  sync(fd: number, meanwhile: () => boolean): void {
    const { request } = this
    request.give(fd)
    try {
      while (!request.isDone && meanwhile());
    } finally {
      request.finish()
    }
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    this.request.close()
    await endThread(this.worker)
  }
}
