import { Emitter } from '../instrument/emitter.ts'
import { WIDTHS } from '../instrument/memory_helpers.ts'
import { F32, F64, I32, I64, NO_RESULT } from '../wasm/module.ts'
import { MEMORY_OPS, NUMERIC_OPS, OP } from '../wasm/opcodes.ts'
import { CODE } from './code.ts'
import { IMPORTED } from './translate.ts'
import type { TranslatedModule } from './translate.ts'

/** Indices of the interpreter's module. */
export interface LoopParts {
  t: TranslatedModule
  refuel_function: number
  overflow_function: number
  violation_function: number
  grow_function: number
  /** (number of the host function, address of the arguments). */
  host_function: number
  /** Float instructions that are calls. */
  float_functions: ReadonlyMap<number, number>
  fuel_global: number
  depth_global: number
  limit_global: number
  bytes_global: number
  /** A table with one function, of another type than `other_type`. */
  other_type: number
}

// Parameters and locals of the loop.
const PC = 0
const FP = 1
/** First word of the instruction. */
const WORD = 2
const TEMP = 3
const RETURN_PC = 4
const RETURN_FP = 5
const PLACE = 6

const OPCODES = 0xc0
const { local_get: GET, local_set: SET, local_tee: TEE, i32_const: CONST, i32_add: ADD } = OP

type Case = (e: Emitter, leave: (bytes: number) => void, again: () => void) => void

/**
 * The body of `interpret(pc, fp)`: runs code from `pc` with the frame at `fp` until `halt`. Every
 * instruction is a case of one table of branches inside of one loop.
 */
export function loopBody(parts: LoopParts): Uint8Array {
  const cases = [...casesOf(parts)].sort(([a], [b]) => a - b)
  const e = new Emitter(16384).bytes(2, 4, I32, 1, I64)
  e.bytes(OP.loop, NO_RESULT)
  for (let i = 0; i <= cases.length; i++) e.bytes(OP.block, NO_RESULT)
  e.bytes(GET, PC, OP.first_load, 0, 0, TEE, WORD).byte(CONST).i32(255).byte(OP.i32_and)
  e.byte(OP.br_table).u32(OPCODES)
  const places = new Map(cases.map(([op], i) => [op, i]))
  for (let op = 0; op <= OPCODES; op++) e.u32(places.get(op) ?? cases.length)
  e.byte(OP.end)
  cases.forEach(([, emit], i) => {
    const again = (): void => void e.byte(OP.br).u32(cases.length - i)
    emit(
      e,
      (bytes) => {
        e.bytes(GET, PC, CONST).i32(bytes).bytes(ADD, SET, PC)
        again()
      },
      again,
    )
    e.byte(OP.end)
  })
  return e.bytes(OP.unreachable, OP.end, OP.unreachable, OP.end).view()
}

/** The address of the slot in the first word. */
function slotOfWord(e: Emitter): void {
  e.bytes(GET, FP, GET, WORD, CONST, 8, OP.i32_shr_u, CONST, 3, OP.i32_shl, ADD)
}

/** A word of the instruction. */
function word(e: Emitter, index: number): void {
  e.bytes(GET, PC, OP.first_load, 0).u32(index * 4)
}

/** The address of a slot that is given in a separate word. */
function slot(e: Emitter, index: number): void {
  e.bytes(GET, FP)
  word(e, index)
  e.byte(ADD)
}

const LOADS: Record<number, number> = { [I32]: 0x28, [I64]: 0x29, [F32]: 0x2a, [F64]: 0x2b }
const STORES: Record<number, number> = { [I32]: 0x36, [I64]: 0x37, [F32]: 0x38, [F64]: 0x39 }

const load = (e: Emitter, type: number): void => void e.bytes(LOADS[type]!, 0, 0)
const store = (e: Emitter, type: number): void => void e.bytes(STORES[type]!, 0, 0)

function* casesOf(parts: LoopParts): Iterable<[number, Case]> {
  for (let op = 0; op < NUMERIC_OPS.length; op++) {
    const numeric = NUMERIC_OPS[op]
    if (numeric === undefined) continue
    yield [op, (e, leave) => {
      slotOfWord(e)
      for (let i = 1; i <= numeric.arity; i++) {
        slot(e, i)
        load(e, numeric.operand)
      }
      const called = parts.float_functions.get(op)
      if (called === undefined) e.byte(op)
      else e.byte(OP.call).u32(called)
      store(e, numeric.result)
      leave(4 + 4 * numeric.arity)
    }] // oxfmt-ignore
  }
  for (let op: number = OP.first_load; op <= OP.last_store; op++) {
    yield [op, (e, leave) => {
      memoryAccess(e, op, parts)
      leave(12)
    }] // oxfmt-ignore
  }
  yield* plainCases(parts)
  yield* controlCases(parts)
  yield* callCases(parts)
}

function memoryAccess(
  e: Emitter,
  op: number,
  { bytes_global, violation_function, t }: LoopParts,
): void {
  const { type } = MEMORY_OPS[op - OP.first_load]!
  const stores = op >= OP.first_store
  if (stores) slotOfWord(e)
  else slot(e, 1)
  load(e, I32)
  e.byte(OP.i64_extend_i32_u)
  word(e, 2)
  e.bytes(OP.i64_extend_i32_u, OP.i64_add, TEE, PLACE)
  e.bytes(OP.i64_const, WIDTHS[op - OP.first_load]!, OP.i64_add)
  e.byte(OP.global_get).u32(bytes_global).byte(OP.i64_gt_u)
  e.bytes(OP.if, NO_RESULT).byte(OP.call).u32(violation_function).byte(OP.end)
  if (!stores) slotOfWord(e)
  e.bytes(GET, PLACE, OP.i32_wrap_i64)
  if (stores) {
    slot(e, 1)
    load(e, type)
  }
  e.bytes(op, 0).u32(t.base)
  if (!stores) store(e, type)
}

function* plainCases({ bytes_global, grow_function }: LoopParts): Iterable<[number, Case]> {
  yield [OP.select, (e, leave) => {
    slotOfWord(e)
    for (const index of [1, 2]) {
      slot(e, index)
      load(e, I64)
    }
    slot(e, 3)
    load(e, I32)
    e.byte(OP.select)
    store(e, I64)
    leave(16)
  }] // oxfmt-ignore
  yield [CODE.copy, (e, leave) => {
    slotOfWord(e)
    slot(e, 1)
    load(e, I64)
    store(e, I64)
    leave(8)
  }] // oxfmt-ignore
  yield [OP.global_get, (e, leave) => {
    slotOfWord(e)
    word(e, 1)
    load(e, I64)
    store(e, I64)
    leave(8)
  }] // oxfmt-ignore
  yield [OP.global_set, (e, leave) => {
    word(e, 1)
    slotOfWord(e)
    load(e, I64)
    store(e, I64)
    leave(8)
  }] // oxfmt-ignore
  yield [OP.memory_size, (e, leave) => {
    slotOfWord(e)
    e.byte(OP.global_get).u32(bytes_global)
    e.bytes(OP.i64_const, 16, OP.i64_shr_u, OP.i32_wrap_i64)
    store(e, I32)
    leave(4)
  }] // oxfmt-ignore
  yield [OP.memory_grow, (e, leave) => {
    slotOfWord(e)
    slot(e, 1)
    load(e, I32)
    e.byte(OP.call).u32(grow_function)
    store(e, I32)
    leave(8)
  }] // oxfmt-ignore
  for (const [op, type, bytes] of [
    [OP.i32_const, I32, 8],
    [OP.i64_const, I64, 12],
  ] as const) {
    yield [op, (e, leave) => {
      slotOfWord(e)
      e.bytes(GET, PC, LOADS[type]!, 0, 4)
      store(e, type)
      leave(bytes)
    }] // oxfmt-ignore
  }
}

/** Leaves whether the condition in the first word's slot holds. */
function condition(e: Emitter): void {
  slotOfWord(e)
  load(e, I32)
}

function* controlCases(parts: LoopParts): Iterable<[number, Case]> {
  yield [CODE.unreachable, (e) => void e.byte(OP.unreachable)]
  yield [CODE.halt, (e) => void e.byte(OP.return)]
  yield [CODE.br, (e, _, again) => {
    word(e, 1)
    e.bytes(SET, PC)
    again()
  }] // oxfmt-ignore
  for (const [op, jumps] of [
    [CODE.br_if, true],
    [CODE.br_unless, false],
  ] as const) {
    yield [op, (e, _, again) => {
      const next = (): void => void e.bytes(GET, PC, CONST, 8, ADD)
      if (jumps) word(e, 1)
      else next()
      if (jumps) next()
      else word(e, 1)
      condition(e)
      e.bytes(OP.select, SET, PC)
      again()
    }] // oxfmt-ignore
  }
  yield [CODE.br_table, (e, _, again) => {
    // The target's place: min(index, count) words after the count.
    condition(e)
    e.bytes(TEE, TEMP)
    word(e, 1)
    e.bytes(GET, TEMP)
    word(e, 1)
    e.bytes(OP.i32_lt_u, OP.select, CONST, 2, OP.i32_shl, GET, PC, ADD)
    e.bytes(OP.first_load, 0, 8, SET, PC)
    again()
  }] // oxfmt-ignore
  yield [CODE.countdown, (e, leave) => {
    countDown(e, parts, () => void e.bytes(GET, WORD, CONST, 8, OP.i32_shr_u))
    leave(4)
  }] // oxfmt-ignore
}

function countDown(e: Emitter, parts: LoopParts, weight: () => void): void {
  e.byte(OP.global_get).u32(parts.fuel_global)
  weight()
  e.byte(OP.i32_sub).byte(OP.global_set).u32(parts.fuel_global)
  e.byte(OP.global_get).u32(parts.fuel_global)
  e.bytes(CONST, 0, OP.i32_lt_s, OP.if, NO_RESULT)
  e.byte(OP.call).u32(parts.refuel_function).byte(OP.end)
}

function overflowIf(e: Emitter, parts: LoopParts): void {
  e.bytes(OP.if, NO_RESULT).byte(OP.call).u32(parts.overflow_function).byte(OP.end)
}

function addDepth(e: Emitter, parts: LoopParts, n: 1 | -1): void {
  e.byte(OP.global_get).u32(parts.depth_global)
  e.bytes(CONST, 1, n > 0 ? ADD : OP.i32_sub)
  e.byte(OP.global_set).u32(parts.depth_global)
}

function checkDepth(e: Emitter, parts: LoopParts, more: 0 | 1): void {
  e.byte(OP.global_get).u32(parts.depth_global)
  if (more === 1) e.bytes(CONST, 1, ADD)
  e.byte(OP.global_get).u32(parts.limit_global)
  e.byte(OP.i32_ge_u)
  overflowIf(e, parts)
}

/** The return address of the callee; its frame starts at its arguments. */
function enterFrame(e: Emitter, bytes: number): void {
  e.bytes(GET, PC, CONST).i32(bytes).bytes(ADD, SET, RETURN_PC)
  e.bytes(GET, FP, SET, RETURN_FP)
  slotOfWord(e)
  e.bytes(SET, FP)
}

function* callCases(parts: LoopParts): Iterable<[number, Case]> {
  yield [CODE.call, (e, _, again) => {
    addDepth(e, parts, 1)
    checkDepth(e, parts, 0)
    enterFrame(e, 8)
    word(e, 1)
    e.bytes(SET, PC)
    again()
  }] // oxfmt-ignore
  yield [CODE.call_import, (e, leave) => {
    checkDepth(e, parts, 1)
    word(e, 1)
    slotOfWord(e)
    e.byte(OP.call).u32(parts.host_function)
    leave(8)
  }] // oxfmt-ignore
  yield [CODE.enter, (e, leave) => {
    e.bytes(GET, FP)
    word(e, 1)
    e.bytes(ADD, CONST).i32(parts.t.frames_end).byte(OP.i32_gt_u)
    overflowIf(e, parts)
    slot(e, 2)
    e.bytes(TEE, TEMP, GET, RETURN_PC)
    store(e, I32)
    e.bytes(GET, TEMP, GET, RETURN_FP, 0x36, 0, 4)
    slot(e, 3)
    e.bytes(CONST, 0)
    word(e, 4)
    e.bytes(...MEMORY_FILL)
    countDown(e, parts, () => word(e, 5))
    leave(24)
  }] // oxfmt-ignore
  yield [CODE.return, (e, _, again) => {
    addDepth(e, parts, -1)
    slot(e, 1)
    e.bytes(TEE, TEMP)
    load(e, I32)
    e.bytes(SET, PC, GET, TEMP, 0x28, 0, 4, SET, FP)
    again()
  }] // oxfmt-ignore
  yield [CODE.call_indirect, (e, _, again) => callIndirect(e, parts, again)]
}

const MEMORY_FILL = [0xfc, 11, 0]

function callIndirect(e: Emitter, parts: LoopParts, again: () => void): void {
  const { t, other_type, host_function } = parts
  addDepth(e, parts, 1)
  checkDepth(e, parts, 0)
  slot(e, 1)
  load(e, I32)
  e.bytes(TEE, TEMP, CONST).i32(t.table_length).byte(OP.i32_ge_u)
  e.bytes(OP.if, NO_RESULT)
  trapOutOfRange(e, other_type)
  e.byte(OP.end)
  // The element's address, and its target.
  e.bytes(GET, TEMP, CONST, 3, OP.i32_shl, CONST).i32(t.table).bytes(ADD, TEE, TEMP)
  e.bytes(0x28, 0, 0, OP.i32_eqz, OP.if, NO_RESULT)
  trapOutOfRange(e, other_type)
  e.byte(OP.end)
  e.bytes(GET, TEMP, 0x28, 0, 4)
  word(e, 2)
  e.bytes(OP.i32_ne, OP.if, NO_RESULT, CONST, 0, OP.call_indirect).u32(other_type).byte(0)
  e.byte(OP.end)
  e.bytes(GET, TEMP, 0x28, 0, 0, TEE, TEMP, CONST, 0, OP.i32_lt_s, OP.if, NO_RESULT)
  e.bytes(GET, TEMP, CONST)
    .i32(IMPORTED | 0)
    .bytes(OP.i32_sub)
  slotOfWord(e)
  e.byte(OP.call).u32(host_function)
  addDepth(e, parts, -1)
  e.bytes(GET, PC, CONST, 12, ADD, SET, PC)
  e.byte(OP.else)
  enterFrame(e, 12)
  e.bytes(GET, TEMP, SET, PC, OP.end)
  again()
}

/** The engine's own trap, which callers know. */
function trapOutOfRange(e: Emitter, type: number): void {
  e.byte(CONST).i32(-1).byte(OP.call_indirect).u32(type).byte(0)
}
