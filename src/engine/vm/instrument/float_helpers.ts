import { F32, F64, I32, I64, NO_RESULT } from '../wasm/module.ts'
import { OP } from '../wasm/opcodes.ts'
import { Emitter } from './emitter.ts'
import type { Helper } from './helper.ts'

/**
 * Floating point exactly as in the reference, which uses Berkeley SoftFloat with the 8086-SSE rules
 * (spring: libraries/softfloat; eos-vm: softfloat.hpp). Hardware gives the same results for all
 * numbers. It differs in the bits of NaN results, the choice of min and max among NaNs, and the
 * traps of truncation to integers. Each such instruction is replaced by a call of a small function
 * in the same module, so contracts without floats have no cost.
 */

const { local_get: GET, local_tee: TEE, if: IF, end: END, return: RETURN } = OP
const NONE = NO_RESULT

interface Format {
  type: number
  bits: number
  ne: number
  reinterpret_to_int: number
  reinterpret_from_int: number
  constant: number
  or: number
  /** Binary code of the integer constant instruction. */
  int_constant: number
  quiet: bigint
  default_nan: bigint
}

const FORMAT32: Format = {
  type: F32, bits: 32, ne: OP.f32_ne, constant: OP.f32_const, int_constant: OP.i32_const, or: OP.i32_or,
  reinterpret_to_int: OP.i32_reinterpret_f32, reinterpret_from_int: OP.f32_reinterpret_i32,
  quiet: 0x00400000n, default_nan: 0xffc00000n,
} // oxfmt-ignore

const FORMAT64: Format = {
  type: F64, bits: 64, ne: OP.f64_ne, constant: OP.f64_const, int_constant: OP.i64_const, or: OP.i64_or,
  reinterpret_to_int: OP.i64_reinterpret_f64, reinterpret_from_int: OP.f64_reinterpret_i64,
  quiet: 0x0008000000000000n,
  default_nan: 0xfff8000000000000n,
} // oxfmt-ignore

/** True for instructions that become calls. */
export function isFloatCall(op: number): boolean {
  return floatHelper(op, 0) !== undefined
}

/** The helper that replaces `op`, or undefined if the instruction is already exact. */
export function floatHelper(op: number, trap_function: number): Helper | undefined {
  if (op < OP.f32_ceil) return undefined
  if ((op >= 0x8d && op <= 0x91) || (op >= 0x92 && op <= 0x97)) return arithmetic(op, FORMAT32)
  if ((op >= 0x9b && op <= 0x9f) || (op >= 0xa0 && op <= 0xa5)) return arithmetic(op, FORMAT64)
  if (op in TRUNCATIONS) return truncation(op, trap_function)
  if (op === OP.f32_demote_f64) return demote()
  if (op === OP.f64_promote_f32) return promote()
  return undefined
}

function arithmetic(op: number, f: Format): Helper {
  const relative = op - (f.bits === 32 ? OP.f32_ceil : OP.f64_ceil)
  // ceil, floor, trunc, nearest, sqrt, add, sub, mul, div, min, max
  if (relative < 4) return keepsNan(op, f)
  if (relative === 4) return sqrt(op, f)
  return relative < 9 ? binary(op, f) : minOrMax(op, f)
}

function isNan(e: Emitter, f: Format, local: number): void {
  e.bytes(GET, local, GET, local, f.ne, IF, NONE)
}

/** Rounding returns a NaN unchanged. */
function keepsNan(op: number, f: Format): Helper {
  const e = noLocals()
  isNan(e, f, 0)
  e.bytes(GET, 0, RETURN, END, GET, 0, op, END)
  return { params: [f.type], result: f.type, body: e.view() }
}

function returnQuiet(e: Emitter, f: Format, local: number): void {
  isNan(e, f, local)
  e.bytes(GET, local, f.reinterpret_to_int, f.int_constant)
  if (f.bits === 32) e.i32(Number(f.quiet))
  else e.i64(f.quiet)
  e.bytes(f.or, f.reinterpret_from_int, RETURN, END)
}

function sqrt(op: number, f: Format): Helper {
  const e = new Emitter().bytes(1, 1, f.type)
  e.bytes(GET, 0, op, TEE, 1, GET, 1, f.ne, IF, NONE)
  returnQuiet(e, f, 0)
  e.byte(f.constant)
    .raw(f.default_nan, f.bits / 8)
    .bytes(RETURN, END)
  e.bytes(GET, 1, END)
  return { params: [f.type], result: f.type, body: e.view() }
}

/** The first NaN operand, made quiet; the default NaN where neither operand is one. */
function binary(op: number, f: Format): Helper {
  const e = new Emitter().bytes(1, 1, f.type)
  e.bytes(GET, 0, GET, 1, op, TEE, 2, GET, 2, f.ne, IF, NONE)
  returnQuiet(e, f, 0)
  returnQuiet(e, f, 1)
  e.byte(f.constant)
    .raw(f.default_nan, f.bits / 8)
    .bytes(RETURN, END)
  e.bytes(GET, 2, END)
  return { params: [f.type, f.type], result: f.type, body: e.view() }
}

/** Returns the first NaN operand unchanged. */
function minOrMax(op: number, f: Format): Helper {
  const e = noLocals()
  isNan(e, f, 0)
  e.bytes(GET, 0, RETURN, END)
  isNan(e, f, 1)
  e.bytes(GET, 1, RETURN, END)
  e.bytes(GET, 0, GET, 1, op, END)
  return { params: [f.type, f.type], result: f.type, body: e.view() }
}

/** A NaN keeps its sign and the upper bits of its payload. */
function demote(): Helper {
  const e = noLocals()
  isNan(e, FORMAT64, 0)
  // sign << 31 | 0x7fc00000 | fraction >> 29
  e.bytes(GET, 0, OP.i64_reinterpret_f64, OP.i64_const).i64(32n)
  e.bytes(OP.i64_shr_u, OP.i32_wrap_i64, OP.i32_const).i32(-0x80000000).byte(OP.i32_and)
  e.bytes(GET, 0, OP.i64_reinterpret_f64, OP.i64_const).i64(29n)
  e.bytes(OP.i64_shr_u, OP.i32_wrap_i64, OP.i32_const).i32(0x7fffff).byte(OP.i32_and)
  e.bytes(OP.i32_or, OP.i32_const).i32(0x7fc00000)
  e.bytes(OP.i32_or, OP.f32_reinterpret_i32, RETURN, END)
  e.bytes(GET, 0, OP.f32_demote_f64, END)
  return { params: [F64], result: F32, body: e.view() }
}

function promote(): Helper {
  const e = noLocals()
  const bits = [GET, 0, OP.i32_reinterpret_f32, OP.i64_extend_i32_u, OP.i64_const]
  isNan(e, FORMAT32, 0)
  // sign << 63 | 0x7ff8000000000000 | fraction << 29
  e.bytes(...bits)
    .i64(31n)
    .bytes(OP.i64_shr_u, OP.i64_const)
    .i64(63n)
    .byte(OP.i64_shl)
  e.bytes(...bits)
    .i64(0x7fffffn)
    .bytes(OP.i64_and, OP.i64_const)
    .i64(29n)
    .byte(OP.i64_shl)
  e.bytes(OP.i64_or, OP.i64_const).i64(0x7ff8000000000000n)
  e.bytes(OP.i64_or, OP.f64_reinterpret_i64, RETURN, END)
  e.bytes(GET, 0, OP.f64_promote_f32, END)
  return { params: [F32], result: F64, body: e.view() }
}

interface Truncation {
  from: Format
  to: number
  /** Values at or above it overflow. */
  above: number
  /** Signed: values below it overflow; unsigned: at or below it. */
  below: number
  signed: boolean
}

const LIMITS: [number, number, number, boolean][] = [
  [I32, 2147483648, -2147483648, true],
  [I32, 4294967296, -1, false],
  [I64, 9223372036854775808, -9223372036854775808, true],
  [I64, 18446744073709551616, -1, false],
]

function truncationOf(from: Format, limits: number): Truncation {
  const [to, above, below, signed] = LIMITS[limits]!
  return { from, to, above, below, signed }
}

const TRUNCATIONS: Record<number, Truncation> = {
  0xa8: truncationOf(FORMAT32, 0),
  0xa9: truncationOf(FORMAT32, 1),
  0xaa: truncationOf(FORMAT64, 0),
  0xab: truncationOf(FORMAT64, 1),
  0xae: truncationOf(FORMAT32, 2),
  0xaf: truncationOf(FORMAT32, 3),
  0xb0: truncationOf(FORMAT64, 2),
  0xb1: truncationOf(FORMAT64, 3),
}

/** The error of the trap function for the number that it gets. */
export function truncationError(code: number): string {
  const op = code >> 1
  const t = TRUNCATIONS[op]!
  const what = `f${t.from.bits}.convert_${t.signed ? 's' : 'u'}/${t.to === I32 ? 'i32' : 'i64'}`
  return `Error, ${what} ${(code & 1) === 0 ? 'overflow' : 'unrepresentable'}`
}

function constantOf(e: Emitter, f: Format, value: number): void {
  const view = new DataView(new ArrayBuffer(8))
  if (f.bits === 32) view.setFloat32(0, value, true)
  else view.setFloat64(0, value, true)
  e.byte(f.constant)
  for (let i = 0; i < f.bits / 8; i++) e.byte(view.getUint8(i))
}

function truncation(op: number, trap_function: number): Helper {
  const t = TRUNCATIONS[op]!
  const f = t.from
  const [lt, le, ge] = f.bits === 32 ? [0x5d, 0x5f, 0x60] : [0x63, 0x65, 0x66]
  const e = noLocals()
  const trapIf = (code: number): void => {
    e.bytes(IF, NONE, OP.i32_const).i32(code).byte(OP.call).u32(trap_function).byte(END)
  }
  e.bytes(GET, 0)
  constantOf(e, f, t.above)
  e.bytes(ge!, GET, 0)
  constantOf(e, f, t.below)
  e.bytes(t.signed ? lt! : le!, OP.i32_or)
  trapIf(op << 1)
  e.bytes(GET, 0, GET, 0, f.ne)
  trapIf((op << 1) | 1)
  e.bytes(GET, 0, op, END)
  return { params: [f.type], result: t.to, body: e.view() }
}

function noLocals(): Emitter {
  return new Emitter(48).byte(0)
}
