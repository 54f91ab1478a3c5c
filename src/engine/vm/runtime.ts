import assert from 'node:assert/strict'
import { CodeCache } from './code_cache.ts'
import { detachFirstBuffer } from './first_detach.ts'
import { FirstInstances } from './first_instances.ts'
import type { HostContext } from './host_context.ts'
import type { CheckedCode } from './preparation/code_checks.ts'
import { LocalPreparer } from './preparation/preparer.ts'
import type { CodePreparer } from './preparation/preparer.ts'
import { checkCode, concludeCheck } from './validate.ts'
import type { CodeCheck, CodeRules } from './validate.ts'

/** Options of the runtime. */
export interface WasmRuntimeOptions {
  /** Maximum number of compiled codes. Default 256. */
  max_codes?: number
  /** Memory of the instances that wait for the next action, in sum. Default 128 MiB. */
  max_idle_bytes?: number
  /** Bytes of the instrumented modules, in sum. Default 64 MiB. */
  max_module_bytes?: number
  /** Makes codes ready to run. Default: on the thread that runs them, without a cache on disk. */
  preparer?: CodePreparer
}

const MAX_IDLE_BYTES = 128 * 1024 * 1024
const MAX_MODULE_BYTES = 64 * 1024 * 1024

/** Validates contracts and runs them. */
export class WasmRuntime {
  /** Codes that were checked on this thread. */
  checked_here = 0
  private readonly cache: CodeCache
  private readonly preparer: CodePreparer
  private running = false

  constructor(options: WasmRuntimeOptions = {}) {
    detachFirstBuffer()
    this.preparer = options.preparer ?? new LocalPreparer()
    const limits = {
      max_codes: options.max_codes ?? 256,
      max_module_bytes: options.max_module_bytes ?? MAX_MODULE_BYTES,
      max_idle_bytes: options.max_idle_bytes ?? MAX_IDLE_BYTES,
    }
    const first_instances = new FirstInstances()
    this.preparer.onPrepared = (prepared) => first_instances.make(prepared)
    this.cache = new CodeCache(limits, this.preparer, first_instances)
  }

  /**
   * A code will be run: it may be prepared before, on another thread. Not again if it was run.
   * @param may_start false: only if that thread runs already
   */
  prepareAhead(
    code_hash: Uint8Array,
    code: Uint8Array,
    max_call_depth: number,
    may_start = true,
  ): void {
    if (this.cache.has(code_hash)) return
    const getCode = (): Uint8Array => code
    this.preparer.request({ code_hash, getCode, max_call_depth, movable_memory: false }, may_start)
  }

  /**
   * Checks a code on another thread, before it is set. Undefined if there is no such thread, or it has too much to
   * do, or it ends.
   */
  checkAhead(code: Uint8Array, rules: CodeRules): Promise<CheckedCode | undefined> {
    return this.preparer.check?.(code, rules) ?? Promise.resolve(undefined)
  }

  /**
   * Checks code as setcode does.
   * @param checked what {@link checkAhead} said about the same code and rules
   * @throws ChainError wasm_serialization_error, wasm_execution_error
   */
  validate(
    code: Uint8Array,
    rules: CodeRules,
    isIntrinsicWhitelisted: (name: string) => boolean,
    checked?: CodeCheck,
  ): void {
    if (checked === undefined) this.checked_here += 1
    concludeCheck(checked ?? checkCode(code, rules), isIntrinsicWhitelisted)
  }

  /**
   * Runs `apply(receiver, code, action)` on the context. `code_hash` is the hash of the result of
   * `getCode`, which is called only if the code is not in the cache.
   * @throws ChainError wasm_execution_error for traps; errors of host functions are unchanged
   */
  apply(code_hash: Uint8Array, getCode: () => Uint8Array, ctx: HostContext): void {
    assert(!this.running, 'a contract runs inside another')
    this.running = true
    try {
      this.cache.run(code_hash, getCode, ctx)
    } finally {
      this.running = false
    }
  }
}
