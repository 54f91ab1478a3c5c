import type { CodeCheck, CodeRules } from '../validate.ts'
import type { CheckAnswer, CheckMessage } from './preparer_message.ts'

/** What another thread said about a code. */
export interface CheckedCode {
  /** SHA-256 of the code. */
  code_hash: Uint8Array
  rules: CodeRules
  result: CodeCheck
  /** Bytes of the code. */
  size: number
  /** What is billed for it: {@link BILLED_NS} a byte; microseconds. */
  cpu_usage_us: number
}

/**
 * Time of a check that is billed for each byte of code, whatever it took: a typical module takes about as much once V8
 * has compiled the checks. So the same code costs the same on each thread, warm or not.
 */
const BILLED_NS = 20

/** Checks that are under way, at most, and the bytes of their codes. */
const MAX_CHECKS = 16
const MAX_CHECK_BYTES = 2 * 1024 * 1024

interface Waiting {
  size: number
  rules: CodeRules
  resolve(checked: CheckedCode | undefined): void
}

/** The checks of codes that another thread does: their number and their size are bounded. */
export class CodeChecks {
  private readonly waiting = new Map<number, Waiting>()
  private bytes = 0
  private last = 0

  /** The result; undefined if there is no room, or the thread fails. */
  ask(
    post: (message: CheckMessage) => void,
    code: Uint8Array,
    rules: CodeRules,
  ): Promise<CheckedCode | undefined> {
    const size = code.length
    if (this.waiting.size >= MAX_CHECKS || this.bytes + size > MAX_CHECK_BYTES) {
      return Promise.resolve(undefined)
    }
    const check = ++this.last
    // The rules of the chain may change before the answer comes.
    const own = structuredClone(rules)
    this.bytes += size
    return new Promise((resolve) => {
      this.waiting.set(check, { size, rules: own, resolve })
      post({ check, code: new Uint8Array(code), rules: own })
    })
  }

  /** An answer of the thread. */
  answered({ check, answer }: CheckAnswer): void {
    const waiting = this.waiting.get(check)
    if (waiting === undefined) return
    const { size, rules } = waiting
    if (answer === undefined) return this.end(check, undefined)
    const cpu_usage_us = Math.ceil((size * BILLED_NS) / 1000)
    this.end(check, { ...answer, rules, size, cpu_usage_us })
  }

  /** The thread does not answer any more. */
  endAll(): void {
    for (const check of this.waiting.keys()) this.end(check, undefined)
  }

  private end(check: number, checked: CheckedCode | undefined): void {
    const waiting = this.waiting.get(check)
    if (waiting === undefined) return
    this.waiting.delete(check)
    this.bytes -= waiting.size
    waiting.resolve(checked)
  }
}
