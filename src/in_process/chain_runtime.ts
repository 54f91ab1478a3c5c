import { WasmRuntime } from '../engine/index.ts'
import type { HostContext } from '../engine/index.ts'

/** Runs an action with the code of this hash. */
export type Apply = (code_hash: Uint8Array, getCode: () => Uint8Array, ctx: HostContext) => void

/** One for all chains of the process, so that a code is compiled once. */
const shared = new WasmRuntime()

/** Runs the contracts of one chain: with the codes of all, or where they are profiled. */
export class ChainRuntime extends WasmRuntime {
  /** Runs actions while a profile is made. */
  profiled: Apply | undefined

  override apply(...run: Parameters<Apply>): void {
    if (this.profiled === undefined) shared.apply(...run)
    else this.profiled(...run)
  }
}
