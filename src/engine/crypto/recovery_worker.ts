/** The thread of a recovery pool: answers arrays of requests, and works on shared blocks. */
import { parentPort } from 'node:worker_threads'
import assert from 'node:assert'
import type { SharedBlock } from './block_keys.ts'
import { BlockKeys } from './block_keys.ts'
import type { RecoveryAnswer, RecoveryRequest } from './recovery_message.ts'
import { packAnswers, READY, unpackRequests } from './recovery_message.ts'
import { recoverKeys, warmUpRecovery } from './recover_keys.ts'
import { Stopwatch } from './stopwatch.ts'
import { collectGarbage } from '../collect_garbage.ts'
import { CLOSE } from '../start_thread.ts'

/** One stopwatch for all: the end of a request is the start of the next one. */
function answers(requests: readonly RecoveryRequest[]): RecoveryAnswer[] {
  const stopwatch = new Stopwatch()
  return requests.map(({ digest, signatures, time_limit_us }) => {
    try {
      return recoverKeys(digest, signatures, time_limit_us, stopwatch)
    } catch (error) {
      stopwatch.lap()
      // Every error is sent back to the caller.
      return error as Error
    }
  })
}

assert(parentPort !== null, 'this module runs in a worker')
const port = parentPort
port.on('message', (message: Uint8Array | SharedBlock | typeof CLOSE) => {
  if (message === CLOSE) return port.close()
  if (!(message instanceof Uint8Array)) return BlockKeys.workOn(message)
  const packed = packAnswers(answers(unpackRequests(message)))
  port.postMessage(packed, [packed.buffer as ArrayBuffer])
})
warmUpRecovery()
port.postMessage(READY)
collectGarbage()
