import {
  compareFractions,
  defaultNan,
  exponentOf,
  infinityBits,
  over,
  powerOfTwo,
  putTogether,
  quietBit,
  roundedFraction,
  signBit,
  takeApart,
  times,
} from './float_format.ts'
import type { FloatFormat, Fraction, Parts } from './float_format.ts'

export const isNan = (bits: bigint, f: FloatFormat): boolean => takeApart(bits, f).kind === 'nan'

/** The first operand that is a NaN, made quiet. */
function nanOf(a: bigint, b: bigint, f: FloatFormat): bigint | undefined {
  if (isNan(a, f)) return a | quietBit(f)
  if (isNan(b, f)) return b | quietBit(f)
  return undefined
}

const isZero = (p: Parts): boolean => p.kind === 'number' && p.magnitude.num === 0n

export function add(a: bigint, b: bigint, f: FloatFormat): bigint {
  const nan = nanOf(a, b, f)
  if (nan !== undefined) return nan
  const x = takeApart(a, f)
  const y = takeApart(b, f)
  if (x.kind === 'infinity') {
    return y.kind === 'infinity' && x.negative !== y.negative ? defaultNan(f) : a
  }
  if (y.kind === 'infinity') return b
  const sign = (p: Parts): bigint => (p.negative ? -1n : 1n)
  const num =
    sign(x) * x.magnitude.num * y.magnitude.den + sign(y) * y.magnitude.num * x.magnitude.den
  const den = x.magnitude.den * y.magnitude.den
  if (num === 0n) return x.negative && y.negative ? signBit(f) : 0n
  return putTogether(num < 0n, { num: num < 0n ? -num : num, den }, f)
}

export function subtract(a: bigint, b: bigint, f: FloatFormat): bigint {
  return nanOf(a, b, f) ?? add(a, b ^ signBit(f), f)
}

export function multiply(a: bigint, b: bigint, f: FloatFormat): bigint {
  const nan = nanOf(a, b, f)
  if (nan !== undefined) return nan
  const x = takeApart(a, f)
  const y = takeApart(b, f)
  const negative = x.negative !== y.negative
  if (x.kind === 'infinity' || y.kind === 'infinity') {
    if (isZero(x) || isZero(y)) return defaultNan(f)
    return infinityBits(f) | (negative ? signBit(f) : 0n)
  }
  return putTogether(negative, times(x.magnitude, y.magnitude), f)
}

export function divide(a: bigint, b: bigint, f: FloatFormat): bigint {
  const nan = nanOf(a, b, f)
  if (nan !== undefined) return nan
  const x = takeApart(a, f)
  const y = takeApart(b, f)
  const sign = x.negative !== y.negative ? signBit(f) : 0n
  if (x.kind === 'infinity') return y.kind === 'infinity' ? defaultNan(f) : infinityBits(f) | sign
  if (y.kind === 'infinity') return sign
  if (isZero(y)) return isZero(x) ? defaultNan(f) : infinityBits(f) | sign
  return putTogether(sign !== 0n, over(x.magnitude, y.magnitude), f)
}

/** Halves the exponent, then counts units of the result: none is half way between two. */
export function squareRoot(a: bigint, f: FloatFormat): bigint {
  const nan = nanOf(a, a, f)
  if (nan !== undefined) return nan
  const x = takeApart(a, f)
  if (isZero(x)) return a
  if (x.negative) return defaultNan(f)
  if (x.kind === 'infinity') return a
  const unit = powerOfTwo(Math.floor(exponentOf(x.magnitude) / 2) - f.fraction)
  const { num, den } = over(x.magnitude, times(unit, unit))
  let units = integerRoot(num / den)
  const half = { num: 2n * units + 1n, den: 2n }
  if (compareFractions(times(half, half), { num, den }) < 0n) units += 1n
  return putTogether(false, times({ num: units, den: 1n }, unit), f)
}

function integerRoot(value: bigint): bigint {
  let low = 0n
  let high = value + 1n
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (middle * middle <= value) low = middle
    else high = middle
  }
  return low
}

/** -1, 0 or 1; undefined where one is a NaN. */
export function compare(a: bigint, b: bigint, f: FloatFormat): number | undefined {
  if (isNan(a, f) || isNan(b, f)) return undefined
  const x = ordered(takeApart(a, f))
  const y = ordered(takeApart(b, f))
  const difference = x.num * y.den - y.num * x.den
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** As a fraction with a sign; infinities are larger than any number. */
function ordered(p: Parts): Fraction {
  const { num, den } = p.kind === 'infinity' ? { num: 1n << 20_000n, den: 1n } : p.magnitude
  return { num: p.negative ? -num : num, den }
}

/** A NaN is taken as it is, the first before the second; of zeros, the negative is smaller. */
function extreme(a: bigint, b: bigint, f: FloatFormat, smaller: boolean): bigint {
  if (isNan(a, f)) return a
  if (isNan(b, f)) return b
  const order = compare(a, b, f)!
  if (order === 0) {
    const a_negative = (a & signBit(f)) !== 0n
    return a_negative === smaller ? a : b
  }
  return order < 0 === smaller ? a : b
}

export const minimum = (a: bigint, b: bigint, f: FloatFormat): bigint => extreme(a, b, f, true)
export const maximum = (a: bigint, b: bigint, f: FloatFormat): bigint => extreme(a, b, f, false)

export type Rounding = 'ceil' | 'floor' | 'trunc' | 'nearest'

/** To an integer that is a float; NaNs and infinities stay. */
export function roundToInteger(a: bigint, f: FloatFormat, how: Rounding): bigint {
  const p = takeApart(a, f)
  if (p.kind !== 'number') return a
  const magnitude = integerMagnitude(p, how)
  return putTogether(p.negative, { num: magnitude, den: 1n }, f)
}

function integerMagnitude({ negative, magnitude }: Parts, how: Rounding): bigint {
  const { num, den } = magnitude
  const down = num / den
  const exact = down * den === num
  if (how === 'nearest') return roundedFraction(magnitude)
  if (exact || how === 'trunc') return down
  return (how === 'ceil') === negative ? down : down + 1n
}

/** The integer that a number is rounded to; undefined for NaNs and infinities. */
export function toInteger(bits: bigint, f: FloatFormat, how: Rounding): bigint | undefined {
  const p = takeApart(bits, f)
  if (p.kind !== 'number') return undefined
  const magnitude = integerMagnitude(p, how)
  return p.negative ? -magnitude : magnitude
}

export function fromInteger(value: bigint, f: FloatFormat): bigint {
  return putTogether(value < 0n, { num: value < 0n ? -value : value, den: 1n }, f)
}

/** To another format; a NaN keeps its sign and the upper bits of its fraction, and becomes quiet. */
export function convert(bits: bigint, from: FloatFormat, to: FloatFormat): bigint {
  const p = takeApart(bits, from)
  if (p.kind === 'number') return putTogether(p.negative, p.magnitude, to)
  const sign = p.negative ? signBit(to) : 0n
  if (p.kind === 'infinity') return sign | infinityBits(to)
  const rest = bits & ((1n << BigInt(from.fraction)) - 1n)
  const more = to.fraction - from.fraction
  const moved = more >= 0 ? rest << BigInt(more) : rest >> BigInt(-more)
  return sign | infinityBits(to) | quietBit(to) | moved
}
