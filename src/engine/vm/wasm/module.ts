/** Value types in their binary form. */
export const I32 = 0x7f
/** The value type i64. */
export const I64 = 0x7e
/** The value type f32. */
export const F32 = 0x7d
/** The value type f64. */
export const F64 = 0x7c
/** The block type without a result. */
export const NO_RESULT = 0x40

/** A function type: value types of parameters, and of the result. */
export interface FuncType {
  params: number[]
  /** A value type, or NO_RESULT. */
  result: number
}

/** An imported function. */
export interface ImportEntry {
  module: string
  field: string
  type_index: number
}

/** The limits of a memory or a table, in pages or elements. */
export interface ResizableLimits {
  initial: number
  maximum: number | undefined
}

/** A constant: `type` is the value type; floats are their bits. */
export interface InitExpr {
  type: number
  value: number | bigint
}

/** A global with its initial value. */
export interface GlobalEntry {
  type: number
  mutable: boolean
  init: InitExpr
}

/** An export. */
export interface ExportEntry {
  name: string
  /** 0 function, 1 table, 2 memory, 3 global. */
  kind: number
  index: number
}

/** A number of locals of one type. */
export interface LocalEntry {
  count: number
  type: number
}

/** A body's instructions are in `code` from `start` to `end`; the last one is `end` (0x0b). */
export interface FunctionBody {
  locals: LocalEntry[]
  start: number
  end: number
}

/** Initial bytes of the memory. */
export interface DataSegment {
  offset: number
  bytes: Uint8Array
}

/** A parsed module; positions refer to `code`. */
export interface WasmModule {
  code: Uint8Array
  types: FuncType[]
  imports: ImportEntry[]
  /** Type index of each function that the module defines. */
  functions: number[]
  /** The table's elements: function indices, or -1. */
  table: Int32Array | undefined
  memory: ResizableLimits | undefined
  globals: GlobalEntry[]
  exports: ExportEntry[]
  start: number | undefined
  bodies: FunctionBody[]
  data: DataSegment[]
  /** The reason why the well-formed module can never be instantiated. */
  error: string | undefined
}

/**
 * The type of a function by its index, imported functions first; undefined if there is no such
 * function.
 */
export function functionType(module: WasmModule, index: number): FuncType | undefined {
  const imported = module.imports.length
  const type_index =
    index < imported ? module.imports[index]!.type_index : module.functions[index - imported]
  return type_index === undefined ? undefined : module.types[type_index]
}

/** Whether two function types are equal. */
export function sameType(a: FuncType, b: FuncType): boolean {
  return (
    a.result === b.result &&
    a.params.length === b.params.length &&
    a.params.every((p, i) => p === b.params[i])
  )
}

/** Index of the exported function of that name, or undefined. */
export function exportedFunction(module: WasmModule, name: string): number | undefined {
  return module.exports.find((e) => e.kind === 0 && e.name === name)?.index
}
