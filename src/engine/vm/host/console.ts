import { nameToString } from '../../protocol/name.ts'
import { toHex } from '../../protocol/hex.ts'
import type { FloatValue } from '../float_text.ts'
import { double, extendedFromQuad, float, scientific } from '../float_text.ts'
import type { WasmInstance } from '../instance.ts'
import { inPieces } from '../pieces.ts'
import { hostFunction, u64 } from './host_function.ts'
import type { HostFunctions } from './host_function.ts'

/** Units of work of a call that prints a value. */
const CALL = 20

/** Prints nothing, and makes no text, where the console is off. */
function print(vm: WasmInstance, text: () => string): void {
  vm.spend(1)
  if (!vm.ctx.console_enabled) return
  vm.spend(CALL)
  vm.ctx.consoleAppend(text())
}

/** Digits of a number far from one are made with integers of as many bits as its exponent says. */
function printFloat(vm: WasmInstance, toValue: () => FloatValue, digits: number): void {
  vm.spend(1)
  if (!vm.ctx.console_enabled) return
  const value = toValue()
  vm.spend(30 + value.exponent ** 2 / 40_000)
  vm.ctx.consoleAppend(scientific(value, digits))
}

/** The form in which bytes are printed. */
interface BytesForm {
  toText(bytes: Uint8Array): string
  chars_per_byte: number
  bytes_per_unit: number
}

const TEXT: BytesForm = { toText: latin1, chars_per_byte: 1, bytes_per_unit: 32 }
const DIGITS: BytesForm = { toText: toHex, chars_per_byte: 2, bytes_per_unit: 12 }

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}

/** Prints a checked range up to the limit of the console. */
function printBytes(vm: WasmInstance, form: BytesForm, ptr: number, length: number): void {
  const room = Math.ceil(vm.ctx.console_room / form.chars_per_byte)
  const start = ptr >>> 0
  const end = start + Math.min(length >>> 0, room)
  vm.spend(CALL)
  inPieces(vm, [start, end], form.bytes_per_unit, (from, to) =>
    vm.ctx.consoleAppend(form.toText(vm.u8.subarray(from, to))),
  )
}

/** spring: webassembly/console.cpp */
export const consoleFunctions: HostFunctions = {
  prints: hostFunction('i', 'any', (vm) => (ptr: number) => {
    vm.checkString(ptr)
    vm.spend(1)
    if (vm.ctx.console_enabled) printBytes(vm, TEXT, ptr, vm.stringLength(ptr))
  }),

  prints_l: hostFunction('ii', 'any', (vm) => (ptr: number, length: number) => {
    vm.check(ptr, length)
    vm.spend(1)
    if (vm.ctx.console_enabled) printBytes(vm, TEXT, ptr, length)
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
    printFloat(vm, () => float(bits), 6)
  }),

  printdf: hostFunction('d', 'any', (vm) => (bits: bigint) => {
    printFloat(vm, () => double(bits), 15)
  }),

  printqf: hostFunction('i', 'any', (vm) => (ptr: number) => {
    vm.checkPointer(ptr, 16)
    printFloat(vm, () => extendedFromQuad(vm.getU128(ptr)), 18)
  }),

  printn: hostFunction('l', 'any', (vm) => (name: bigint) => {
    print(vm, () => nameToString(u64(name)))
  }),

  printhex: hostFunction('ii', 'any', (vm) => (ptr: number, length: number) => {
    vm.check(ptr, length)
    vm.spend(1)
    if (vm.ctx.console_enabled) printBytes(vm, DIGITS, ptr, length)
  }),
}
