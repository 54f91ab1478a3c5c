import * as bls from '../../crypto/bls12_381.ts'
import type { WasmInstance } from '../instance.ts'
import { accessViolation } from '../refuse.ts'
import { FAILURE, checkRanges, give } from './crypto_primitives.ts'
import type { Range } from './aliasing.ts'
import { hostFunction } from './host_function.ts'
import type { HostFunctions } from './host_function.ts'

/** Units of work of a call, at least. */
const CALL = 1000

/** A function of values of fixed sizes that gives one of a fixed size. */
function fixed(
  sizes: readonly number[],
  result_size: number,
  compute: (...args: Uint8Array[]) => Uint8Array | undefined,
): HostFunctions[string] {
  const letters = 'ii'.repeat(sizes.length + 1)
  return hostFunction(`${letters}>i`, 'any', (vm) => {
    const call = (...args: number[]): number => {
      const ranges = toRanges(args)
      checkRanges(vm, ...ranges)
      vm.spend(10)
      const to = ranges.pop()!
      const right = ranges.every((range, i) => range[1] === sizes[i]!) && to[1] === result_size
      if (!right) return FAILURE
      vm.spend(CALL)
      return give(vm, to, compute(...ranges.map((range) => vm.bytes(...range))))
    }
    return call
  })
}

function toRanges(args: number[]): Range[] {
  const ranges: Range[] = []
  for (let i = 0; i < args.length; i += 2) ranges.push([args[i]!, args[i + 1]!])
  return ranges
}

/**
 * The values of a list in memory. The reference takes sizes and places modulo 2^32: a count from
 * 2^27 on passes with short lists, whose values are then read to the end of memory.
 */
function list(vm: WasmInstance, ptr: number, size: number): bls.List {
  return (index) => {
    const start = (ptr >>> 0) + ((index * size) >>> 0)
    if (start + size > vm.size) accessViolation()
    return vm.u8.subarray(start, start + size)
  }
}

/** A function of two lists of as many values. */
function lists(
  sizes: readonly [number, number],
  result_size: number,
  compute: (
    a: bls.List,
    b: bls.List,
    count: number,
    checktime: () => void,
  ) => Uint8Array | undefined,
): HostFunctions[string] {
  return hostFunction(
    'iiiiiii>i',
    'any',
    (vm: WasmInstance) =>
      (a: number, an: number, b: number, bn: number, n: number, to: number, to_n: number) => {
        checkRanges(vm, [a, an], [b, bn], [to, to_n])
        vm.spend(10)
        const count = n >>> 0
        const sized = (length: number, i: 0 | 1): boolean =>
          length >>> 0 === (count * sizes[i]) >>> 0
        if (count === 0 || !sized(an, 0) || !sized(bn, 1) || to_n !== result_size) return FAILURE
        vm.spend(CALL)
        const checktime = (): void => vm.ctx.checktime()
        const values = [list(vm, a, sizes[0]), list(vm, b, sizes[1])] as const
        return give(vm, [to, to_n], compute(...values, count, checktime))
      },
  )
}

const { FP_BYTES, G1_BYTES, G2_BYTES, SCALAR_BYTES } = bls
const FP12_BYTES = 12 * FP_BYTES
const WIDE_SCALAR_BYTES = 64

/** spring: webassembly/crypto.cpp */
export const blsFunctions: HostFunctions = {
  bls_g1_add: fixed([G1_BYTES, G1_BYTES], G1_BYTES, bls.blsG1Add),
  bls_g2_add: fixed([G2_BYTES, G2_BYTES], G2_BYTES, bls.blsG2Add),
  bls_g1_weighted_sum: lists([G1_BYTES, SCALAR_BYTES], G1_BYTES, bls.blsG1WeightedSum),
  bls_g2_weighted_sum: lists([G2_BYTES, SCALAR_BYTES], G2_BYTES, bls.blsG2WeightedSum),
  bls_pairing: lists([G1_BYTES, G2_BYTES], FP12_BYTES, bls.blsPairing),
  bls_g1_map: fixed([FP_BYTES], G1_BYTES, bls.blsG1Map),
  bls_g2_map: fixed([2 * FP_BYTES], G2_BYTES, bls.blsG2Map),
  bls_fp_mod: fixed([WIDE_SCALAR_BYTES], FP_BYTES, bls.blsFpMod),
  bls_fp_mul: fixed([FP_BYTES, FP_BYTES], FP_BYTES, bls.blsFpMul),
  bls_fp_exp: fixed([FP_BYTES, WIDE_SCALAR_BYTES], FP_BYTES, bls.blsFpExp),
}
