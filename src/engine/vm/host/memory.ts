import { compareBytes } from '../../protocol/hex.ts'
import type { WasmInstance } from '../instance.ts'
import { BYTES_PER_UNIT, PIECE, inPieces } from '../pieces.ts'
import { refuse } from '../refuse.ts'
import { hostFunction } from './host_function.ts'
import type { HostFunctions } from './host_function.ts'

/** Units of work of a call, in addition to its bytes. */
const CALL = 3

/** Up to this many bytes a loop is faster than the built-in. */
const SHORT = 48

function move(vm: WasmInstance, to: number, from: number, n: number): void {
  const { u8 } = vm
  if (n > PIECE) return moveInPieces(vm, to, from, n)
  vm.spend(CALL + n / BYTES_PER_UNIT)
  if (n > SHORT || (to > from && to < from + n)) u8.copyWithin(to, from, from + n)
  else for (let i = 0; i < n; i++) u8[to + i] = u8[from + i]!
}

function moveInPieces(vm: WasmInstance, to: number, from: number, n: number): void {
  // If the ranges overlap, bytes must be read before they are overwritten, so copying starts at the
  // end.
  const backwards = to > from && to < from + n
  inPieces(vm, [0, n], BYTES_PER_UNIT, (start, end) => {
    const [first, last] = backwards ? [n - end, n - start] : [start, end]
    vm.u8.copyWithin(to + first, from + first, from + last)
  })
}

/** The order of two ranges as of their first bytes that differ: -1, 0 or 1. */
function compare(vm: WasmInstance, a: number, b: number, n: number): number {
  for (let at = 0; ; at += PIECE) {
    const length = Math.min(PIECE, n - at)
    vm.spend(CALL + length / BYTES_PER_UNIT)
    const [left, right] = [vm.bytes(a + at, length), vm.bytes(b + at, length)]
    const order = length > SHORT ? Buffer.compare(left, right) : compareBytes(left, right)
    if (order !== 0 || at + length === n) return Math.sign(order)
  }
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
    return compare(vm, a >>> 0, b >>> 0, length >>> 0)
  }),

  memset: hostFunction('iii>i', 'any', (vm) => (to: number, value: number, length: number) => {
    vm.check(to, length)
    vm.check(to, 1)
    const n = length >>> 0
    const start = to >>> 0
    vm.spend(CALL)
    if (n > SHORT) {
      inPieces(vm, [start, start + n], BYTES_PER_UNIT, (from, end) => vm.u8.fill(value, from, end))
    } else for (let i = 0; i < n; i++) vm.u8[start + i] = value
    return to
  }),
}
