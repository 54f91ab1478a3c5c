import type { RunTier } from '../instrument/tier.ts'
import type { KnownFunctions } from '../link_imports.ts'
import type { CodeRules } from '../validate.ts'
import type { CheckedCode } from './code_checks.ts'
import { compilePrepared, isUsable, prepareCode } from './prepared_code.ts'
import type { Preparation, PreparationTask, PreparedCode } from './prepared_code.ts'

/** Makes codes ready to run. */
export interface CodePreparer {
  /**
   * Prepares code in advance, if this needs no waiting and there is space for it.
   * @param may_start false: not if a thread must be started for it. Default true
   */
  request(task: PreparationTask, may_start?: boolean): void
  /**
   * The prepared code, or undefined if it is not ready in time. Preparation then continues, and the
   * code may be requested again.
   * @param time_limit_ms Infinity: no limit
   */
  prepare(task: PreparationTask, time_limit_ms: number): Preparation | undefined
  /** Checks a code on another thread; see WasmRuntime.checkAhead. Absent: there is none. */
  check?(code: Uint8Array, rules: CodeRules): Promise<CheckedCode | undefined>
  /** Called between transactions with each code that is prepared in advance, and stays prepared. */
  onPrepared?: ((prepared: Preparation) => void) | undefined
  /** The functions that its codes may import. Default: those of the chain. */
  readonly functions?: KnownFunctions
}

/** Stores prepared codes between starts of the node. */
export interface PreparedCodeStore {
  read(task: PreparationTask): PreparedCode | undefined
  write(code_hash: Uint8Array, prepared: PreparedCode): void
}

/** Prepares on the calling thread, when requested. */
export class LocalPreparer implements CodePreparer {
  /** Codes that were parsed; others came from the store. */
  parsed = 0
  private readonly store: PreparedCodeStore | undefined
  private readonly tier: RunTier | undefined

  /** @param tier of every code; by default the fastest that is safe */
  constructor(store?: PreparedCodeStore, tier?: RunTier) {
    this.store = store
    this.tier = tier
  }

  request(): void {
    // Without another thread, the thread that runs the code prepares it.
  }

  prepare(task: PreparationTask): Preparation {
    const stored = this.store?.read(task)
    if (stored !== undefined && isUsable(stored)) return compilePrepared(stored)
    this.parsed += 1
    const prepared = prepareCode(task, this.tier)
    if ('format' in prepared) return { facts: undefined, refused: prepared }
    this.store?.write(task.code_hash, prepared)
    return compilePrepared(prepared)
  }
}
