import { compileModule } from './compile_module.ts'
import { refusal, refuse } from './refuse.ts'
import { HOST_FUNCTIONS } from './host/table.ts'
import type { HostContext } from './host_context.ts'
import type { HostFunction } from './host/host_function.ts'
import { linkImports } from './link_imports.ts'
import { greatestCallDepth } from './instrument/call_graph.ts'
import { instrument } from './instrument/instrument.ts'
import type { Form } from './instrument/layout.ts'
import { scanBody } from './instrument/scan_body.ts'
import type { BodyScan } from './instrument/scan_body.ts'
import { WasmInstance, PAGE_BYTES } from './instance.ts'
import type { InstanceParts } from './instance.ts'
import { parseModule } from './wasm/parse_module.ts'
import { APPLY_OPTIONS } from './wasm/parse_options.ts'
import { WasmParseError } from './wasm/parse_error.ts'
import { exportedFunction, functionType } from './wasm/module.ts'
import type { WasmModule } from './wasm/module.ts'
import type { CompiledModule } from './web_assembly.ts'
import { webAssembly } from './web_assembly.ts'

/**
 * A contract's code made ready to run, in the forms that are needed: the call depth is counted
 * only where the code could exceed the limit in force, memory has a movable end only once the code
 * moved it. Forms are compiled when first needed; of each, one instance is kept, for actions of a
 * node never run inside each other.
 */
export class CompiledCode {
  private readonly module: WasmModule
  private readonly scans: BodyScan[]
  private readonly float_ops = new Set<number>()
  private readonly functions: HostFunction[]
  private readonly image: Uint8Array
  /** Nested calls that `apply` can make, at most. */
  private readonly call_depth: number
  private readonly modules = new Map<number, CompiledModule>()
  private readonly idle = new Map<number, WasmInstance>()
  private movable_memory = false
  /** Bytes of memory of the instances kept. */
  idle_bytes = 0

  constructor(code: Uint8Array) {
    this.module = parseForApply(code)
    this.functions = linkForApply(this.module)
    this.scans = this.module.bodies.map((_, i) => scanBody(this.module, i, this.float_ops))
    this.call_depth = greatestCallDepth(this.module, this.scans, roots(this.module))
    this.image = memoryImage(this.module)
  }

  /** Runs the action of the context. */
  run(ctx: HostContext): void {
    const form = {
      count_depth: this.call_depth >= ctx.max_call_depth,
      movable_memory: this.movable_memory,
    }
    const slot = slotOf(form, ctx.context_free)
    const instance = this.idle.get(slot) ?? this.instantiate(form, ctx.context_free)
    const before = this.idle.has(slot) ? instance.u8.length : 0
    try {
      instance.run(ctx)
    } finally {
      if (!form.movable_memory && instance.memory_moved) {
        this.movable_memory = true
        this.dropInstances()
      } else {
        this.idle.set(slot, instance)
        this.idle_bytes += instance.u8.length - before
      }
    }
  }

  dropInstances(): void {
    this.idle.clear()
    this.idle_bytes = 0
  }

  /** A new instance; `run` keeps and uses its own. */
  instantiate(form: Form, context_free: boolean): WasmInstance {
    const slot = slotOf(form, false)
    let compiled = this.modules.get(slot)
    if (compiled === undefined) this.modules.set(slot, (compiled = this.compile(form)))
    const parts: InstanceParts = {
      source: this.module,
      compiled,
      image: this.image,
      functions: this.functions,
      movable_memory: form.movable_memory,
    }
    return new WasmInstance(parts, context_free)
  }

  private compile(form: Form): CompiledModule {
    const bytes = instrument(this.module, this.scans, this.float_ops, form)
    try {
      return compileModule(bytes, 'optimizing')
    } catch (error) {
      if (!(error instanceof webAssembly.CompileError)) throw error
      // A limit of the engine below that the chain's limits do not imply.
      return refuse('wasm_execution_error', 'Error building wasm: ${e}', { e: error.message })
    }
  }
}

function slotOf(form: Form, context_free: boolean): number {
  return (form.count_depth ? 1 : 0) + (form.movable_memory ? 2 : 0) + (context_free ? 4 : 0)
}

function parseForApply(code: Uint8Array): WasmModule {
  try {
    const module = parseModule(code, APPLY_OPTIONS)
    const apply = exportedFunction(module, 'apply')
    const type = apply === undefined ? undefined : functionType(module, apply)
    if (type?.params.join() !== '126,126,126') {
      refuse('wasm_execution_error', 'eos-vm system failure: ${d}', {
        d: 'unexpected argument type',
      })
    }
    return module
  } catch (error) {
    throw buildError(error)
  }
}

function linkForApply(module: WasmModule): HostFunction[] {
  try {
    return linkImports(module, HOST_FUNCTIONS)
  } catch (error) {
    throw buildError(error)
  }
}

function buildError(error: unknown): unknown {
  if (!(error instanceof WasmParseError)) return error
  return refusal('wasm_execution_error', 'Error building eos-vm interp: ${e}', { e: error.kind })
}

function roots(module: WasmModule): number[] {
  const apply = exportedFunction(module, 'apply')!
  return module.start === undefined ? [apply] : [apply, module.start]
}

/** Segments beyond the first memory make the image longer than memory, which fails at each run. */
function memoryImage(module: WasmModule): Uint8Array {
  const memory_bytes = (module.memory?.initial ?? 0) * PAGE_BYTES
  const length = Math.max(0, ...module.data.map((s) => s.offset + s.bytes.length))
  if (length > memory_bytes) return new Uint8Array(memory_bytes + 1)
  const image = new Uint8Array(length)
  for (const segment of module.data) image.set(segment.bytes, segment.offset)
  return image
}
