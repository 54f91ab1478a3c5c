import type { RunTier } from '../instrument/tier.ts'
import { compilePrepared, isUsable, prepareCode } from './prepared_code.ts'
import type { Preparation, PreparationTask, PreparedCode } from './prepared_code.ts'

/** Makes codes ready to run. */
export interface CodePreparer {
  /** Prepares in advance, where this needs nobody to wait and there is room for it. */
  request(task: PreparationTask): void
  /**
   * Undefined where it is not ready within that time; then it goes on, and may be asked for again.
   * @param time_limit_ms Infinity: as long as it takes
   */
  prepare(task: PreparationTask, time_limit_ms: number): Preparation | undefined
}

/** Keeps prepared codes from one start of the node to the next. */
export interface PreparedCodeStore {
  read(task: PreparationTask): PreparedCode | undefined
  write(code_hash: Uint8Array, prepared: PreparedCode): void
}

/** Prepares on the thread that calls, when it is asked. */
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
    // There is no other thread: whoever runs the code prepares it.
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
