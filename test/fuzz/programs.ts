import { N } from '../../src/engine/protocol/name.ts'
import { HASHES, hashOf } from './naive/hashes.ts'
import { Writer } from '../../src/engine/protocol/writer.ts'
import { cryptography } from './crypto_programs.ts'
import { chooseFocus, primary, secondary } from './database_programs.ts'
import type { Focus } from './database_programs.ts'
import type { NaiveState } from './naive/state.ts'
import { NAMES } from './names.ts'
import { float, floatPair, integer } from './operands.ts'
import { Program } from './program.ts'
import type { Random } from './random.ts'

/** Actions that may lie in each other. */
const MAX_NESTING = 6

/** Makes one operation of its kind. */
type Maker = (p: Program, r: Random, focus: Focus) => void

/** A program with its own kinds of operations, and what lies in it. */
interface Nesting {
  /** Whose contract runs it. */
  sender: bigint
  depth: number
  /** About how many bytes it may have. */
  most: number
  focus: Focus
}

/** A program of one kind of operations, sometimes of several. `state` is what it begins with. */
export function randomProgram(r: Random, state: NaiveState): Uint8Array {
  const focus = chooseFocus(r, state)
  const program = nestedProgram(r, { sender: NAMES.contract, depth: 0, most: 3000, focus })
  // Now and then something is cut off or changed.
  if (r.once(40)) return program.subarray(0, r.below(program.length))
  return program
}

function nestedProgram(r: Random, nesting: Nesting): Uint8Array {
  const { depth, most, focus } = nesting
  const p = new Program()
  const kinds = r.once(4) ? KINDS : [r.pick(KINDS)]
  const count = 1 + r.below(depth === 0 ? 40 : 6)
  for (let i = 0; i < count && p.length < most; i++) {
    if (depth < MAX_NESTING && most > 200 && r.once(depth === 0 ? 12 : 4)) {
      actions(p, r, nesting)
    } else r.pick(kinds)(p, r, focus)
  }
  return p.done()
}

/** Database operations weigh twice: they have most to go wrong. */
const KINDS: readonly Maker[] = [
  primary, secondary, primary, secondary, floats, wides, conversions, printed, others, cryptography,
] // oxfmt-ignore

/** A notification, or an action with a program of its own. */
function actions(p: Program, r: Random, nesting: Nesting): void {
  const { sender, depth, most, focus } = nesting
  if (r.once(3)) {
    p.u8(4).u64(r.pick(Object.values(NAMES)))
    return
  }
  const account = r.pick([NAMES.contract, NAMES.contract, NAMES.other, NAMES.signer])
  const program = nestedProgram(r, { sender: account, depth: depth + 1, most: most >> 2, focus })
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
