import { ByteCursor } from '../wasm/byte_cursor.ts'
import { NO_RESULT } from '../wasm/module.ts'
import type { WasmModule } from '../wasm/module.ts'
import { OP } from '../wasm/opcodes.ts'
import type { Emitter } from './emitter.ts'
import type { Layout } from './layout.ts'
import { FUEL_PER_TICK, fuelWeight } from './layout.ts'
import { endsReachable, skipDeadCode, skipImmediates } from './scan_body.ts'
import type { BodyScan } from './scan_body.ts'

interface BodyRewriter {
  m: WasmModule
  scan: BodyScan
  l: Layout
  e: Emitter
}

/**
 * Writes a checked body again with what makes it deterministic: the countdown at loop heads and at
 * the entry, the call depth where it must be counted, `memory.grow` and float instructions as
 * calls, function indices of the new module. Unreachable code is left out, so that the engine below
 * needs not agree with the reference about its types.
 */
export function rewriteBody(
  m: WasmModule,
  index: number,
  scan: BodyScan,
  l: Layout,
  e: Emitter,
): void {
  const body = m.bodies[index]!
  e.u32(body.locals.length)
  for (const local of body.locals) e.u32(local.count).byte(local.type)
  const leaf = scan.calls.size === 0 && scan.indirect_types.size === 0
  const bytes = body.end - body.start
  if (!leaf || bytes > SMALL_LEAF_BYTES) emitCountdown(e, l, fuelWeight(bytes))
  rewriteCode({ m, scan, l, e }, body.start, body.end)
}

/** A leaf this small costs no more than the call itself; its loops are counted by themselves. */
const SMALL_LEAF_BYTES = 128

function rewriteCode(r: BodyRewriter, start: number, end: number): void {
  const { e, m } = r
  const c = new ByteCursor(m.code, start, end)
  let copied = start
  while (c.pos < end) {
    const at = c.pos
    const op = c.u8()
    if (needsRewriting(r.l, op, c)) {
      e.copy(m.code, copied, at)
      rewriteInstruction(r, op, at, c)
      copied = c.pos
    } else skipImmediates(c, op)
    if (endsReachable(op)) {
      e.copy(m.code, copied, c.pos)
      skipDeadCode(c)
      copied = c.pos
    }
  }
  e.copy(m.code, copied, end)
}

function needsRewriting(l: Layout, op: number, c: ByteCursor): boolean {
  switch (op) {
    case OP.loop:
    case OP.call:
    case OP.memory_size:
    case OP.memory_grow:
      return true
    case OP.block:
    case OP.if:
      return c.peek() === 0
    case OP.call_indirect:
      return l.depth_global !== undefined || movesElements(l)
    default:
      return l.op_functions.has(op)
  }
}

const movesElements = (l: Layout): boolean => l.elements.first > 0 || l.gap_function !== undefined

function rewriteInstruction(r: BodyRewriter, op: number, at: number, c: ByteCursor): void {
  const { e, l } = r
  switch (op) {
    case OP.block:
    case OP.if:
    case OP.loop: {
      const type = c.u8()
      e.bytes(op, type === 0 ? NO_RESULT : type)
      if (op === OP.loop) emitCountdown(e, l, fuelWeight(r.scan.loop_bytes.get(at)!))
      return
    }
    case OP.call:
      return emitCall(r, c.varuint32())
    case OP.call_indirect: {
      const type_index = c.varuint32()
      c.skip(1)
      emitDepthUp(e, l)
      if (l.elements.first > 0) e.byte(OP.i32_const).i32(l.elements.first).byte(OP.i32_sub)
      if (l.gap_function !== undefined) e.byte(OP.call).u32(l.gap_function)
      e.byte(OP.call_indirect).u32(type_index).byte(0)
      return emitDepthDown(e, l)
    }
    case OP.memory_size:
      c.skip(1)
      e.byte(OP.call).u32(l.op_functions.get(op) ?? l.size_function)
      return
    case OP.memory_grow:
      c.skip(1)
      e.byte(OP.call).u32(l.op_functions.get(op) ?? l.grow_function)
      return
    default:
      if (op <= OP.last_store) {
        c.varuint32()
        e.byte(OP.i32_const).i32(c.varuint32())
      }
      e.byte(OP.call).u32(l.op_functions.get(op)!)
  }
}

function emitCall({ m, e, l }: BodyRewriter, index: number): void {
  if (index < m.imports.length) {
    if (l.depth_global !== undefined) emitDepthCheck(e, l, 1)
    e.byte(OP.call).u32(l.functionIndex(index))
    return
  }
  emitDepthUp(e, l)
  e.byte(OP.call).u32(l.functionIndex(index))
  emitDepthDown(e, l)
}

/** Takes `weight` off the countdown; below zero it calls the host and starts again. */
function emitCountdown(e: Emitter, l: Layout, weight: number): void {
  e.byte(OP.global_get).u32(l.fuel_global)
  e.byte(OP.i32_const).i32(weight).byte(OP.i32_sub)
  e.byte(OP.global_set).u32(l.fuel_global)
  e.byte(OP.global_get).u32(l.fuel_global)
  e.byte(OP.i32_const).i32(0).byte(OP.i32_lt_s)
  e.bytes(OP.if, NO_RESULT)
  e.byte(OP.call).u32(l.tick_function)
  e.byte(OP.i32_const).i32(FUEL_PER_TICK).byte(OP.global_set).u32(l.fuel_global)
  e.byte(OP.end)
}

/** Fails where the calls under way, and `more`, reach the limit (eos-vm: emit_check_call_depth). */
function emitDepthCheck(e: Emitter, l: Layout, more: 0 | 1): void {
  e.byte(OP.global_get).u32(l.depth_global!)
  if (more === 1) e.bytes(OP.i32_const, 1, OP.i32_add)
  e.byte(OP.global_get).u32(l.limit_global!).byte(OP.i32_ge_u)
  e.bytes(OP.if, NO_RESULT)
  e.byte(OP.call).u32(l.overflow_function)
  e.byte(OP.end)
}

function emitDepthUp(e: Emitter, l: Layout): void {
  if (l.depth_global === undefined) return
  e.byte(OP.global_get).u32(l.depth_global)
  e.bytes(OP.i32_const, 1, OP.i32_add)
  e.byte(OP.global_set).u32(l.depth_global)
  emitDepthCheck(e, l, 0)
}

function emitDepthDown(e: Emitter, l: Layout): void {
  if (l.depth_global === undefined) return
  e.byte(OP.global_get).u32(l.depth_global)
  e.bytes(OP.i32_const, 1, OP.i32_sub)
  e.byte(OP.global_set).u32(l.depth_global)
}
