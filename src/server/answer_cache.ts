/**
 * A cache of answers to read operations: wallets and explorers repeat the same few requests.
 *
 * An answer is kept while the chain does not change (`version`) and no operation that may change
 * anything is served. The contract says which answers may be kept (`x-cacheable`). An answer is kept for a
 * short time at most, because a few fields depend on the clock.
 */
import { performance } from 'node:perf_hooks'
import type { Payload } from './send.ts'

/** Milliseconds. */
const MAX_AGE_MS = 100
/** Bytes of questions and answers together. */
const MAX_SIZE = 32 * 1024 * 1024
/** Longer questions are rare, and keys cost memory too. Bytes. */
export const MAX_QUESTION = 4096

/**
 * Keeps answers of read operations while the chain does not change. An answer is kept when its question
 * is asked for the second time, because most questions that differ are asked once. Total size and time are bounded.
 */
export class AnswerCache {
  /** By operation and question; undefined for a question that was asked once. */
  private readonly answers = new Map<string, Map<string, Payload | undefined>>()
  /** Grows whenever an answer may change. */
  readonly version: () => number
  private readonly now: () => number
  private kept_version = -1
  private until_ms = 0
  private size = 0

  /** @param version grows whenever an answer may change
   *  @param now milliseconds */
  constructor(version: () => number, now: () => number = () => performance.now()) {
    this.version = version
    this.now = now
  }

  /** The kept answer for this request, if it is still valid. */
  find(operationId: string, question: string): Payload | undefined {
    this.dropOld()
    return this.answers.get(operationId)?.get(question)
  }

  /**
   * Stores an answer to a question that was asked before, unless the chain changed since its request
   * started. Remembers other questions.
   * @param version the value of `version` before the answer was made
   */
  keep(operationId: string, question: string, answer: Payload, version: number): void {
    if (version !== this.version() || question.length > MAX_QUESTION) return
    this.dropOld()
    const answers = this.answersOf(operationId)
    const size = answers.has(question) ? answer.length : question.length
    if (this.size + size > MAX_SIZE) return
    answers.set(question, answers.has(question) ? answer : undefined)
    this.size += size
  }

  private answersOf(operationId: string): Map<string, Payload | undefined> {
    let answers = this.answers.get(operationId)
    if (!answers) this.answers.set(operationId, (answers = new Map()))
    return answers
  }

  /** Something else than the chain may have changed. */
  clear(): void {
    this.answers.clear()
    this.size = 0
  }

  private dropOld(): void {
    const version = this.version()
    if (version === this.kept_version && this.now() < this.until_ms) return
    this.clear()
    this.kept_version = version
    this.until_ms = this.now() + MAX_AGE_MS
  }
}
