import assert from 'node:assert/strict'
import { ChainError } from '../errors.ts'
import { truncationError } from './instrument/float_helpers.ts'
import { RESERVED_MODULE } from './instrument/layout.ts'
import type { HostContext } from './host_context.ts'
import { BYTES_PER_UNIT, FRESH_BYTES_PER_UNIT, PIECE, inPieces } from './pieces.ts'
import { PAGE_BYTES } from './preparation/code_facts.ts'
import type { CodeFacts } from './preparation/code_facts.ts'
import { accessRefusal, accessViolation, refuse, systemFailure, systemRefusal } from './refuse.ts'
import type { CompiledModule, LinearMemory } from './web_assembly.ts'
import { webAssembly } from './web_assembly.ts'

/** Thrown through the contract by eosio_exit; ends the action as a success. */
export const EXIT = Object.freeze({ what: 'the contract exits' })

/**
 * The contexts in which a function may be called: anywhere, or in actions that are not
 * context-free. `itself`: the function checks its context itself, after its pointers, which are
 * checked first in the reference (eos-vm: host_function.hpp invoke_with_host; spring:
 * preconditions.hpp).
 */
export type CallContext = 'any' | 'action' | 'itself'

/** The properties of a host function that an instance needs. */
export interface LinkableFunction {
  context: CallContext
  /** The function for one instance. */
  link(vm: WasmInstance): unknown
}

/** The parts of an instance that all instances of a code share. */
export interface InstanceParts {
  facts: CodeFacts
  compiled: CompiledModule
  functions: readonly LinkableFunction[]
  /** The compiled module checks accesses itself, so memory may move and be reset. */
  movable_memory: boolean
}

type Run = (receiver: bigint, code: bigint, action: bigint, call_depth_limit: number) => void

const NO_MEMORY = new Uint8Array(0)
const NO_CONTEXT = undefined as unknown as HostContext
/** Units of work between two checks of the clock: a tenth of a millisecond. */
const MAX_WORK = 2000
/** Bytes: more than most contracts use. The reference has one memory for all contracts, which was used before. */
const TOUCHED_AHEAD = 256 * 1024
/** Units of work of a new size of memory, in addition to its bytes. */
const GROWTH = 100

/**
 * A contract's instance as host functions see it: its memory and the context of the running action.
 * It is used for one action after another; each starts with the initial memory and globals.
 * Pointers and lengths arrive as i32; methods accept them signed or unsigned.
 */
export class WasmInstance {
  /** Undefined while no action runs: an idle instance must not keep a transaction and its trace in memory. */
  ctx!: HostContext
  /** The memory; a new view after growth. */
  u8: Uint8Array = NO_MEMORY
  view: DataView = new DataView(NO_MEMORY.buffer)
  /** Bytes of memory; -1 without memory, so that even an empty range is outside. */
  size = -1
  private readonly parts: InstanceParts
  private readonly memory: LinearMemory | undefined
  private readonly runExport: Run
  /** The start of the contract's memory: the interpreter has its own memory before it. */
  private readonly base: number
  private work = MAX_WORK
  private moved = false
  /** Bytes of memory that the last run may have written to. */
  private used = 0
  /** Bytes of memory that were ever written to; the system hands out the others when they are. */
  private touched = 0

  constructor(parts: InstanceParts, context_free: boolean) {
    this.parts = parts
    const instance = new webAssembly.Instance(parts.compiled, this.imports(context_free))
    this.memory = instance.exports.memory as LinearMemory | undefined
    this.runExport = instance.exports.run as Run
    this.base = (instance.exports.base as { value: number } | undefined)?.value ?? 0
    this.refreshViews()
    if (this.memory !== undefined) this.size = this.u8.length
  }

  private imports(context_free: boolean): Record<string, Record<string, unknown>> {
    const env: Record<string, unknown> = {}
    this.parts.facts.imports.forEach((entry, i) => {
      env[entry.field] ??= linkFunction(this.parts.functions[i]!, this, context_free)
    })
    const reserved = {
      tick: () => this.ctx.checktime(),
      overflow: () => systemFailure('stack overflow'),
      grow: (pages: number) => this.grow(pages),
      truncation_error: (code: number) => systemFailure(truncationError(code)),
      violation: () => accessViolation(),
      size: () => this.size / PAGE_BYTES,
    }
    return { env, [RESERVED_MODULE]: reserved }
  }

  private refreshViews(): void {
    if (this.memory === undefined) return
    this.u8 = new Uint8Array(this.memory.buffer, this.base)
    this.view = new DataView(this.memory.buffer, this.base)
  }

  /** spring: eos-vm execution_context.hpp grow_linear_memory: memory may shrink, too. */
  private grow(pages: number): number {
    const now = this.size / PAGE_BYTES
    const most = Math.min(this.ctx.max_pages, this.parts.facts.memory!.maximum ?? 65536)
    this.spend(1)
    if (now + pages < 0 || (pages > 0 && now + pages > most)) return -1
    if (pages === 0) return now
    this.moved = true
    this.size = (now + pages) * PAGE_BYTES
    if (pages < 0) return now
    const missing = (this.size - this.u8.length) / PAGE_BYTES
    if (missing > 0) {
      this.spend(GROWTH)
      this.memory!.grow(missing)
      this.refreshViews()
    }
    this.clear(now * PAGE_BYTES, this.size)
    this.used = Math.max(this.used, this.size)
    return now
  }

  /** Fills with zeros, also what is zero but was never touched: the run must not pay for that later. */
  private clear(start: number, end: number): void {
    const clear = (from: number, to: number): void => void this.u8.fill(0, from, to)
    const old_end = Math.min(end, Math.max(start, this.touched))
    inPieces(this, [start, old_end], BYTES_PER_UNIT, clear)
    inPieces(this, [old_end, end], FRESH_BYTES_PER_UNIT, clear)
    this.touched = Math.max(this.touched, end)
  }

  /** Lets the system provide the first pages of a new memory now, so that no run is billed for that. */
  touchMemory(): void {
    const end = Math.min(this.size, TOUCHED_AHEAD)
    if (end <= this.touched) return
    this.u8.fill(0, this.touched, end)
    this.touched = end
  }

  /** False where the last run moved the end of a memory that must stay. */
  get can_begin_anew(): boolean {
    return !this.moved || this.parts.movable_memory
  }

  /**
   * Runs `apply` for the action of the context.
   * @throws ChainError wasm_execution_error for traps; errors of host functions are unchanged
   */
  run(ctx: HostContext): void {
    assert(this.can_begin_anew, 'memory that has moved cannot be reused')
    this.ctx = ctx
    // The deadline was looked at just now, and whether it is again must not depend on earlier runs.
    this.work = MAX_WORK
    try {
      this.prepareMemory(ctx)
      this.runExport(ctx.receiver, ctx.act.account, ctx.act.name, ctx.max_call_depth)
    } catch (error) {
      if (error !== EXIT) throw fromTrap(error)
    } finally {
      this.ctx = NO_CONTEXT
    }
  }

  /** spring: eos-vm execution_context.hpp reset. */
  private prepareMemory(ctx: HostContext): void {
    const { memory, image, start_error, data_out_of_range } = this.parts.facts
    if (start_error !== undefined) systemFailure(start_error)
    if (memory === undefined) return
    if (memory.initial > ctx.max_pages) {
      systemFailure('Cannot allocate initial linear memory.')
    }
    this.size = memory.initial * PAGE_BYTES
    if (data_out_of_range) accessViolation('data out of range')
    const end = Math.max(this.used, this.size)
    // Until memory is as it was at first, all of it may have been written to.
    this.used = end
    this.clear(image.length, end)
    this.copyIn(0, image)
    this.used = this.size
  }

  /** Every host function accounts for its work here, at least one unit a call; about 50 ns a unit. */
  spend(units: number): void {
    if ((this.work -= units) < 0) {
      this.work = MAX_WORK
      this.ctx.checktime()
    }
  }

  /**
   * Checks that the range is in memory.
   * @throws ChainError wasm_execution_error
   */
  check(ptr: number, length: number): void {
    if ((ptr >>> 0) + (length >>> 0) > this.size) accessViolation()
  }

  /**
   * Checks a range of elements of `size` bytes (eos-vm: execution_interface.hpp).
   * @throws ChainError wasm_execution_error
   */
  checkArray(ptr: number, length: number, size: number): void {
    if (length >>> 0 > Math.floor(0xffffffff / size)) systemFailure('length will overflow')
    if ((ptr >>> 0) + (length >>> 0) * size > this.size) accessViolation()
  }

  /**
   * Checks a pointer of the older functions, which may not be null.
   * @throws ChainError wasm_execution_error
   */
  checkPointer(ptr: number, size: number): void {
    if (ptr === 0) {
      refuse('wasm_execution_error', 'references cannot be created for null pointers')
    }
    if ((ptr >>> 0) + size > this.size) accessViolation()
  }

  /**
   * Refuses a context-free action; the pointers of the function were checked before.
   * @throws ChainError unaccessible_api
   */
  checkContextAware(): void {
    if (this.ctx.context_free) refuseContextFree()
  }

  /**
   * Refuses an action that is not context-free.
   * @throws ChainError unaccessible_api
   */
  checkContextFree(): void {
    if (this.ctx.context_free) return
    refuse('unaccessible_api', 'this API may only be called from context_free apply')
  }

  /** A view of a checked range; valid until memory grows. */
  bytes(ptr: number, length: number): Uint8Array {
    const start = ptr >>> 0
    return this.u8.subarray(start, start + (length >>> 0))
  }

  /** Checks that a zero byte ends the string at `ptr` before memory ends. */
  checkString(ptr: number): void {
    const start = ptr >>> 0
    // Nearly always memory ends with a zero: then every string does.
    if (start < this.size && this.u8[this.size - 1] === 0) return
    this.stringLength(ptr)
  }

  /**
   * Length of the string at `ptr` up to its zero byte, which must come before memory ends.
   * @throws ChainError wasm_execution_error
   */
  stringLength(ptr: number): number {
    const start = ptr >>> 0
    if (start >= this.size) accessViolation()
    for (let from = start; from < this.size; from += PIECE) {
      const length = Math.min(PIECE, this.size - from)
      // Buffer finds a byte seven times as fast as an array does.
      const at = Buffer.from(this.u8.buffer, this.base + from, length).indexOf(0)
      this.spend((at < 0 ? length : at) / BYTES_PER_UNIT)
      if (at >= 0) return from + at - start
    }
    return accessViolation()
  }

  /** Eight bytes of a checked range, little endian, unsigned. */
  getU64(ptr: number): bigint {
    return this.view.getBigUint64(ptr >>> 0, true)
  }

  /** Writes eight bytes to a checked range, little endian. */
  setU64(ptr: number, value: bigint): void {
    this.view.setBigUint64(ptr >>> 0, value, true)
  }

  /** Sixteen bytes of a checked range, little endian, unsigned. */
  getU128(ptr: number): bigint {
    const start = ptr >>> 0
    return (this.view.getBigUint64(start + 8, true) << 64n) | this.view.getBigUint64(start, true)
  }

  /** Writes sixteen bytes to a checked range, little endian; higher bits of `value` are dropped. */
  setU128(ptr: number, value: bigint): void {
    const start = ptr >>> 0
    this.view.setBigUint64(start, value & 0xffffffffffffffffn, true)
    this.view.setBigUint64(start + 8, (value >> 64n) & 0xffffffffffffffffn, true)
  }

  /** Copies `source` to memory, as much of it as `length` takes; the range was checked. */
  write(ptr: number, length: number, source: Uint8Array): number {
    const start = ptr >>> 0
    const n = Math.min(length >>> 0, source.length)
    if (n > 64) this.copyIn(start, n === source.length ? source : source.subarray(0, n))
    else for (let i = 0; i < n; i++) this.u8[start + i] = source[i]!
    return n
  }

  private copyIn(start: number, source: Uint8Array): void {
    if (source.length <= PIECE) {
      this.spend(source.length / BYTES_PER_UNIT)
      this.u8.set(source, start)
      return
    }
    inPieces(this, [0, source.length], BYTES_PER_UNIT, (from, to) =>
      this.u8.set(source.subarray(from, to), start + from),
    )
  }

  /** A copy of a checked range. */
  copy(ptr: number, length: number): Uint8Array {
    const source = this.bytes(ptr, length)
    if (source.length <= PIECE) {
      this.spend(source.length / FRESH_BYTES_PER_UNIT)
      return source.slice()
    }
    const out = new Uint8Array(source.length)
    inPieces(this, [0, out.length], FRESH_BYTES_PER_UNIT, (from, to) =>
      out.set(source.subarray(from, to), from),
    )
    return out
  }
}

function refuseContextFree(): never {
  refuse('unaccessible_api', "only context free api's can be used in this context")
}

function linkFunction(f: LinkableFunction, vm: WasmInstance, context_free: boolean): unknown {
  return f.context === 'action' && context_free ? refuseContextFree : f.link(vm)
}

/** The reference's error for a trap; other errors are unchanged. */
function fromTrap(error: unknown): unknown {
  if (error instanceof ChainError) return error
  if (error instanceof webAssembly.RuntimeError) return trapRefusal(error.message)
  if (error instanceof RangeError && error.message.includes('call stack')) {
    return systemRefusal('stack overflow')
  }
  return error
}

function trapRefusal(message: string): ChainError {
  if (message.includes('unreachable')) return systemRefusal('unreachable')
  if (message.includes('table index')) return systemRefusal('call_indirect out of range')
  if (message.includes('signature mismatch')) {
    return systemRefusal('call_indirect incorrect function type')
  }
  return accessRefusal()
}
