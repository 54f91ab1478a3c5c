import { HOST_FUNCTIONS } from './host/table.ts'
import { WasmInstance } from './instance.ts'
import { linkImports } from './link_imports.ts'
import type { CodeFacts } from './preparation/code_facts.ts'
import type { Preparation } from './preparation/prepared_code.ts'
import { WasmParseError } from './wasm/parse_error.ts'
import type { CompiledModule } from './web_assembly.ts'

const MAX_INSTANCES = 8
/** Of each one's memory. */
const MAX_PAGES = 32

/**
 * The first instances of codes that were just set, made between transactions: V8 needs some milliseconds for the
 * first one, after which the processor's caches have nothing of what executes transactions. There are a few, with 16 MiB of
 * memory in all; the oldest is dropped for a new one.
 */
export class FirstInstances {
  private readonly instances = new Map<CompiledModule, WasmInstance>()

  /** Makes one for actions that are not context-free; not if its memory is large or it cannot be linked. */
  make(prepared: Preparation): void {
    if (prepared.facts === undefined || prepared.module === undefined) return
    const { facts, form, module } = prepared
    if (form.movable_memory || (facts.memory?.initial ?? 0) > MAX_PAGES) return
    if (this.instances.has(module)) return
    const instance = firstInstance(facts, module)
    if (instance === undefined) return
    this.instances.set(module, instance)
    for (const oldest of this.instances.keys()) {
      if (this.instances.size <= MAX_INSTANCES) return
      this.instances.delete(oldest)
    }
  }

  /** The instance of a module, once. */
  take(module: CompiledModule): WasmInstance | undefined {
    const instance = this.instances.get(module)
    this.instances.delete(module)
    return instance
  }
}

/** Undefined where an import is unknown or there is no memory for it: that is an error when the code runs. */
function firstInstance(facts: CodeFacts, compiled: CompiledModule): WasmInstance | undefined {
  try {
    const functions = linkImports(facts.imports, HOST_FUNCTIONS)
    const movable_memory = facts.interpreted
    const instance = new WasmInstance({ facts, functions, compiled, movable_memory }, false)
    instance.touchMemory()
    return instance
  } catch (error) {
    if (!(error instanceof WasmParseError || error instanceof RangeError)) throw error
    return undefined
  }
}
