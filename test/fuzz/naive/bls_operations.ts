import { BLS12_381, addPoints, isOnCurve, multiplyPoint, power } from './curves.ts'
import type { Point } from './curves.ts'
import { BLS_POINTS } from './known_points.ts'
import { assertion } from './machine.ts'
import type { Machine } from './machine.ts'
import { addPairPoints, isOnPairCurve, isZero, multiplyPairPoint } from './pairs.ts'
import type { Pair, PairPoint } from './pairs.ts'
import { hexText } from './printing.ts'
import { PAIRING_OF_GENERATORS } from './pairing_of_generators.ts'
import { targetPower } from './target_group.ts'

const { p, order } = BLS12_381
const FP = 48

const little = (bytes: Uint8Array): bigint =>
  BigInt(`0x0${Buffer.from(bytes).reverse().toString('hex')}`)

const number = (value: bigint): Buffer =>
  Buffer.from(value.toString(16).padStart(2 * FP, '0'), 'hex').reverse()

/** Numbers of the field, undefined where one is not. */
function readField(bytes: Uint8Array): bigint[] | undefined {
  const numbers: bigint[] = []
  for (let at = 0; at < bytes.length; at += FP) numbers.push(little(bytes.subarray(at, at + FP)))
  return numbers.every((value) => value < p) ? numbers : undefined
}

interface Group<P> {
  bytes: number
  add(a: P | undefined, b: P | undefined): P | undefined
  multiply(a: P | undefined, scalar: bigint): P | undefined
  /** Undefined where the numbers are not a point. */
  read(numbers: bigint[]): { point: P | undefined } | undefined
  write(point: P | undefined): bigint[]
}

const FIRST: Group<NonNullable<Point>> = {
  bytes: 2 * FP,
  add: (a, b) => addPoints(BLS12_381, a, b),
  multiply: (a, scalar) => multiplyPoint(BLS12_381, a, scalar),
  read([x, y]) {
    if (x === 0n && y === 0n) return { point: undefined }
    const point = { x: x!, y: y! }
    return isOnCurve(BLS12_381, point) ? { point } : undefined
  },
  write: (point) => (point ? [point.x, point.y] : [0n, 0n]),
}

const SECOND: Group<NonNullable<PairPoint>> = {
  bytes: 4 * FP,
  add: (a, b) => addPairPoints(p, a, b),
  multiply: (a, scalar) => multiplyPairPoint(p, a, scalar),
  read([a, b, c, d]) {
    const [x, y]: [Pair, Pair] = [
      [a!, b!],
      [c!, d!],
    ]
    if (isZero(x) && isZero(y)) return { point: undefined }
    return isOnPairCurve(p, [4n, 4n], { x, y }) ? { point: { x, y } } : undefined
  },
  write: (point) => (point ? [...point.x, ...point.y] : [0n, 0n, 0n, 0n]),
}

type Result = Uint8Array | undefined

const join = (numbers: bigint[]): Uint8Array => Buffer.concat(numbers.map(number))

function readPoint<P>(group: Group<P>, bytes: Uint8Array): ReturnType<Group<P>['read']> {
  const numbers = readField(bytes)
  return numbers && group.read(numbers)
}

function sumOf<P>(group: Group<P>, m: Machine): void {
  const [a, b] = [m.bytes(), m.bytes()]
  const right = a.length === group.bytes && b.length === group.bytes
  const [x, y] = right ? [readPoint(group, a), readPoint(group, b)] : []
  answer(m, m.u32(), group.bytes, x && y && join(group.write(group.add(x.point, y.point))))
}

function weightedSum<P>(group: Group<P>, m: Machine): void {
  const [points, scalars] = [m.bytes(), m.bytes()]
  const n = m.u32()
  const right = n > 0 && points.length === n * group.bytes && scalars.length === n * 32
  let sum: P | undefined
  let valid = right
  for (let i = 0; right && i < n; i++) {
    const read = readPoint(group, points.subarray(i * group.bytes, (i + 1) * group.bytes))
    if (read) {
      const scalar = little(scalars.subarray(i * 32, (i + 1) * 32))
      sum = group.add(sum, group.multiply(read.point, scalar))
    } else valid = false
  }
  answer(m, m.u32(), group.bytes, valid ? join(group.write(sum)) : undefined)
}

/** By what the points are multiples of. */
function pairing(m: Machine): void {
  const [first, second] = [m.bytes(), m.bytes()]
  const n = m.u32()
  const right = n > 0 && first.length === n * FIRST.bytes && second.length === n * SECOND.bytes
  let exponent: bigint | undefined = right ? 0n : undefined
  for (let i = 0; right && i < n; i++) {
    const a = BLS_POINTS.multipleOf(1, first.subarray(i * FIRST.bytes, (i + 1) * FIRST.bytes))
    const b = BLS_POINTS.multipleOf(2, second.subarray(i * SECOND.bytes, (i + 1) * SECOND.bytes))
    if (a === undefined || b === undefined) exponent = undefined
    else if (exponent !== undefined) exponent += a * b
  }
  const result =
    exponent === undefined ? undefined : targetPower(PAIRING_OF_GENERATORS, exponent % order)
  answer(m, m.u32(), 12 * FP, result)
}

function fieldOperation(m: Machine, f: number): void {
  const a = m.bytes()
  const b = f === 7 ? undefined : m.bytes()
  const room = m.u32()
  const sizes = f === 7 ? [64] : f === 8 ? [FP, FP] : [FP, 64]
  const right = a.length === sizes[0] && (!b || b.length === sizes[1])
  const [x, y] = [little(a), b && little(b)]
  let value: bigint | undefined
  if (right && f === 7) value = x % p
  else if (right && f === 8 && x < p && y! < p) value = (x * y!) % p
  else if (right && f === 9 && x < p) value = power(x, y!, p)
  answer(m, room, FP, value === undefined ? undefined : number(value))
}

/** Opcode 70; the maps to the curves are not written a second time. */
export function blsOperation(m: Machine): void {
  const f = m.u8()
  if (f === 0) sumOf(FIRST, m)
  else if (f === 1) sumOf(SECOND, m)
  else if (f === 2) weightedSum(FIRST, m)
  else if (f === 3) weightedSum(SECOND, m)
  else if (f === 4) pairing(m)
  else if (f >= 7 && f <= 9) fieldOperation(m, f)
  else assertion('probe: bad bls function')
}

/** The room must be that of the result. */
function answer(m: Machine, room: number, size: number, result: Result): void {
  const shown = Math.min(room, 1024)
  const given = room === size ? result : undefined
  m.print(given ? 0 : -1)
  m.print(',')
  m.buffer.fill(0, 0, 1024)
  if (given) m.buffer.set(given)
  m.print(hexText(m.buffer.subarray(0, shown)))
}
