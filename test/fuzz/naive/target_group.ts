/**
 * Powers in the target group of the BLS12-381 pairing: polynomials of degree 5 in w over pairs, with
 * w⁶ = 1 + i.
 */
import { BLS12_381 } from './curves.ts'
import { add, multiply } from './pairs.ts'
import type { Pair } from './pairs.ts'

type Element = readonly Pair[]

const { p } = BLS12_381
const ONE: Element = [[1n, 0n], ...Array.from({ length: 5 }, (): Pair => [0n, 0n])]

function times(a: Element, b: Element): Element {
  const result: Pair[] = Array.from({ length: 6 }, () => [0n, 0n])
  a.forEach((x, i) => {
    b.forEach((y, j) => {
      const product = multiply(p, x, y)
      const wrapped = i + j < 6 ? product : multiply(p, product, [1n, 1n])
      result[(i + j) % 6] = add(p, result[(i + j) % 6]!, wrapped)
    })
  })
  return result
}

/** Where each pair of the 576 bytes belongs: first the even powers of w, then the odd ones. */
const ORDER = [0, 2, 4, 1, 3, 5]
const BYTES = 48

/** `base`: 576 bytes, as contracts have them. */
export function targetPower(base: Uint8Array, exponent: bigint): Uint8Array {
  const element: Pair[] = []
  ORDER.forEach((power, i) => {
    const numbers = [2 * i, 2 * i + 1].map((index) => {
      const bytes = Buffer.from(base.subarray(index * BYTES, (index + 1) * BYTES)).reverse()
      return BigInt(`0x${bytes.toString('hex')}`)
    })
    element[power] = numbers as unknown as Pair
  })
  let result = ONE
  for (const bit of exponent.toString(2)) {
    result = times(result, result)
    if (bit === '1') result = times(result, element)
  }
  const numbers = ORDER.flatMap((power) => [...result[power]!])
  return Buffer.concat(
    numbers.map((n) => Buffer.from(n.toString(16).padStart(2 * BYTES, '0'), 'hex').reverse()),
  )
}
