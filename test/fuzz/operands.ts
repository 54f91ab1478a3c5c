import type { Random } from './random.ts'

/** An integer that is often at an edge. */
export function integer(r: Random, bits: number): bigint {
  const edges = [0n, 1n, 2n, -1n, -2n, 1n << BigInt(bits - 1), 1n << BigInt(bits / 2)]
  const value = r.once(3)
    ? r.bits(bits)
    : r.once(3)
      ? r.bits(8)
      : r.once(2)
        ? words(r, bits)
        : r.pick(edges)
  return BigInt.asUintN(bits, value)
}

/** Few different words of 32 bits, so that any of them may make the difference. */
function words(r: Random, bits: number): bigint {
  let value = 0n
  for (let i = 0; i < bits; i += 32) value = (value << 32n) | r.pick([0n, 1n, 2n, 0xffffffffn])
  return value
}

const FRACTIONS: Record<number, [width: number, fraction: number]> = {
  4: [8, 23],
  8: [11, 52],
  16: [15, 112],
}

/** Bits of a float of any kind: numbers of all sizes, zeros, infinities, NaNs, subnormals. */
export function float(r: Random, bytes: number): bigint {
  const [width, fraction] = FRACTIONS[bytes]!
  const sign = r.bits(1) << BigInt(width + fraction)
  const most = (1 << width) - 1
  const middle = most >> 1
  const near = middle + r.below(2 * fraction) - fraction
  const exponent = r.pick([0, 1, most - 1, most, near, near, near, r.below(most), middle])
  const one = 1n << BigInt(r.below(fraction))
  const rest = r.pick([0n, one, one - 1n, r.bits(fraction), (1n << BigInt(fraction)) - 1n])
  return sign | (BigInt(exponent) << BigInt(fraction)) | rest
}

/** One of few that are in an order, with both zeros; words of 32 bits differ alone. */
export function orderedFloat(r: Random, bytes: number): bigint {
  const [width, fraction] = FRACTIONS[bytes]!
  const most = (1 << width) - 1
  const sign = r.bits(1) << BigInt(width + fraction)
  if (r.once(4)) return sign
  const exponent = r.pick([0, most >> 1, (most >> 1) + 1, most])
  const rest = exponent === most ? 0n : words(r, 8 * bytes) & ((1n << BigInt(fraction)) - 1n)
  return sign | (BigInt(exponent) << BigInt(fraction)) | rest
}

/** Any NaN: quiet ones and others, of both signs. */
export function nanFloat(r: Random, bytes: number): bigint {
  const [width, fraction] = FRACTIONS[bytes]!
  const sign = r.bits(1) << BigInt(width + fraction)
  const exponent = ((1n << BigInt(width)) - 1n) << BigInt(fraction)
  return sign | exponent | (1n << BigInt(r.below(fraction)))
}

/** Two floats, of which the second is often the first, its negative or a neighbour. */
export function floatPair(r: Random, bytes: number): [bigint, bigint] {
  const first = float(r, bytes)
  if (!r.once(3)) return [first, float(r, bytes)]
  const sign = 1n << BigInt(8 * bytes - 1)
  const second = r.pick([first, first ^ sign, first + 1n, (first + 1n) ^ sign, first - 1n])
  return [first, BigInt.asUintN(8 * bytes, second)]
}
