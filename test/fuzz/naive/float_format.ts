/**
 * IEEE 754 binary formats by exact fractions: slow, and plain enough to be seen to be right. Nothing
 * of the engine is used.
 */

/** Bits of the exponent and of the fraction. */
export interface FloatFormat {
  width: number
  fraction: number
}

export const FLOAT32: FloatFormat = { width: 8, fraction: 23 }
export const FLOAT64: FloatFormat = { width: 11, fraction: 52 }
export const FLOAT128: FloatFormat = { width: 15, fraction: 112 }
/** x87's extended format, without its explicit leading bit. */
export const FLOAT80: FloatFormat = { width: 15, fraction: 63 }

/** A fraction that is not negative. */
export interface Fraction {
  num: bigint
  den: bigint
}

/** A float taken apart; the magnitude is zero for infinities and NaNs. */
export interface Parts {
  kind: 'number' | 'infinity' | 'nan'
  negative: boolean
  magnitude: Fraction
}

export const signBit = (f: FloatFormat): bigint => 1n << BigInt(f.width + f.fraction)
export const quietBit = (f: FloatFormat): bigint => 1n << BigInt(f.fraction - 1)
export const infinityBits = (f: FloatFormat): bigint =>
  ((1n << BigInt(f.width)) - 1n) << BigInt(f.fraction)
/** What an operation gives that has no result. */
export const defaultNan = (f: FloatFormat): bigint => signBit(f) | infinityBits(f) | quietBit(f)

const bias = (f: FloatFormat): number => 2 ** (f.width - 1) - 1

/** 2^exponent. */
export function powerOfTwo(exponent: number): Fraction {
  return exponent >= 0
    ? { num: 1n << BigInt(exponent), den: 1n }
    : { num: 1n, den: 1n << BigInt(-exponent) }
}

export function times(a: Fraction, b: Fraction): Fraction {
  return { num: a.num * b.num, den: a.den * b.den }
}

export function over(a: Fraction, b: Fraction): Fraction {
  return { num: a.num * b.den, den: a.den * b.num }
}

/** Negative, zero or positive as a is below, at or above b. */
export function compareFractions(a: Fraction, b: Fraction): bigint {
  return a.num * b.den - b.num * a.den
}

/** To the nearest integer, halves to the even one. */
export function roundedFraction({ num, den }: Fraction): bigint {
  const floor = num / den
  const twice = 2n * (num - floor * den)
  if (twice < den) return floor
  if (twice > den) return floor + 1n
  return floor % 2n === 0n ? floor : floor + 1n
}

export function takeApart(bits: bigint, f: FloatFormat): Parts {
  const negative = (bits & signBit(f)) !== 0n
  const exponent = Number((bits & infinityBits(f)) >> BigInt(f.fraction))
  const rest = bits & ((1n << BigInt(f.fraction)) - 1n)
  const zero = { num: 0n, den: 1n }
  if (exponent === 2 ** f.width - 1) {
    return { kind: rest === 0n ? 'infinity' : 'nan', negative, magnitude: zero }
  }
  const significand = exponent === 0 ? rest : rest + (1n << BigInt(f.fraction))
  const unit = powerOfTwo(Math.max(exponent, 1) - bias(f) - f.fraction)
  return { kind: 'number', negative, magnitude: times({ num: significand, den: 1n }, unit) }
}

/** The largest e with 2^e at most the value, which is above zero. */
export function exponentOf(value: Fraction): number {
  let exponent = value.num.toString(2).length - value.den.toString(2).length
  while (compareFractions(powerOfTwo(exponent), value) > 0n) exponent--
  while (compareFractions(powerOfTwo(exponent + 1), value) <= 0n) exponent++
  return exponent
}

/** The float nearest to a value, halves to the even one. */
export function putTogether(negative: boolean, magnitude: Fraction, f: FloatFormat): bigint {
  const sign = negative ? signBit(f) : 0n
  if (magnitude.num === 0n) return sign
  const lowest = 1 - bias(f)
  const exponent = Math.max(exponentOf(magnitude), lowest)
  const unit = powerOfTwo(exponent - f.fraction)
  const units = roundedFraction(over(magnitude, unit))
  // A significand that has grown by a bit carries into the exponent by itself; a small one has none.
  const bits = (BigInt(exponent - lowest) << BigInt(f.fraction)) + units
  return sign | (bits > infinityBits(f) ? infinityBits(f) : bits)
}
