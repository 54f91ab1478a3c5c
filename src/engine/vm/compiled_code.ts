import assert from 'node:assert/strict'
import { refusal, refuse } from './refuse.ts'
import { HOST_FUNCTIONS } from './host/table.ts'
import type { HostContext } from './host_context.ts'
import type { HostFunction } from './host/host_function.ts'
import type { Form } from './instrument/layout.ts'
import type { FirstInstances } from './first_instances.ts'
import { linkImports } from './link_imports.ts'
import { WasmInstance } from './instance.ts'
import type { CodePreparer } from './preparation/preparer.ts'
import { countsDepth } from './preparation/prepared_code.ts'
import type {
  Preparation,
  PreparationRefusal,
  PreparationTask,
} from './preparation/prepared_code.ts'
import type { CodeFacts } from './preparation/code_facts.ts'
import { WasmParseError } from './wasm/parse_error.ts'
import type { CompiledModule } from './web_assembly.ts'

/** The input of a run: the facts of a code and the host functions with which it is linked. */
interface LinkedCode {
  facts: CodeFacts
  functions: HostFunction[]
}

/**
 * A contract's code in executable form. There are several forms: the call depth is counted only if
 * the code could exceed the limit in force, and memory has a movable end only after the code moved
 * it. One instance of each form is kept, because actions of a node never run inside each other.
 */
export class CompiledCode {
  private readonly code_hash: Uint8Array
  private readonly preparer: CodePreparer
  private readonly first_instances: FirstInstances | undefined
  private linked: LinkedCode | undefined
  /** The reason why the code can never run. */
  private refused: PreparationRefusal | undefined
  private readonly modules = new Map<number, CompiledModule>()
  /** The reason why a form has no module. */
  private readonly refused_forms = new Map<number, PreparationRefusal>()
  private readonly idle = new Map<number, WasmInstance>()
  private moves_memory = false
  /** Bytes of memory of the kept instances. */
  idle_bytes = 0
  /** Bytes of the instrumented modules. */
  module_bytes = 0

  /** @param first_instances those that were made ahead */
  constructor(code_hash: Uint8Array, preparer: CodePreparer, first_instances?: FirstInstances) {
    this.code_hash = code_hash
    this.preparer = preparer
    this.first_instances = first_instances
  }

  /** Runs the action of the context. `getCode` is called if a form must be prepared. */
  run(ctx: HostContext, getCode: () => Uint8Array): void {
    const { facts } = this.link(ctx, getCode)
    const form = {
      count_depth: countsDepth(facts, ctx.max_call_depth),
      movable_memory: this.moves_memory && this.hasMovable(ctx, getCode),
    }
    if (!form.movable_memory) this.require(form, ctx, getCode)
    const slot = slotOf(form, ctx.context_free)
    const instance = this.idle.get(slot) ?? this.instantiate(form, ctx.context_free)
    const before = this.idle.has(slot) ? instance.u8.length : 0
    try {
      instance.run(ctx)
    } finally {
      if (!instance.can_begin_anew) this.memoryMoved(slot, ctx, getCode)
      else {
        this.idle.set(slot, instance)
        this.idle_bytes += instance.u8.length - before
      }
    }
  }

  /** The instance cannot be reset; from now on an instance of the other form is better. */
  private memoryMoved(slot: number, ctx: HostContext, getCode: () => Uint8Array): void {
    if (this.moves_memory) {
      this.idle_bytes -= this.idle.get(slot)?.u8.length ?? 0
      this.idle.delete(slot)
      return
    }
    this.moves_memory = true
    this.dropInstances()
    this.preparer.request(this.task(true, ctx, getCode))
  }

  /** Frees the instances that wait for their next run. Later runs make new ones. */
  dropInstances(): void {
    this.idle.clear()
    this.idle_bytes = 0
  }

  /** A new instance of an available form. `run` keeps and reuses its own. */
  instantiate(form: Form, context_free: boolean): WasmInstance {
    const compiled = this.modules.get(slotOf(form, false))
    assert(this.linked !== undefined && compiled !== undefined, 'the form was not prepared')
    const { facts, functions } = this.linked
    const movable_memory = form.movable_memory || facts.interpreted
    return new WasmInstance({ facts, functions, compiled, movable_memory }, context_free)
  }

  private link(ctx: HostContext, getCode: () => Uint8Array): LinkedCode {
    if (this.linked === undefined && this.refused === undefined) {
      this.prepareForm(ctx, getCode)
    }
    if (this.refused !== undefined) throw executionError(this.refused)
    return this.linked!
  }

  /** Prepares a form, if that was not done, and waits for it. */
  private require(form: Form, ctx: HostContext, getCode: () => Uint8Array): void {
    const slot = slotOf(form, false)
    if (this.modules.has(slot)) return
    if (!this.refused_forms.has(slot)) this.prepareForm(ctx, getCode)
    const refused = this.refused_forms.get(slot)
    if (refused !== undefined) throw executionError(refused)
  }

  /**
   * No caller waits for this form: until it is ready, each run has a new instance of the other one.
   */
  private hasMovable(ctx: HostContext, getCode: () => Uint8Array): boolean {
    const count_depth = countsDepth(this.linked!.facts, ctx.max_call_depth)
    const slot = slotOf({ count_depth, movable_memory: true }, false)
    if (this.modules.has(slot)) return true
    if (this.refused_forms.has(slot)) return false
    ctx.pauseBillingTimer()
    try {
      const ready = this.preparer.prepare(this.task(true, ctx, getCode), 0)
      if (ready !== undefined) this.accept(ready)
    } finally {
      ctx.resumeBillingTimer()
    }
    return this.modules.has(slot)
  }

  /**
   * Prepares a form and makes its first instance. That time is not billed to the transaction (spring:
   * wasm_interface_private.hpp get_instantiated_module).
   */
  private prepareForm(ctx: HostContext, getCode: () => Uint8Array): void {
    ctx.pauseBillingTimer()
    try {
      const ready = this.preparer.prepare(this.task(false, ctx, getCode), ctx.preparationTime())
      if (ready !== undefined) {
        this.accept(ready)
        return this.instantiateFirst(ready, ctx.context_free)
      }
    } finally {
      ctx.resumeBillingTimer()
    }
    // This kind of error postpones the transaction to the next block.
    refuse(
      'block_cpu_usage_exceeded',
      'not enough time left in block: the code of the contract is still being prepared',
    )
  }

  private instantiateFirst(prepared: Preparation, context_free: boolean): void {
    if (this.linked === undefined || prepared.facts === undefined || !prepared.module) return
    const ahead = context_free ? undefined : this.first_instances?.take(prepared.module)
    const instance = ahead ?? this.instantiate(prepared.form, context_free)
    instance.touchMemory()
    this.idle.set(slotOf(prepared.form, context_free), instance)
    this.idle_bytes += instance.u8.length
  }

  private task(
    movable_memory: boolean,
    { max_call_depth }: HostContext,
    getCode: () => Uint8Array,
  ): PreparationTask {
    return { code_hash: this.code_hash, getCode, max_call_depth, movable_memory }
  }

  /** Accepts prepared code; `run` accepts its own. */
  accept(prepared: Preparation): void {
    if (prepared.facts === undefined) {
      this.refused = prepared.refused
      return
    }
    if (this.linked === undefined) this.linkFacts(prepared.facts)
    const slot = slotOf(prepared.form, false)
    if (prepared.module !== undefined) this.modules.set(slot, prepared.module)
    else this.refused_forms.set(slot, prepared.refused!)
    this.module_bytes += prepared.size
  }

  private linkFacts(facts: CodeFacts): void {
    try {
      this.linked = {
        facts,
        functions: linkImports(facts.imports, this.preparer.functions ?? HOST_FUNCTIONS),
      }
    } catch (error) {
      if (!(error instanceof WasmParseError)) throw error
      this.refused = { format: 'Error building eos-vm interp: ${e}', data: { e: error.kind } }
    }
  }
}

function executionError({ format, data }: PreparationRefusal): Error {
  return refusal('wasm_execution_error', format, data)
}

function slotOf(form: Form, context_free: boolean): number {
  return (form.count_depth ? 1 : 0) + (form.movable_memory ? 2 : 0) + (context_free ? 4 : 0)
}
