import { splitFloat } from './float_text.ts'
import type { FloatValue } from './float_text.ts'

/**
 * Quadruple precision as Berkeley SoftFloat computes it with the 8086-SSE rules: rounding to
 * nearest, ties to even; NaNs are passed on quiet, the first operand's before the second's.
 * Values are their bits, as bigints.
 */
const SIGN = 1n << 127n
const INFINITY = 0x7fffn << 112n
const QUIET = 1n << 111n
const FRACTION = (1n << 112n) - 1n
const DEFAULT_NAN = 0xffff8000000000000000000000000000n

/** Format of a float: exponent width, and fraction bits below the implicit one. */
interface Format {
  width: number
  fraction: number
}

const F128: Format = { width: 15, fraction: 112 }
const F64: Format = { width: 11, fraction: 52 }
const F32: Format = { width: 8, fraction: 23 }

/** Binary places between two exponents from which on the lower addend is less than a quarter of a unit. */
const NEGLIGIBLE = 2 * F128.fraction

/** Whether the bits of a quadruple represent a NaN. */
export function isNan128(bits: bigint): boolean {
  return (bits & ~SIGN) > INFINITY
}

function propagate(a: bigint, b: bigint): bigint {
  return (isNan128(a) ? a : b) | QUIET
}

function split(bits: bigint): FloatValue {
  return splitFloat(bits, F128.width, F128.fraction)
}

/**
 * Rounds significand·2^exponent to a format. `sticky`: the true value is a little above that in
 * magnitude, by less than a unit of the significand.
 */
function round(
  negative: boolean,
  significand: bigint,
  exponent: number,
  f: Format,
  sticky = false,
): bigint {
  const sign = negative ? 1n << BigInt(f.width + f.fraction) : 0n
  if (significand === 0n) return sign
  const bias = (1 << (f.width - 1)) - 1
  const top = exponent + bitLength(significand) - 1
  // The weight of the last bit that the format keeps.
  const quantum = Math.max(top, 1 - bias) - f.fraction
  let kept = shiftRounded(significand, quantum - exponent, sticky)
  let unit = quantum
  if (bitLength(kept) > f.fraction + 1) {
    kept >>= 1n
    unit += 1
  }
  const implicit = 1n << BigInt(f.fraction)
  if (kept < implicit) return sign | kept
  const biased = unit + f.fraction + bias
  const most = (1 << f.width) - 1
  if (biased >= most) return sign | (BigInt(most) << BigInt(f.fraction))
  return sign | (BigInt(biased) << BigInt(f.fraction)) | (kept - implicit)
}

function bitLength(value: bigint): number {
  return value === 0n ? 0 : value.toString(2).length
}

/** `value / 2^shift` to nearest, ties to even; `sticky` as for `round`. */
function shiftRounded(value: bigint, shift: number, sticky: boolean): bigint {
  if (shift <= 0) return value << BigInt(-shift)
  const by = BigInt(shift)
  const quotient = value >> by
  const rest = value & ((1n << by) - 1n)
  const half = 1n << (by - 1n)
  const up = rest > half || (rest === half && (sticky || (quotient & 1n) === 1n))
  return up ? quotient + 1n : quotient
}

/** Adds two quadruples, given and returned as 128 bits. */
export function add128(a: bigint, b: bigint): bigint {
  if (isNan128(a) || isNan128(b)) return propagate(a, b)
  const x = split(a)
  const y = split(b)
  if (x.kind === 'infinite' || y.kind === 'infinite') {
    if (x.kind === y.kind && x.negative !== y.negative) return DEFAULT_NAN
    return x.kind === 'infinite' ? a : b
  }
  // So far below the last bit of the other, neither addend changes it; and shifts stay short.
  if (x.exponent - y.exponent > NEGLIGIBLE) return a
  if (y.exponent - x.exponent > NEGLIGIBLE) return b
  const exponent = Math.min(x.exponent, y.exponent)
  const signed = (v: FloatValue): bigint => {
    const value = v.significand << BigInt(v.exponent - exponent)
    return v.negative ? -value : value
  }
  const sum = signed(x) + signed(y)
  // An exact zero is positive, except for the sum of two negative zeros.
  if (sum === 0n) return x.negative && y.negative ? SIGN : 0n
  return round(sum < 0n, sum < 0n ? -sum : sum, exponent, F128)
}

/** Subtracts two quadruples, given and returned as 128 bits. */
export function sub128(a: bigint, b: bigint): bigint {
  if (isNan128(a) || isNan128(b)) return propagate(a, b)
  return add128(a, b ^ SIGN)
}

/** Multiplies two quadruples, given and returned as 128 bits. */
export function mul128(a: bigint, b: bigint): bigint {
  if (isNan128(a) || isNan128(b)) return propagate(a, b)
  const x = split(a)
  const y = split(b)
  const negative = x.negative !== y.negative
  if (x.kind === 'infinite' || y.kind === 'infinite') {
    const zero = isZero(x) || isZero(y)
    return zero ? DEFAULT_NAN : INFINITY | (negative ? SIGN : 0n)
  }
  return round(negative, x.significand * y.significand, x.exponent + y.exponent, F128)
}

function isZero(v: FloatValue): boolean {
  return v.kind === 'finite' && v.significand === 0n
}

/** Divides two quadruples, given and returned as 128 bits. */
export function div128(a: bigint, b: bigint): bigint {
  if (isNan128(a) || isNan128(b)) return propagate(a, b)
  const x = split(a)
  const y = split(b)
  const negative = x.negative !== y.negative
  const sign = negative ? SIGN : 0n
  if (x.kind === 'infinite') return y.kind === 'infinite' ? DEFAULT_NAN : INFINITY | sign
  if (y.kind === 'infinite') return sign
  if (isZero(y)) return isZero(x) ? DEFAULT_NAN : INFINITY | sign
  // Enough bits that the quotient has more than the format keeps.
  const shift = 230
  const numerator = x.significand << BigInt(shift)
  const quotient = numerator / y.significand
  const sticky = numerator % y.significand !== 0n
  return round(negative, quotient, x.exponent - y.exponent - shift, F128, sticky)
}

/** Changes the sign of a quadruple. */
export function negate128(a: bigint): bigint {
  return a ^ SIGN
}

/** -1, 0 or 1; undefined where either is a NaN. */
export function compare128(a: bigint, b: bigint): -1 | 0 | 1 | undefined {
  if (isNan128(a) || isNan128(b)) return undefined
  // Sign and magnitude as a signed integer; both zeros are 0.
  const order = (v: bigint): bigint => ((v & SIGN) === 0n ? v : -(v & ~SIGN))
  const x = order(a)
  const y = order(b)
  return x < y ? -1 : x > y ? 1 : 0
}

/** Widens a float64 or float32; a NaN becomes quiet and keeps its payload's upper bits. */
function widen(bits: bigint, f: Format): bigint {
  const v = splitFloat(bits, f.width, f.fraction)
  const sign = v.negative ? SIGN : 0n
  if (v.kind === 'infinite') return sign | INFINITY
  if (v.kind === 'nan') {
    const payload = bits & ((1n << BigInt(f.fraction)) - 1n)
    return sign | INFINITY | QUIET | (payload << BigInt(112 - f.fraction))
  }
  return round(v.negative, v.significand, v.exponent, F128)
}

function narrow(bits: bigint, f: Format): bigint {
  const v = split(bits)
  if (v.kind === 'finite') return round(v.negative, v.significand, v.exponent, f)
  const most = ((1n << BigInt(f.width)) - 1n) << BigInt(f.fraction)
  const sign = v.negative ? 1n << BigInt(f.width + f.fraction) : 0n
  if (v.kind === 'infinite') return sign | most
  const quiet = 1n << BigInt(f.fraction - 1)
  return sign | most | quiet | ((bits & FRACTION) >> BigInt(112 - f.fraction))
}

/** Converts the bits of a double to those of a quadruple. */
export function quadFromFloat64(bits: bigint): bigint {
  return widen(BigInt.asUintN(64, bits), F64)
}

/** Converts the bits of a float to those of a quadruple. */
export function quadFromFloat32(bits: number): bigint {
  return widen(BigInt(bits >>> 0), F32)
}

/** Converts the bits of a quadruple to those of a double, rounded to nearest even. */
export function float64FromQuad(bits: bigint): bigint {
  return narrow(bits, F64)
}

/** Converts the bits of a quadruple to those of a float, rounded to nearest even. */
export function float32FromQuad(bits: bigint): number {
  return Number(narrow(bits, F32))
}

/** From any integer that fits 113 bits. */
export function quadFromInteger(value: bigint): bigint {
  return round(value < 0n, value < 0n ? -value : value, 0, F128)
}

/** To nearest, ties to even (as the reference asks for); `otherwise` where it is out of range. */
export function quadToInteger(bits: bigint, min: bigint, max: bigint, otherwise: bigint): bigint {
  const v = split(bits)
  if (v.kind !== 'finite' || v.exponent > 64) return otherwise
  const magnitude = shiftRounded(v.significand, -v.exponent, false)
  const value = v.negative ? -magnitude : magnitude
  return value < min || value > max ? otherwise : value
}

/**
 * Toward zero, saturating (spring: libraries/builtins/fix*ti.c). 128 bits; the signed form wraps
 * for exponent 127 as the original does.
 */
export function truncateToI128(v: FloatValue, fraction: number): bigint {
  const exponent = v.exponent + fraction
  if (v.kind !== 'finite' || exponent >= 128) return v.negative ? -(1n << 127n) : (1n << 127n) - 1n
  if (exponent < 0) return 0n
  const magnitude = truncatedMagnitude(v)
  return BigInt.asIntN(128, v.negative ? -magnitude : magnitude)
}

/**
 * The value truncated to an unsigned 128-bit integer: 0 for negative values, and the largest integer
 * for values that do not fit. `fraction` is the number of fraction bits of the format.
 */
export function truncateToU128(v: FloatValue, fraction: number): bigint {
  const exponent = v.exponent + fraction
  if (v.negative || exponent < 0) return 0n
  if (v.kind !== 'finite' || exponent >= 128) return (1n << 128n) - 1n
  return truncatedMagnitude(v)
}

function truncatedMagnitude(v: FloatValue): bigint {
  return v.exponent >= 0
    ? v.significand << BigInt(v.exponent)
    : v.significand >> BigInt(-v.exponent)
}
