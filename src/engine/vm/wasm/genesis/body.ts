import { FAST, FULL_BYTES, MAX_ALIGN, fastOps } from '../fast_ops.ts'
import { MEMORY_OPS, NUMERIC_OPS, OP } from '../opcodes.ts'
import { malformed } from './input.ts'
import type { GenesisInput } from './input.ts'
import {
  F32,
  F64,
  I32,
  I64,
  NONE,
  checkResultType,
  functionCount,
  refuseIf,
  typeOfFunction,
} from './module.ts'
import type { GenesisFunction, GenesisFunctionType, GenesisModule, LocalRun } from './module.ts'
import { OperandTypes } from './operand_types.ts'

const MAX_CODE_BYTES = 20 * 1024 * 1024
/** Locals with an index below this are found in a table. */
const LOW_LOCALS = 128
const MAX_LOCAL_SETS = 1024
/** Four bytes for each local, whatever its type is. */
const MAX_LOCAL_BYTES = 8192
/** Opcodes beyond this one have a second byte. */
const MAX_SINGLE_BYTE = 0xcf

/** Parses the bodies of one module and checks their types. spring: IR/Validate.cpp */
export class BodyParser {
  private readonly m: GenesisModule
  private readonly operands = new OperandTypes()
  private readonly low_locals = new Uint8Array(LOW_LOCALS)

  constructor(m: GenesisModule) {
    this.m = m
  }

  /**
   * Parses the next body of the code section, the body of function `f`.
   * @throws WasmParseError
   */
  parse(section: GenesisInput, f: GenesisFunction): void {
    const { m, operands, low_locals } = this
    const size = section.varuint32()
    const s = section.part(size)
    parseLocals(s, size, f)
    f.start = s.pos
    f.end = s.end
    const { params, result } = m.types[f.type_index]!
    operands.begin(result)
    fillLowLocals(low_locals, params, f.locals)
    const c: Checker = { s, m, params, locals: f.locals, low_locals, result, o: operands }
    while (s.capacity > 0) {
      if (operands.depth > 0) checkPlain(c)
      if (s.capacity > 0) checkInstruction(c, s.u8())
    }
    if (operands.depth > 0) malformed('end of code reached before end of function')
  }
}

function parseLocals(s: GenesisInput, size: number, f: GenesisFunction): void {
  const sets = s.varuint32()
  if (size >= MAX_CODE_BYTES) malformed('Function body too large')
  if (sets >= MAX_LOCAL_SETS) malformed('too many local sets')
  let bytes = 0
  for (let i = 0; i < sets; i++) {
    const count = s.varuint32()
    const type = -s.varint7() & 0xff
    bytes += count * 4
    if (bytes > MAX_LOCAL_BYTES) malformed('too many locals')
    if (count > 0) f.locals.push({ count, type })
  }
}

/** Types of the first parameters and locals; 0 beyond the last. */
function fillLowLocals(low: Uint8Array, params: number[], locals: readonly LocalRun[]): void {
  low.fill(0)
  let count = Math.min(params.length, LOW_LOCALS)
  for (let i = 0; i < count; i++) low[i] = params[i]!
  for (const run of locals) {
    if (count >= LOW_LOCALS) return
    low.fill(run.type, count, count + run.count)
    count += run.count
  }
}

interface Checker {
  s: GenesisInput
  m: GenesisModule
  params: number[]
  locals: readonly LocalRun[]
  /** Types of the first of both; 0 beyond the last. */
  low_locals: Uint8Array
  result: number
  o: OperandTypes
}

/** The parser's number of a type in its binary form. */
const numberOf = (type: number): number => 0x80 - type

const { kind: KIND, operand: OPERAND, result: RESULT } = fastOps(numberOf)
/** Bytes of the longest instruction that {@link checkPlain} knows. */
const LONGEST_PLAIN = 11

/**
 * Checks the most frequent instructions while they are valid and all of their operands are present.
 * It stops before any other instruction. {@link checkInstruction} gives the same result for each of
 * them, more slowly, and has the error messages.
 */
function checkPlain({ s, m, low_locals, o }: Checker): void {
  const { bytes: code } = s
  const { types, outer_size } = o
  const has_memory = m.memories.length > 0
  const last = s.end - LONGEST_PLAIN
  let { size } = o
  let { pos } = s
  while (pos < last) {
    const op = code[pos]!
    let next = pos + 1
    switch (KIND[op]) {
      case FAST.binary:
        if (size - 2 < outer_size) break
        if (types[size - 1] !== OPERAND[op] || types[size - 2] !== OPERAND[op]) break
        size -= 1
        types[size - 1] = RESULT[op]!
        pos = next
        continue
      case FAST.unary:
        if (size - 1 < outer_size || types[size - 1] !== OPERAND[op]) break
        types[size - 1] = RESULT[op]!
        pos = next
        continue
      case FAST.local_get: {
        const type = low_locals[code[next]! & 0x7f]!
        if (code[next]! >= 0x80 || type === 0 || size === types.length) break
        types[size++] = type
        pos = next + 1
        continue
      }
      case FAST.local_set:
      case FAST.local_tee: {
        const type = low_locals[code[next]! & 0x7f]!
        if (code[next]! >= 0x80 || type === 0) break
        if (size - 1 < outer_size || types[size - 1] !== type) break
        if (KIND[op] === FAST.local_set) size -= 1
        pos = next + 1
        continue
      }
      case FAST.constant: {
        const longest = next + FULL_BYTES[op]!
        while (code[next]! >= 0x80 && next < longest) next += 1
        if (next >= longest || size === types.length) break
        types[size++] = RESULT[op]!
        pos = next + 1
        continue
      }
      case FAST.load:
      case FAST.store: {
        if (!has_memory || code[next]! > MAX_ALIGN[op]!) break
        const longest = next + 4
        next += 1
        while (code[next]! >= 0x80 && next < longest) next += 1
        if (next >= longest) break
        if (KIND[op] === FAST.load) {
          if (size - 1 < outer_size || types[size - 1] !== I32) break
          types[size - 1] = RESULT[op]!
        } else {
          if (size - 2 < outer_size) break
          if (types[size - 1] !== OPERAND[op] || types[size - 2] !== I32) break
          size -= 2
        }
        pos = next + 1
        continue
      }
      case FAST.nop:
        pos = next
        continue
    }
    break
  }
  o.size = size
  s.pos = pos
}

function checkInstruction(c: Checker, op: number): void {
  if (op > MAX_SINGLE_BYTE) c.s.u8()
  const numeric = NUMERIC_OPS[op]
  if (numeric !== undefined) {
    const operand = numberOf(numeric.operand)
    if (numeric.arity === 2) c.o.pop(operand)
    c.o.pop(operand)
    c.o.push(numberOf(numeric.result))
  } else if (op >= OP.first_load && op <= OP.last_store) checkMemoryAccess(c, op)
  else if (op <= OP.call_indirect) checkControl(c, op)
  else checkOther(c, op)
}

function checkMemoryAccess({ s, m, o }: Checker, op: number): void {
  const { type, max_align } = MEMORY_OPS[op - OP.first_load]!
  const alignment = s.varuint7()
  s.varuint32()
  refuseIf(
    alignment > max_align,
    'load or store alignment greater than natural alignment: imm.alignmentLog2>naturalAlignmentLog2',
  )
  refuseIf(
    m.memories.length === 0,
    'load or store in module without default memory: module.memories.size()==0',
  )
  if (op >= OP.first_store) o.pop(numberOf(type))
  o.pop(I32)
  if (op < OP.first_store) o.push(numberOf(type))
}

function checkControl(c: Checker, op: number): void {
  const { s, o } = c
  switch (op) {
    case OP.unreachable:
      return o.enterUnreachable()
    case OP.nop:
      return
    case OP.block:
    case OP.loop:
    case OP.if:
      return enter(c, op)
    case OP.else:
      o.popResult()
      return o.leave(true)
    case OP.end:
      o.popResult()
      return o.leave(false)
    case OP.br:
      o.popTyped(o.target(s.varuint32()))
      return o.enterUnreachable()
    case OP.br_if: {
      const depth = s.varuint32()
      o.pop(I32)
      o.popTyped(o.target(depth))
      return o.pushTyped(o.target(depth))
    }
    case OP.br_table:
      return checkBranchTable(c)
    case OP.return:
      o.popTyped(c.result)
      return o.enterUnreachable()
    case OP.call: {
      const index = s.varuint32()
      const unknown = index >= functionCount(c.m)
      refuseIf(unknown, 'invalid index: functionIndex>=module.functions.size()')
      return checkCall(o, typeOfFunction(c.m, index))
    }
    case OP.call_indirect:
      return checkCallIndirect(c)
    default:
      malformed('unknown opcode')
  }
}

function enter({ s, o }: Checker, op: number): void {
  const encoded = s.varint7()
  const result = encoded === -64 ? NONE : -encoded & 0xff
  checkResultType(result)
  if (op === OP.if) o.pop(I32)
  o.enter(op === OP.if, op === OP.loop ? NONE : result, result)
}

function checkBranchTable({ s, o }: Checker): void {
  const depths = s.array(() => s.varuint32())
  const fallback = s.varuint32()
  o.pop(I32)
  const type = o.target(fallback)
  o.popTyped(type)
  for (const depth of depths) {
    refuseIf(
      o.target(depth) !== type,
      'br_table target argument must match default target argument: ' +
        'targetArgumentType != defaultTargetArgumentType',
    )
  }
  o.enterUnreachable()
}

function checkCall(o: OperandTypes, { params, result }: GenesisFunctionType): void {
  for (let i = params.length - 1; i >= 0; i--) o.pop(params[i]!)
  o.pushTyped(result)
}

function checkCallIndirect({ s, m, o }: Checker): void {
  const index = s.varuint32()
  s.constant8('call_indirect immediate reserved field must be 0', 0)
  const type = m.types[index]
  if (type === undefined) malformed('invalid index: imm.type.index>=module.types.size()')
  refuseIf(
    m.tables.length === 0,
    'call_indirect is only valid if there is a default function table: module.tables.size()==0',
  )
  o.pop(I32)
  checkCall(o, type)
}

function checkOther(c: Checker, op: number): void {
  const { s, o } = c
  switch (op) {
    case OP.drop:
      o.popAny()
      return
    case OP.select:
      return o.select()
    case OP.local_get:
      return o.push(localType(c))
    case OP.local_set:
      return o.pop(localType(c))
    case OP.local_tee: {
      const type = localType(c)
      o.pop(type)
      return o.push(type)
    }
    case OP.global_get:
    case OP.global_set:
      return checkGlobal(c, op)
    case OP.memory_size:
    case OP.memory_grow:
      return checkMemorySize(c, op)
    case OP.i32_const:
      s.skipVarint32()
      return o.push(I32)
    case OP.i64_const:
      s.skipVarint64()
      return o.push(I64)
    case OP.f32_const:
      s.advance(4)
      return o.push(F32)
    case OP.f64_const:
      s.advance(8)
      return o.push(F64)
    default:
      malformed('unknown opcode')
  }
}

function localType({ s, params, locals, low_locals }: Checker): number {
  const index = s.varuint32()
  if (index < LOW_LOCALS && low_locals[index] !== 0) return low_locals[index]!
  if (index < params.length) return params[index]!
  let end = params.length
  for (const run of locals) {
    end += run.count
    if (index < end) return run.type
  }
  malformed('invalid index: localIndex>=locals.size()')
}

function checkGlobal({ s, m, o }: Checker, op: number): void {
  const global = m.globals[s.varuint32()]
  if (global === undefined) malformed('invalid index: globalIndex>=module.globals.size()')
  if (op === OP.global_get) return o.push(global.type)
  refuseIf(!global.mutable, 'attempting to mutate immutable global')
  o.pop(global.type)
}

function checkMemorySize({ s, m, o }: Checker, op: number): void {
  s.constant8('grow_memory/current_memory immediate reserved field must be 0', 0)
  refuseIf(
    m.memories.length === 0,
    'current_memory and grow_memory are only valid if there is a default memory' +
      'module.memories.size() == 0',
  )
  if (op === OP.memory_grow) o.pop(I32)
  o.push(I32)
}
