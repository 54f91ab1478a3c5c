import { expect } from 'chai'
import * as fc from 'fast-check'
import {
  add128,
  compare128,
  div128,
  float32FromQuad,
  float64FromQuad,
  mul128,
  quadFromFloat32,
  quadFromFloat64,
  quadFromInteger,
  quadToInteger,
  sub128,
} from '../../../src/engine/vm/float128.ts'
import { double, extendedFromQuad, float, scientific } from '../../../src/engine/vm/float_text.ts'
import { F32, F64, I32, I64, assemble, i32, i64 } from './assembler.ts'
import { run } from './support.ts'

const SIGN_BIT = 1n << 127n
const view = new DataView(new ArrayBuffer(8))

function bits64(value: number): bigint {
  view.setFloat64(0, value)
  return view.getBigUint64(0)
}

function value64(bits: bigint): number {
  view.setBigUint64(0, bits)
  return view.getFloat64(0)
}

function bits32(value: number): number {
  view.setFloat32(0, value)
  return view.getUint32(0)
}

/** Applies one float instruction to bits in a contract and gives the bits of the result. */
function instruction(op: number, type: number, result: number, ...operands: bigint[]): bigint {
  const constant = (bits: bigint): number[] =>
    type === F64 ? [0x42, ...i64(bits), 0xbf] : [0x41, ...i32(Number(bits)), 0xbe]
  const toI64 =
    result === F64 ? [0xbd] : result === F32 ? [0xbc, 0xad] : result === I32 ? [0xad] : []
  const code = assemble({
    types: [
      [[I64, I64, I64], []],
      [[I64], []],
    ],
    imports: [['printui', 1]],
    functions: [{ type: 0, code: [...operands.flatMap(constant), op, ...toI64, 0x10, 0] }],
  })
  return BigInt(run(code).console)
}

const F64_OPS = { add: 0xa0, sub: 0xa1, mul: 0xa2, div: 0xa3, min: 0xa4, max: 0xa5, sqrt: 0x9f }
const NAN = { one: 0x7ff0000000000001n, two: 0xfff4000000000002n, quiet: 0x7ff8000000000003n }
const QUIET = 0x0008000000000000n
const DEFAULT_NAN = 0xfff8000000000000n
const INF = 0x7ff0000000000000n

describe('float instructions', () => {
  const op = (name: keyof typeof F64_OPS, ...operands: bigint[]): bigint =>
    instruction(F64_OPS[name], F64, F64, ...operands)

  it('give the first NaN operand, made quiet', () => {
    const one = bits64(1)
    for (const name of ['add', 'sub', 'mul', 'div'] as const) {
      expect(op(name, NAN.one, one)).equal(NAN.one | QUIET)
      expect(op(name, one, NAN.two)).equal(NAN.two | QUIET)
      expect(op(name, NAN.two, NAN.one)).equal(NAN.two | QUIET)
      expect(op(name, NAN.quiet, NAN.one)).equal(NAN.quiet)
    }
    expect(op('sqrt', NAN.one)).equal(NAN.one | QUIET)
  })

  it('give the default NaN where no operand is one', () => {
    expect(op('sub', INF, INF)).equal(DEFAULT_NAN)
    expect(op('mul', INF, 0n)).equal(DEFAULT_NAN)
    expect(op('div', 0n, 0n)).equal(DEFAULT_NAN)
    expect(op('sqrt', bits64(-1))).equal(DEFAULT_NAN)
    expect(instruction(0x95, F32, F32, 0n, 0n)).equal(0xffc00000n)
  })

  it('keep a NaN as it is in min, max and rounding', () => {
    expect(op('min', NAN.one, NAN.two)).equal(NAN.one)
    expect(op('max', bits64(1), NAN.two)).equal(NAN.two)
    expect(op('min', bits64(0), bits64(-0))).equal(bits64(-0))
    expect(op('max', bits64(-0), bits64(0))).equal(0n)
    for (const rounding of [0x9b, 0x9c, 0x9d, 0x9e]) {
      expect(instruction(rounding, F64, F64, NAN.one)).equal(NAN.one)
    }
    for (const rounding of [0x8d, 0x8e, 0x8f, 0x90]) {
      expect(instruction(rounding, F32, F32, 0x7f800001n)).equal(0x7f800001n)
    }
  })

  it('keep sign and payload of a NaN between widths', () => {
    expect(instruction(0xbb, F32, F64, 0xff812345n)).equal(
      0xfff82468a0000000n | 0xfff0000000000000n,
    )
    expect(instruction(0xb6, F64, F32, NAN.two)).equal(0xffe00000n)
    expect(instruction(0xb6, F64, F32, bits64(1.5))).equal(BigInt(bits32(1.5)))
  })

  it('are those of IEEE for numbers', () => {
    const numbers = fc.double({ noNaN: true })
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        expect(op('add', bits64(a), bits64(b))).equal(nanAsDefault(a + b))
        expect(op('div', bits64(a), bits64(b))).equal(nanAsDefault(a / b))
      }),
      { numRuns: 30, seed: 3 },
    )
  })
})

function nanAsDefault(value: number): bigint {
  return Number.isNaN(value) ? DEFAULT_NAN : bits64(value)
}

describe('quadruple precision', () => {
  const q = (value: number): bigint => quadFromFloat64(bits64(value))
  const back = (bits: bigint): number => value64(float64FromQuad(bits))

  it('holds every double and gives it back', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (a) => {
        expect(Object.is(back(q(a)), a)).true
        expect(float32FromQuad(quadFromFloat32(bits32(a)))).equal(bits32(Math.fround(a)))
      }),
      { seed: 1 },
    )
  })

  it('computes so exactly that rounding to double gives the double operation', () => {
    const numbers = fc.double({ noNaN: true, min: -1e100, max: 1e100 })
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        // 113 bits are enough for double rounding to be harmless: 113 >= 2 * 53 + 2.
        expect(Object.is(back(add128(q(a), q(b))), a + b)).true
        expect(Object.is(back(sub128(q(a), q(b))), a - b)).true
        expect(Object.is(back(mul128(q(a), q(b))), a * b)).true
        if (b !== 0 && a !== 0) expect(Object.is(back(div128(q(a), q(b))), a / b)).true
        expect(compare128(q(a), q(b))).equal(a < b ? -1 : a > b ? 1 : 0)
      }),
      { seed: 2, numRuns: 500 },
    )
  })

  it('has known values', () => {
    expect(q(1)).equal(0x3fff0000000000000000000000000000n)
    const third = div128(q(1), q(3))
    expect(third).equal(0x3ffd5555555555555555555555555555n)
    expect(div128(q(2), q(3))).equal(0x3ffe5555555555555555555555555555n)
    expect(mul128(third, q(3))).equal(q(1))
    expect(quadFromInteger(-(1n << 63n))).equal(0xc03e0000000000000000000000000000n)
  })

  it('passes NaNs on and makes its own', () => {
    const nan = 0x7fff0000000000000000000000000001n
    const quiet = 0x7fff8000000000000000000000000001n
    const own = 0xffff8000000000000000000000000000n
    const inf = q(Infinity)
    expect(add128(nan, q(1))).equal(quiet)
    expect(mul128(q(1), nan)).equal(quiet)
    expect(sub128(inf, inf)).equal(own)
    expect(mul128(inf, 0n)).equal(own)
    expect(div128(0n, 0n)).equal(own)
    expect(div128(q(1), q(-0))).equal(q(-Infinity))
    expect(compare128(nan, 0n)).equal(undefined)
    expect(add128(q(1), q(-1))).equal(0n)
    expect(add128(q(-0), q(-0))).equal(q(-0))
    expect(float64FromQuad(nan)).equal(0x7ff8000000000000n)
  })

  it('reaches its subnormals and its limits', () => {
    const least = 1n
    const largest = 0x7ffeffffffffffffffffffffffffffffn
    expect(div128(least, q(2))).equal(0n)
    expect(div128(3n, q(2))).equal(2n)
    expect(add128(least, least)).equal(2n)
    expect(add128(largest, largest)).equal(q(Infinity))
    const power = (exponent: number): bigint => BigInt(exponent) << 112n
    const far = [100, 115, 223, 224, 225, 30_000]
    for (const gap of far) {
      const [high, low] = [power(gap + 100), power(100) | 5n]
      const sum = gap > 113 ? high : high + (gap === 100 ? 1n << 12n : 0n)
      expect(add128(high, low)).equal(sum)
      expect(add128(low, high)).equal(sum)
    }
    expect(add128(power(300), power(1) | SIGN_BIT)).equal(power(300))
    expect(add128(0n, power(30_000))).equal(power(30_000))
    expect(mul128(largest, q(0.5)) > 0n).true
  })

  it('rounds to integers, ties to even, and marks what is out of range', () => {
    const to32 = (value: number): bigint =>
      quadToInteger(q(value), -(2n ** 31n), 2n ** 31n - 1n, 99n)
    expect([2.5, 3.5, -2.5, 0.5, -0.4, 2147483647.4].map(to32)).deep.equal([
      2n, 4n, -2n, 0n, 0n, 2147483647n,
    ]) // oxfmt-ignore
    expect([2147483647.5, -2147483649, NaN, Infinity, 1e300].map(to32)).deep.equal([
      99n, 99n, 99n, 99n, 99n,
    ]) // oxfmt-ignore
  })
})

describe('printed floats', () => {
  const print = (value: number): string => scientific(double(bits64(value)), 15)

  it('look as C++ prints them', () => {
    expect(print(0)).equal('0.000000000000000e+00')
    expect(print(-0)).equal('-0.000000000000000e+00')
    expect(print(1 / 3)).equal('3.333333333333333e-01')
    expect(print(1e100)).equal('1.000000000000000e+100')
    expect(print(5e-324)).equal('4.940656458412465e-324')
    expect(print(Infinity)).equal('inf')
    expect(print(-Infinity)).equal('-inf')
    expect(scientific(double(0xfff8000000000000n), 15)).equal('-nan')
    expect(scientific(float(bits32(3.14159)), 6)).equal('3.141590e+00')
  })

  it('round ties to even, which the language does not', () => {
    // 4503599627370496.5 and …7.5 have seventeen digits, the last a five.
    expect(print(4503599627370496.5)).equal('4.503599627370496e+15')
    expect(print(4503599627370497.5)).equal('4.503599627370498e+15')
  })

  it('agree with the language otherwise', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        fc.pre(value !== 0)
        // Ties: seventeen digits of which the last is a five, and no more.
        fc.pre(!/^\d\.\d{15}50*$/.test(Math.abs(value).toExponential(100).split('e')[0]!))
        const [digits, power] = value.toExponential(15).split('e')
        const padded = power!.slice(1).padStart(2, '0')
        expect(print(value)).equal(`${digits}e${power![0]}${padded}`)
      }),
      { seed: 5, numRuns: 2000 },
    )
  })

  it('of quadruple precision are rounded to 64 bits first', () => {
    const third = div128(quadFromInteger(1n), quadFromInteger(3n))
    // The 80-bit third is 0.333333333333333333342...
    expect(scientific(extendedFromQuad(third), 18)).equal('3.333333333333333333e-01')
    expect(scientific(extendedFromQuad(third), 21)).equal('3.333333333333333333424e-01')
    const tiny = 1n << 60n
    expect(scientific(extendedFromQuad(tiny), 3)).match(/e-49/)
    const least = extendedFromQuad(0x0000000000008000000000000000n)
    expect(least.exponent).equal(-16445)
  })
})
