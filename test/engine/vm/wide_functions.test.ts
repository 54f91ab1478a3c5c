import { expect } from 'chai'
import { HostCaller } from './host_caller.ts'
import { expectError } from './support.ts'

describe('128-bit functions', () => {
  const h = new HostCaller()
  const split = (value: bigint): [bigint, bigint] => {
    const bits = BigInt.asUintN(128, value)
    return [BigInt.asIntN(64, bits), BigInt.asIntN(64, bits >> 64n)]
  }
  const compute = (name: string, a: bigint, b: bigint): bigint => {
    h.call(name, 16, ...split(a), ...split(b))
    return h.vm.getU128(16)
  }
  const signed = (name: string, a: bigint, b: bigint): bigint =>
    BigInt.asIntN(128, compute(name, a, b))
  const MIN = -(1n << 127n)

  it('multiply and divide', () => {
    const big = 12345678901234567890123456789n
    expect(signed('__multi3', big, -3n)).equal(big * -3n)
    expect(compute('__multi3', 1n << 127n, 2n)).equal(0n)
    expect(signed('__divti3', -7n, 2n)).equal(-3n)
    expect(signed('__modti3', -7n, 2n)).equal(-1n)
    expect(signed('__divti3', MIN, -1n)).equal(MIN)
    expect(signed('__modti3', MIN, -1n)).equal(0n)
    expect(compute('__udivti3', -1n, 3n)).equal(((1n << 128n) - 1n) / 3n)
    expect(compute('__umodti3', -1n, 7n)).equal(((1n << 128n) - 1n) % 7n)
    for (const name of ['__divti3', '__modti3', '__udivti3', '__umodti3']) {
      expectError(() => compute(name, 1n, 0n), 'arithmetic_exception', 'divide by zero')
    }
  })

  it('shift by any number of bits', () => {
    const shift = (name: string, value: bigint, by: number): bigint => {
      h.call(name, 16, ...split(value), by)
      return h.vm.getU128(16)
    }
    expect(shift('__ashlti3', 3n, 127)).equal(1n << 127n)
    expect(shift('__ashlti3', 3n, 128)).equal(0n)
    expect(shift('__lshrti3', -1n, 100)).equal((1n << 28n) - 1n)
    expect(shift('__lshrti3', -1n, 200)).equal(0n)
    expect(BigInt.asIntN(128, shift('__ashrti3', -8n, 2))).equal(-2n)
    expect(BigInt.asIntN(128, shift('__ashrti3', -8n, 130))).equal(-2n)
  })

  it('compare quads, NaNs by function', () => {
    const one = 0x3fff0000000000000000000000000000n
    const nan = 0x7fff8000000000000000000000000000n
    const compare = (name: string, a: bigint, b: bigint): unknown =>
      h.call(name, ...split(a), ...split(b))
    expect(compare('__lttf2', 0n, one)).equal(-1)
    expect(compare('__cmptf2', one, one)).equal(0)
    expect(compare('__eqtf2', 0n, 1n << 127n)).equal(0)
    expect(compare('__getf2', nan, one)).equal(-1)
    expect(compare('__gttf2', nan, one)).equal(0)
    expect(compare('__netf2', nan, one)).equal(1)
    expect(compare('__unordtf2', one, nan)).equal(1)
  })

  it('convert integers and floats', () => {
    const quad = (name: string, ...args: (number | bigint)[]): bigint => {
      h.call(name, 16, ...args)
      return h.vm.getU128(16)
    }
    const two = 0x40000000000000000000000000000000n
    expect(quad('__floatsitf', 2)).equal(two)
    expect(quad('__floatunsitf', -2)).equal(quad('__floatditf', 4294967294n))
    const largest = quad('__floatunditf', -1n)
    expect(largest >> 112n).equal(0x403en)
    expect(h.call('__fixunstfdi', ...split(largest))).equal(2n ** 64n - 1n)
    expect(h.call('__fixtfsi', ...split(two))).equal(2)
    expect(h.call('__fixunstfdi', ...split(two | (1n << 127n)))).equal(2n ** 64n - 1n)
    expect(h.call('__trunctfsf2', ...split(two))).equal(0x40000000)
    expect(h.call('__floatsidf', -1)).equal(BigInt.asIntN(64, 0xbff0000000000000n))
    expect(BigInt.asIntN(128, quad('__fixdfti', 0xc010000000000000n))).equal(-4n)
    expect(quad('__fixunsdfti', 0xc010000000000000n)).equal(0n)
    expect(quad('__fixsfti', 0x7f800000)).equal((1n << 127n) - 1n)
  })
})
