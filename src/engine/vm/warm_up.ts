import { sha256 } from '../crypto/hash.ts'
import { DEFAULT_WASM_CONFIG } from '../protocol/config.ts'
import { Emitter } from './instrument/emitter.ts'
import { prepareCode } from './preparation/prepared_code.ts'
import { checkCode } from './validate.ts'
import { F32, F64, I32, I64, NO_RESULT } from './wasm/module.ts'
import { MEMORY_OPS, NUMERIC_OPS, OP } from './wasm/opcodes.ts'

/**
 * Runs the code that checks and instruments contracts until V8 has compiled it, which happens after
 * many calls. Otherwise the first `setcode` would be billed fifty times as much as the tenth. At
 * the start, this processes an example contract in steps, between which other tasks run.
 */
const ROUNDS = 40

/** Warms what checks codes by the rules of today and of before; each step takes a few milliseconds. */
export function* warmUpChecks(): Generator<undefined> {
  const plain = warmUpCode()
  const codes = [plain, Buffer.from(plain)]
  for (const config of [DEFAULT_WASM_CONFIG, undefined]) {
    for (let i = 0; i < ROUNDS; i++) {
      checkCode(codes[i % 2]!, { config, speculative: true })
      yield
    }
  }
}

/** Warms what prepares a code for its first run, in such steps too. */
export function* warmUpPreparation(): Generator<undefined> {
  // One whose calls are counted, and one whose calls cannot be too many.
  const codes = [warmUpCode(true), Buffer.from(warmUpCode(false))]
  for (let i = 0; i < ROUNDS; i++) {
    const code = codes[i % 2]!
    const code_hash = sha256(code)
    prepareCode({ code_hash, getCode: () => code, max_call_depth: 250, movable_memory: false })
    yield
  }
}

/** Functions of many instructions. */
const LONG_FUNCTIONS = 8
const REPEATS = 3

/** Imported functions and their types. */
const IMPORTS: readonly [string, number][] = [
  ['eosio_assert', 2],
  ['read_action_data', 3],
  ['require_auth', 4],
  ['db_find_i64', 5],
  ['current_time', 6],
]
/** A function (i32, i64) -> i32, like all of the code but `apply`. */
const OWN_TYPE = 1
const DROP = 0x1a
const I64_STORE = 0x37

/** Bodies without locals: the checker reads the last bytes of each body in another way. */
const SHORT_BODIES: readonly (readonly number[])[] = [
  [OP.i32_const, 0x80, 0x7f, DROP, OP.i32_const, 0x7f],
  [OP.i64_const, 0x80, 0x7f, DROP, OP.i32_const, 0xff, 0xff, 0xff, 0xff, 0x07],
  [OP.i64_const, 0x7f, DROP, OP.i32_const, 0x80, 0x80, 0x80, 0x80, 0x78],
  [OP.f32_const, 0, 0, 0x80, 0x3f, DROP, OP.i32_const, 1],
  [OP.f64_const, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, DROP, OP.local_get, 0],
  [OP.local_get, 0, OP.local_set, 0, OP.local_get, 0, OP.local_tee, 0],
  [OP.local_get, 0, OP.first_load, 2, 0x80, 8],
  [OP.local_get, 0, OP.local_get, 1, I64_STORE, 3, 8, OP.local_get, 0],
  [OP.local_get, 0, OP.local_get, 0, OP.local_get, 0, OP.select],
  [OP.local_get, 0, OP.local_get, 0, OP.i32_add, OP.i32_eqz],
  [OP.global_get, 0, OP.global_set, 0, OP.memory_size, 0],
  [OP.local_get, 0, OP.return],
  [OP.unreachable],
]
const FUNCTIONS = LONG_FUNCTIONS + SHORT_BODIES.length

/**
 * A valid code with all kinds of instructions and sections that compilers write. What is missing here is
 * slow again when a contract has it: V8 compiles for what it has seen.
 * @param recursive whether its functions can call themselves, through the table
 */
export function warmUpCode(recursive = true): Uint8Array {
  const e = new Emitter(65_536).bytes(0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0)
  e.byte(1).sized(() => {
    e.byte(7)
    e.bytes(0x60, 3, I64, I64, I64, 0)
    e.bytes(0x60, 2, I32, I64, 1, I32)
    e.bytes(0x60, 2, I32, I32, 0)
    e.bytes(0x60, 2, I32, I32, 1, I32)
    e.bytes(0x60, 1, I64, 0)
    e.bytes(0x60, 4, I64, I64, I64, I64, 1, I32)
    e.bytes(0x60, 0, 1, I64)
  })
  e.byte(2).sized(() => {
    e.u32(IMPORTS.length)
    for (const [name, type] of IMPORTS) e.name('env').name(name).bytes(0, type)
  })
  e.byte(3).sized(() => {
    e.u32(FUNCTIONS).byte(0)
    for (let i = 1; i < FUNCTIONS; i++) e.byte(OWN_TYPE)
  })
  e.byte(4).sized(() => e.bytes(1, 0x70, 0, 4))
  e.byte(5).sized(() => e.bytes(1, 0, 1))
  e.byte(6).sized(() => {
    e.bytes(3, I32, 1, OP.i32_const, 0, OP.end)
    e.bytes(I32, 0, OP.i32_const, 0x80, 8, OP.end)
    e.bytes(I64, 1, OP.i64_const, 5, OP.end)
  })
  e.byte(7).sized(() => {
    e.byte(2).name('memory').bytes(2, 0).name('apply').byte(0).u32(IMPORTS.length)
  })
  e.byte(9).sized(() => {
    // `apply`, the first function, has another type than the calls through the table. Many compilers leave
    // the first element empty.
    const called = IMPORTS.length + (recursive ? 1 : 0)
    const first = recursive ? 0 : 1
    e.bytes(2, 0, OP.i32_const, first, OP.end, 2, called, IMPORTS.length)
    e.bytes(0, OP.i32_const, first + 2, OP.end, 1, called)
  })
  e.byte(10).sized(() => {
    e.u32(FUNCTIONS)
    e.sized(() => {
      e.bytes(0, OP.local_get, 0, OP.call, 2, OP.i32_const, 0, OP.local_get, 0)
      e.byte(OP.call).u32(IMPORTS.length + 1)
      e.bytes(DROP, OP.end)
    })
    for (let i = 1; i < LONG_FUNCTIONS; i++) e.sized(() => body(e, i))
    for (const short of SHORT_BODIES) e.sized(() => e.bytes(0, ...short, OP.end))
  })
  e.byte(11).sized(() => {
    e.bytes(2, 0, OP.i32_const, 0, OP.end, 1, 7)
    e.bytes(0, OP.i32_const, 16, OP.end, 4, 1, 2, 3, 4)
  })
  e.byte(0).sized(() => e.name('producers').bytes(0))
  return e.view().slice()
}

function body(e: Emitter, index: number): void {
  e.bytes(4, 3, I32, 2, I64, 1, F32, 1, F64)
  for (let i = 0; i < REPEATS; i++) statements(e, index)
  if (index % 4 === 1) numericOperations(e)
  if (index % 4 === 2) memoryOperations(e)
  if (index % 4 === 3) deadCode(e)
  e.bytes(OP.local_get, 2, OP.end)
}

/** Of a function (i32, i64) with locals 2 to 4 of i32, 5 and 6 of i64, 7 of f32 and 8 of f64. */
function statements(e: Emitter, index: number): void {
  e.bytes(OP.block, NO_RESULT, OP.local_get, 0, OP.i32_const, 0xff, 1, OP.i32_and)
  e.bytes(OP.local_set, 2, OP.local_get, 2, OP.br_if, 0)
  e.bytes(OP.local_get, 0, OP.first_load, 2, 8, OP.i32_const, 3, OP.i32_add, OP.local_set, 3)
  e.bytes(OP.local_get, 3, OP.local_get, 1, OP.i64_const, 0x81, 2, OP.i64_add, I64_STORE, 3, 16)
  e.bytes(OP.loop, NO_RESULT, OP.local_get, 3, OP.i32_const, 1, OP.i32_sub, OP.local_tee, 3)
  e.bytes(OP.br_if, 0, OP.end, OP.end)
  e.bytes(OP.local_get, 0, OP.if, I32, OP.i32_const, 1, OP.else, OP.i32_const, 2, OP.end)
  e.bytes(OP.local_set, 4, OP.local_get, 2, OP.local_get, 3, OP.local_get, 4, OP.select)
  e.bytes(OP.global_set, 0)
  e.bytes(OP.block, NO_RESULT, OP.block, NO_RESULT, OP.local_get, 4)
  e.bytes(OP.br_table, 1, 0, 1, OP.end, OP.end)
  const callee = index + 1 < LONG_FUNCTIONS ? IMPORTS.length + index + 1 : undefined
  e.bytes(OP.global_get, 0, OP.local_get, 1)
  if (callee === undefined) e.bytes(OP.local_get, 0, OP.call_indirect, OWN_TYPE | 0x80, 0, 0)
  // Linkers write the index with all five bytes, and also with as few as possible.
  else if (index % 2 === 0) e.byte(OP.call).bytes(callee | 0x80, 0x80, 0x80, 0x80, 0)
  else e.byte(OP.call).u32(callee)
  e.bytes(DROP, OP.local_get, 1, OP.i32_wrap_i64, OP.local_get, 2, OP.i32_ne)
  e.bytes(OP.i64_extend_i32_u, OP.local_set, 5)
  e.bytes(OP.block, NO_RESULT, OP.local_get, 4, OP.i32_eqz, OP.br_if, 0, OP.i32_const, 1)
  e.bytes(OP.return, OP.end)
  hostCalls(e)
  constants(e)
}

/** Constants below zero, in all five and ten bytes, and with a few of these. */
function constants(e: Emitter): void {
  e.bytes(OP.i32_const, 0x7f, DROP, OP.i32_const, 0x80, 0x7f, DROP)
  e.bytes(OP.i32_const, 0xff, 0xff, 0xff, 0xff, 0x07, DROP)
  e.bytes(OP.i32_const, 0x80, 0x80, 0x80, 0x80, 0x78, DROP)
  e.bytes(OP.i64_const, 0x7f, DROP, OP.i64_const, 0x80, 0x7f, DROP)
  e.bytes(OP.i64_const, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f, DROP)
}

/** Typical calls of contracts: an assertion with a text, a read of a row, the time. */
function hostCalls(e: Emitter): void {
  e.bytes(OP.local_get, 2, OP.i32_const, 0x80, 0xc0, 0, OP.call, 0)
  e.bytes(OP.local_get, 2, OP.local_get, 3, OP.call, 1, OP.local_set, 4)
  e.bytes(OP.local_get, 1, OP.local_get, 5, OP.i64_const, 0x80, 0x80, 0x80, 0x80, 0x80, 1)
  e.bytes(OP.global_get, 2, OP.call, 3, OP.local_set, 2)
  e.bytes(OP.call, 4, OP.global_set, 2, OP.global_get, 1, OP.local_set, 3)
  e.bytes(OP.block, I32, OP.local_get, 2, OP.local_get, 3, OP.br_if, 0, OP.end, OP.local_set, 2)
  e.bytes(OP.local_get, 2, OP.if, NO_RESULT, OP.nop, OP.local_get, 1, OP.call, 2, OP.end)
  e.bytes(OP.memory_size, 0, OP.memory_grow, 0, DROP)
}

const CONSTANTS: Readonly<Record<number, readonly number[]>> = {
  [I32]: [OP.i32_const, 0xe4, 0],
  [I64]: [OP.i64_const, 0xe4, 0],
  [F32]: [OP.f32_const, 0, 0, 0x80, 0x3f],
  [F64]: [OP.f64_const, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f],
}

/** Each numeric instruction, between constants and a `drop`. */
function numericOperations(e: Emitter): void {
  NUMERIC_OPS.forEach((numeric, op) => {
    if (numeric === undefined) return
    for (let i = 0; i < numeric.arity; i++) e.bytes(...CONSTANTS[numeric.operand]!)
    e.bytes(op, DROP)
  })
  e.bytes(OP.local_get, 7, OP.local_set, 7, OP.local_get, 8, OP.local_tee, 8, DROP)
}

/** Each load and store, with small and large offsets. */
function memoryOperations(e: Emitter): void {
  MEMORY_OPS.forEach(({ type }, i) => {
    for (const offset of [8, 300, 70_000]) {
      const op = OP.first_load + i
      const is_load = op <= OP.last_load
      e.bytes(OP.local_get, 0)
      if (!is_load) e.bytes(...CONSTANTS[type]!)
      e.bytes(op, 0).u32(offset)
      if (is_load) e.byte(DROP)
    }
  })
}

/** Unreachable code as compilers emit it after a jump. */
function deadCode(e: Emitter): void {
  e.bytes(OP.block, NO_RESULT, OP.br, 0, OP.local_get, 0, DROP, OP.end)
  e.bytes(OP.local_get, 0, OP.if, NO_RESULT, OP.unreachable, OP.i32_add, DROP, OP.end)
}
