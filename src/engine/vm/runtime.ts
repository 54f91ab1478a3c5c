import { fail } from '../errors.ts'
import type { WasmConfig } from '../protocol/config.ts'
import type { HostContext } from './host_context.ts'

export interface WasmRuntimeOptions {
  /** Instances kept per code, at most. */
  max_instances_per_code?: number
  /** Codes kept compiled, at most. */
  max_codes?: number
}

/** Validates contracts and runs them. Being built. */
export class WasmRuntime {
  constructor(_options: WasmRuntimeOptions = {}) {}

  /** What setcode refuses: throws wasm_serialization_error, wasm_execution_error, ... `wasm_config` undefined: before configurable limits, the reference's built-in limits. */
  validate(
    _code: Uint8Array,
    _wasm_config: WasmConfig | undefined,
    _isIntrinsicWhitelisted: (name: string) => boolean,
  ): void {
    fail('unsupported_feature', 'the VM is not built yet')
  }

  /** Runs `apply(receiver, code, action)` of the code on the context. */
  apply(_code_hash: Uint8Array, _getCode: () => Uint8Array, _ctx: HostContext): void {
    fail('unsupported_feature', 'the VM is not built yet')
  }
}
