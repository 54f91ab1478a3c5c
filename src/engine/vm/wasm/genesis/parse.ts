import { plainBytes } from '../plain_bytes.ts'
import { GenesisInput, malformed } from './input.ts'
import { BodyParser } from './body.ts'
import { checkDefinitions } from './definitions.ts'
import { emptyModule } from './module.ts'
import type { GenesisModule, GenesisTable, Initializer, Limits } from './module.ts'

const MAGIC = 0x6d736100
const VERSION = 1
/** Functions that are defined, and imports of functions, stay below this. */
const MAX_FUNCTIONS = 1024
const OP_END = 0x0b

/**
 * Parses and validates code like the first of the two parsers that checked it before limits were
 * configurable, in the same order and with the same messages.
 * @throws WasmParseError
 * spring: libraries/wasm-jit/Source/WASM/WASMSerialization.cpp
 */
export function parseGenesisModule(code: Uint8Array): GenesisModule {
  const s = new GenesisInput(plainBytes(code))
  const m = emptyModule()
  s.constant32('magic number', MAGIC)
  s.constant32('version', VERSION)
  let last = 0
  while (s.capacity > 0) {
    const id = s.peek()
    if (id !== 0) {
      if (id <= last) malformed('incorrect order for known section')
      last = id
    }
    const parse = SECTIONS[id]
    if (parse === undefined) malformed('unknown section ID')
    s.u8()
    const section = s.part(s.varuint32())
    parse(section, m)
    if (section.capacity > 0) malformed('section contained more data than expected')
  }
  checkDefinitions(m)
  return m
}

/** By section id. */
const SECTIONS: readonly ((s: GenesisInput, m: GenesisModule) => void)[] = [
  parseUser,
  (s, m) => (m.types = s.array(() => parseType(s))),
  parseImports,
  parseFunctions,
  (s, m) => m.tables.push(...s.array(() => parseTable(s))),
  (s, m) => m.memories.push(...s.array(() => parseMemory(s))),
  (s, m) => s.array(() => parseGlobal(s, m)),
  (s, m) => (m.exports = s.array(() => parseExport(s))),
  (s, m) => (m.start = s.varuint32()),
  (s, m) => (m.elements = s.array(() => parseElement(s))),
  parseBodies,
  (s, m) => (m.data = s.array(() => parseData(s))),
]

function parseUser(s: GenesisInput): void {
  checkUtf8(s.string())
  s.rest()
}

/** The number of a type, of which the binary form is the negative. */
function parseValueType(s: GenesisInput): number {
  return -s.varint7() & 0xff
}

function parseType(s: GenesisInput): { params: number[]; result: number } {
  s.constant8('function type tag', 0x60)
  const params = s.array(() => parseValueType(s))
  const result = s.varuint1() === 0 ? 0 : parseValueType(s)
  return { params, result }
}

function parseImports(s: GenesisInput, m: GenesisModule): void {
  const count = s.varuint32()
  for (let i = 0; i < count; i++) {
    const module = s.string()
    const field = s.string()
    checkUtf8(module)
    checkUtf8(field)
    const kind = s.u8()
    if (kind === 0) {
      const type = s.varuint32()
      if (type >= m.types.length) malformed('invalid import function type index')
      m.function_imports.push(type)
    } else if (kind === 1) {
      m.tables.push(parseTable(s))
      m.imported_tables++
    } else if (kind === 2) {
      m.memories.push(parseMemory(s))
      m.imported_memories++
    } else if (kind === 3) {
      m.globals.push({ type: parseValueType(s), mutable: s.varuint1() === 1 })
      m.imported_globals++
    } else malformed('invalid ObjectKind')
    if (m.function_imports.length >= MAX_FUNCTIONS) malformed(`Too many ${KINDS[kind]} imports`)
  }
}

const KINDS = ['function', 'table', 'memory', 'global'] as const

function parseFunctions(s: GenesisInput, m: GenesisModule): void {
  const count = s.varuint32()
  if (count >= MAX_FUNCTIONS) malformed('Too many function defs')
  for (let i = 0; i < count; i++) {
    const type_index = s.varuint32()
    if (type_index >= m.types.length) malformed('invalid function type index')
    m.functions.push({ type_index, locals: [], start: 0, end: 0 })
  }
}

function parseTable(s: GenesisInput): GenesisTable {
  const element_type = s.u8()
  return { element_type, ...parseMemory(s) }
}

function parseMemory(s: GenesisInput): Limits {
  const bounded = (s.varuint32() & 1) !== 0
  const min = s.varuint32()
  return { min, max: bounded ? s.varuint32() : undefined }
}

function parseGlobal(s: GenesisInput, m: GenesisModule): void {
  m.globals.push({ type: parseValueType(s), mutable: s.varuint1() === 1 })
  m.global_initializers.push(parseInitializer(s))
}

function parseInitializer(s: GenesisInput): Initializer {
  const op = s.u8()
  let value = 0
  if (op === 0x41) value = s.varint32()
  else if (op === 0x42) s.skipVarint64()
  else if (op === 0x43) s.advance(4)
  else if (op === 0x44) s.advance(8)
  else if (op === 0x23) value = s.varuint32()
  else malformed('invalid initializer expression opcode')
  s.constant8('expected end opcode', OP_END)
  return { op, value }
}

function parseExport(s: GenesisInput): { name: string; kind: number; index: number } {
  const name = s.string()
  checkUtf8(name)
  const kind = s.u8()
  return { name, kind, index: s.varuint32() }
}

function parseElement(s: GenesisInput): GenesisModule['elements'][number] {
  const table_index = s.varuint32()
  const base = parseInitializer(s)
  return { table_index, base, indices: s.array(() => s.varuint32()) }
}

function parseBodies(s: GenesisInput, m: GenesisModule): void {
  if (s.varuint32() !== m.functions.length) {
    malformed('function and code sections have mismatched function counts')
  }
  const parser = new BodyParser(m)
  for (const f of m.functions) parser.parse(s, f)
}

function parseData(s: GenesisInput): GenesisModule['data'][number] {
  const memory_index = s.varuint32()
  const base = parseInitializer(s)
  return { memory_index, base, size: s.byteArray() }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** Of a string with one character for each byte. */
function checkUtf8(text: string): void {
  if (isAscii(text)) return
  try {
    UTF8.decode(Buffer.from(text, 'latin1'))
  } catch {
    malformed('invalid UTF-8 encoding')
  }
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= 0x80) return false
  return true
}
