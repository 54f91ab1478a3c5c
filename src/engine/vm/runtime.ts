import assert from 'node:assert/strict'
import type { WasmConfig } from '../protocol/config.ts'
import { CodeCache } from './code_cache.ts'
import type { HostContext } from './host_context.ts'
import { validateCode } from './validate.ts'

export interface WasmRuntimeOptions {
  /** Codes kept compiled, at most. Default 256. */
  max_codes?: number
  /** Memory of the instances that wait for the next action, in sum. Default 256 MiB. */
  max_idle_bytes?: number
}

const MAX_IDLE_BYTES = 256 * 1024 * 1024

/** Validates contracts and runs them. */
export class WasmRuntime {
  private readonly cache: CodeCache
  private running = false

  constructor(options: WasmRuntimeOptions = {}) {
    this.cache = new CodeCache(options.max_codes ?? 256, options.max_idle_bytes ?? MAX_IDLE_BYTES)
  }

  /**
   * What setcode refuses: throws wasm_serialization_error or wasm_execution_error. `wasm_config`
   * is undefined before CONFIGURABLE_WASM_LIMITS2. `speculative`: the block is one that this node
   * makes, so that it may refuse more.
   */
  validate(
    code: Uint8Array,
    wasm_config: WasmConfig | undefined,
    isIntrinsicWhitelisted: (name: string) => boolean,
    speculative = false,
  ): void {
    validateCode(code, wasm_config, isIntrinsicWhitelisted, speculative)
  }

  /**
   * Runs `apply(receiver, code, action)` on the context. `code_hash` is the hash of what `getCode`
   * answers, which is asked for only where the code is not in the cache. Traps throw
   * wasm_execution_error; errors of host functions come through unchanged.
   */
  apply(code_hash: Uint8Array, getCode: () => Uint8Array, ctx: HostContext): void {
    assert(!this.running, 'a contract runs inside another')
    const code = this.cache.get(code_hash, getCode, ctx)
    this.running = true
    try {
      this.cache.run(code, ctx)
    } finally {
      this.running = false
    }
  }
}
