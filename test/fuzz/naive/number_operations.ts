import * as arithmetic from './float_arithmetic.ts'
import { FLOAT128, FLOAT32, FLOAT64, signBit } from './float_format.ts'
import type { FloatFormat } from './float_format.ts'
import { Failure } from './failure.ts'
import { assertion, formatOf } from './machine.ts'
import type { Machine } from './machine.ts'

const i64 = (value: bigint): bigint => BigInt.asIntN(64, value)
const i128 = (value: bigint): bigint => BigInt.asIntN(128, value)
const u128 = (value: bigint): bigint => BigInt.asUintN(128, value)

/** Opcodes 103 and 104: instructions on floats of 8 or 4 bytes. */
export function floatOperation(m: Machine, bytes: 8 | 4): void {
  const format = formatOf(bytes)
  const f = m.u8()
  const a = m.integer(bytes)
  const b = m.integer(bytes)
  const compute = FLOAT_OPERATIONS[f]
  if (compute) m.hex(compute(a, b, format), bytes)
  else if (f === 14) m.print(comparisons(a, b, format))
  else if (f >= 15 && f <= 18) m.print(truncated(a, format, f))
  else if (f === 19) {
    const other = bytes === 8 ? FLOAT32 : FLOAT64
    m.hex(arithmetic.convert(a, format, other), bytes === 8 ? 4 : 8)
  } else assertion(`probe: bad f${8 * bytes} function`)
}

type FloatOperation = (a: bigint, b: bigint, f: FloatFormat) => bigint

const rounding =
  (how: arithmetic.Rounding): FloatOperation =>
  (a, _b, f) =>
    arithmetic.roundToInteger(a, f, how)

const FLOAT_OPERATIONS: readonly FloatOperation[] = [
  arithmetic.add,
  arithmetic.subtract,
  arithmetic.multiply,
  arithmetic.divide,
  (a, _b, f) => arithmetic.squareRoot(a, f),
  (a, _b, f) => a & ~signBit(f),
  (a, _b, f) => a ^ signBit(f),
  rounding('ceil'),
  rounding('floor'),
  rounding('trunc'),
  rounding('nearest'),
  arithmetic.minimum,
  arithmetic.maximum,
  (a, b, f) => (a & ~signBit(f)) | (b & signBit(f)),
]

function comparisons(a: bigint, b: bigint, f: FloatFormat): number {
  const order = arithmetic.compare(a, b, f)
  if (order === undefined) return 1 << 3
  const answers = [order < 0, order <= 0, order === 0, order !== 0, order > 0, order >= 0]
  return answers.reduce((sum, answer, i) => sum | (Number(answer) << i), 0)
}

/** The compiler guards conversions: the lowest number, or zero, where the value does not fit. */
function truncated(bits: bigint, f: FloatFormat, op: number): bigint {
  const [low, high] = [
    [-(1n << 63n), (1n << 63n) - 1n],
    [0n, (1n << 64n) - 1n],
    [-(1n << 31n), (1n << 31n) - 1n],
    [0n, (1n << 32n) - 1n],
  ][op - 15]!
  const value = arithmetic.toInteger(bits, f, 'trunc')
  return value === undefined || value < low! || value > high! ? low! : value
}

function divisor(value: bigint): bigint {
  if (value === 0n) throw new Failure('arithmetic_exception', 'divide by zero')
  return value
}

/** Opcode 100: two operands of 128 bits. */
export function wideOperation(m: Machine): void {
  const f = m.u8()
  const a = m.integer(16)
  const b = m.integer(16)
  const operations: readonly (() => bigint)[] = [
    () => arithmetic.add(a, b, FLOAT128),
    () => arithmetic.subtract(a, b, FLOAT128),
    () => arithmetic.multiply(a, b, FLOAT128),
    () => arithmetic.divide(a, b, FLOAT128),
    () => u128(a * b),
    () => u128(i128(a) / i128(divisor(b))),
    () => a / divisor(b),
    () => u128(i128(a) % i128(divisor(b))),
    () => a % divisor(b),
    () => a ^ signBit(FLOAT128),
  ]
  const compute = operations[f]
  if (!compute) assertion('probe: bad tf function')
  m.hex(compute(), 16)
}

/** Opcode 101: comparisons of quads. What a NaN gives tells them apart. */
export function quadComparison(m: Machine): void {
  const a = m.integer(16)
  const b = m.integer(16)
  const order = arithmetic.compare(a, b, FLOAT128)
  const answers = [1, 1, -1, 0, 1, 0, 1].map((of_nan) => order ?? of_nan)
  m.print([...answers, order === undefined ? 1 : 0].join())
}

/** To an integer as the processor does: nearest, and one value for all that does not fit. */
function fitted(bits: bigint, low: bigint, high: bigint, otherwise: bigint): bigint {
  const value = arithmetic.toInteger(bits, FLOAT128, 'nearest')
  return value === undefined || value < low || value > high ? otherwise : value
}

/**
 * Toward zero into 128 bits. What has more bits becomes the number next to it; a signed number of
 * 128 bits exactly wraps, as the original does.
 */
function saturated(bits: bigint, f: FloatFormat, signed: boolean): bigint {
  const low = signed ? -(1n << 127n) : 0n
  const high = signed ? (1n << 127n) - 1n : (1n << 128n) - 1n
  const value = arithmetic.toInteger(bits, f, 'trunc')
  const negative = (bits & signBit(f)) !== 0n
  if (!signed && negative) return 0n
  // Infinities and NaNs are large numbers with a sign.
  const large = value === undefined || value >= 1n << 128n || value <= -(1n << 128n)
  return large ? (negative ? low : high) : value
}

/** Opcode 102: conversions, and shifts of 128 bits. */
export function conversion(m: Machine): void {
  const f = m.u8()
  const low = m.u64()
  const wide = low | (m.u64() << 64n)
  const single = low & 0xffffffffn
  const int32 = BigInt.asIntN(32, low)
  const table: readonly [bytes: number, () => bigint][] = [
    [16, () => arithmetic.convert(single, FLOAT32, FLOAT128)],
    [16, () => arithmetic.convert(low, FLOAT64, FLOAT128)],
    [8, () => arithmetic.convert(wide, FLOAT128, FLOAT64)],
    [4, () => arithmetic.convert(wide, FLOAT128, FLOAT32)],
    [4, () => fitted(wide, -(1n << 31n), (1n << 31n) - 1n, -(1n << 31n))],
    [8, () => fitted(wide, -(1n << 63n), (1n << 63n) - 1n, -(1n << 63n))],
    [16, () => saturated(wide, FLOAT128, true)],
    [4, () => fitted(wide, 0n, 0xffffffffn, 0xffffffffn)],
    [8, () => fitted(wide, 0n, (1n << 64n) - 1n, (1n << 64n) - 1n)],
    [16, () => saturated(wide, FLOAT128, false)],
    [16, () => saturated(single, FLOAT32, true)],
    [16, () => saturated(low, FLOAT64, true)],
    [16, () => saturated(single, FLOAT32, false)],
    [16, () => saturated(low, FLOAT64, false)],
    [8, () => arithmetic.fromInteger(int32, FLOAT64)],
    [16, () => arithmetic.fromInteger(int32, FLOAT128)],
    [16, () => arithmetic.fromInteger(i64(low), FLOAT128)],
    [16, () => arithmetic.fromInteger(single, FLOAT128)],
    [16, () => arithmetic.fromInteger(low, FLOAT128)],
    [8, () => arithmetic.fromInteger(i128(wide), FLOAT64)],
    [8, () => arithmetic.fromInteger(wide, FLOAT64)],
    [16, () => shifted(m, (by) => (by >= 128 ? 0n : wide << BigInt(by)))],
    [16, () => shifted(m, (by) => i128(wide) >> BigInt(by % 128))],
    [16, () => shifted(m, (by) => (by >= 128 ? 0n : wide << BigInt(by)))],
    [16, () => shifted(m, (by) => (by >= 128 ? 0n : wide >> BigInt(by)))],
  ]
  const entry = table[f]
  if (!entry) assertion('probe: bad conversion')
  m.hex(entry[1](), entry[0])
}

function shifted(m: Machine, compute: (by: number) => bigint): bigint {
  return u128(compute(m.u32()))
}

const trap = (message: string): Failure => new Failure('wasm_execution_error', message)
const DIVISION_TRAP = 'access violation: wasm memory out-of-bounds'

/** Opcode 109: instructions on 64-bit integers. */
export function integerOperation(m: Machine): void {
  const f = m.u8()
  const a = m.u64()
  const b = m.u64()
  if (f < 4 && b === 0n) throw trap(DIVISION_TRAP)
  switch (f) {
    case 0:
      if (i64(a) === -(1n << 63n) && i64(b) === -1n) throw trap(DIVISION_TRAP)
      return m.print(i64(a) / i64(b))
    case 1:
      return m.print(i64(a) % i64(b))
    case 2:
      return m.print(a / b)
    case 3:
      return m.print(a % b)
    case 4:
      return m.print(64 - (a === 0n ? 0 : a.toString(2).length))
    case 5:
      return m.print(a === 0n ? 64 : /0*$/.exec(a.toString(2))![0].length)
    case 6:
      return m.print(a.toString(2).replaceAll('0', '').length)
    default:
      throw trap('eos-vm system failure: unreachable')
  }
}
