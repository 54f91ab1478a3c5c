import { I64, i32, i64, u32 } from '../../engine/vm/assembler.ts'
import type { Random } from '../random.ts'

/**
 * Large modules that setcode accepts, each of a profile of its own: few instructions or many, locals,
 * nesting, operands below blocks, branches, calls. `apply` calls every function some times, then
 * prints a number that depends on all that they computed.
 */

/** What a function is made of. */
interface Profile {
  bytes: number
  locals: number
  parameters: number
  /** Values on the stack while statements run. */
  operands: number
  nesting: number
  /** Relative frequency of each statement. */
  weights: readonly number[]
}

const STATEMENTS = 9
/** Bytes of the locals and operands of a function, and what expressions need besides. */
const SLOTS = 1024 - 40
/** Backward jumps in a run. */
const JUMPS = 3000

// Globals: what is computed, and how many backward jumps are left.
const SUM = 0
const JUMPS_LEFT = 1

const pick = (random: Random, values: readonly number[]): number =>
  values[random.below(values.length)]!

function randomProfile(random: Random, bytes: number): Profile {
  const locals = pick(random, [0, 3, 20, 100, 400, 900])
  return {
    bytes,
    locals,
    parameters: pick(random, [0, 0, 1, 5, 30]),
    operands: pick(random, [0, 0, 0, 10, Math.max(0, SLOTS - locals - 60)]),
    nesting: pick(random, [3, 10, 100, 900]),
    weights: Array.from({ length: STATEMENTS }, () => pick(random, [0, 1, 1, 4, 30])),
  }
}

/** One function: writes until it has its bytes. */
class FunctionWriter {
  readonly out: number[] = []
  private readonly random: Random
  private readonly p: Profile
  private readonly callees: number
  private readonly slots: number
  /** Of each open block its opcode. */
  private readonly open: number[] = []
  private readonly total: number

  constructor(random: Random, p: Profile, callees: number) {
    this.random = random
    this.p = p
    this.callees = callees
    this.slots = p.parameters + p.locals
    this.total = p.weights.reduce((a, b) => a + b, 1)
  }

  write(): number[] {
    const { out, p } = this
    for (let i = 0; i < p.operands; i++) out.push(0x42, i & 63)
    while (out.length < p.bytes) this.statement()
    for (let i = 0; i < p.operands; i++) this.addToSum()
    for (let i = 0; i < this.slots; i++) {
      out.push(0x20, ...u32(i))
      this.addToSum()
    }
    return out
  }

  private addToSum(): void {
    this.out.push(0x23, SUM, 0x7c, 0x42, 7, 0x89, 0x24, SUM)
  }

  private get(): void {
    if (this.slots === 0) this.out.push(0x23, SUM)
    else this.out.push(0x20, ...u32(this.random.below(this.slots)))
  }

  /** An i64. */
  private expression(depth: number): void {
    const { out, random } = this
    if (depth === 0 || random.once(3)) {
      if (random.once(3)) out.push(0x42, ...i64(BigInt(random.below(1 << 30)) << 7n))
      else this.get()
      return
    }
    const next = (): void => this.expression(depth - 1)
    next()
    switch (random.below(8)) {
      case 0:
        next()
        return void out.push(0x42, 1, 0x84, pick(random, [0x80, 0x82]))
      case 1:
        return void out.push(0xa7, 0x41, ...i32(0xfff8), 0x71, 0x29, 0, ...u32(random.below(8)))
      case 2:
        next()
        this.condition()
        return void out.push(0x1b)
      case 3:
        return void out.push(pick(random, [0x79, 0x7a, 0x7b]))
      case 4:
        // A number again, whatever it is.
        return void out.push(0xb9, pick(random, [0x9f, 0x99, 0x9b, 0x9d]), 0xbd)
      default:
        next()
        return void out.push(pick(random, [0x7c, 0x7d, 0x7e, 0x83, 0x84, 0x85, 0x86, 0x88]))
    }
  }

  private condition(): void {
    this.get()
    this.out.push(0x42, ...i64(this.random.below(8)), pick(this.random, [0x51, 0x52, 0x53, 0x56]))
  }

  private set(): void {
    if (this.slots === 0) return this.addToSum()
    this.out.push(0x21, ...u32(this.random.below(this.slots)))
  }

  private statements(): void {
    const n = 1 + this.random.below(3)
    for (let i = 0; i < n && this.out.length < this.p.bytes; i++) this.statement()
  }

  private get depth(): number {
    return this.open.length
  }

  private begin(op: number): void {
    this.out.push(op, 0x40)
    this.open.push(op)
  }

  private nested(op: number): void {
    this.begin(op)
    this.statements()
  }

  private close(levels = 1): void {
    for (let i = 0; i < levels; i++) this.out.push(0x0b)
    this.open.length -= levels
  }

  /** A label that does not lead backwards, as only loops that count may go on. */
  private forward(): number {
    const depth = this.random.below(this.depth)
    return this.open[this.depth - 1 - depth] === 0x03 ? 0 : depth
  }

  private statement(): void {
    const { out, random, p } = this
    let left = random.below(this.total)
    let kind = 0
    while (kind < STATEMENTS && left >= p.weights[kind]!) left -= p.weights[kind++]!
    const room = p.nesting - this.depth
    if (room <= 0) kind = STATEMENTS
    switch (kind) {
      case 0:
        this.condition()
        this.nested(0x04)
        if (random.once(2)) {
          out.push(0x05)
          this.statements()
        }
        return this.close()
      case 1:
        this.nested(0x02)
        this.condition()
        out.push(0x0d, ...u32(this.forward()))
        this.statements()
        return this.close()
      case 2:
        return this.loop()
      case 3:
        return this.branchTable(Math.min(room, pick(random, [1, 5, 60])))
      case 4: {
        const levels = Math.min(room, pick(random, [2, 20, 900]))
        for (let i = 0; i < levels; i++) this.begin(random.once(4) ? 0x03 : 0x02)
        this.statements()
        return this.close(levels)
      }
      case 5:
        out.push(0x41, ...i32(random.below(0xfff0)))
        this.expression(2)
        return void out.push(0x37, 0, 0)
      case 6:
        if (this.callees > 0) out.push(0x10, ...u32(1 + random.below(this.callees)))
        return
      case 7:
        if (this.callees > 0) out.push(0x41, ...i32(random.below(this.callees)), 0x11, 2, 0)
        return
      case 8:
        // Values below a block that may be left with one.
        this.expression(1)
        out.push(0x02, 0x7e)
        this.expression(2)
        this.condition()
        out.push(0x0d, 0, 0x42, 1, 0x7c, 0x0b, 0x7c)
        return this.set()
      default:
        this.expression(3)
        return this.set()
    }
  }

  private loop(): void {
    const { out } = this
    this.nested(0x03)
    out.push(0x23, JUMPS_LEFT, 0x42, 1, 0x7d, 0x24, JUMPS_LEFT)
    this.condition()
    out.push(0x23, JUMPS_LEFT, 0x42, 0, 0x55, 0x71, 0x0d, 0)
    this.close()
  }

  private branchTable(levels: number): void {
    const { out, random } = this
    for (let i = 0; i < levels; i++) this.begin(0x02)
    this.expression(1)
    out.push(0xa7, 0x41, 63, 0x71, 0x0e)
    const count = pick(random, [1, 10, 500])
    out.push(...u32(count))
    for (let i = 0; i <= count; i++) out.push(...u32(random.below(levels)))
    for (let i = 0; i < levels; i++) {
      this.close()
      if (random.once(2)) {
        this.expression(1)
        this.set()
      }
    }
  }
}

/** A module of about so many bytes. */
export function largeModule(random: Random, bytes: number): Uint8Array {
  const count = pick(random, [1, 1, 2, 20, 200])
  const bodies: number[][] = []
  const profiles: Profile[] = []
  for (let i = 0; i < count; i++) {
    // Each calls only the leaves before it, so that calls end; one level of calls is enough.
    const leaves = i < count / 2 ? 0 : Math.min(Math.floor(count / 2), 50)
    const p = randomProfile(random, Math.floor(bytes / count))
    if (leaves > 0 || count > 1) p.parameters = 0
    profiles.push(p)
    bodies.push(new FunctionWriter(random, p, leaves).write())
  }
  return moduleOf(profiles, bodies)
}

function moduleOf(profiles: readonly Profile[], bodies: number[][]): Uint8Array {
  const parts: Uint8Array[] = [Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0)]
  const section = (id: number, ...content: (readonly number[])[]): void => {
    const length = content.reduce((sum, c) => sum + c.length, 0)
    parts.push(Uint8Array.from([id, ...u32(length)]), ...content.map((c) => Uint8Array.from(c)))
  }
  const vector = (items: number[][]): number[] => [...u32(items.length), ...items.flat()]
  const text = (name: string): number[] => [...u32(name.length), ...Buffer.from(name)]
  const function_type = (parameters: number[]): number[] => [
    0x60,
    ...vector(parameters.map((t) => [t])),
    0,
  ]
  // A type for each number of parameters, behind those of apply, printi and no parameters.
  const counts = [...new Set(profiles.map((p) => p.parameters))]
  const types = [[I64, I64, I64], [I64], [], ...counts.map((n) => Array<number>(n).fill(I64))]
  const typeOf = (p: Profile): number => (p.parameters === 0 ? 2 : 3 + counts.indexOf(p.parameters))
  const apply: number[] = [0x42, ...i64(JUMPS), 0x24, JUMPS_LEFT]
  profiles.forEach((p, i) => {
    for (let n = 0; n < p.parameters; n++) apply.push(0x42, n & 63)
    apply.push(0x10, ...u32(1 + i))
  })
  apply.push(0x23, SUM, 0x10, 0)
  const functions = [...bodies, apply]
  section(1, vector(types.map(function_type)))
  section(2, [1, ...text('env'), ...text('printi'), 0, 1])
  section(3, vector([...profiles.map((p) => u32(typeOf(p))), [0]]))
  section(4, [1, 0x70, 0, ...u32(bodies.length)])
  section(5, [1, 0, 1])
  section(6, vector([[I64, 1, 0x42, 0, 0x0b], [I64, 1, 0x42, 0, 0x0b]])) // oxfmt-ignore
  section(7, [1, ...text('apply'), 0, ...u32(1 + bodies.length)])
  section(
    9,
    [1, 0, 0x41, 0, 0x0b, ...u32(bodies.length)],
    bodies.flatMap((_, i) => u32(1 + i)),
  )
  const code: (readonly number[])[] = [u32(functions.length)]
  functions.forEach((body, i) => {
    const locals = profiles[i]?.locals ?? 0
    const head = locals === 0 ? [0] : [1, ...u32(locals), I64]
    code.push([...u32(head.length + body.length + 1), ...head], body, [0x0b])
  })
  section(10, ...code)
  return new Uint8Array(Buffer.concat(parts))
}
