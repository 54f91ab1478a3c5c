import { sha256 } from '../crypto/hash.ts'
import { DEFAULT_WASM_CONFIG } from '../protocol/config.ts'
import { Emitter } from './instrument/emitter.ts'
import { prepareCode } from './preparation/prepared_code.ts'
import { validateCode } from './validate.ts'
import { I32, I64, NO_RESULT } from './wasm/module.ts'
import { OP } from './wasm/opcodes.ts'

/**
 * What checks and rewrites codes is itself slow until the engine below has compiled it, which it
 * does after many calls: the first code that is set would be billed fifty times as much as the
 * tenth. So a start does that work on a code of its own, in steps between which others have their
 * turn.
 */
const ROUNDS = 40

/** Warms what setcode does, on the thread that does it; each step takes a few milliseconds. */
export function* warmUpValidation(): Generator<undefined> {
  const code = warmUpCode()
  for (let i = 0; i < ROUNDS; i++) {
    validateCode(code, DEFAULT_WASM_CONFIG, () => true, true)
    yield
    validateCode(code, undefined, () => true, true)
    yield
  }
}

/** Warms what prepares a code for its first run, in such steps too. */
export function* warmUpPreparation(): Generator<undefined> {
  const code = warmUpCode()
  const task = { code_hash: sha256(code), getCode: () => code, movable_memory: false }
  for (let i = 0; i < ROUNDS; i++) {
    prepareCode({ ...task, max_call_depth: i % 2 === 0 ? 1 : 250 })
    yield
  }
}

const FUNCTIONS = 24
const REPEATS = 8

/** A valid code with all kinds of instructions that compilers write. */
export function warmUpCode(): Uint8Array {
  const e = new Emitter(16_384).bytes(0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0)
  e.byte(1).sized(() => {
    e.bytes(2, 0x60, 3, I64, I64, I64, 0, 0x60, 2, I32, I64, 1, I32)
  })
  e.byte(3).sized(() => {
    e.u32(FUNCTIONS).byte(0)
    for (let i = 1; i < FUNCTIONS; i++) e.byte(1)
  })
  e.byte(4).sized(() => e.bytes(1, 0x70, 0, 2))
  e.byte(5).sized(() => e.bytes(1, 0, 1))
  e.byte(6).sized(() => e.bytes(1, I32, 1, OP.i32_const, 0, OP.end))
  e.byte(7).sized(() => e.byte(1).name('apply').bytes(0, 0))
  e.byte(9).sized(() => e.bytes(1, 0, OP.i32_const, 0, OP.end, 2, 1, 2))
  e.byte(10).sized(() => {
    e.u32(FUNCTIONS)
    e.sized(() => e.bytes(0, OP.i32_const, 0, OP.local_get, 0, OP.call, 1, OP.drop, OP.end))
    for (let i = 1; i < FUNCTIONS; i++) e.sized(() => body(e, i))
  })
  e.byte(11).sized(() => e.bytes(1, 0, OP.i32_const, 0, OP.end, 1, 7))
  return e.view().slice()
}

function body(e: Emitter, index: number): void {
  e.bytes(2, 3, I32, 2, I64)
  for (let i = 0; i < REPEATS; i++) statements(e, index)
  e.bytes(OP.local_get, 2, OP.end)
}

/** Of a function (i32, i64) with locals 2 to 4 of i32 and 5 and 6 of i64. */
function statements(e: Emitter, index: number): void {
  e.bytes(OP.block, NO_RESULT, OP.local_get, 0, OP.i32_const, 0xff, 1, OP.i32_and)
  e.bytes(OP.local_set, 2, OP.local_get, 2, OP.br_if, 0)
  e.bytes(OP.local_get, 0, OP.first_load, 2, 8, OP.i32_const, 3, OP.i32_add, OP.local_set, 3)
  e.bytes(OP.local_get, 3, OP.local_get, 1, OP.i64_const, 0x81, 2, OP.i64_add, 0x37, 3, 16)
  e.bytes(OP.loop, NO_RESULT, OP.local_get, 3, OP.i32_const, 1, OP.i32_sub, OP.local_tee, 3)
  e.bytes(OP.br_if, 0, OP.end, OP.end)
  e.bytes(OP.local_get, 0, OP.if, I32, OP.i32_const, 1, OP.else, OP.i32_const, 2, OP.end)
  e.bytes(
    OP.local_set,
    4,
    OP.local_get,
    2,
    OP.local_get,
    3,
    OP.local_get,
    4,
    0x1b,
    OP.global_set,
    0,
  )
  e.bytes(OP.block, NO_RESULT, OP.block, NO_RESULT, OP.local_get, 4)
  e.bytes(OP.br_table, 1, 0, 1, OP.end, OP.end)
  const callee = index + 1 < FUNCTIONS ? index + 1 : undefined
  e.bytes(OP.global_get, 0, OP.local_get, 1)
  if (callee === undefined) e.bytes(OP.local_get, 0, OP.call_indirect, 1, 0)
  else e.byte(OP.call).u32(callee)
  e.bytes(0x1a, OP.local_get, 1, OP.i32_wrap_i64, OP.local_get, 2, OP.i32_ne)
  e.bytes(OP.i64_extend_i32_u, OP.local_set, 5)
  e.bytes(OP.block, NO_RESULT, OP.local_get, 4, 0x45, OP.br_if, 0, OP.i32_const, 1, OP.return)
  e.bytes(OP.end)
}
