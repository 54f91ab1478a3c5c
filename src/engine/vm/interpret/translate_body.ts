import { ByteCursor } from '../wasm/byte_cursor.ts'
import { NO_RESULT, functionType } from '../wasm/module.ts'
import type { FuncType, WasmModule } from '../wasm/module.ts'
import { NUMERIC_OPS, OP } from '../wasm/opcodes.ts'
import { afterDeadCode, endsReachable } from '../wasm/skip.ts'
import { CODE, Target } from './code.ts'
import type { WordWriter } from './code.ts'
import { OperandSlots } from './operands.ts'

/** The common state of the translation of all functions. */
export interface Program {
  m: WasmModule
  out: WordWriter
  /** Address of the first word. */
  origin: number
  /** Of each function that the module defines. */
  functions: Target[]
  /** Number of what is called for each imported function. */
  import_numbers: readonly number[]
  /** For each type index a number that equal types share. */
  type_numbers: readonly number[]
  /** Address of each global. */
  globalAddress(index: number): number
  /** Bytes of the largest frame so far. */
  greatest_frame: number
}

interface Label {
  op: number
  /** Operands below the block. */
  height: number
  has_result: boolean
  end: Target
  /** The target of a branch: the end, or the loop's head. */
  branch: Target
  /** Slot of the value that a branch carries; undefined if it carries none. */
  branch_slot: number | undefined
  /** The target of a false condition. */
  otherwise: Target | undefined
}

/** Longest stretch of code between two countdowns, bytes. */
const LONG_STRETCH = 4096

/** Units of the countdown for so many bytes: an instruction takes some nanoseconds. */
function weightOf(bytes: number): number {
  return 1 + (Math.min(bytes, LONG_STRETCH) >> 5)
}

/** Translates one validated body; unreachable code is omitted. */
export function translateBody(p: Program, index: number): void {
  new BodyTranslator(p, index).run()
}

class BodyTranslator {
  private readonly p: Program
  private readonly out: WordWriter
  private readonly c: ByteCursor
  private readonly index: number
  private readonly type: FuncType
  private readonly locals: number
  private readonly save_slot: number
  private readonly operands: OperandSlots
  private readonly labels: Label[] = []
  private counted: number

  constructor(p: Program, index: number) {
    const body = p.m.bodies[index]!
    this.p = p
    this.out = p.out
    this.index = index
    this.c = new ByteCursor(p.m.code, body.start, body.end)
    this.type = p.m.types[p.m.functions[index]!]!
    this.locals = body.locals.reduce((sum, { count }) => sum + count, 0)
    // Slot 0 is the result's, too.
    this.save_slot = Math.max(1, this.type.params.length + this.locals)
    this.operands = new OperandSlots(p.out, this.save_slot + 1)
    this.counted = body.start
  }

  private here(): number {
    return this.p.origin + this.out.length * 4
  }

  run(): void {
    const { out, c, operands } = this
    this.p.functions[this.index]!.bind(out, this.here())
    const frame_at = this.enter()
    const end = new Target()
    const has_result = this.type.result !== NO_RESULT
    const branch_slot = has_result ? 0 : undefined
    this.labels.push({
      op: OP.block, height: 0, has_result, end, branch: end, branch_slot, otherwise: undefined,
    }) // oxfmt-ignore
    while (this.labels.length > 0) {
      this.countStretch()
      const op = c.u8()
      this.instruction(op)
      if (endsReachable(op)) this.skipUnreachable()
    }
    const frame = (this.save_slot + 1 + operands.greatest) * 8
    out.set(frame_at, frame)
    this.p.greatest_frame = Math.max(this.p.greatest_frame, frame)
  }

  /** Returns the position at which the size of the frame is written. */
  private enter(): number {
    const { out, locals } = this
    out.push(CODE.enter)
    const frame_at = out.length
    out.push(0)
    out.push(this.save_slot * 8)
    out.push(this.type.params.length * 8)
    out.push(locals * 8)
    out.push(weightOf(this.c.end - this.c.pos) + (locals >> 7))
    return frame_at
  }

  private countStretch(): void {
    if (this.c.pos - this.counted < LONG_STRETCH) return
    this.countdown(LONG_STRETCH)
  }

  private countdown(bytes: number): void {
    this.out.push(CODE.countdown | (weightOf(bytes) << 8))
    this.counted = this.c.pos
    this.operands.forgetResult()
  }

  private skipUnreachable(): void {
    this.c.pos = afterDeadCode(this.c.bytes, this.c.pos)
    const label = this.labels[this.labels.length - 1]!
    if (this.c.u8() === OP.else) this.beginElse(label)
    else this.endBlock(label)
  }

  private instruction(op: number): void {
    const { out, c, operands: s } = this
    const numeric = NUMERIC_OPS[op]
    if (numeric !== undefined) {
      const second = numeric.arity === 2 ? s.pop() : undefined
      const first = s.pop()
      s.result(op)
      out.push(first * 8)
      if (second !== undefined) out.push(second * 8)
      return
    }
    if (op >= OP.first_load && op <= OP.last_store) return this.memoryAccess(op)
    switch (op) {
      case OP.nop:
        return
      case OP.unreachable:
        out.push(CODE.unreachable)
        return
      case OP.drop:
        s.pop()
        return
      case OP.select: {
        const condition = s.pop()
        const second = s.pop()
        const first = s.pop()
        s.result(op)
        out.push(first * 8)
        out.push(second * 8)
        out.push(condition * 8)
        return
      }
      case OP.local_get:
        return s.pushLocal(c.varuint32())
      case OP.local_set:
        return s.popTo(c.varuint32())
      case OP.local_tee: {
        const local = c.varuint32()
        s.popTo(local)
        return s.pushLocal(local)
      }
      case OP.global_get:
        s.result(op)
        out.push(this.p.globalAddress(c.varuint32()))
        return
      case OP.global_set:
        out.push(op | (s.pop() << 8))
        out.push(this.p.globalAddress(c.varuint32()))
        return
      case OP.memory_size:
        c.skip(1)
        return s.result(op)
      case OP.memory_grow: {
        c.skip(1)
        const pages = s.pop()
        s.result(op)
        out.push(pages * 8)
        return
      }
      case OP.i32_const:
        s.result(op)
        out.push(c.varint32())
        return
      case OP.f32_const:
        s.result(OP.i32_const)
        return this.rawWord()
      case OP.i64_const: {
        const value = c.varint64()
        s.result(op)
        out.push(Number(value & 0xffffffffn))
        out.push(Number((value >> 32n) & 0xffffffffn))
        return
      }
      case OP.f64_const:
        s.result(OP.i64_const)
        this.rawWord()
        return this.rawWord()
      default:
        return this.control(op)
    }
  }

  private rawWord(): void {
    const { c } = this
    this.out.push(c.u8() | (c.u8() << 8) | (c.u8() << 16) | (c.u8() << 24))
  }

  private memoryAccess(op: number): void {
    const { out, c, operands: s } = this
    c.varuint32()
    const offset = c.varuint32()
    if (op >= OP.first_store) {
      const value = s.pop()
      out.push(op | (s.pop() << 8))
      out.push(value * 8)
    } else {
      const address = s.pop()
      s.result(op)
      out.push(address * 8)
    }
    out.push(offset)
  }

  private control(op: number): void {
    const { c } = this
    switch (op) {
      case OP.block:
      case OP.loop:
      case OP.if:
        return this.beginBlock(op)
      case OP.else: {
        const label = this.labels[this.labels.length - 1]!
        this.bringResult(label)
        this.out.push(CODE.br)
        label.end.refer(this.out)
        return this.beginElse(label)
      }
      case OP.end: {
        const label = this.labels[this.labels.length - 1]!
        this.bringResult(label)
        return this.endBlock(label)
      }
      case OP.br:
        return this.branch(this.label(c.varuint32()))
      case OP.return:
        return this.branch(this.labels[0]!)
      case OP.br_if:
        return this.branchIf(this.label(c.varuint32()))
      case OP.br_table:
        return this.branchTable()
      case OP.call:
        return this.call(c.varuint32())
      case OP.call_indirect:
        return this.callIndirect(c.varuint32())
      default:
        throw new Error(`no such instruction: ${op}`)
    }
  }

  private label(depth: number): Label {
    return this.labels[this.labels.length - 1 - depth]!
  }

  private beginBlock(op: number): void {
    const { out, c, operands: s } = this
    const has_result = isResult(c.u8())
    const condition = op === OP.if ? s.pop() : undefined
    s.settle()
    const height = s.height
    const end = new Target()
    const result_slot = has_result ? s.own(height) : undefined
    const label: Label = {
      op, height, has_result, end, branch: end, branch_slot: result_slot, otherwise: undefined,
    } // oxfmt-ignore
    if (op === OP.loop) {
      label.branch = new Target()
      label.branch_slot = undefined
      label.branch.bind(out, this.here())
      this.countdown(LONG_STRETCH >> 2)
    }
    if (condition !== undefined) {
      out.push(CODE.br_unless | (condition << 8))
      label.otherwise = new Target()
      label.otherwise.refer(out)
    }
    this.labels.push(label)
  }

  /** The slot of a block's value at its end. */
  private resultSlot(label: Label): number {
    return this.labels[0] === label ? 0 : this.operands.own(label.height)
  }

  private bringResult(label: Label): void {
    if (label.has_result) this.operands.copy(this.operands.top(), this.resultSlot(label))
  }

  private beginElse(label: Label): void {
    label.otherwise!.bind(this.out, this.here())
    label.otherwise = undefined
    this.operands.cutTo(label.height)
  }

  private endBlock(label: Label): void {
    const { out, operands: s } = this
    label.otherwise?.bind(out, this.here())
    label.end.bind(out, this.here())
    s.cutTo(label.height)
    this.labels.pop()
    if (this.labels.length === 0) {
      out.push(CODE.return)
      out.push(this.save_slot * 8)
    } else if (label.has_result) s.pushOwn()
  }

  /** True where a branch to the label must move its value. */
  private moves({ branch_slot }: Label): boolean {
    return branch_slot !== undefined && this.operands.top() !== branch_slot
  }

  private branch(label: Label): void {
    if (this.moves(label)) this.operands.copy(this.operands.top(), label.branch_slot!)
    this.out.push(CODE.br)
    label.branch.refer(this.out)
  }

  private branchIf(label: Label): void {
    const { out, operands: s } = this
    const condition = s.pop()
    if (!this.moves(label)) {
      out.push(CODE.br_if | (condition << 8))
      return label.branch.refer(out)
    }
    const skip = new Target()
    out.push(CODE.br_unless | (condition << 8))
    skip.refer(out)
    this.branch(label)
    skip.bind(out, this.here())
  }

  private branchTable(): void {
    const { out, c, operands: s } = this
    const index = s.pop()
    const count = c.varuint32()
    out.push(CODE.br_table | (index << 8))
    out.push(count)
    const moving = new Map<Label, Target>()
    for (let i = 0; i <= count; i++) {
      const label = this.label(c.varuint32())
      if (!this.moves(label)) label.branch.refer(out)
      else {
        let target = moving.get(label)
        if (target === undefined) moving.set(label, (target = new Target()))
        target.refer(out)
      }
    }
    for (const [label, target] of moving) {
      target.bind(out, this.here())
      this.branch(label)
    }
  }

  private call(index: number): void {
    const { m } = this.p
    const type = functionType(m, index)!
    const first = this.arguments(type)
    const imported = m.imports.length
    if (index < imported) {
      this.out.push(CODE.call_import | (first << 8))
      this.out.push(this.p.import_numbers[index]!)
    } else {
      this.out.push(CODE.call | (first << 8))
      this.p.functions[index - imported]!.refer(this.out)
    }
    if (type.result !== NO_RESULT) this.operands.pushOwn()
  }

  private callIndirect(type_index: number): void {
    const { out, operands: s } = this
    this.c.skip(1)
    const type = this.p.m.types[type_index]!
    const element = s.pop()
    const first = this.arguments(type)
    out.push(CODE.call_indirect | (first << 8))
    out.push(element * 8)
    out.push(this.p.type_numbers[type_index]!)
    if (type.result !== NO_RESULT) s.pushOwn()
  }

  /** Moves arguments to their slots and pops them. Returns the slot of the first. */
  private arguments({ params }: FuncType): number {
    const height = this.operands.height - params.length
    this.operands.settleFrom(height)
    this.operands.cutTo(height)
    return this.operands.own(height)
  }
}

function isResult(block_type: number): boolean {
  return block_type !== NO_RESULT && block_type !== 0
}
