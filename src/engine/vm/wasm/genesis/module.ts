import { malformed } from './input.ts'

/** Value types by the numbers of this parser; other numbers are not value types. */
export const NONE = 0
/** The value type i32. */
export const I32 = 1
/** The value type i64. */
export const I64 = 2
/** The value type f32. */
export const F32 = 3
/** The value type f64. */
export const F64 = 4
const MAX_TYPE = 4

/** A function type of a module. */
export interface GenesisFunctionType {
  params: number[]
  result: number
}

/** The limits of a memory or a table. */
export interface Limits {
  min: number
  max: number | undefined
}

/** A table of a module. */
export interface GenesisTable extends Limits {
  element_type: number
}

/** A global of a module. */
export interface GenesisGlobal {
  type: number
  mutable: boolean
}

/**
 * An initializer: `op` is the opcode; `value` is that of an i32 constant, or the index of a global.
 */
export interface Initializer {
  op: number
  value: number
}

/** Locals of one type, one or more. */
export interface LocalRun {
  count: number
  type: number
}

/** A function of a module. */
export interface GenesisFunction {
  type_index: number
  /** The locals that are not parameters. */
  locals: LocalRun[]
  /** The position of its instructions. */
  start: number
  end: number
}

/** An export of a module. */
export interface GenesisExport {
  name: string
  kind: number
  index: number
}

/** A module as the parser before configurable limits reads it; imports of all kinds come first. */
export interface GenesisModule {
  types: GenesisFunctionType[]
  function_imports: number[]
  tables: GenesisTable[]
  memories: Limits[]
  globals: GenesisGlobal[]
  imported_tables: number
  imported_memories: number
  imported_globals: number
  functions: GenesisFunction[]
  global_initializers: Initializer[]
  exports: GenesisExport[]
  start: number | undefined
  data: { memory_index: number; base: Initializer; size: number }[]
  elements: { table_index: number; base: Initializer; indices: number[] }[]
}

/** A module without sections, which the parser fills. */
export function emptyModule(): GenesisModule {
  return {
    types: [],
    function_imports: [],
    tables: [],
    memories: [],
    globals: [],
    imported_tables: 0,
    imported_memories: 0,
    imported_globals: 0,
    functions: [],
    global_initializers: [],
    exports: [],
    start: undefined,
    data: [],
    elements: [],
  }
}

/** The number of functions of a module, imported ones included. */
export function functionCount(m: GenesisModule): number {
  return m.function_imports.length + m.functions.length
}

/** Of a function that there is, imported or not. */
export function typeOfFunction(m: GenesisModule, index: number): GenesisFunctionType {
  const imported = m.function_imports.length
  const type =
    index < imported ? m.function_imports[index]! : m.functions[index - imported]!.type_index
  return m.types[type]!
}

/**
 * Refuses what the condition is true for. `message` is the reason and the condition's own text, as
 * the reference's macro has them.
 * @throws WasmParseError
 */
export function refuseIf(condition: boolean, message: string): void {
  if (condition) malformed(message)
}

/**
 * Refuses a byte that is not a value type.
 * @throws WasmParseError
 */
export function checkValueType(type: number): void {
  if (type === NONE || type > MAX_TYPE) malformed(`invalid value type (${type})`)
}

/**
 * Refuses a byte that is neither a value type nor the empty result.
 * @throws WasmParseError
 */
export function checkResultType(type: number): void {
  if (type > MAX_TYPE) malformed(`invalid return type (${type})`)
}
