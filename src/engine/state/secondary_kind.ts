/**
 * Kinds of secondary keys: how a key is stored (1, 2 or 4 little-endian 64-bit units, as the
 * reference packs it) and which words order it.
 */
import assert from 'node:assert/strict'

/** A secondary key: raw bits of floats are a bigint too. */
export type SecondaryKey = bigint | readonly [bigint, bigint]

/** The layout of one kind of secondary key in an index. */
export interface SecondaryKind<K extends SecondaryKey> {
  /** 64-bit units of a key. */
  readonly units: number
  write(units: BigUint64Array, at: number, key: K): void
  read(units: BigUint64Array, at: number): K
  /** Writes the `2 * units` words that order keys to `out`, from the words of a stored key. */
  order(words: Uint32Array, at: number, out: Uint32Array, to: number): void
}

const LOW_64 = 0xffffffffffffffffn
const SIGN = 0x80000000

/** Keys of 64-bit integers. */
export const U64_KIND: SecondaryKind<bigint> = {
  units: 1,
  write(units, at, key) {
    units[at] = key
  },
  read: (units, at) => units[at] as bigint,
  order(words, at, out, to) {
    out[to] = words[at + 1] as number
    out[to + 1] = words[at] as number
  },
}

/** Keys of 128-bit integers. */
export const U128_KIND: SecondaryKind<bigint> = {
  units: 2,
  write: write128,
  read: read128,
  order: order128,
}

/** Two u128, the first one more significant. spring: key256_t */
export const KEY256_KIND: SecondaryKind<readonly [bigint, bigint]> = {
  units: 4,
  write(units, at, key) {
    write128(units, at, key[0])
    write128(units, at + 2, key[1])
  },
  read: (units, at) => [read128(units, at), read128(units, at + 2)],
  order(words, at, out, to) {
    order128(words, at, out, to)
    order128(words, at + 4, out, to + 4)
  },
}

/** IEEE 754 double, raw bits. spring: soft_double_less */
export const FLOAT64_KIND: SecondaryKind<bigint> = {
  ...U64_KIND,
  order(words, at, out, to) {
    U64_KIND.order(words, at, out, to)
    orderFloat(out, to, 2)
  },
}

/** IEEE 754 quadruple, raw bits. spring: soft_long_double_less */
export const FLOAT128_KIND: SecondaryKind<bigint> = {
  ...U128_KIND,
  order(words, at, out, to) {
    order128(words, at, out, to)
    orderFloat(out, to, 4)
  },
}

function write128(units: BigUint64Array, at: number, key: bigint): void {
  assert(key >= 0n && key >> 128n === 0n, 'the key has 128 bits')
  units[at] = key & LOW_64
  units[at + 1] = key >> 64n
}

function read128(units: BigUint64Array, at: number): bigint {
  return ((units[at + 1] as bigint) << 64n) | (units[at] as bigint)
}

function order128(words: Uint32Array, at: number, out: Uint32Array, to: number): void {
  out[to] = words[at + 3] as number
  out[to + 1] = words[at + 2] as number
  out[to + 2] = words[at + 1] as number
  out[to + 3] = words[at] as number
}

/** Sign and magnitude to unsigned order: negative numbers mirrored below positive ones, -0 as +0. */
function orderFloat(out: Uint32Array, to: number, count: number): void {
  const high = out[to] as number
  if (high < SIGN) {
    out[to] = high + SIGN
    return
  }
  let rest = high - SIGN
  for (let i = 1; i < count; i++) rest |= out[to + i] as number
  if (rest === 0) {
    out[to] = SIGN
    return
  }
  for (let i = 0; i < count; i++) out[to + i] = ~(out[to + i] as number)
}
