import { N } from '../../src/engine/protocol/name.ts'
import { HASHES, hashOf } from './naive/hashes.ts'
import { Writer } from '../../src/engine/protocol/writer.ts'
import { SECONDARY } from './naive/database_operations.ts'
import { cryptography } from './crypto_programs.ts'
import { Program } from './program.ts'
import type { Random } from './random.ts'

/** The contract, an account that signs too, and one that does not. */
export const NAMES = { contract: N('probe'), signer: N('alice'), other: N('bob') }

const SCOPES = [0n, N('s'), (1n << 64n) - 1n]
const TABLES = [N('t'), N('u')]
const PRIMARIES = [0n, 1n, 2n, 3n, 5n, 8n, 1n << 63n, (1n << 64n) - 1n]

/** Actions that may lie in each other. */
const MAX_NESTING = 6

/** A program of one kind of operations, sometimes of several. */
export function randomProgram(r: Random): Uint8Array {
  const program = nestedProgram(r, NAMES.contract, 0, 3000)
  // Now and then something is cut off or changed.
  if (r.once(40)) return program.subarray(0, r.below(program.length))
  return program
}

/** @param sender whose contract runs it */
function nestedProgram(r: Random, sender: bigint, depth: number, most: number): Uint8Array {
  const p = new Program()
  const kinds = r.once(4) ? KINDS : [r.pick(KINDS)]
  const count = 1 + r.below(depth === 0 ? 40 : 6)
  for (let i = 0; i < count && p.length < most; i++) {
    if (depth < MAX_NESTING && most > 200 && r.once(depth === 0 ? 12 : 4)) {
      actions(p, r, { sender, depth, most: most >> 2 })
    } else r.pick(kinds)(p, r)
  }
  return p.done()
}

/** Database operations weigh twice: they have most to go wrong. */
const KINDS = [
  primary, secondary, primary, secondary, floats, wides, conversions, printed, others, cryptography,
] // prettier-ignore

/** A notification, or an action with a program of its own. */
function actions(
  p: Program,
  r: Random,
  { sender, depth, most }: { sender: bigint; depth: number; most: number },
): void {
  if (r.once(3)) {
    p.u8(4).u64(r.pick(Object.values(NAMES)))
    return
  }
  const account = r.pick([NAMES.contract, NAMES.contract, NAMES.other, NAMES.signer])
  const program = nestedProgram(r, account, depth + 1, most)
  const authorizer = r.once(15) ? r.pick(Object.values(NAMES)) : sender
  const authorizers = r.once(6) ? [] : [authorizer]
  const w = new Writer()
  w.u64(account)
  w.name(N('run'))
  w.u8(authorizers.length)
  for (const actor of authorizers) {
    w.u64(actor)
    w.name(N('active'))
  }
  const data = new Writer()
  data.blob(program)
  w.blob(data.bytes())
  p.u8(8).bytes(w.bytes())
}

const payerOf = (r: Random): bigint =>
  r.pick([
    NAMES.contract,
    NAMES.contract,
    NAMES.signer,
    r.once(10) ? NAMES.other : 0n,
    NAMES.contract,
  ])

const register = (r: Random): number => r.below(r.once(20) ? 256 : 4)

function place(p: Program, r: Random): Program {
  const code = r.once(8) ? NAMES.signer : NAMES.contract
  return p.u64(code).u64(r.pick(SCOPES)).u64(r.pick(TABLES))
}

function primary(p: Program, r: Random): void {
  const op = r.pick([80, 80, 80, 81, 81, 82, 83, 84, 84, 85, 85, 86, 87, 88, 89])
  p.u8(op)
  if (op === 80) {
    p.u64(r.pick(SCOPES)).u64(r.pick(TABLES)).u64(storePayer(r)).u64(r.pick(PRIMARIES))
    p.bytes(r.bytes(r.below(r.once(10) ? 600 : 20))).u8(register(r))
  } else if (op === 81)
    p.u8(register(r))
      .u64(payerOf(r))
      .bytes(r.bytes(r.below(30)))
  else if (op === 82) p.u8(register(r))
  else if (op === 83) p.u8(register(r)).u32(r.pick([0, 1, 5, 100, 9000]))
  else if (op <= 85) p.u8(register(r)).u8(register(r))
  else if (op === 89) place(p, r).u8(register(r))
  else place(p, r).u64(r.pick(PRIMARIES)).u8(register(r))
}

/** A row without a payer ends a program, so it is rare. */
function storePayer(r: Random): bigint {
  return r.once(60) ? 0n : r.once(5) ? NAMES.signer : NAMES.contract
}

function secondary(p: Program, r: Random): void {
  const kind = r.below(SECONDARY.length)
  const { bytes } = SECONDARY[kind]!
  const f = r.pick([0, 0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 9])
  p.u8(90 + kind).u8(f)
  const key = (): Program => p.wide(secondaryKey(r, kind), bytes)
  if (f === 0) {
    p.u64(r.pick(SCOPES)).u64(r.pick(TABLES)).u64(storePayer(r)).u64(r.pick(PRIMARIES))
    key().u8(register(r))
  } else if (f === 1) {
    p.u8(register(r)).u64(payerOf(r))
    key()
  } else if (f === 2) p.u8(register(r))
  else if (f === 4) place(p, r).u64(r.pick(PRIMARIES)).u8(register(r))
  else if (f === 7) place(p, r).u8(register(r))
  else if (f > 7) p.u8(register(r)).u8(register(r))
  else {
    place(p, r)
    key().u8(register(r))
  }
}

function secondaryKey(r: Random, kind: number): bigint {
  switch (kind) {
    case 2:
      return r.once(50) ? float(r, 8) : orderedFloat(r, 8)
    case 3:
      return r.once(50) ? float(r, 16) : orderedFloat(r, 16)
    case 4:
      return integer(r, 128) | (integer(r, 128) << 128n)
    default:
      return integer(r, 64 << kind)
  }
}

/** An integer that is often at an edge. */
function integer(r: Random, bits: number): bigint {
  const edges = [0n, 1n, 2n, -1n, -2n, 1n << BigInt(bits - 1), 1n << BigInt(bits / 2)]
  const value = r.once(3) ? r.bits(bits) : r.once(2) ? r.bits(8) : r.pick(edges)
  return BigInt.asUintN(bits, value)
}

const FRACTIONS: Record<number, [width: number, fraction: number]> = {
  4: [8, 23],
  8: [11, 52],
  16: [15, 112],
}

/** Bits of a float of any kind: numbers of all sizes, zeros, infinities, NaNs, subnormals. */
function float(r: Random, bytes: number): bigint {
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

/** One of few that are in an order, with both zeros. */
function orderedFloat(r: Random, bytes: number): bigint {
  const [width, fraction] = FRACTIONS[bytes]!
  const most = (1 << width) - 1
  const sign = r.bits(1) << BigInt(width + fraction)
  const exponent = r.pick([0, 0, most >> 1, (most >> 1) + 1, most])
  const rest = exponent === most ? 0n : BigInt(r.below(2))
  return sign | (BigInt(exponent) << BigInt(fraction)) | rest
}

/** Two floats, of which the second is often the first, its negative or a neighbour. */
function floatPair(r: Random, bytes: number): [bigint, bigint] {
  const first = float(r, bytes)
  if (!r.once(3)) return [first, float(r, bytes)]
  const sign = 1n << BigInt(8 * bytes - 1)
  const second = r.pick([first, first ^ sign, first + 1n, (first + 1n) ^ sign, first - 1n])
  return [first, BigInt.asUintN(8 * bytes, second)]
}

function floats(p: Program, r: Random): void {
  const bytes = r.pick([4, 8])
  const [first, second] = floatPair(r, bytes)
  p.u8(bytes === 8 ? 103 : 104)
    .u8(r.below(20))
    .wide(first, bytes)
    .wide(second, bytes)
}

function wides(p: Program, r: Random): void {
  if (r.once(4)) {
    const [first, second] = floatPair(r, 16)
    p.u8(101).u128(first).u128(second)
    return
  }
  const f = r.below(10)
  const divides = f >= 5 && f <= 8
  const of_floats = f < 4 || f === 9
  const [first, second] = of_floats ? floatPair(r, 16) : [integer(r, 128), integer(r, 128)]
  // The one quotient that does not fit depends on the reference's processor.
  const overflow = divides && second === (1n << 128n) - 1n
  p.u8(100).u8(f).u128(first)
  p.u128(overflow || (divides && second === 0n && !r.once(20)) ? 3n : second)
}

function conversions(p: Program, r: Random): void {
  const f = r.below(25)
  p.u8(102).u8(f)
  const single = f === 0 || f === 10 || f === 12
  const double = f === 1 || f === 11 || f === 13
  if (single) p.u128(float(r, 4))
  else if (double) p.u128(float(r, 8))
  else p.u128(f >= 14 ? integer(r, 128) : float(r, 16))
  if (f > 20)
    p.u32(r.pick([0, 1, 63, 64, 65, 127, r.below(128), f === 22 ? 5 : 128 + r.below(500)]))
}

function printed(p: Program, r: Random): void {
  const op = 47 + r.below(9)
  p.u8(op)
  if (op === 47) p.bytes(r.bytes(r.below(40)).map((byte) => 32 + (byte % 95)))
  else if (op === 50) p.u128(integer(r, 128))
  else if (op === 51) p.wide(float(r, 4), 4)
  else if (op === 52) p.wide(float(r, 8), 8)
  else if (op === 53) p.u128(float(r, 16))
  else if (op === 55) p.bytes(r.bytes(r.below(40)))
  else p.u64(integer(r, 64))
}

/** Hashes, memory, integers; and, rarely, what ends a program. */
function others(p: Program, r: Random): void {
  const op = r.pick([3, 5, 6, 13, 42, 43, 44, 56, 57, 58, 59, 105, 105, 105, 107, 109, 109, 60, 45])
  const ends = r.once(12)
  if (ends && r.once(8)) {
    p.u8(46)
    return
  }
  const text = r.bytes(1 + r.below(30)).map((byte) => 97 + (byte % 26))
  if (op === 45 && !ends) return
  p.u8(op)
  if (op === 3 || op === 5) p.u64(r.pick([...Object.values(NAMES), N('nobody')]))
  else if (op === 13) p.bytes(r.bytes(r.below(ends ? 300 : 200)))
  else if (op === 42) p.u32(ends ? 0 : 1).bytes([...text, 0])
  else if (op === 43) p.u32(ends ? 0 : 1).bytes(text)
  else if (op === 44) p.u32(ends ? 0 : 1).u64(integer(r, 64))
  else if (op === 45) p.u32(0)
  else if (op >= 56 && op <= 59) p.bytes(r.bytes(r.below(200)))
  else if (op === 60) {
    const hash = r.below(4)
    p.u8(hash)
      .bytes(text)
      .bytes(ends ? r.bytes(64) : hashOf(HASHES[hash]!, text))
  } else if (op === 105) p.u8(r.below(4)).u32(r.below(200)).u32(r.below(200)).u32(r.below(100))
  else if (op === 107) p.u32(r.below(200))
  else if (op === 109) integerProgram(p, r, ends)
}

function integerProgram(p: Program, r: Random, ends: boolean): void {
  const a = integer(r, 64)
  const b = integer(r, 64)
  p.u8(r.below(ends ? 9 : 7)).u64(a)
  p.u64(ends ? b : b === 0n || b === (1n << 64n) - 1n ? 7n : b)
}
