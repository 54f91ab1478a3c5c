/**
 * Curves over pairs of numbers a + bi, i² = -1, modulo a prime: the second groups of the pairings,
 * by the formulas of school.
 */
import { inverse, modulo } from './curves.ts'

export type Pair = readonly [bigint, bigint]

/** Undefined is the point at infinity. */
export type PairPoint = { x: Pair; y: Pair } | undefined

export const add = (p: bigint, a: Pair, b: Pair): Pair => [
  modulo(a[0] + b[0], p),
  modulo(a[1] + b[1], p),
]

export const subtract = (p: bigint, a: Pair, b: Pair): Pair => [
  modulo(a[0] - b[0], p),
  modulo(a[1] - b[1], p),
]

export const multiply = (p: bigint, a: Pair, b: Pair): Pair => [
  modulo(a[0] * b[0] - a[1] * b[1], p),
  modulo(a[0] * b[1] + a[1] * b[0], p),
]

export const isZero = (a: Pair): boolean => a[0] === 0n && a[1] === 0n

function invert(p: bigint, [a, b]: Pair): Pair {
  const n = inverse(a * a + b * b, p)
  return [modulo(a * n, p), modulo(-b * n, p)]
}

/** y² = x³ + b */
export function isOnPairCurve(p: bigint, b: Pair, { x, y }: { x: Pair; y: Pair }): boolean {
  const cube = multiply(p, multiply(p, x, x), x)
  return isZero(subtract(p, multiply(p, y, y), add(p, cube, b)))
}

export function addPairPoints(p: bigint, a: PairPoint, b: PairPoint): PairPoint {
  if (!a) return b
  if (!b) return a
  const same = isZero(subtract(p, a.x, b.x))
  if (same && isZero(add(p, a.y, b.y))) return undefined
  const slope = same
    ? multiply(p, multiply(p, [3n, 0n], multiply(p, a.x, a.x)), invert(p, add(p, a.y, a.y)))
    : multiply(p, subtract(p, b.y, a.y), invert(p, subtract(p, b.x, a.x)))
  const x = subtract(p, subtract(p, multiply(p, slope, slope), a.x), b.x)
  return { x, y: subtract(p, multiply(p, slope, subtract(p, a.x, x)), a.y) }
}

export function multiplyPairPoint(p: bigint, point: PairPoint, scalar: bigint): PairPoint {
  let result: PairPoint
  for (const bit of scalar.toString(2)) {
    result = addPairPoints(p, result, result)
    if (bit === '1') result = addPairPoints(p, result, point)
  }
  return result
}
