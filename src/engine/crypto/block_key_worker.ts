/** A thread of {@link BlockKeyThreads}: works on blocks in the order in which they come. */
import assert from 'node:assert'
import { parentPort } from 'node:worker_threads'
import type { SharedBlock } from './block_keys.ts'
import { BlockKeys } from './block_keys.ts'

assert(parentPort !== null, 'this module runs in a worker')
parentPort.on('message', (shared: SharedBlock) => BlockKeys.open(shared)?.work())
