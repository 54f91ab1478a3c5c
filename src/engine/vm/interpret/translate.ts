import { PAGE_BYTES } from '../preparation/code_facts.ts'
import { exportedFunction } from '../wasm/module.ts'
import type { WasmModule } from '../wasm/module.ts'
import { CODE, Target, WordWriter } from './code.ts'
import { translateBody } from './translate_body.ts'
import type { Program } from './translate_body.ts'

/** Set in an element's target where the rest is the number of an imported function. */
export const IMPORTED = 0x80000000

/** The maximum size of all frames; unused memory costs nothing. */
const MAX_FRAMES_BYTES = 512 * 1024 * 1024
/** The number of largest frames that must fit within that. */
const FRAMES = 1040

/** A contract as the interpreter has it, with the addresses of what is in memory. */
export interface TranslatedModule {
  /** First values of the globals, the table's elements and the code: from `start`. */
  image: Uint8Array
  start: number
  /** Present values of the globals; the first values are as many bytes from `start`. */
  globals: number
  globals_bytes: number
  table: number
  table_length: number
  /** Code that calls the start function, where there is one, and `apply`. */
  roots: number[]
  frames: number
  frames_end: number
  /** The start of the contract's memory. */
  base: number
  /** The imported functions that are called, each once. */
  host_functions: number[]
}

/** There is no code at address 0. */
const START = 8

/** Translates a validated module to instructions and data of the interpreter. */
export function translate(m: WasmModule): TranslatedModule {
  const globals_bytes = m.globals.length * 8
  const globals = START + globals_bytes
  const table = globals + globals_bytes
  const table_length = m.table?.length ?? 0
  const origin = table + table_length * 8
  const { host_functions, import_numbers } = numberImports(m)
  const program: Program = {
    m,
    out: new WordWriter(),
    origin,
    functions: m.functions.map(() => new Target()),
    import_numbers,
    type_numbers: numberTypes(m),
    globalAddress: (index) => globals + index * 8,
    greatest_frame: 0,
  }
  const roots = [m.start, exportedFunction(m, 'apply')!].filter((f) => f !== undefined)
  const root_addresses = roots.map((root) => translateRoot(program, root))
  for (let i = 0; i < m.bodies.length; i++) translateBody(program, i)
  const code = program.out.bytes()
  const frames = align(origin + code.length, 16)
  const room = Math.min(MAX_FRAMES_BYTES, program.greatest_frame * FRAMES)
  const frames_end = align(frames + room, PAGE_BYTES)
  const image = new Uint8Array(origin - START + code.length)
  const view = new DataView(image.buffer)
  writeGlobals(m, view)
  writeTable(program, view, table - START)
  image.set(code, origin - START)
  return {
    image, start: START, globals, globals_bytes, table, table_length, roots: root_addresses,
    frames, frames_end, base: frames_end, host_functions,
  } // oxfmt-ignore
}

const align = (n: number, to: number): number => Math.ceil(n / to) * to

/** Calls the function with arguments at the start of the frame. */
function translateRoot(p: Program, index: number): number {
  const { out, m } = p
  const address = p.origin + out.length * 4
  const imported = m.imports.length
  if (index < imported) {
    out.push(CODE.call_import)
    out.push(p.import_numbers[index]!)
  } else {
    out.push(CODE.call)
    p.functions[index - imported]!.refer(out)
  }
  out.push(CODE.halt)
  return address
}

/** The same function may be imported many times. */
function numberImports(m: WasmModule): { host_functions: number[]; import_numbers: number[] } {
  const known = new Map<string, number>()
  const host_functions: number[] = []
  const import_numbers = m.imports.map(({ module, field }, index) => {
    const key = `${module}\0${field}`
    let number = known.get(key)
    if (number === undefined) {
      known.set(key, (number = host_functions.length))
      host_functions.push(index)
    }
    return number
  })
  return { host_functions, import_numbers }
}

function numberTypes(m: WasmModule): number[] {
  const known = new Map<string, number>()
  return m.types.map(({ params, result }) => {
    const key = `${params.join()}>${result}`
    let number = known.get(key)
    if (number === undefined) known.set(key, (number = known.size))
    return number
  })
}

function writeGlobals(m: WasmModule, view: DataView): void {
  m.globals.forEach(({ init }, i) => {
    view.setBigUint64(i * 8, BigInt.asUintN(64, BigInt(init.value)), true)
  })
}

/** Of each element its target, or 0, and the number of its type. */
function writeTable(p: Program, view: DataView, at: number): void {
  const { m } = p
  const imported = m.imports.length
  m.table?.forEach((index, i) => {
    if (index === -1) return
    const type_index =
      index < imported ? m.imports[index]!.type_index : m.functions[index - imported]!
    const target =
      index < imported
        ? IMPORTED + p.import_numbers[index]!
        : p.functions[index - imported]!.bound_address
    view.setUint32(at + i * 8, target, true)
    view.setUint32(at + i * 8 + 4, p.type_numbers[type_index]!, true)
  })
}
