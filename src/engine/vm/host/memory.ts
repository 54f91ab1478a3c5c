import { compareBytes } from '../../protocol/hex.ts'
import type { WasmInstance } from '../instance.ts'
import { refuse } from '../refuse.ts'
import { hostFunction } from './host_function.ts'
import type { HostFunctions } from './host_function.ts'

/** Bytes moved in the time of one unit of work. */
const BYTES_PER_UNIT = 512

/** Up to this many bytes a loop is faster than the built-in. */
const SHORT = 48

function move(vm: WasmInstance, to: number, from: number, n: number): void {
  const { u8 } = vm
  if (n > SHORT || (to > from && to < from + n)) {
    u8.copyWithin(to, from, from + n)
    if (n > BYTES_PER_UNIT) vm.spend(n / BYTES_PER_UNIT)
  } else for (let i = 0; i < n; i++) u8[to + i] = u8[from + i]!
}

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
    move(vm, to >>> 0, start, n)
    return to
  }),

  memmove: hostFunction('iii>i', 'any', (vm) => (to: number, from: number, length: number) => {
    vm.check(from, length)
    vm.check(to, length)
    vm.check(to, 1)
    move(vm, to >>> 0, from >>> 0, length >>> 0)
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
    const start = to >>> 0
    if (n > SHORT) vm.u8.fill(value, start, start + n)
    else for (let i = 0; i < n; i++) vm.u8[start + i] = value
    if (n > BYTES_PER_UNIT) vm.spend(n / BYTES_PER_UNIT)
    return to
  }),
}
