/** An integer in JSON: a number, or a decimal string where it is large. */
export type IntegerJson = number | string

const TEN_POW_17 = 10n ** 17n
const MAX_PLAIN = 0xffffffff

const scratch = new DataView(new ArrayBuffer(8))

/**
 * A double as the reference prints it in JSON: fixed notation, 17 digits after the point, exact
 * ties rounded to even (spring: libraries/libfc/src/variant.cpp s_fc_to_string).
 */
export function doubleToText(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (value === Infinity) return 'inf'
  if (value === -Infinity) return '-inf'
  scratch.setFloat64(0, value)
  const high = scratch.getUint32(0)
  const sign = high >>> 31 ? '-' : ''
  const exponent = (high >>> 20) & 0x7ff
  const fraction = (BigInt(high & 0xfffff) << 32n) | BigInt(scratch.getUint32(4))
  const mantissa = exponent === 0 ? fraction : fraction | (1n << 52n)
  const shift = (exponent === 0 ? 1 : exponent) - 1075
  const scaled = mantissa * TEN_POW_17
  const rounded = shift >= 0 ? scaled << BigInt(shift) : roundedShift(scaled, BigInt(-shift))
  const digits = rounded.toString().padStart(18, '0')
  return `${sign}${digits.slice(0, -17)}.${digits.slice(-17)}`
}

/** value / 2^bits, rounded to nearest, ties to even. */
function roundedShift(value: bigint, bits: bigint): bigint {
  const quotient = value >> bits
  const rest = value - (quotient << bits)
  const half = 1n << (bits - 1n)
  if (rest > half || (rest === half && quotient & 1n)) return quotient + 1n
  return quotient
}

/**
 * An integer in the reference's JSON: a number up to 0xffffffff in magnitude, above that a decimal
 * string (spring: libraries/libfc/src/io/json.cpp, stringify_large_ints_and_doubles).
 */
export function integerToJson(value: bigint | number): IntegerJson {
  if (typeof value === 'number') {
    return value > MAX_PLAIN || value < -MAX_PLAIN ? value.toString() : value
  }
  return value > 0xffffffffn || value < -0xffffffffn ? value.toString() : Number(value)
}

/** An unsigned 64-bit integer, given as two halves, in the reference's JSON. */
export function uint64HalvesToJson(low: number, high: number): IntegerJson {
  if (high === 0) return low
  if (high < 0x200000) return (high * 0x100000000 + low).toString()
  return ((BigInt(high) << 32n) | BigInt(low)).toString()
}
