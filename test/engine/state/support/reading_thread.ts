/** Reads the state of another thread turn after turn, and answers what it saw at which version. */
import type { MessagePort } from 'node:worker_threads'
import { parentPort, workerData } from 'node:worker_threads'
import { createDatabase } from '../../../../src/engine/state/database.ts'
import { SharedMemory, Turns } from '../../../../src/engine/state/shared_memory.ts'
import { stateDigest } from './state_digest.ts'

const { words, port, control } = workerData as {
  words: SharedArrayBuffer
  port: MessagePort
  control: SharedArrayBuffer
}
/** Turns so far; 1 when the last turn shall come. */
const counters = new Int32Array(control)
const memory = new SharedMemory(words)
const db = createDatabase(memory)
let news = 0
const turns = new Turns<number>(memory, port, {
  onChange: () => db.trimCaches(0),
  onNews: (version) => (news = version),
})
const seen: [version: number, digest: number, news: number][] = []
for (let is_last = false; !is_last;) {
  is_last = Atomics.load(counters, 1) === 1
  const version = turns.begin()
  try {
    seen.push([version, stateDigest(db), news])
  } finally {
    turns.end()
  }
  Atomics.add(counters, 0, 1)
  Atomics.notify(counters, 0)
}
parentPort!.postMessage(seen)
