/**
 * Adds counters to a contract's code: it counts the instructions that it executes, and calls the host when
 * a function begins and ends. The result is a contract as well, with the same results and limits of
 * call depth.
 */
import { Emitter } from '../instrument/emitter.ts'
import { F32, I32, I64, NO_RESULT } from '../wasm/module.ts'
import type { FunctionBody, GlobalEntry, WasmModule } from '../wasm/module.ts'
import { OP } from '../wasm/opcodes.ts'
import { APPLY_OPTIONS } from '../wasm/parse_options.ts'
import { parseModule } from '../wasm/parse_module.ts'
import { afterDeadCode, afterImmediates, afterLeb, endsReachable, readLeb } from '../wasm/skip.ts'

/** The host functions that the code then imports: `(function, instructions so far)` and `(instructions so far)`. */
export const ENTER = 'pronghorn_enter'
/** See {@link ENTER}. */
export const LEAVE = 'pronghorn_leave'
const ADDED_IMPORTS = 2

/** What the parts of the new module are made from. */
interface Build {
  m: WasmModule
  /** Indices of the added functions and of the counter. */
  enter: number
  leave: number
  counter: number
}

/**
 * The code with counters.
 * @throws WasmParseError for code that cannot run
 */
export function countingModule(code: Uint8Array): Uint8Array {
  const m = parseModule(code, APPLY_OPTIONS)
  // It fails at each run.
  if (m.error !== undefined) return code
  const imports = m.imports.length
  const b = { m, enter: imports, leave: imports + 1, counter: m.globals.length }
  const out = new Emitter(code.length * 2)
  out.bytes(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)
  section(out, 1, typeSection(m))
  section(out, 2, importSection(m))
  section(
    out,
    3,
    list(m.functions, (e, type) => e.u32(type)),
  )
  if (m.table !== undefined) section(out, 4, new Emitter().bytes(1, 0x70, 0).u32(m.table.length))
  if (m.memory !== undefined) section(out, 5, memorySection(m.memory))
  section(out, 6, globalSection(m))
  section(out, 7, exportSection(b))
  if (m.start !== undefined) section(out, 8, new Emitter().u32(functionIndex(b, m.start)))
  if (m.table !== undefined) section(out, 9, elementSection(b, m.table))
  section(
    out,
    10,
    list(m.bodies, (e, body, i) => e.sized(() => writeBody(b, imports + i, body, e))),
  )
  section(
    out,
    11,
    list(m.data, (e, { offset, bytes }) => {
      e.u32(0).byte(OP.i32_const).i32(offset).byte(OP.end).u32(bytes.length).copy(bytes)
    }),
  )
  return out.view().slice()
}

function section(out: Emitter, id: number, content: Emitter): void {
  out.byte(id).u32(content.length).copy(content.view())
}

function list<T>(items: readonly T[], write: (e: Emitter, item: T, i: number) => void): Emitter {
  const e = new Emitter().u32(items.length)
  items.forEach((item, i) => write(e, item, i))
  return e
}

function typeSection({ types }: WasmModule): Emitter {
  const added = [
    { params: [I32, I64], result: NO_RESULT },
    { params: [I64], result: NO_RESULT },
  ]
  return list([...types, ...added], (e, { params, result }) => {
    e.byte(0x60)
      .u32(params.length)
      .bytes(...params)
    if (result === NO_RESULT) e.u32(0)
    else e.u32(1).byte(result)
  })
}

function importSection({ imports, types }: WasmModule): Emitter {
  const added = [
    { module: 'env', field: ENTER, type_index: types.length },
    { module: 'env', field: LEAVE, type_index: types.length + 1 },
  ]
  return list([...imports, ...added], (e, { module, field, type_index }) => {
    e.name(module).name(field).byte(0).u32(type_index)
  })
}

function memorySection({ initial, maximum }: NonNullable<WasmModule['memory']>): Emitter {
  const e = new Emitter().bytes(1, maximum === undefined ? 0 : 1).u32(initial)
  return maximum === undefined ? e : e.u32(maximum)
}

function globalSection({ globals }: WasmModule): Emitter {
  const counter: GlobalEntry = { type: I64, mutable: true, init: { type: I64, value: 0n } }
  return list([...globals, counter], (e, { type, mutable, init }) => {
    e.bytes(type, mutable ? 1 : 0)
    if (type === I32) e.byte(OP.i32_const).i32(Number(init.value))
    else if (type === I64) e.byte(OP.i64_const).i64(BigInt(init.value))
    else if (type === F32) e.byte(OP.f32_const).raw(BigInt(init.value), 4)
    else e.byte(OP.f64_const).raw(BigInt(init.value), 8)
    e.byte(OP.end)
  })
}

function exportSection(b: Build): Emitter {
  return list(b.m.exports, (e, { name, kind, index }) => {
    e.name(name)
      .byte(kind)
      .u32(kind === 0 ? functionIndex(b, index) : index)
  })
}

/** One segment for each filled element. */
function elementSection(b: Build, table: Int32Array): Emitter {
  const filled = [...table.entries()].filter(([, index]) => index !== -1)
  return list(filled, (e, [at, index]) => {
    e.u32(0).byte(OP.i32_const).i32(at).byte(OP.end).u32(1).u32(functionIndex(b, index))
  })
}

function functionIndex({ m }: Build, index: number): number {
  return index < m.imports.length ? index : index + ADDED_IMPORTS
}

/**
 * The body in a block, which its returns leave: then the host is called at the end. Branches to the end of the
 * function become branches to the end of the block, with the same numbers.
 */
function writeBody(b: Build, index: number, body: FunctionBody, e: Emitter): void {
  const { m, enter, leave, counter } = b
  e.u32(body.locals.length)
  for (const { count, type } of body.locals) e.u32(count).byte(type)
  e.byte(OP.i32_const).i32(index).byte(OP.global_get).u32(counter).byte(OP.call).u32(enter)
  const type = m.types[m.functions[index - m.imports.length]!]!
  e.bytes(OP.block, type.result)
  writeCode(b, body, e)
  e.byte(OP.end).byte(OP.global_get).u32(counter).byte(OP.call).u32(leave).byte(OP.end)
}

function writeCode(b: Build, body: FunctionBody, e: Emitter): void {
  const { code } = b.m
  const end = body.end - 1
  let depth = 0
  let pos = body.start
  while (pos < end) {
    const straight = straightFrom(code, pos, end)
    e.byte(OP.global_get).u32(b.counter).byte(OP.i64_const).i64(BigInt(straight.instructions))
    e.byte(OP.i64_add).byte(OP.global_set).u32(b.counter)
    while (pos < straight.end) {
      const op = code[pos]!
      if (op === OP.block || op === OP.loop || op === OP.if) depth += 1
      if (op === OP.end) depth -= 1
      const next = afterImmediates(code, op, pos + 1)
      writeInstruction(b, e, { op, pos, next, depth })
      pos = endsReachable(op) ? afterDeadCode(code, next) : next
    }
  }
}

/** Instructions that are executed one after the other, unless one of them fails. */
function straightFrom(
  code: Uint8Array,
  start: number,
  end: number,
): { end: number; instructions: number } {
  let instructions = 0
  let pos = start
  while (pos < end) {
    const op = code[pos]!
    pos = afterImmediates(code, op, pos + 1)
    instructions += 1
    if (endsStraight(op)) break
  }
  return { end: pos, instructions }
}

function endsStraight(op: number): boolean {
  const is_target = op === OP.loop || op === OP.end || op === OP.else
  return is_target || op === OP.if || op === OP.br_if || endsReachable(op)
}

function writeInstruction(
  b: Build,
  e: Emitter,
  { op, pos, next, depth }: { op: number; pos: number; next: number; depth: number },
): void {
  const { code } = b.m
  if (op === OP.return) e.byte(OP.br).u32(depth)
  else if (op === OP.call) e.byte(op).u32(functionIndex(b, readLeb(code, pos + 1)))
  else if ((op === OP.block || op === OP.loop || op === OP.if) && code[pos + 1] === 0) {
    e.bytes(op, NO_RESULT).copy(code, afterLeb(code, pos + 1), next)
  } else e.copy(code, pos, next)
}
