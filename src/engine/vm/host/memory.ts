import { compareBytes } from '../../protocol/hex.ts'
import { refuse } from '../refuse.ts'
import { hostFunction } from './host_function.ts'
import type { HostFunctions } from './host_function.ts'

/** Bytes moved in the time of one unit of work. */
const BYTES_PER_UNIT = 512

/** spring: webassembly/memory.cpp; the pointer checks are in webassembly/common.hpp. */
export const memoryFunctions: HostFunctions = {
  memcpy: hostFunction('iii>i', 'any', (vm) => (to: number, from: number, length: number) => {
    vm.check(from, length)
    vm.check(to, length)
    vm.check(to, 1)
    const start = from >>> 0
    const n = length >>> 0
    if (Math.abs((to >>> 0) - start) < n) {
      refuse('overlapping_memory_error', 'memcpy can only accept non-aliasing pointers')
    }
    vm.u8.copyWithin(to >>> 0, start, start + n)
    if (n > BYTES_PER_UNIT) vm.spend(n / BYTES_PER_UNIT)
    return to
  }),

  memmove: hostFunction('iii>i', 'any', (vm) => (to: number, from: number, length: number) => {
    vm.check(from, length)
    vm.check(to, length)
    vm.check(to, 1)
    const start = from >>> 0
    const n = length >>> 0
    vm.u8.copyWithin(to >>> 0, start, start + n)
    if (n > BYTES_PER_UNIT) vm.spend(n / BYTES_PER_UNIT)
    return to
  }),

  memcmp: hostFunction('iii>i', 'any', (vm) => (a: number, b: number, length: number) => {
    vm.check(a, length)
    vm.check(b, length)
    vm.spend(1 + (length >>> 0) / BYTES_PER_UNIT)
    return Math.sign(compareBytes(vm.bytes(a, length), vm.bytes(b, length)))
  }),

  memset: hostFunction('iii>i', 'any', (vm) => (to: number, value: number, length: number) => {
    vm.check(to, length)
    vm.check(to, 1)
    const n = length >>> 0
    vm.u8.fill(value, to >>> 0, (to >>> 0) + n)
    if (n > BYTES_PER_UNIT) vm.spend(n / BYTES_PER_UNIT)
    return to
  }),
}
