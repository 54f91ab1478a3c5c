import { LOW_LOCALS } from './body_checker.ts'
import type { BodyChecker, Label } from './body_checker.ts'
import { checkPlain } from './check_plain.ts'
import { F32, F64, I32, I64, NO_RESULT, functionType } from './module.ts'
import type { FuncType, LocalEntry } from './module.ts'
import { MEMORY_OPS, NUMERIC_OPS, OP } from './opcodes.ts'
import { isInstruction, isValueType, sizeOfType } from './opcodes.ts'
import { ANY } from './operand_stack.ts'
import type { OperandStack } from './operand_stack.ts'
import { VECTOR, parseCheck } from './parse_error.ts'

/**
 * Checks one body.
 * @throws WasmParseError
 */
export function checkBody(b: BodyChecker, index: number): void {
  const { m, c, o } = b
  const body = m.bodies[index]!
  const type = m.types[m.functions[index]!]!
  b.operands.begin(addLocals(b, type.params, body.locals))
  b.nesting = 0
  pushLabel(b, type.result, type.result, false)
  c.pos = body.start
  c.end = body.end
  while (c.pos < body.end) {
    parseCheck(b.nesting <= o.max_nested_structures, 'nested structures validation failure')
    if (b.nesting !== 0) checkPlain(b)
    if (c.pos < body.end) checkInstruction(b, c.u8())
  }
  parseCheck(b.nesting === 0, 'function body too long')
}

/** @returns the bytes of the locals; those of parameters are not counted */
function addLocals(b: BodyChecker, params: number[], locals: readonly LocalEntry[]): number {
  const { low_types } = b
  b.ends.length = 0
  b.types.length = 0
  low_types.fill(0)
  let count = 0
  for (const param of params) {
    if (count < LOW_LOCALS) low_types[count] = param
    b.ends.push((count += 1))
    b.types.push(param)
  }
  let bytes = 0
  for (const local of locals) {
    parseCheck(count + local.count <= 0xffffffff, 'too many locals')
    if (count < LOW_LOCALS) low_types.fill(local.type, count, count + local.count)
    b.ends.push((count += local.count))
    b.types.push(local.type)
    bytes += local.count * sizeOfType(local.type)
  }
  return bytes
}

function pushLabel(b: BodyChecker, expected: number, label_result: number, is_if: boolean): void {
  const label = b.labels[b.nesting]
  if (label === undefined) b.labels.push({ expected_result: expected, label_result, is_if })
  else {
    label.expected_result = expected
    label.label_result = label_result
    label.is_if = is_if
  }
  b.nesting += 1
}

function localType(b: BodyChecker, index: number): number {
  if (index < LOW_LOCALS && b.low_types[index] !== 0) return b.low_types[index]!
  let low = 0
  let high = b.ends.length
  while (low < high) {
    const mid = (low + high) >> 1
    if (b.ends[mid]! <= index) low = mid + 1
    else high = mid
  }
  const type = b.types[low]
  parseCheck(type !== undefined, 'undefined local')
  return type
}

function labelAt(b: BodyChecker, depth: number): Label {
  parseCheck(depth < b.nesting, 'invalid label')
  return b.labels[b.nesting - 1 - depth]!
}

/** A branch leaves the label's result on the stack. */
function branchTo(b: BodyChecker, depth: number): number {
  const { label_result } = labelAt(b, depth)
  if (label_result !== NO_RESULT) b.operands.top(label_result)
  return label_result
}

function blockType(b: BodyChecker, what: string): number {
  const type = b.c.u8()
  if (b.o.allow_zero_blocktype && type === 0) return NO_RESULT
  parseCheck(isValueType(type) || type === NO_RESULT, `Invalid type code in ${what}`)
  return type
}

/** The bytes that may follow a body's end if any may. */
const AFTER_END: ReadonlySet<number> = new Set([
  OP.nop,
  OP.block,
  OP.loop,
  OP.local_get,
  OP.global_get,
  OP.memory_size,
  OP.i32_const,
  OP.i64_const,
  OP.f32_const,
  OP.f64_const,
])

function checkInstruction(b: BodyChecker, op: number): void {
  if (b.nesting === 0 && !AFTER_END.has(op)) {
    parseCheck(!isInstruction(op), 'code after function end')
  }
  const numeric = NUMERIC_OPS[op]
  if (numeric !== undefined) {
    b.operands.pop(numeric.operand)
    if (numeric.arity === 2) b.operands.pop(numeric.operand)
    b.operands.push(numeric.result)
  } else if (op >= OP.first_load && op <= OP.last_store) checkMemoryAccess(b, op)
  else if (op <= OP.call_indirect) checkControl(b, op)
  else checkOther(b, op)
}

function checkMemoryAccess(b: BodyChecker, op: number): void {
  const { type, max_align } = MEMORY_OPS[op - OP.first_load]!
  const what = op <= OP.last_load ? 'load' : 'store'
  parseCheck(b.m.memory !== undefined, `${what} requires memory`)
  const alignment = b.c.varuint32()
  const offset = b.c.varuint32()
  parseCheck(alignment <= max_align, 'alignment cannot be greater than size.')
  parseCheck(offset <= b.o.max_memory_offset, `${what} offset too large.`)
  if (what === 'store') b.operands.pop(type)
  b.operands.pop(I32)
  if (what === 'load') b.operands.push(type)
}

function checkControl(b: BodyChecker, op: number): void {
  switch (op) {
    case OP.unreachable:
      return b.operands.startUnreachable()
    case OP.nop:
      return
    case OP.block:
    case OP.loop:
    case OP.if:
      return enterScope(b, op)
    case OP.else:
      return switchToElse(b)
    case OP.end:
      return leaveScope(b)
    case OP.return:
      branchTo(b, b.nesting - 1)
      return b.operands.startUnreachable()
    case OP.br:
      branchTo(b, b.c.varuint32())
      return b.operands.startUnreachable()
    case OP.br_if: {
      const depth = b.c.varuint32()
      b.operands.pop(I32)
      branchTo(b, depth)
      return
    }
    case OP.br_table:
      return checkBranchTable(b)
    case OP.call:
      return checkCall(b, functionType(b.m, b.c.varuint32()))
    case OP.call_indirect:
      return checkCallIndirect(b)
    default:
      parseCheck(false, 'Illegal instruction')
  }
}

function enterScope(b: BodyChecker, op: number): void {
  const what = op === OP.block ? 'block' : op === OP.loop ? 'loop' : 'if'
  const result = blockType(b, what)
  if (op === OP.if) b.operands.pop(I32)
  const label_result = op === OP.loop ? NO_RESULT : result
  pushLabel(b, result, label_result, op === OP.if)
  b.operands.pushScope()
}

function innermost(b: BodyChecker): Label | undefined {
  return b.nesting === 0 ? undefined : b.labels[b.nesting - 1]
}

function switchToElse(b: BodyChecker): void {
  const label = innermost(b)
  parseCheck(label !== undefined && label.is_if, 'else outside if')
  b.operands.pop(label.expected_result)
  b.operands.popScope()
  b.operands.pushScope()
  label.is_if = false
}

function leaveScope(b: BodyChecker): void {
  const label = innermost(b)
  parseCheck(label !== undefined, 'unexpected end instruction')
  parseCheck(!label.is_if || label.expected_result === NO_RESULT, 'wrong type')
  b.operands.popScope(label.expected_result)
  b.nesting -= 1
  const last = b.nesting !== 0 || b.c.pos === b.c.end
  parseCheck(last || b.o.allow_code_after_function_end, 'function too short')
}

function checkBranchTable(b: BodyChecker): void {
  const size = b.c.varuint32()
  parseCheck(size <= b.o.max_br_table_elements, 'Too many labels in br_table')
  b.operands.pop(I32)
  let result: number | undefined
  for (let i = 0; i <= size; i++) {
    const one = branchTo(b, b.c.varuint32())
    parseCheck(result === undefined || result === one, 'br_table labels must have the same type')
    result = one
  }
  b.operands.startUnreachable()
}

function checkCall(b: BodyChecker, type: FuncType | undefined): void {
  parseCheck(type !== undefined, 'vector read out of bounds', VECTOR)
  for (let i = type.params.length - 1; i >= 0; i--) b.operands.pop(type.params[i]!)
  if (type.result !== NO_RESULT) b.operands.push(type.result)
}

function checkCallIndirect(b: BodyChecker): void {
  const type = b.m.types[b.c.varuint32()]
  parseCheck(type !== undefined, 'vector read out of bounds', VECTOR)
  parseCheck(b.m.table !== undefined, 'call_indirect requires a table')
  b.operands.pop(I32)
  checkCall(b, type)
  parseCheck(b.c.peek() === 0, 'call_indirect must end with 0x00.')
  b.c.skip(1)
}

function checkOther(b: BodyChecker, op: number): void {
  const { operands: s, c } = b
  switch (op) {
    case OP.drop:
      s.popAny()
      return
    case OP.select:
      return checkSelect(s)
    case OP.local_get:
      return s.push(localType(b, c.varuint32()))
    case OP.local_set:
      return s.pop(localType(b, c.varuint32()))
    case OP.local_tee:
      return s.top(localType(b, c.varuint32()))
    case OP.global_get:
    case OP.global_set:
      return checkGlobal(b, op)
    case OP.memory_size:
    case OP.memory_grow:
      return checkMemorySize(b, op)
    case OP.i32_const:
      c.varint32()
      return s.push(I32)
    case OP.i64_const:
      c.varint64()
      return s.push(I64)
    case OP.f32_const:
      c.need(4)
      c.skip(4)
      return s.push(F32)
    case OP.f64_const:
      c.need(8)
      c.skip(8)
      return s.push(F64)
    default:
      parseCheck(false, 'Illegal instruction')
  }
}

function checkSelect(s: OperandStack): void {
  s.pop(I32)
  const a = s.popAny()
  const b = s.popAny()
  parseCheck(a === b || a === ANY || b === ANY, 'incorrect types for select')
  s.push(a !== ANY ? a : b)
}

function checkGlobal(b: BodyChecker, op: number): void {
  const global = b.m.globals[b.c.varuint32()]
  parseCheck(global !== undefined, 'vector read out of bounds', VECTOR)
  if (op === OP.global_get) return b.operands.push(global.type)
  parseCheck(global.mutable, 'cannot set const global')
  b.operands.pop(global.type)
}

function checkMemorySize(b: BodyChecker, op: number): void {
  const name = op === OP.memory_size ? 'memory.size' : 'memory.grow'
  parseCheck(b.m.memory !== undefined, `${name} requires memory`)
  if (op === OP.memory_grow) b.operands.pop(I32)
  b.operands.push(I32)
  parseCheck(b.c.peek() === 0, `${name} must end with 0x00`)
  b.c.skip(1)
}
