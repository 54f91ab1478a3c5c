/** The worker of {@link PreparerThread}. Tasks whose caller waits go first, then checks. */
import assert from 'node:assert'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { collectGarbage } from '../../collect_garbage.ts'
import { CLOSE } from '../../start_thread.ts'
import { sha256 } from '../../crypto/hash.ts'
import { checkCode } from '../validate.ts'
import { DiskCodeStore } from './disk_code_store.ts'
import { warmUpChecks, warmUpPreparation } from '../warm_up.ts'
import { LocalPreparer } from './preparer.ts'
import { ANSWER_COUNT, CLOSING, PREPARED, READY, WARM_UP } from './preparer_message.ts'
import type { AnswerMessage, CheckAnswer, CheckMessage } from './preparer_message.ts'
import type { PreparerData, TaskMessage } from './preparer_message.ts'

assert(parentPort !== null, 'this module runs in a worker')
const port = parentPort
const { folder, max_bytes, urgent, answers, signals } = workerData as PreparerData
const words = new Int32Array(signals)
const store =
  folder === undefined
    ? undefined
    : new DiskCodeStore(folder, max_bytes, (level, log) => answer({ level, log }))
const preparer = new LocalPreparer(store)

function answer(message: AnswerMessage): void {
  answers.postMessage(message)
  Atomics.add(words, ANSWER_COUNT, 1)
  Atomics.notify(words, ANSWER_COUNT)
}

/** Tasks that were done early because their caller waited. */
const overtaken = new Set<string>()
/** Codes that are still to be checked. */
const checks: CheckMessage[] = []

function work(task: TaskMessage): void {
  if (Atomics.load(words, CLOSING) !== 0) return
  const { key, code, code_hash, max_call_depth, movable_memory } = task
  const wanted = { code_hash, getCode: () => code, max_call_depth, movable_memory }
  try {
    answer({ key, preparation: preparer.prepare(wanted) })
  } catch (error) {
    // The caller tries it on its own thread, and gets the error there.
    answer({ key, failed: error instanceof Error ? error.message : String(error) })
  }
}

function checked(message: CheckMessage): CheckAnswer {
  const { check, code, rules } = message
  try {
    return { check, answer: { code_hash: sha256(code), result: checkCode(code, rules) } }
  } catch {
    // The thread that executes the transaction tries it again, and gets the error there.
    return { check, answer: undefined }
  }
}

function workUrgent(): void {
  for (;;) {
    const next = receiveMessageOnPort(urgent) as { message: TaskMessage | CheckMessage } | undefined
    if (next === undefined) return
    workAtOnce(next.message)
  }
}

function workAtOnce(message: TaskMessage | CheckMessage): void {
  if ('check' in message) return void checks.push(message)
  if (message.overtakes) overtaken.add(message.key)
  work(message)
}

function workChecks(): void {
  for (;;) {
    workUrgent()
    const next = checks.shift()
    if (next === undefined) return
    port.postMessage(checked(next))
  }
}

urgent.on('message', (message: TaskMessage | CheckMessage) => {
  workAtOnce(message)
  workChecks()
})
port.on('message', (message: TaskMessage | typeof WARM_UP | typeof CLOSE) => {
  workChecks()
  if (message === WARM_UP) return warmUp(allSteps())
  if (message !== CLOSE) {
    if (overtaken.delete(message.key)) return
    work(message)
    port.postMessage(PREPARED)
    return
  }
  // Ends by itself, because a terminated thread keeps V8's flags locked.
  port.close()
  urgent.close()
  answers.close()
})
Atomics.store(words, READY, 1)
port.postMessage('ready')

/** Step by step, for a code may be waiting. */
function warmUp(steps: Iterator<undefined>): void {
  if (Atomics.load(words, CLOSING) !== 0) return
  if (steps.next().done) collectGarbage()
  else setImmediate(warmUp, steps)
}
function* allSteps(): Generator<undefined> {
  yield* warmUpChecks()
  yield* warmUpPreparation()
}
