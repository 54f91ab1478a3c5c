import { NO_RESULT } from '../wasm/module.ts'
import { OP } from '../wasm/opcodes.ts'
import { Emitter } from './emitter.ts'
import type { Layout } from './layout.ts'

/** Code that the rewritten module repeats, made once for a module. */
export class Snippets {
  /** Before a call of a function of the module; empty where the call depth is not counted. */
  readonly depth_up: Uint8Array
  /** After it. */
  readonly depth_down: Uint8Array
  /** Before a call of a host function. */
  readonly host_depth: Uint8Array
  private readonly l: Layout
  private readonly countdowns = new Map<number, Uint8Array>()

  constructor(l: Layout) {
    this.l = l
    const counts = l.depth_global !== undefined
    this.depth_up = counts ? depthUp(l) : new Uint8Array(0)
    this.depth_down = counts ? depthDown(l) : new Uint8Array(0)
    this.host_depth = counts ? depthCheck(new Emitter(), l, 1).view() : new Uint8Array(0)
  }

  /** Subtracts `weight` from the countdown. Below zero it calls the host and restarts. */
  countdown(weight: number): Uint8Array {
    let code = this.countdowns.get(weight)
    if (code === undefined) this.countdowns.set(weight, (code = countdown(this.l, weight)))
    return code
  }
}

function countdown(l: Layout, weight: number): Uint8Array {
  const e = new Emitter(32)
  e.byte(OP.global_get).u32(l.fuel_global)
  e.byte(OP.i32_const).i32(weight).byte(OP.i32_sub)
  e.byte(OP.global_set).u32(l.fuel_global)
  e.byte(OP.global_get).u32(l.fuel_global)
  e.byte(OP.i32_const).i32(0).byte(OP.i32_lt_s)
  e.bytes(OP.if, NO_RESULT)
  e.byte(OP.call).u32(l.refuel_function)
  return e.byte(OP.end).view()
}

/** Fails where the calls under way, and `more`, reach the limit (eos-vm: emit_check_call_depth). */
function depthCheck(e: Emitter, l: Layout, more: 0 | 1): Emitter {
  e.byte(OP.global_get).u32(l.depth_global!)
  if (more === 1) e.bytes(OP.i32_const, 1, OP.i32_add)
  e.byte(OP.global_get).u32(l.limit_global!).byte(OP.i32_ge_u)
  e.bytes(OP.if, NO_RESULT)
  e.byte(OP.call).u32(l.overflow_function)
  return e.byte(OP.end)
}

function depthUp(l: Layout): Uint8Array {
  const e = new Emitter(32)
  e.byte(OP.global_get).u32(l.depth_global!)
  e.bytes(OP.i32_const, 1, OP.i32_add)
  e.byte(OP.global_set).u32(l.depth_global!)
  return depthCheck(e, l, 0).view()
}

function depthDown(l: Layout): Uint8Array {
  const e = new Emitter(16)
  e.byte(OP.global_get).u32(l.depth_global!)
  e.bytes(OP.i32_const, 1, OP.i32_sub)
  return e.byte(OP.global_set).u32(l.depth_global!).view()
}
