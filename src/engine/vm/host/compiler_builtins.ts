import { check } from '../../errors.ts'
import { double, float, splitFloat } from '../float_text.ts'
import * as quad from '../float128.ts'
import type { WasmInstance } from '../instance.ts'
import { hostFunction, u64 } from './host_function.ts'
import type { HostFunctions } from './host_function.ts'

/** Units of work of the calls, by kind. */
const INTEGER = 6
const COMPARISON = 20
const CONVERSION = 25
const QUAD = 60

const MIN_I128 = -(1n << 127n)

function u128(low: bigint, high: bigint): bigint {
  return u64(low) | (u64(high) << 64n)
}

function i128(low: bigint, high: bigint): bigint {
  return BigInt.asIntN(128, u128(low, high))
}

/** A function of two 128-bit values that writes a third. */
function binary(
  operand: (low: bigint, high: bigint) => bigint,
  compute: (a: bigint, b: bigint) => bigint,
  units: number,
): HostFunctions[string] {
  return hostFunction(
    'illll',
    'any',
    (vm) => (to: number, la: bigint, ha: bigint, lb: bigint, hb: bigint) => {
      vm.checkPointer(to, 16)
      vm.spend(units)
      vm.setU128(to, compute(operand(la, ha), operand(lb, hb)))
    },
  )
}

function shift(compute: (low: bigint, high: bigint, by: number) => bigint): HostFunctions[string] {
  return hostFunction(
    'illi',
    'any',
    (vm) => (to: number, low: bigint, high: bigint, by: number) => {
      vm.checkPointer(to, 16)
      vm.spend(INTEGER)
      vm.setU128(to, compute(low, high, by >>> 0))
    },
  )
}

function shiftLeft(low: bigint, high: bigint, by: number): bigint {
  return by >= 128 ? 0n : BigInt.asUintN(128, u128(low, high) << BigInt(by))
}

function divisor(value: bigint): bigint {
  check(value !== 0n, 'arithmetic_exception', 'divide by zero')
  return value
}

const integerFunctions: HostFunctions = {
  __ashlti3: shift(shiftLeft),
  __lshlti3: shift(shiftLeft),
  __lshrti3: shift((low, high, by) => (by >= 128 ? 0n : u128(low, high) >> BigInt(by))),
  // Beyond the width the original's result is what its processor gives.
  __ashrti3: shift((low, high, by) => i128(low, high) >> BigInt(by & 127)),
  __multi3: binary(u128, (a, b) => BigInt.asUintN(128, a * b), INTEGER),
  __udivti3: binary(u128, (a, b) => a / divisor(b), INTEGER),
  __umodti3: binary(u128, (a, b) => a % divisor(b), INTEGER),
  __divti3: binary(i128, (a, b) => (a === MIN_I128 && b === -1n ? a : a / divisor(b)), INTEGER),
  __modti3: binary(i128, (a, b) => (a === MIN_I128 && b === -1n ? 0n : a % divisor(b)), INTEGER),
}

const quadArithmetic: HostFunctions = {
  __addtf3: binary(u128, quad.add128, QUAD),
  __subtf3: binary(u128, quad.sub128, QUAD),
  __multf3: binary(u128, quad.mul128, QUAD),
  __divtf3: binary(u128, quad.div128, QUAD),
  __negtf2: hostFunction('ill', 'any', (vm) => (to: number, low: bigint, high: bigint) => {
    vm.checkPointer(to, 16)
    vm.spend(INTEGER)
    vm.setU128(to, quad.negate128(u128(low, high)))
  }),
}

/** These functions differ in their result for a NaN (spring: compiler_builtins.cpp). */
function comparison(of_nan: number): HostFunctions[string] {
  return hostFunction('llll>i', 'any', (vm) => (la: bigint, ha: bigint, lb: bigint, hb: bigint) => {
    vm.spend(COMPARISON)
    return quad.compare128(u128(la, ha), u128(lb, hb)) ?? of_nan
  })
}

const quadComparison: HostFunctions = {
  __eqtf2: comparison(1),
  __netf2: comparison(1),
  __getf2: comparison(-1),
  __gttf2: comparison(0),
  __letf2: comparison(1),
  __lttf2: comparison(0),
  __cmptf2: comparison(1),
  __unordtf2: hostFunction(
    'llll>i',
    'any',
    (vm) => (la: bigint, ha: bigint, lb: bigint, hb: bigint) => {
      vm.spend(COMPARISON)
      return quad.isNan128(u128(la, ha)) || quad.isNan128(u128(lb, hb)) ? 1 : 0
    },
  ),
}

/** Writes what `compute` makes of a value that is one parameter. */
function toMemory<T extends number | bigint>(
  letter: 'i' | 'l' | 'f' | 'd',
  compute: (value: T) => bigint,
): HostFunctions[string] {
  return hostFunction(`i${letter}`, 'any', (vm: WasmInstance) => (to: number, value: T) => {
    vm.checkPointer(to, 16)
    vm.spend(CONVERSION)
    vm.setU128(to, compute(value))
  })
}

const intoQuad: HostFunctions = {
  __extendsftf2: toMemory('f', quad.quadFromFloat32),
  __extenddftf2: toMemory('d', quad.quadFromFloat64),
  __floatsitf: toMemory('i', (value: number) => quad.quadFromInteger(BigInt(value))),
  __floatunsitf: toMemory('i', (value: number) => quad.quadFromInteger(BigInt(value >>> 0))),
  __floatditf: toMemory('l', quad.quadFromInteger),
  __floatunditf: toMemory('l', (value: bigint) => quad.quadFromInteger(u64(value))),
}

function quadTo(
  result: 'i' | 'l' | 'f' | 'd',
  compute: (bits: bigint) => number | bigint,
): HostFunctions[string] {
  return hostFunction(`ll>${result}`, 'any', (vm) => (low: bigint, high: bigint) => {
    vm.spend(CONVERSION)
    return compute(u128(low, high))
  })
}

const fromQuad: HostFunctions = {
  __trunctfdf2: quadTo('d', quad.float64FromQuad),
  __trunctfsf2: quadTo('f', (bits) => quad.float32FromQuad(bits) | 0),
  __fixtfsi: quadTo('i', (bits) => {
    return Number(quad.quadToInteger(bits, -0x80000000n, 0x7fffffffn, -0x80000000n))
  }),
  __fixtfdi: quadTo('l', (bits) => {
    const min = -(1n << 63n)
    return quad.quadToInteger(bits, min, (1n << 63n) - 1n, min)
  }),
  __fixunstfsi: quadTo('i', (bits) => {
    return Number(quad.quadToInteger(bits, 0n, 0xffffffffn, 0xffffffffn)) | 0
  }),
  __fixunstfdi: quadTo('l', (bits) => {
    const max = (1n << 64n) - 1n
    return quad.quadToInteger(bits, 0n, max, max)
  }),
}

function quadToMemory(compute: (bits: bigint) => bigint): HostFunctions[string] {
  return hostFunction('ill', 'any', (vm) => (to: number, low: bigint, high: bigint) => {
    vm.checkPointer(to, 16)
    vm.spend(CONVERSION)
    vm.setU128(to, compute(u128(low, high)))
  })
}

const toWideInteger: HostFunctions = {
  __fixtfti: quadToMemory((bits) => quad.truncateToI128(splitFloat(bits, 15, 112), 112)),
  __fixunstfti: quadToMemory((bits) => quad.truncateToU128(splitFloat(bits, 15, 112), 112)),
  __fixsfti: toMemory('f', (bits: number) => quad.truncateToI128(float(bits), 23)),
  __fixdfti: toMemory('d', (bits: bigint) => quad.truncateToI128(double(bits), 52)),
  __fixunssfti: toMemory('f', (bits: number) => quad.truncateToU128(float(bits), 23)),
  __fixunsdfti: toMemory('d', (bits: bigint) => quad.truncateToU128(double(bits), 52)),
}

const scratch = new DataView(new ArrayBuffer(8))

function float64Bits(value: number): bigint {
  scratch.setFloat64(0, value)
  return scratch.getBigInt64(0)
}

const intoFloat64: HostFunctions = {
  __floatsidf: hostFunction('i>d', 'any', (vm) => (value: number) => {
    vm.spend(1)
    return float64Bits(value)
  }),
  // The language converts a bigint as IEEE does: to nearest, ties to even.
  __floattidf: hostFunction('ll>d', 'any', (vm) => (low: bigint, high: bigint) => {
    vm.spend(2)
    return float64Bits(Number(i128(low, high)))
  }),
  __floatuntidf: hostFunction('ll>d', 'any', (vm) => (low: bigint, high: bigint) => {
    vm.spend(2)
    return float64Bits(Number(u128(low, high)))
  }),
}

/** spring: webassembly/compiler_builtins.cpp */
export const compilerBuiltins: HostFunctions = {
  ...integerFunctions,
  ...quadArithmetic,
  ...quadComparison,
  ...intoQuad,
  ...fromQuad,
  ...toWideInteger,
  ...intoFloat64,
}
