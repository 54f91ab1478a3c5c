import * as bn from '../../crypto/alt_bn128.ts'
import { blake2F } from '../../crypto/blake2_f.ts'
import { hashInPieces } from '../../crypto/hash.ts'
import { modExp } from '../../crypto/mod_exp.ts'
import { recoverUncompressed } from '../../crypto/recover_uncompressed.ts'
import type { WasmInstance } from '../instance.ts'
import { refuse } from '../refuse.ts'
import { checkAliasing } from './aliasing.ts'
import type { Range } from './aliasing.ts'
import { hostFunction } from './host_function.ts'
import type { HostFunctions } from './host_function.ts'

/** Return codes of these functions (spring: webassembly/return_codes.hpp). */
export const SUCCESS = 0
/** Return code for operands that are not valid. */
export const FAILURE = -1

/** Units of work of the expensive calls. */
const CURVE = 2000

/**
 * Checks ranges in the order of all newer functions: the last one first, then that none overlap.
 * @throws ChainError wasm_execution_error for a range outside of memory, wasm_exception for ranges
 *   that overlap
 */
export function checkRanges(vm: WasmInstance, ...ranges: Range[]): void {
  for (let i = ranges.length - 1; i >= 0; i--) vm.check(...ranges[i]!)
  checkAliasing(...ranges)
}

/** Writes a result where there is one and it fits. */
export function give(vm: WasmInstance, to: Range, result: Uint8Array | undefined): number {
  if (result === undefined || result.length > to[1] >>> 0) return FAILURE
  vm.write(...to, result)
  return SUCCESS
}

const curveFunctions: HostFunctions = {
  alt_bn128_add: hostFunction(
    'iiiiii>i',
    'any',
    (vm) => (a: number, an: number, b: number, bn_: number, to: number, n: number) => {
      checkRanges(vm, [a, an], [b, bn_], [to, n])
      vm.spend(10)
      if (an !== bn.G1_BYTES || bn_ !== bn.G1_BYTES || n >>> 0 < bn.G1_BYTES) return FAILURE
      vm.spend(CURVE)
      return give(vm, [to, n], bn.altBn128Add(vm.bytes(a, an), vm.bytes(b, bn_)))
    },
  ),
  alt_bn128_mul: hostFunction(
    'iiiiii>i',
    'any',
    (vm) => (p: number, pn: number, k: number, kn: number, to: number, n: number) => {
      checkRanges(vm, [p, pn], [k, kn], [to, n])
      vm.spend(10)
      if (pn !== bn.G1_BYTES || kn !== 32 || n >>> 0 < bn.G1_BYTES) return FAILURE
      vm.spend(CURVE)
      return give(vm, [to, n], bn.altBn128Multiply(vm.bytes(p, pn), vm.bytes(k, kn)))
    },
  ),
  // 0 says that the product is one, 1 that it is not.
  alt_bn128_pair: hostFunction('ii>i', 'any', (vm) => (ptr: number, length: number) => {
    vm.check(ptr, length)
    vm.spend(CURVE)
    const checktime = (): void => vm.ctx.checktime()
    const one = bn.altBn128PairingCheck(vm.bytes(ptr, length), checktime)
    return one === undefined ? FAILURE : one ? 0 : 1
  }),
}

/** Limits of mod_exp while a block is not yet decided (spring: webassembly/crypto.cpp). */
const BIT_CALC_LIMIT = 106

function ceilLog2(n: number): number {
  return n <= 1 ? 0 : 32 - Math.clz32(n - 1)
}

function checkModExpSizes(base: number, exponent: number, modulus: number): void {
  const most = Math.max(base, modulus)
  if (most < exponent) {
    refuse(
      'subjective_block_production_exception',
      'mod_exp restriction: exponent bit size cannot exceed bit size of either base or modulus',
    )
  }
  if (5 * ceilLog2(exponent) + 8 * ceilLog2(most) > BIT_CALC_LIMIT) {
    refuse(
      'subjective_block_production_exception',
      'mod_exp restriction: bit size too large for input arguments',
    )
  }
}

const numberFunctions: HostFunctions = {
  mod_exp: hostFunction(
    'iiiiiiii>i',
    'any',
    (vm) =>
      (
        base: number,
        base_n: number,
        exp: number,
        exp_n: number,
        mod: number,
        mod_n: number,
        to: number,
        n: number,
      ) => {
        checkRanges(vm, [base, base_n], [exp, exp_n], [mod, mod_n], [to, n])
        if (vm.ctx.speculative_block) checkModExpSizes(base_n >>> 0, exp_n >>> 0, mod_n >>> 0)
        vm.spend(50)
        const [b, e, m] = [vm.bytes(base, base_n), vm.bytes(exp, exp_n), vm.bytes(mod, mod_n)]
        return give(
          vm,
          [to, n],
          modExp(b, e, m, () => vm.ctx.checktime()),
        )
      },
  ),
}

const hashFunctions: HostFunctions = {
  blake2_f: hostFunction(
    'iiiiiiiiiiii>i',
    'any',
    (vm) =>
      (
        rounds: number,
        state: number,
        state_n: number,
        message: number,
        message_n: number,
        t0: number,
        t0_n: number,
        t1: number,
        t1_n: number,
        final: number,
        to: number,
        n: number,
      ) => {
        const ranges: Range[] = [
          [state, state_n],
          [message, message_n],
          [t0, t0_n],
          [t1, t1_n],
        ]
        checkRanges(vm, ...ranges, [to, n])
        vm.spend(50)
        const [h, m, low, high] = ranges.map((range) => vm.bytes(...range))
        const checktime = (): void => vm.ctx.checktime()
        const counters: [Uint8Array, Uint8Array] = [low!, high!]
        return give(vm, [to, n], blake2F(rounds >>> 0, h!, m!, counters, final === 1, checktime))
      },
  ),
  sha3: hostFunction(
    'iiiii',
    'any',
    (vm) => (ptr: number, length: number, to: number, n: number, keccak: number) => {
      checkRanges(vm, [ptr, length], [to, n])
      vm.spend(40 + (length >>> 0) / 8)
      const name = keccak === 1 ? 'keccak256' : 'sha3-256'
      const digest = hashInPieces(name, vm.bytes(ptr, length), () => vm.ctx.checktime())
      vm.write(to, n, digest)
    },
  ),
  k1_recover: hostFunction(
    'iiiiii>i',
    'any',
    (vm) => (sig: number, sn: number, digest: number, dn: number, to: number, n: number) => {
      checkRanges(vm, [sig, sn], [digest, dn], [to, n])
      vm.spend(CURVE)
      const key = recoverUncompressed(vm.bytes(sig, sn).slice(), vm.bytes(digest, dn).slice())
      return give(vm, [to, n], key)
    },
  ),
}

/** spring: webassembly/crypto.cpp */
export const cryptoPrimitives: HostFunctions = {
  ...curveFunctions,
  ...numberFunctions,
  ...hashFunctions,
}
