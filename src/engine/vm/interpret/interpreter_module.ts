import { PAGE_BYTES } from '../preparation/code_facts.ts'
import { Emitter } from '../instrument/emitter.ts'
import { floatHelper } from '../instrument/float_helpers.ts'
import type { Helper } from '../instrument/helper.ts'
import {
  FUEL_PER_TICK,
  RESERVED_IMPORTS,
  RESERVED_MODULE,
  refuelHelper,
} from '../instrument/layout.ts'
import { growHelper } from '../instrument/memory_helpers.ts'
import {
  RESERVED_TYPES,
  RUN_TYPE,
  TypeTable,
  bitsType,
  typeSection,
} from '../instrument/module_types.ts'
import { I32, I64, NO_RESULT } from '../wasm/module.ts'
import type { FuncType, WasmModule } from '../wasm/module.ts'
import { OP } from '../wasm/opcodes.ts'
import { loopBody } from './loop.ts'
import { translate } from './translate.ts'
import type { TranslatedModule } from './translate.ts'

const MAX_PAGES = 65536
const NOTHING: FuncType = { params: [], result: NO_RESULT }

// Globals.
const FUEL = 0
const DEPTH = 1
const LIMIT = 2
const BYTES = 3
const BASE = 4

interface Functions {
  helpers: Helper[]
  /** Index of the first helper. */
  first: number
  float_functions: Map<number, number>
}

/**
 * The module that interprets a contract. It is used for code for which both compilers of V8 may
 * need too much memory or time, and for code that exceeds a limit of V8. Imports and exports are
 * those of an instrumented module; the contract itself is data. Memory starts with that data and
 * the frames; the export `base` is the address at which the contract's memory starts. The end of
 * memory is always movable, and calls are always counted.
 * @param float_ops opcodes of the float instructions in the module's code that are not exact
 */
export function interpreterModule(m: WasmModule, float_ops: ReadonlySet<number>): Uint8Array {
  const t = translate(m)
  const types = new TypeTable([])
  const host_types = t.host_functions.map((i) => bitsType(m.types[m.imports[i]!.type_index]!))
  const imported = host_types.length
  const f = collectFunctions(imported, float_ops)
  const interpret_function = f.first + f.helpers.length
  f.helpers.push({
    params: [I32, I32],
    result: NO_RESULT,
    body: loopBody({
      t,
      refuel_function: f.first,
      grow_function: f.first + 1,
      host_function: f.first + 2 + f.float_functions.size,
      overflow_function: imported + RESERVED_IMPORTS.indexOf('overflow'),
      violation_function: imported + RESERVED_IMPORTS.indexOf('violation'),
      float_functions: f.float_functions,
      fuel_global: FUEL,
      depth_global: DEPTH,
      limit_global: LIMIT,
      bytes_global: BYTES,
      other_type: types.index(NOTHING),
    }),
  })
  f.helpers.splice(2 + f.float_functions.size, 0, hostHelper(host_types))
  f.helpers.push({ ...RUN_TYPE, body: runBody(m, t, interpret_function + 1) })
  const run_function = f.first + f.helpers.length - 1
  const imports = importSection(m, t, host_types, types)
  const functions = vector(f.helpers, (e, h) => e.u32(types.index(h)))
  const out = new Emitter(t.image.length + 32768)
  out.bytes(0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0)
  section(out, 1, typeSection(types))
  section(out, 2, imports)
  section(out, 3, functions)
  section(out, 4, new Emitter().bytes(1, 0x70, 1, 1, 1))
  section(out, 5, memorySection(m, t))
  section(out, 6, globalSection(t))
  section(out, 7, exportSection(m, run_function))
  section(out, 9, new Emitter().bytes(1, 0, OP.i32_const, 0, OP.end, 1).u32(run_function))
  section(
    out,
    10,
    vector(f.helpers, (e, h) => e.u32(h.body.length).copy(h.body)),
  )
  section(out, 11, dataSection(t))
  return out.view()
}

function section(out: Emitter, id: number, content: Emitter): void {
  out.byte(id).u32(content.length).copy(content.view())
}

function collectFunctions(imported: number, float_ops: ReadonlySet<number>): Functions {
  const first = imported + RESERVED_IMPORTS.length
  const reserved = (name: (typeof RESERVED_IMPORTS)[number]): number =>
    imported + RESERVED_IMPORTS.indexOf(name)
  const parts = {
    bytes_global: BYTES,
    violation_function: reserved('violation'),
    grow_function: reserved('grow'),
  }
  const helpers = [refuelHelper(reserved('tick'), FUEL), growHelper(parts)]
  const float_functions = new Map<number, number>()
  for (const op of float_ops) {
    const helper = floatHelper(op, reserved('truncation_error'))
    if (helper === undefined) continue
    float_functions.set(op, first + helpers.length)
    helpers.push(helper)
  }
  return { helpers, first, float_functions }
}

/** (number, address): calls a host function with the arguments at the address; its result goes there. */
function hostHelper(types: readonly FuncType[]): Helper {
  const e = new Emitter(types.length * 32 + 16).byte(0)
  for (let i = 0; i <= types.length; i++) e.bytes(OP.block, NO_RESULT)
  e.bytes(OP.local_get, 0, OP.br_table).u32(types.length)
  for (let i = 0; i <= types.length; i++) e.u32(i)
  e.byte(OP.end)
  types.forEach(({ params, result }, index) => {
    if (result !== NO_RESULT) e.bytes(OP.local_get, 1)
    params.forEach((type, i) => e.bytes(OP.local_get, 1, type === I32 ? 0x28 : 0x29, 0).u32(i * 8))
    e.byte(OP.call).u32(index)
    if (result !== NO_RESULT) e.bytes(result === I32 ? 0x36 : 0x37, 0, 0)
    e.bytes(OP.return, OP.end)
  })
  return { params: [I32, I32], result: NO_RESULT, body: e.bytes(OP.unreachable, OP.end).view() }
}

function runBody(m: WasmModule, t: TranslatedModule, interpret_function: number): Uint8Array {
  const e = new Emitter().byte(0)
  // memory.copy
  e.byte(OP.i32_const).i32(t.globals).byte(OP.i32_const).i32(t.start)
  e.byte(OP.i32_const).i32(t.globals_bytes).bytes(0xfc, 10, 0, 0)
  const bytes = BigInt(m.memory?.initial ?? 0) << 16n
  e.byte(OP.i64_const).i64(bytes).byte(OP.global_set).u32(BYTES)
  e.bytes(OP.local_get, 3, OP.global_set).u32(LIMIT)
  t.roots.forEach((root, i) => {
    if (i === t.roots.length - 1) {
      for (const argument of [0, 1, 2]) {
        e.byte(OP.i32_const)
          .i32(t.frames)
          .bytes(OP.local_get, argument, 0x37, 0, argument * 8)
      }
    }
    // The call of the root itself is not counted.
    e.byte(OP.i32_const).i32(-1).byte(OP.global_set).u32(DEPTH)
    e.byte(OP.i32_const).i32(root).byte(OP.i32_const).i32(t.frames)
    e.byte(OP.call).u32(interpret_function)
  })
  return e.byte(OP.end).view()
}

function vector<T>(items: readonly T[], write: (e: Emitter, item: T) => void): Emitter {
  const e = new Emitter().u32(items.length)
  for (const item of items) write(e, item)
  return e
}

function importSection(
  m: WasmModule,
  t: TranslatedModule,
  host_types: readonly FuncType[],
  types: TypeTable,
): Emitter {
  const e = new Emitter().u32(host_types.length + RESERVED_IMPORTS.length)
  t.host_functions.forEach((index, i) => {
    const { module, field } = m.imports[index]!
    e.name(module).name(field).byte(0).u32(types.index(host_types[i]!))
  })
  for (const name of RESERVED_IMPORTS) {
    e.name(RESERVED_MODULE).name(name).byte(0).u32(types.index(RESERVED_TYPES[name]))
  }
  return e
}

function memorySection(m: WasmModule, t: TranslatedModule): Emitter {
  const base = t.base / PAGE_BYTES
  const initial = Math.min(MAX_PAGES, base + (m.memory?.initial ?? 0))
  return new Emitter().bytes(1, 0).u32(initial)
}

function globalSection(t: TranslatedModule): Emitter {
  const e = new Emitter().u32(5)
  e.bytes(I32, 1, OP.i32_const).i32(FUEL_PER_TICK).byte(OP.end)
  for (let i = 0; i < 2; i++) e.bytes(I32, 1, OP.i32_const, 0, OP.end)
  e.bytes(I64, 1, OP.i64_const, 0, OP.end)
  return e.bytes(I32, 0, OP.i32_const).i32(t.base).byte(OP.end)
}

function exportSection(m: WasmModule, run_function: number): Emitter {
  const e = new Emitter().u32(m.memory === undefined ? 2 : 3)
  e.name('run').byte(0).u32(run_function)
  e.name('base').byte(3).u32(BASE)
  if (m.memory !== undefined) e.name('memory').byte(2).u32(0)
  return e
}

function dataSection(t: TranslatedModule): Emitter {
  const e = new Emitter(t.image.length + 16).bytes(1, 0, OP.i32_const).i32(t.start).byte(OP.end)
  return e.u32(t.image.length).copy(t.image)
}
