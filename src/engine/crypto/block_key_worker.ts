/** A thread of {@link BlockKeyThreads}: works on blocks in the order in which they come. */
import assert from 'node:assert'
import { parentPort } from 'node:worker_threads'
import { CLOSE } from '../start_thread.ts'
import type { SharedBlock } from './block_keys.ts'
import { BlockKeys } from './block_keys.ts'

assert(parentPort !== null, 'this module runs in a worker')
const port = parentPort
port.on('message', (message: SharedBlock | typeof CLOSE) => {
  if (message === CLOSE) port.close()
  else BlockKeys.workOn(message)
})
