/** The thread of {@link BlsThread}: one answer to each task, in order. */
import assert from 'node:assert'
import { parentPort } from 'node:worker_threads'
import { useBlsGroup } from './bls.ts'
import { collectGarbage } from '../collect_garbage.ts'
import type { BlsTask } from './bls_thread.ts'
import { runBlsTask } from './bls_thread.ts'
import { loadBlsWasm } from './bls_wasm.ts'

assert(parentPort !== null, 'this module runs in a worker')
const port = parentPort
const ready = loadBlsWasm().then(useBlsGroup)
let is_new = true
// Listens before the code is compiled: that alone does not keep a thread (Node.js 24).
port.on('message', async (task: BlsTask) => {
  await ready
  try {
    port.postMessage({ value: runBlsTask(task) })
  } catch (error) {
    // Every error is sent back to the caller.
    port.postMessage({ error })
  }
  // What loading and compiling the library left is more than all that it takes later.
  if (is_new) collectGarbage()
  is_new = false
})
