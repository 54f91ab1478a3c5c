import { nameToString } from '../../protocol/name.ts'
import { toHex } from '../../protocol/hex.ts'
import { double, extendedFromQuad, float, scientific } from '../float_text.ts'
import type { WasmInstance } from '../instance.ts'
import { hostFunction, u64 } from './host_function.ts'
import type { HostFunctions } from './host_function.ts'

/** Bytes printed in the time of one unit of work. */
const BYTES_PER_UNIT = 64

/** Prints nothing, and makes no text, where nobody listens. */
function print(vm: WasmInstance, text: () => string): void {
  if (!vm.ctx.console_enabled) return
  const printed = text()
  vm.spend(4 + printed.length / BYTES_PER_UNIT)
  vm.ctx.consoleAppend(printed)
}

function latin1(vm: WasmInstance, ptr: number, length: number): string {
  const view = vm.bytes(ptr, length)
  return Buffer.from(view.buffer, view.byteOffset, view.length).toString('latin1')
}

/** spring: webassembly/console.cpp */
export const consoleFunctions: HostFunctions = {
  prints: hostFunction('i', 'any', (vm) => (ptr: number) => {
    vm.checkString(ptr)
    print(vm, () => latin1(vm, ptr, vm.stringLength(ptr)))
  }),

  prints_l: hostFunction('ii', 'any', (vm) => (ptr: number, length: number) => {
    vm.check(ptr, length)
    print(vm, () => latin1(vm, ptr, length))
  }),

  printi: hostFunction('l', 'any', (vm) => (value: bigint) => print(vm, () => String(value))),

  printui: hostFunction('l', 'any', (vm) => (value: bigint) => {
    print(vm, () => String(u64(value)))
  }),

  printi128: hostFunction('i', 'any', (vm) => (ptr: number) => {
    vm.checkPointer(ptr, 16)
    print(vm, () => String(BigInt.asIntN(128, vm.getU128(ptr))))
  }),

  printui128: hostFunction('i', 'any', (vm) => (ptr: number) => {
    vm.checkPointer(ptr, 16)
    print(vm, () => String(vm.getU128(ptr)))
  }),

  printsf: hostFunction('f', 'any', (vm) => (bits: number) => {
    print(vm, () => scientific(float(bits), 6))
  }),

  printdf: hostFunction('d', 'any', (vm) => (bits: bigint) => {
    print(vm, () => scientific(double(bits), 15))
  }),

  printqf: hostFunction('i', 'any', (vm) => (ptr: number) => {
    vm.checkPointer(ptr, 16)
    print(vm, () => scientific(extendedFromQuad(vm.getU128(ptr)), 18))
  }),

  printn: hostFunction('l', 'any', (vm) => (name: bigint) => {
    print(vm, () => nameToString(u64(name)))
  }),

  printhex: hostFunction('ii', 'any', (vm) => (ptr: number, length: number) => {
    vm.check(ptr, length)
    print(vm, () => toHex(vm.bytes(ptr, length)))
  }),
}
