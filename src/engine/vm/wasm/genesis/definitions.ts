import { malformed } from './input.ts'
import {
  F32,
  F64,
  I32,
  I64,
  NONE,
  checkResultType,
  checkValueType,
  functionCount,
  refuseIf,
  typeOfFunction,
} from './module.ts'
import type { GenesisModule, GenesisTable, Initializer, Limits } from './module.ts'

const MAX_PAGES = 65_536
const MAX_TABLE = 0xffffffff
const ANYFUNC = 0x70

/**
 * Checks what a module declares. spring: libraries/wasm-jit/Source/IR/Validate.cpp
 * validateDefinitions
 * @throws WasmParseError
 */
export function checkDefinitions(m: GenesisModule): void {
  for (const { params, result } of m.types) {
    params.forEach(checkValueType)
    checkResultType(result)
  }
  m.tables.slice(0, m.imported_tables).forEach(checkTable)
  m.memories.slice(0, m.imported_memories).forEach(checkMemory)
  for (const { type, mutable } of m.globals.slice(0, m.imported_globals)) {
    checkValueType(type)
    refuseIf(mutable, 'mutable globals cannot be imported: globalImport.type.isMutable')
  }
  for (const { locals } of m.functions) for (const { type } of locals) checkValueType(type)
  m.globals.slice(m.imported_globals).forEach(({ type }, i) => {
    checkValueType(type)
    checkInitializer(m, m.global_initializers[i]!, type, 'global initializer expression')
  })
  m.tables.slice(m.imported_tables).forEach(checkTable)
  refuseIf(m.tables.length > 1, 'too many tables: module.tables.size()>1')
  m.memories.slice(m.imported_memories).forEach(checkMemory)
  refuseIf(m.memories.length > 1, 'too many memories: module.memories.size()>1')
  checkExports(m)
  checkStart(m)
  checkSegments(m)
}

function checkLimits({ min, max }: Limits, most: number): void {
  refuseIf(min > (max ?? most), 'disjoint size bounds: size.min>max')
  refuseIf((max ?? most) > most, 'maximum size exceeds limit: max>maxMax')
}

function checkTable(table: GenesisTable): void {
  const { element_type } = table
  refuseIf(element_type !== ANYFUNC, `invalid table element type (${element_type})`)
  checkLimits(table, MAX_TABLE)
}

function checkMemory(memory: Limits): void {
  checkLimits(memory, MAX_PAGES)
}

const CONSTANTS: Record<number, number> = { 0x41: I32, 0x42: I64, 0x43: F32, 0x44: F64 }

function checkInitializer(
  m: GenesisModule,
  { op, value }: Initializer,
  expected: number,
  context: string,
): void {
  let type = CONSTANTS[op]
  if (type === undefined) {
    checkGlobalIndex(m, value)
    refuseIf(
      value >= m.imported_globals,
      'global variable initializer expression may only access imported globals',
    )
    checkImmutable(m, value)
    type = m.globals[value]!.type
  }
  refuseIf(type !== expected, `type mismatch: expected in ${context}`)
}

function checkGlobalIndex(m: GenesisModule, index: number): void {
  refuseIf(index >= m.globals.length, 'invalid index: globalIndex>=module.globals.size()')
}

function checkImmutable(m: GenesisModule, index: number): void {
  refuseIf(
    m.globals[index]!.mutable,
    'global variable initializer expression may only access immutable globals',
  )
}

function checkExports(m: GenesisModule): void {
  const sizes = [functionCount(m), m.tables.length, m.memories.length]
  const lists = ['functions', 'tables', 'memories']
  const names = new Set<string>()
  for (const { name, kind, index } of m.exports) {
    if (kind === 3) {
      checkGlobalIndex(m, index)
      checkImmutable(m, index)
    } else {
      if (kind > 3) malformed('unknown export kind')
      const message = `invalid index: exportIt.index>=module.${lists[kind]}.size()`
      refuseIf(index >= sizes[kind]!, message)
    }
    refuseIf(names.has(name), 'duplicate export: exportNameMap.count(exportIt.name)')
    names.add(name)
  }
}

function checkStart(m: GenesisModule): void {
  if (m.start === undefined) return
  refuseIf(
    m.start >= functionCount(m),
    'invalid index: module.startFunctionIndex>=module.functions.size()',
  )
  const { params, result } = typeOfFunction(m, m.start)
  refuseIf(
    params.length > 0 || result !== NONE,
    'start function must not have any parameters or results: startFunctionType != FunctionType::get()',
  )
}

function checkSegments(m: GenesisModule): void {
  for (const { memory_index, base } of m.data) {
    refuseIf(
      memory_index >= m.memories.length,
      'invalid index: dataSegment.memoryIndex>=module.memories.size()',
    )
    checkInitializer(m, base, I32, 'data segment base initializer')
  }
  for (const { table_index, base, indices } of m.elements) {
    refuseIf(
      table_index >= m.tables.length,
      'invalid index: tableSegment.tableIndex>=module.tables.size()',
    )
    checkInitializer(m, base, I32, 'table segment base initializer')
    for (const index of indices) {
      refuseIf(index >= functionCount(m), 'invalid index: functionIndex>=module.functions.size()')
    }
  }
}
