/** The thread of a recovery pool: answers arrays of requests. */
import { parentPort } from 'node:worker_threads'
import assert from 'node:assert'
import type { RecoveryAnswer, RecoveryRequest } from './recovery_message.ts'
import { packAnswers, READY, unpackRequests } from './recovery_message.ts'
import { recoverKeys } from './recover_keys.ts'
import { CLOSE } from '../start_thread.ts'

function answer(request: RecoveryRequest): RecoveryAnswer {
  try {
    return recoverKeys(request.digest, request.signatures, request.time_limit_us)
  } catch (error) {
    // Every error is sent back to the caller.
    return error as Error
  }
}

assert(parentPort !== null, 'this module runs in a worker')
const port = parentPort
port.on('message', (message: Uint8Array | typeof CLOSE) => {
  if (message === CLOSE) return port.close()
  const answers = packAnswers(unpackRequests(message).map(answer))
  port.postMessage(answers, [answers.buffer as ArrayBuffer])
})
port.postMessage(READY)
