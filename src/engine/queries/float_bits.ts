const scratch = new DataView(new ArrayBuffer(8))

/** The bits of a double. */
export function doubleToBits(value: number): bigint {
  scratch.setFloat64(0, value)
  return scratch.getBigUint64(0)
}

/** The double with these bits. */
export function doubleFromBits(bits: bigint): number {
  scratch.setBigUint64(0, bits)
  return scratch.getFloat64(0)
}

const QUAD_BIAS = 16383
const DOUBLE_BIAS = 1023

/** The bits of the quadruple that equals a double (not NaN). */
export function doubleToQuadBits(value: number): bigint {
  const bits = doubleToBits(value)
  const sign = (bits >> 63n) << 127n
  const exponent = Number((bits >> 52n) & 0x7ffn)
  const fraction = bits & ((1n << 52n) - 1n)
  if (exponent === 0x7ff) return sign | (0x7fffn << 112n) | (fraction << 60n)
  if (exponent !== 0) {
    return sign | (BigInt(exponent - DOUBLE_BIAS + QUAD_BIAS) << 112n) | (fraction << 60n)
  }
  if (fraction === 0n) return sign
  // A subnormal double is a normal quadruple: its highest bit becomes the implicit one.
  const top = fraction.toString(2).length - 1
  const quad_exponent = BigInt(top - 1074 + QUAD_BIAS)
  const quad_fraction = (fraction ^ (1n << BigInt(top))) << BigInt(112 - top)
  return sign | (quad_exponent << 112n) | quad_fraction
}
