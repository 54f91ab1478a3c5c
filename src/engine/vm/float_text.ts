/** A float as the printing functions need it: sign, and significand times a power of two. */
export interface FloatValue {
  negative: boolean
  kind: 'finite' | 'infinite' | 'nan'
  significand: bigint
  exponent: number
}

/** Splits an IEEE format with `fraction` bits below an implicit one and `width` exponent bits. */
export function splitFloat(bits: bigint, width: number, fraction: number): FloatValue {
  const biased = Number((bits >> BigInt(fraction)) & ((1n << BigInt(width)) - 1n))
  const part = bits & ((1n << BigInt(fraction)) - 1n)
  const negative = ((bits >> BigInt(width + fraction)) & 1n) === 1n
  const special = biased === (1 << width) - 1
  const kind = !special ? 'finite' : part === 0n ? 'infinite' : 'nan'
  const bias = (1 << (width - 1)) - 1
  const exponent = Math.max(biased, 1) - bias - fraction
  const significand = biased === 0 ? part : part | (1n << BigInt(fraction))
  return { negative, kind, significand, exponent }
}

/** From the bits of a float32, as a signed or unsigned i32. */
export function float(bits: number): FloatValue {
  return splitFloat(BigInt(bits >>> 0), 8, 23)
}

/** From the bits of a float64, as a signed or unsigned i64. */
export function double(bits: bigint): FloatValue {
  return splitFloat(BigInt.asUintN(64, bits), 11, 52)
}

/** A float128 rounded to the 64-bit significand of x87, which is what the reference prints. */
export function extendedFromQuad(bits: bigint): FloatValue {
  const value = splitFloat(bits, 15, 112)
  if (value.kind !== 'finite' || value.significand === 0n) return value
  // Subnormals keep the lowest bit that the format has, 2^-16445.
  const length = value.significand.toString(2).length
  const exponent = Math.max(value.exponent + length - 64, -16445)
  const significand = roundShift(value.significand, exponent - value.exponent)
  const overflow = exponent + significand.toString(2).length > 16384
  if (overflow) return { ...value, kind: 'infinite' }
  return { ...value, significand, exponent }
}

/** `value / 2^shift`, to nearest, ties to even. */
function roundShift(value: bigint, shift: number): bigint {
  if (shift <= 0) return value << BigInt(-shift)
  return roundDivide(value, 1n << BigInt(shift))
}

function roundDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by
  const twice = (value % by) * 2n
  const up = twice > by || (twice === by && (quotient & 1n) === 1n)
  return up ? quotient + 1n : quotient
}

/** C++ scientific notation with `digits` after the point, correctly rounded (ties to even). */
export function scientific(value: FloatValue, digits: number): string {
  const sign = value.negative ? '-' : ''
  if (value.kind !== 'finite') return sign + (value.kind === 'nan' ? 'nan' : 'inf')
  if (value.significand === 0n) return `${sign}0.${'0'.repeat(digits)}e+00`
  const { significand: m, exponent: e } = value
  const numerator = e >= 0 ? m << BigInt(e) : m
  const denominator = e >= 0 ? 1n : 1n << BigInt(-e)
  let power = estimatePower(m, e)
  if (numerator < scaleOf(power, denominator)) power -= 1
  let scaled = roundedDigits(numerator, denominator, power - digits)
  // Rounding up may give one digit more: 9.99… becomes 10.
  if (scaled.length > digits + 1) {
    power += 1
    scaled = scaled.slice(0, digits + 1)
  }
  const exponent = `${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
  return `${sign}${scaled[0]}.${scaled.slice(1)}e${exponent}`
}

/** The decimal exponent of m·2^e, or one more. */
function estimatePower(m: bigint, e: number): number {
  const log2 = m.toString(2).length - 1 + e
  return Math.floor((log2 + 1) * Math.LOG10E * Math.LN2 + 1e-9)
}

/** `denominator * 10^power`, as a bound that the numerator is compared with. */
function scaleOf(power: number, denominator: bigint): bigint {
  if (power >= 0) return denominator * 10n ** BigInt(power)
  // Rounds up, so that a numerator below the true bound compares below.
  const by = 10n ** BigInt(-power)
  return (denominator + by - 1n) / by
}

function roundedDigits(numerator: bigint, denominator: bigint, power: number): string {
  const value =
    power >= 0
      ? roundDivide(numerator, denominator * 10n ** BigInt(power))
      : roundDivide(numerator * 10n ** BigInt(-power), denominator)
  return value.toString()
}
