/** The worker of {@link DigestThread}: hashes one group after the other until it is asked to end. */
import { parentPort, workerData } from 'node:worker_threads'
import { CLOSED, DigestArena, GIVEN, WORKER_IS_READY } from './digest_arena.ts'

/** To wake a thread up may take longer than to hash a group, so it looks for groups from time to time. */
const PAUSE_MS = 1

const arena = new DigestArena(workerData as SharedArrayBuffer)
const { words } = arena
Atomics.store(words, WORKER_IS_READY, 1)
let next = 0
for (;;) {
  const given = Atomics.load(words, GIVEN)
  if (given === CLOSED) break
  if (next < given) arena.work(next++)
  else Atomics.wait(words, GIVEN, given, PAUSE_MS)
}
parentPort?.close()
