import { ByteCursor } from '../wasm/byte_cursor.ts'
import type { WasmModule } from '../wasm/module.ts'
import { OP } from '../wasm/opcodes.ts'
import { isFloatCall } from './float_helpers.ts'

/** What a body calls, and how long its loops are; dead code is left out of the calls. */
export interface BodyScan {
  /** Functions that the body calls, each once. */
  calls: Set<number>
  /** Type indices of its indirect calls. */
  indirect_types: Set<number>
  /** Bytes of each loop's body, by the position of its opcode. */
  loop_bytes: Map<number, number>
}

/** Moves over the immediates of an instruction of a checked body. */
export function skipImmediates(c: ByteCursor, op: number): void {
  if (op >= OP.first_load && op <= OP.last_store) {
    c.varuint32()
    c.varuint32()
    return
  }
  switch (op) {
    case OP.block:
    case OP.loop:
    case OP.if:
    case OP.memory_size:
    case OP.memory_grow:
      return c.skip(1)
    case OP.br:
    case OP.br_if:
    case OP.call:
    case OP.local_get:
    case OP.local_set:
    case OP.local_tee:
    case OP.global_get:
    case OP.global_set:
      c.varuint32()
      return
    case OP.br_table:
      for (let n = c.varuint32(); n >= 0; n--) c.varuint32()
      return
    case OP.call_indirect:
      c.varuint32()
      return c.skip(1)
    case OP.i32_const:
      c.varint32()
      return
    case OP.i64_const:
      c.varint64()
      return
    case OP.f32_const:
      return c.skip(4)
    case OP.f64_const:
      return c.skip(8)
  }
}

/** True for instructions after which the rest of the block is never reached. */
export function endsReachable(op: number): boolean {
  return op === OP.unreachable || op === OP.br || op === OP.br_table || op === OP.return
}

/** Moves to the `else` or `end` that ends unreachable code; the cursor stands on it. */
export function skipDeadCode(c: ByteCursor): void {
  let depth = 0
  for (;;) {
    const op = c.peek()
    if (depth === 0 && (op === OP.else || op === OP.end)) return
    c.pos += 1
    if (op === OP.block || op === OP.loop || op === OP.if) depth += 1
    else if (op === OP.end) depth -= 1
    skipImmediates(c, op)
  }
}

/** `float_ops` collects the float instructions that will be calls. */
export function scanBody(m: WasmModule, index: number, float_ops: Set<number>): BodyScan {
  const { start, end } = m.bodies[index]!
  const c = new ByteCursor(m.code, start, end)
  const scan: BodyScan = {
    calls: new Set(),
    indirect_types: new Set(),
    loop_bytes: new Map(),
  }
  const open: number[] = []
  while (c.pos < end) {
    const at = c.pos
    const op = c.u8()
    if (op === OP.block || op === OP.if) open.push(-1)
    else if (op === OP.loop) open.push(at)
    else if (op === OP.end) {
      const loop = open.pop() ?? -1
      if (loop >= 0) scan.loop_bytes.set(loop, at - loop)
    } else if (op === OP.call) scan.calls.add(new ByteCursor(m.code, c.pos, end).varuint32())
    else if (op === OP.call_indirect) {
      scan.indirect_types.add(new ByteCursor(m.code, c.pos, end).varuint32())
    } else if (isFloatCall(op)) float_ops.add(op)
    skipImmediates(c, op)
    if (endsReachable(op)) skipDeadCode(c)
  }
  return scan
}
