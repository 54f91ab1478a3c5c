/** The worker of {@link SyncThread}: syncs files until it is asked to end. */
import { parentPort, workerData } from 'node:worker_threads'
import { SyncRequest } from './sync_request.ts'

new SyncRequest(workerData as SharedArrayBuffer).work()
parentPort?.close()
