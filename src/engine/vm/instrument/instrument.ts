import { F32, F64, I32, I64, exportedFunction, functionType } from '../wasm/module.ts'
import type { GlobalEntry, WasmModule } from '../wasm/module.ts'
import { OP } from '../wasm/opcodes.ts'
import { Emitter } from './emitter.ts'
import { FUEL_PER_TICK, RESERVED_IMPORTS, RESERVED_MODULE, planLayout } from './layout.ts'
import type { Form, Layout } from './layout.ts'
import { RESERVED_TYPES, RUN_TYPE, TypeTable, bitsType, typeSection } from './module_types.ts'
import { BodyRewriter } from './rewrite_body.ts'
import type { BodyScan } from './scan_body.ts'

interface Build {
  m: WasmModule
  scans: readonly BodyScan[]
  l: Layout
  types: TypeTable
  out: Emitter
}

/**
 * The module that runs instead of a contract's. It imports the contract's host functions and the
 * reserved ones, exports `run` and `memory`, and has no start function and no data: `run` sets the
 * globals to their first values, then calls the start function and `apply`; memory is filled from
 * outside. `apply` must be exported with the right type.
 */
export function instrument(
  m: WasmModule,
  scans: readonly BodyScan[],
  float_ops: ReadonlySet<number>,
  form: Form,
): Uint8Array {
  const l = planLayout(m, float_ops, form)
  const out = new Emitter(m.code.length + (m.code.length >> 1) + 1024)
  const b: Build = { m, scans, l, types: new TypeTable(m.types), out }
  const imports = importSection(b)
  const functions = functionSection(b)
  out.bytes(0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0)
  section(b, 1, typeSection(b.types))
  section(b, 2, imports)
  section(b, 3, functions)
  if (m.table !== undefined) section(b, 4, tableSection(b))
  if (m.memory !== undefined) section(b, 5, memorySection(m))
  section(b, 6, globalSection(b))
  section(b, 7, exportSection(b))
  if (m.table !== undefined) section(b, 9, elementSection(b, m.table))
  out.byte(10).sized(() => codeSection(b))
  return out.view()
}

function section(b: Build, id: number, content: Emitter): void {
  b.out.byte(id).u32(content.length).copy(content.view())
}

function importSection({ m, types }: Build): Emitter {
  const e = new Emitter().u32(m.imports.length + RESERVED_IMPORTS.length)
  for (const entry of m.imports) {
    e.name(entry.module).name(entry.field).byte(0)
    e.u32(types.index(bitsType(m.types[entry.type_index]!)))
  }
  for (const name of RESERVED_IMPORTS) {
    e.name(RESERVED_MODULE).name(name).byte(0).u32(types.index(RESERVED_TYPES[name]))
  }
  return e
}

function functionSection({ m, l, types }: Build): Emitter {
  const indices = [...m.functions].reverse()
  for (const index of l.import_wrappers.keys()) indices.push(m.imports[index]!.type_index)
  for (const { params, result } of l.helpers) indices.push(types.index({ params, result }))
  indices.push(types.index(RUN_TYPE))
  const e = new Emitter().u32(indices.length)
  for (const index of indices) e.u32(index)
  return e
}

function tableSection({ l }: Build): Emitter {
  const length = l.elements.end - l.elements.first
  return new Emitter().bytes(1, 0x70, 1).u32(length).u32(length)
}

function memorySection(m: WasmModule): Emitter {
  const { initial, maximum } = m.memory!
  const e = new Emitter().bytes(1, maximum === undefined ? 0 : 1).u32(initial)
  return maximum === undefined ? e : e.u32(maximum)
}

function constant(e: Emitter, { type, init }: GlobalEntry): Emitter {
  const value = init.value
  if (type === I32) return e.byte(OP.i32_const).i32(Number(value))
  if (type === I64) return e.byte(OP.i64_const).i64(BigInt(value))
  const f32 = type === F32
  return e.byte(f32 ? OP.f32_const : OP.f64_const).raw(BigInt(value), f32 ? 4 : 8)
}

function globalSection({ m }: Build): Emitter {
  const e = new Emitter().u32(m.globals.length + OWN_GLOBALS.length)
  for (const global of m.globals) {
    constant(e.bytes(global.type, global.mutable ? 1 : 0), global).byte(OP.end)
  }
  for (const own of OWN_GLOBALS) constant(e.bytes(own.type, 1), own).byte(OP.end)
  return e
}

function ownGlobal(type: number, value: number | bigint): GlobalEntry {
  return { type, mutable: true, init: { type, value } }
}

/** Countdown, call depth and its limit, bytes of memory; those that a form has no use for stay 0. */
const OWN_GLOBALS = [
  ownGlobal(I32, FUEL_PER_TICK),
  ownGlobal(I32, 0),
  ownGlobal(I32, 0),
  ownGlobal(I64, 0n),
]

function exportSection({ m, l }: Build): Emitter {
  const e = new Emitter().u32(m.memory === undefined ? 1 : 2)
  e.name('run').byte(0).u32(l.run_function)
  if (m.memory !== undefined) e.name('memory').byte(2).u32(0)
  return e
}

/** One segment for each run of filled elements. */
function elementSection({ l }: Build, table: Int32Array): Emitter {
  const runs: [number, number][] = []
  for (let i = 0; i < table.length; i++) {
    const last = runs[runs.length - 1]
    if (table[i] === -1) continue
    if (last !== undefined && last[1] === i) last[1] = i + 1
    else runs.push([i, i + 1])
  }
  const e = new Emitter().u32(runs.length)
  for (const [from, to] of runs) {
    e.u32(0)
      .byte(OP.i32_const)
      .i32(from - l.elements.first)
      .byte(OP.end)
      .u32(to - from)
    for (let i = from; i < to; i++) e.u32(l.functionIndex(table[i]!))
  }
  return e
}

function codeSection(b: Build): void {
  const { m, l, scans, out } = b
  out.u32(m.bodies.length + l.import_wrappers.size + l.helpers.length + 1)
  const rewriter = new BodyRewriter(m, l)
  for (let i = m.bodies.length - 1; i >= 0; i--)
    out.sized(() => rewriter.rewrite(i, scans[i]!, out))
  for (const index of l.import_wrappers.keys()) out.sized(() => importWrapper(m, index, out))
  for (const helper of l.helpers) out.u32(helper.body.length).copy(helper.body)
  out.sized(() => runFunction(b))
}

const TO_BITS: Record<number, number> = {
  [F32]: OP.i32_reinterpret_f32,
  [F64]: OP.i64_reinterpret_f64,
}
const FROM_BITS: Record<number, number> = {
  [F32]: OP.f32_reinterpret_i32,
  [F64]: OP.f64_reinterpret_i64,
}

function importWrapper(m: WasmModule, index: number, e: Emitter): void {
  const type = functionType(m, index)!
  e.byte(0)
  type.params.forEach((param, i) => {
    e.byte(OP.local_get).u32(i)
    const convert = TO_BITS[param]
    if (convert !== undefined) e.byte(convert)
  })
  e.byte(OP.call).u32(index)
  const convert = FROM_BITS[type.result]
  if (convert !== undefined) e.byte(convert)
  e.byte(OP.end)
}

function runFunction({ m, l, out: e }: Build): void {
  e.byte(0)
  m.globals.forEach((global, i) => {
    if (global.mutable) constant(e, global).byte(OP.global_set).u32(i)
  })
  const callRoot = (index: number): void => {
    if (l.depth_global !== undefined) {
      e.bytes(OP.i32_const, 0, OP.global_set).u32(l.depth_global)
    }
    e.byte(OP.call).u32(l.functionIndex(index))
  }
  if (l.bytes_global !== undefined) {
    const bytes = BigInt(m.memory!.initial) << 16n
    e.byte(OP.i64_const).i64(bytes).byte(OP.global_set).u32(l.bytes_global)
  }
  if (l.limit_global !== undefined) {
    e.bytes(OP.local_get, 3, OP.global_set).u32(l.limit_global)
  }
  if (m.start !== undefined) callRoot(m.start)
  e.bytes(OP.local_get, 0, OP.local_get, 1, OP.local_get, 2)
  callRoot(exportedFunction(m, 'apply')!)
  e.byte(OP.end)
}
