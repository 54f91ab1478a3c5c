import { NO_RESULT } from '../wasm/module.ts'
import type { WasmModule } from '../wasm/module.ts'
import { IMMEDIATE, IMMEDIATES, OP } from '../wasm/opcodes.ts'
import { afterDeadCode, afterImmediates, afterLeb, endsReachable, readLeb } from '../wasm/skip.ts'
import type { Emitter } from './emitter.ts'
import type { Layout } from './layout.ts'
import { fuelWeight } from './layout.ts'
import type { BodyScan } from './scan_body.ts'
import { Snippets } from './snippets.ts'

/** A leaf this small costs no more than the call itself. Its loops are counted separately. */
const SMALL_LEAF_BYTES = 128

/** The rewriting of an instruction. */
const COPIED = 0
const BLOCK = 1
const REWRITTEN = 2
const LAST_REACHABLE = 3

/** Writes the bodies of one module again. */
export class BodyRewriter {
  private readonly m: WasmModule
  private readonly l: Layout
  private readonly snippets: Snippets
  private readonly roles: Uint8Array
  /** Number of the next loop of the body. */
  private loop = 0

  constructor(m: WasmModule, l: Layout) {
    this.m = m
    this.l = l
    this.snippets = new Snippets(l)
    this.roles = rolesIn(l)
  }

  /**
   * Rewrites a validated body with deterministic limits: the countdown at loop heads and at the
   * entry, the call depth where it must be counted, `memory.grow` and float instructions as calls,
   * and function indices of the new module. Unreachable code is omitted, so that V8 need not agree
   * with the reference about its types.
   */
  rewrite(index: number, scan: BodyScan, e: Emitter): void {
    const body = this.m.bodies[index]!
    e.u32(body.locals.length)
    for (const local of body.locals) e.u32(local.count).byte(local.type)
    const leaf = scan.calls.length === 0 && scan.indirect_types.length === 0
    const bytes = body.end - body.start
    if (!leaf || bytes > SMALL_LEAF_BYTES) e.copy(this.snippets.countdown(fuelWeight(bytes)))
    this.loop = 0
    this.rewriteCode(scan, e, body.start, body.end)
  }

  private rewriteCode(scan: BodyScan, e: Emitter, start: number, end: number): void {
    const { code } = this.m
    const { roles } = this
    let copied = start
    let pos = start
    while (pos < end) {
      const at = pos
      const op = code[pos++]!
      const role = roles[op]!
      if (role === REWRITTEN || (role === BLOCK && code[pos] === 0)) {
        e.copy(code, copied, at)
        copied = pos = this.rewriteInstruction(scan, e, op, pos)
        continue
      }
      const immediate = IMMEDIATES[op]
      if (immediate === IMMEDIATE.leb) {
        while (code[pos]! >= 0x80) pos += 1
        pos += 1
      } else if (immediate !== IMMEDIATE.none) pos = afterImmediates(code, op, pos)
      if (role === LAST_REACHABLE) {
        e.copy(code, copied, pos)
        copied = pos = afterDeadCode(code, pos)
      }
    }
    e.copy(code, copied, end)
  }

  /** @returns the position after the immediates at `pos` */
  private rewriteInstruction(scan: BodyScan, e: Emitter, op: number, pos: number): number {
    const { l, snippets } = this
    const { code, imports } = this.m
    switch (op) {
      case OP.block:
      case OP.if:
      case OP.loop: {
        const type = code[pos]!
        e.byte(op).byte(type === 0 ? NO_RESULT : type)
        if (op === OP.loop) {
          e.copy(snippets.countdown(fuelWeight(scan.loop_bytes[this.loop++]!)))
        }
        return pos + 1
      }
      case OP.call: {
        const index = readLeb(code, pos)
        const host = index < imports.length
        e.copy(host ? snippets.host_depth : snippets.depth_up)
        e.byte(OP.call).u32(l.functionIndex(index))
        if (!host) e.copy(snippets.depth_down)
        return afterLeb(code, pos)
      }
      case OP.call_indirect: {
        const type_index = readLeb(code, pos)
        e.copy(snippets.depth_up)
        if (l.elements.first > 0) e.byte(OP.i32_const).i32(l.elements.first).byte(OP.i32_sub)
        if (l.gap_function !== undefined) e.byte(OP.call).u32(l.gap_function)
        e.byte(OP.call_indirect).u32(type_index).byte(0)
        e.copy(snippets.depth_down)
        return afterLeb(code, pos) + 1
      }
      case OP.memory_size:
        e.byte(OP.call).u32(l.op_functions.get(op) ?? l.size_function)
        return pos + 1
      case OP.memory_grow:
        e.byte(OP.call).u32(l.op_functions.get(op) ?? l.grow_function)
        return pos + 1
      default: {
        if (op > OP.last_store) {
          e.byte(OP.call).u32(l.op_functions.get(op)!)
          return pos
        }
        const offset = afterLeb(code, pos)
        e.byte(OP.i32_const).i32(readLeb(code, offset))
        e.byte(OP.call).u32(l.op_functions.get(op)!)
        return afterLeb(code, offset)
      }
    }
  }
}

function rolesIn(l: Layout): Uint8Array {
  const roles = Uint8Array.from({ length: 256 }, (_, op) =>
    endsReachable(op) ? LAST_REACHABLE : COPIED,
  )
  for (const op of [OP.loop, OP.call, OP.memory_size, OP.memory_grow]) roles[op] = REWRITTEN
  for (const op of l.op_functions.keys()) roles[op] = REWRITTEN
  for (const op of [OP.block, OP.if]) roles[op] = BLOCK
  const moves_elements = l.elements.first > 0 || l.gap_function !== undefined
  if (l.depth_global !== undefined || moves_elements) roles[OP.call_indirect] = REWRITTEN
  return roles
}
