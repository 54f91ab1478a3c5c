/** A thread of {@link SigningThread}: works on what it is given until that is ended. */
import assert from 'node:assert'
import { parentPort } from 'node:worker_threads'
import { CLOSE } from '../start_thread.ts'
import { SharedSigning } from './shared_signing.ts'

assert(parentPort !== null, 'this module runs in a worker')
const port = parentPort
port.on('message', (message: SharedArrayBuffer | typeof CLOSE) => {
  if (message === CLOSE) port.close()
  else SharedSigning.open(message).work()
})
