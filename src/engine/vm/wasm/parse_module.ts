import { bodyChecker } from './body_checker.ts'
import { ByteCursor } from './byte_cursor.ts'
import { checkBody } from './check_body.ts'
import { F32, F64, I32, I64, NO_RESULT, functionType } from './module.ts'
import type { FuncType, FunctionBody, InitExpr, ResizableLimits, WasmModule } from './module.ts'
import { isValueType, sizeOfType } from './opcodes.ts'
import { ALLOCATION, BOUNDS, IMPORT_KIND, VECTOR, parseCheck } from './parse_error.ts'
import type { ParseOptions } from './parse_options.ts'
import { plainBytes } from './plain_bytes.ts'

interface Parser {
  c: ByteCursor
  m: WasmModule
  o: ParseOptions
  mutable_global_bytes: number
}

/**
 * Parses and type-checks a module, refusing what the reference's parser refuses and with its words
 * (eos-vm: parser.hpp). Nothing is allocated by a count that the bytes do not back.
 * @throws WasmParseError, and no other error
 */
export function parseModule(bytes: Uint8Array, options: ParseOptions): WasmModule {
  const code = plainBytes(bytes)
  const m: WasmModule = {
    code, types: [], imports: [], functions: [], table: undefined, memory: undefined,
    globals: [], exports: [], start: undefined, bodies: [], data: [], error: undefined,
  } // oxfmt-ignore
  const p: Parser = { c: new ByteCursor(code), m, o: options, mutable_global_bytes: 0 }
  parseHeader(p.c)
  let highest = 0
  while (p.c.pos !== code.length) {
    const id = p.c.u8()
    const length = p.c.varuint32()
    parseCheck(id === 0 || id > highest, 'section out of order')
    highest = Math.max(highest, id)
    p.c.need(length)
    p.c.end = p.c.pos + length
    parseSection(p, id)
    parseCheck(p.c.pos === p.c.end, 'guarded_ptr not advanced', BOUNDS)
    p.c.end = code.length
  }
  parseCheck(m.bodies.length === m.functions.length, SAME_SIZE)
  return m
}

const SAME_SIZE = 'code section must have the same size as the function section'

function parseHeader(c: ByteCursor): void {
  c.need(4)
  parseCheck(rawU32(c) === 0x6d736100, 'magic number did not match')
  c.need(4)
  parseCheck(rawU32(c) === 1, 'version number did not match')
}

function rawU32(c: ByteCursor): number {
  return (c.u8() | (c.u8() << 8) | (c.u8() << 16) | (c.u8() << 24)) >>> 0
}

function parseSection(p: Parser, id: number): void {
  const { c, m, o } = p
  switch (id) {
    case 0:
      c.name(Infinity)
      c.pos = c.end
      return
    case 1:
      return elements(c, o.max_section_elements, () => m.types.push(parseFuncType(c)))
    case 2:
      return elements(c, o.max_import_elements, () => parseImport(p))
    case 3:
      elements(c, o.max_function_elements, () => m.functions.push(c.varuint32()))
      return checkFunctionTypes(m)
    case 4:
      return elements(c, 1, () => parseTable(p))
    case 5:
      return elements(c, 1, () => parseMemory(p))
    case 6:
      return elements(c, o.max_section_elements, () => parseGlobal(p))
    case 7:
      elements(c, o.max_section_elements, () => parseExport(p))
      return checkExportNames(m)
    case 8:
      return parseStart(p)
    case 9:
      return elements(c, o.max_section_elements, () => parseElementSegment(p))
    case 10:
      return parseCode(p)
    case 11:
      return elements(c, o.max_section_elements, () => parseData(p))
    default:
      parseCheck(false, 'error invalid section id')
  }
}

function elements(c: ByteCursor, max: number, parse: () => void): void {
  const count = c.varuint32()
  parseCheck(count <= max, 'number of section elements exceeded limit')
  for (let i = 0; i < count; i++) parse()
}

function checkFunctionTypes(m: WasmModule): void {
  const known = m.functions.every((type) => type < m.types.length)
  parseCheck(known, 'vector read out of bounds', VECTOR)
}

/** The reference allocates memory for all elements before it reads one; this is its limit. */
const ROOM = 1024 ** 3

/** Refuses a count of elements of `size` bytes for which the reference has no memory. */
function checkRoom(count: number, size: number): void {
  parseCheck(count * size <= ROOM, 'Allocated too much memory', ALLOCATION)
}

function parseFuncType(c: ByteCursor): FuncType {
  parseCheck(c.u8() === 0x60, 'invalid function type')
  const count = c.varuint32()
  checkRoom(count, 1)
  const params: number[] = []
  for (let i = 0; i < count; i++) {
    const type = c.u8()
    parseCheck(isValueType(type), 'invalid function param type')
    params.push(type)
  }
  const returns = c.u8()
  parseCheck(returns < 2, 'invalid function return count')
  if (returns === 0) return { params, result: NO_RESULT }
  const result = c.u8()
  parseCheck(isValueType(result), 'invalid function return type')
  return { params, result }
}

function parseImport({ c, m, o }: Parser): void {
  const module = c.name(o.max_symbol_bytes)
  const field = c.name(o.max_symbol_bytes)
  const kind = c.u8()
  const type_index = c.varuint32()
  parseCheck(kind === 0, 'only function imports are supported', IMPORT_KIND)
  parseCheck(type_index < m.types.length, 'Invalid function type')
  m.imports.push({ module, field, type_index })
}

function parseLimitsFlag(c: ByteCursor, o: ParseOptions): boolean {
  if (o.allow_u32_limits_flags) return (c.varuint32() & 1) !== 0
  const flag = c.peek()
  parseCheck(flag === 0 || flag === 1, 'invalid flags')
  return c.u8() === 1
}

function parseTable({ c, m, o }: Parser): void {
  parseCheck(c.u8() === 0x70, 'table must have type anyfunc')
  const bounded = parseLimitsFlag(c, o)
  const initial = c.varuint32()
  if (bounded) parseCheck(initial <= c.varuint32(), 'table max size less than min size')
  parseCheck(initial <= o.max_table_elements, 'table size exceeds limit')
  // Without a configured limit the reference can hold no table of this size either.
  parseCheck(initial <= 10_000_000, 'Allocated too much memory', ALLOCATION)
  m.table = new Int32Array(initial).fill(-1)
}

function parseMemory({ c, m, o }: Parser): void {
  const bounded = parseLimitsFlag(c, o)
  const limits: ResizableLimits = { initial: c.varuint32(), maximum: undefined }
  parseCheck(limits.initial <= o.max_pages, 'initial memory out of range')
  parseCheck(limits.initial <= 65536, 'initial memory out of range')
  if (bounded) {
    limits.maximum = c.varuint32()
    parseCheck(limits.maximum >= limits.initial, 'maximum must be at least minimum')
    parseCheck(limits.maximum <= 65536, 'maximum memory out of range')
  }
  m.memory = limits
}

function parseGlobal(p: Parser): void {
  const { c, m, o } = p
  const type = c.u8()
  parseCheck(isValueType(type), 'invalid global content type')
  const mutable = c.varuint1()
  if (mutable) {
    p.mutable_global_bytes += sizeOfType(type)
    const within = p.mutable_global_bytes <= o.max_mutable_global_bytes
    parseCheck(within, 'mutable globals exceeded limit')
  }
  m.globals.push({ type, mutable, init: parseInitExpr(c, type) })
}

const INIT_TYPES: Record<number, { type: number; text: string }> = {
  0x41: { type: I32, text: 'expected i32 initializer' },
  0x42: { type: I64, text: 'expected i64 initializer' },
  0x43: { type: F32, text: 'expected f32 initializer' },
  0x44: { type: F64, text: 'expected f64 initializer' },
}

const INIT_TEXT =
  'initializer expression can only acception i32.const, i64.const, f32.const and f64.const'

function parseInitExpr(c: ByteCursor, type: number): InitExpr {
  const known = INIT_TYPES[c.u8()]
  parseCheck(known !== undefined, INIT_TEXT)
  const value = parseConstant(c, known.type)
  parseCheck(known.type === type, known.text)
  parseCheck(c.u8() === 0x0b, 'no end op found')
  return { type, value }
}

function parseConstant(c: ByteCursor, type: number): number | bigint {
  if (type === I32) return c.varint32()
  if (type === I64) return c.varint64()
  if (type === F32) {
    c.need(4)
    return rawU32(c)
  }
  c.need(8)
  const low = rawU32(c)
  return (BigInt(rawU32(c)) << 32n) | BigInt(low)
}

function parseExport({ c, m, o }: Parser): void {
  const name = c.name(o.max_symbol_bytes)
  const kind = c.u8()
  const index = c.varuint32()
  const functions = m.imports.length + m.functions.length
  if (kind === 0) parseCheck(index < functions, 'function export out of range')
  else if (kind === 1) {
    parseCheck(index < (m.table === undefined ? 0 : 1), 'table export out of range')
  } else if (kind === 2) {
    parseCheck(index < (m.memory === undefined ? 0 : 1), 'memory export out of range')
  } else {
    parseCheck(kind === 3, 'Unknown export kind')
    parseCheck(index < m.globals.length, 'global export out of range')
    const forbidden = o.forbid_export_mutable_globals && m.globals[index]!.mutable
    parseCheck(!forbidden, 'cannot export mutable globals')
  }
  m.exports.push({ name, kind, index })
}

function checkExportNames(m: WasmModule): void {
  const names = new Set(m.exports.map((e) => e.name))
  parseCheck(names.size === m.exports.length, 'duplicate export name')
}

function parseStart({ c, m }: Parser): void {
  const index = c.varuint32()
  const type = functionType(m, index)
  parseCheck(type !== undefined, 'vector read out of bounds', VECTOR)
  parseCheck(type.result === NO_RESULT && type.params.length === 0, 'wrong type for start')
  // The highest index is the reference's mark for "no start function".
  m.start = index === 0xffffffff ? undefined : index
}

function parseElementSegment({ c, m, o }: Parser): void {
  parseCheck(m.table !== undefined, 'table not declared')
  parseCheck(c.varuint32() === 0, 'only table index of 0 is supported')
  const offset = Number(parseInitExpr(c, I32).value) >>> 0
  const size = c.varuint32()
  parseCheck(size <= o.max_element_segment_elements, 'elem segment too large')
  checkRoom(size, 4)
  const fits = offset + size <= m.table.length
  if (!fits) m.error = 'elem out of range'
  for (let i = 0; i < size; i++) {
    const index = c.varuint32()
    const known = index < m.imports.length + m.functions.length
    parseCheck(known, 'elem for undefined function')
    if (fits) m.table[offset + i] = index
  }
}

function parseCode(p: Parser): void {
  const { c, m, o } = p
  elements(c, o.max_function_elements, () => m.bodies.push(parseFunctionBody(p)))
  parseCheck(m.bodies.length === m.functions.length, SAME_SIZE)
  const checker = bodyChecker(m, o)
  for (let i = 0; i < m.bodies.length; i++) checkBody(checker, i)
}

function parseFunctionBody({ c, m, o }: Parser): FunctionBody {
  const size = c.varuint32()
  parseCheck(size <= o.max_code_bytes, 'Function body too large')
  const begin = c.pos
  const sets = c.varuint32()
  parseCheck(sets <= o.max_local_sets, 'Number of local sets exceeds limit')
  checkRoom(sets, 8)
  const type_index = m.functions[m.bodies.length]
  parseCheck(type_index !== undefined, 'vector read out of bounds', VECTOR)
  parseCheck(m.types[type_index] !== undefined, 'vector read out of bounds', VECTOR)
  const locals = []
  let bytes = 0
  for (let i = 0; i < sets; i++) {
    const count = c.varuint32()
    let type = c.u8()
    if (o.allow_invalid_empty_local_set && count === 0) type = I32
    parseCheck(isValueType(type), 'invalid local type')
    bytes += sizeOfType(type) * count
    parseCheck(bytes <= o.max_func_local_bytes, 'local variable limit exceeded')
    locals.push({ count, type })
  }
  const rest = size - (c.pos - begin)
  parseCheck(rest >= 0, 'guarded ptr out of bounds', BOUNDS)
  c.need(rest)
  parseCheck(rest > 0, 'overbounding pointer', BOUNDS)
  const start = c.pos
  c.skip(rest - 1)
  const ended = c.u8() === 0x0b
  parseCheck(
    ended || o.allow_code_after_function_end,
    "failed parsing function body, expected 'end'",
  )
  return { locals, start, end: start + rest }
}

function parseData({ c, m, o }: Parser): void {
  parseCheck(m.memory !== undefined, 'data requires memory')
  // The reference reads the memory index and ignores it.
  c.varuint32()
  const offset = Number(parseInitExpr(c, I32).value) >>> 0
  const length = c.varuint32()
  parseCheck(length <= o.max_data_segment_bytes, 'data segment too large.')
  parseCheck(offset + length <= o.max_linear_memory_init, 'out-of-bounds data section')
  c.need(length)
  m.data.push({ offset, bytes: c.bytes.subarray(c.pos, c.pos + length) })
  c.pos += length
}
