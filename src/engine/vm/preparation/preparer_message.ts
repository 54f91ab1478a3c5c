import type { MessagePort } from 'node:worker_threads'
import type { LogLevel } from '../../log.ts'
import type { CodeCheck, CodeRules } from '../validate.ts'
import type { Preparation, PreparationTask } from './prepared_code.ts'

/** The start data of a preparer's thread. */
export interface PreparerData {
  /** The folder of prepared codes; if absent, nothing is stored. */
  folder: string | undefined
  max_bytes: number
  /** For requests whose caller waits, and for checks; other requests use the thread's own port. */
  urgent: MessagePort
  answers: MessagePort
  /** Int32Array of {@link ANSWER_COUNT} and others. */
  signals: SharedArrayBuffer
}

/** Words of the signals. */
export const ANSWER_COUNT = 0
/** Set to 1 when the thread takes tasks. */
export const READY = 1
/** Set to 1 when the thread is to end. */
export const CLOSING = 2
/** The number of words. */
export const SIGNAL_WORDS = 3

/** A message to the thread: it shall do what makes later tasks fast. */
export const WARM_UP = 'warm up'

/** A message of the thread's own port: a task without a waiting caller is done, and its answer is there. */
export const PREPARED = 'prepared'

/** A message to the thread with a task. */
export interface TaskMessage {
  key: string
  code_hash: Uint8Array
  code: Uint8Array
  max_call_depth: number
  movable_memory: boolean
  /** The same task is in the other queue, and need not be done there. */
  overtakes: boolean
}

/**
 * The message of a task. Its bytes are copies, because a view is sent with the whole memory that it is a view of;
 * `slice` of a Buffer is a view.
 */
export function taskMessage(key: string, task: PreparationTask, overtakes: boolean): TaskMessage {
  const { max_call_depth, movable_memory } = task
  const code_hash = new Uint8Array(task.code_hash)
  const code = new Uint8Array(task.getCode())
  return { key, code_hash, code, max_call_depth, movable_memory, overtakes }
}

/** A message from the thread: a prepared code, the reason why it failed, or a line of the log. */
export type AnswerMessage =
  | { key: string; preparation: Preparation }
  | { key: string; failed: string }
  | { level: LogLevel; log: string }

/** A message to the thread with a code that is to be checked. */
export interface CheckMessage {
  /** The number of the check. */
  check: number
  code: Uint8Array
  rules: CodeRules
}

/** The answer to it, by the thread's own port. */
export interface CheckAnswer {
  check: number
  /** Undefined if the thread failed at it. */
  answer: { code_hash: Uint8Array; result: CodeCheck } | undefined
}
