import { LocalPreparer } from '../../engine/vm/preparation/preparer.ts'
import { WasmRuntime } from '../../engine/vm/runtime.ts'
import type { HostContext } from '../../engine/vm/host_context.ts'
import { EmulatedAction } from './emulated_action.ts'
import { hostFunctions } from './host_functions.ts'

/** Prepares codes for the host functions of VeRT. */
class VertPreparer extends LocalPreparer {
  readonly functions = hostFunctions
}

/** Runs contracts, and notes in which order they run. */
export class TracedRuntime extends WasmRuntime {
  constructor() {
    super({ preparer: new VertPreparer() })
  }

  override apply(code_hash: Uint8Array, getCode: () => Uint8Array, ctx: HostContext): void {
    if (ctx instanceof EmulatedAction) ctx.noteRun()
    super.apply(code_hash, getCode, ctx)
  }
}
