import { formatLog } from '../../errors.ts'
import { printableUtf8 } from '../../protocol/hex.ts'
import { AssertCodeError } from '../assert_code_error.ts'
import { AssertMessageError } from '../assert_message_error.ts'
import type { AssertFunction } from '../assert_message_error.ts'
import { EXIT } from '../instance.ts'
import type { WasmInstance } from '../instance.ts'
import { refuse } from '../refuse.ts'
import { hostFunction, u64 } from './host_function.ts'
import type { HostFunctions } from './host_function.ts'

/** Bytes of an assertion's message that are reported (spring: cf_system.cpp). */
const MAX_ASSERT_MESSAGE = 1024
/** Codes from here on are the system's own (spring: exceptions.hpp system_error_code). */
const GENERIC_SYSTEM_ERROR = 10000000000000000000n
const CONTRACT_RESTRICTED_ERROR_CODE = 10000000000000000001n

/** spring: webassembly/cf_system.cpp */
export const assertionFunctions: HostFunctions = {
  abort: hostFunction('', 'any', () => () => refuse('abort_called', 'abort() called')),

  eosio_assert: hostFunction('ii', 'any', (vm) => (condition: number, message: number) => {
    vm.spend(1)
    vm.checkString(message)
    if (condition === 0) failAssertion(vm, 'eosio_assert', message, vm.stringLength(message))
  }),

  eosio_assert_message: hostFunction(
    'iii',
    'any',
    (vm) => (condition: number, ptr: number, length: number) => {
      vm.check(ptr, length)
      vm.spend(1)
      if (condition === 0) failAssertion(vm, 'eosio_assert_message', ptr, length >>> 0)
    },
  ),

  eosio_assert_code: hostFunction('il', 'any', (vm) => (condition: number, code: bigint) => {
    vm.spend(1)
    if (condition !== 0) return
    failWithCode(u64(code))
  }),

  eosio_exit: hostFunction('i', 'any', () => () => {
    throw EXIT
  }),
}

/** Invalid UTF-8 is omitted from the message, as in the reference's answers. */
function failAssertion(vm: WasmInstance, name: AssertFunction, ptr: number, length: number): never {
  const bytes = vm.bytes(ptr, Math.min(length, MAX_ASSERT_MESSAGE))
  throw new AssertMessageError(name, printableUtf8(bytes))
}

function failWithCode(error_code: bigint): never {
  const restricted = error_code >= GENERIC_SYSTEM_ERROR
  const format = restricted
    ? 'eosio_assert_code called with reserved error code: ${error_code}'
    : 'assertion failure with error code: ${error_code}'
  throw new AssertCodeError(
    restricted ? 'restricted_error_code_exception' : 'eosio_assert_code_exception',
    formatLog(format, { error_code }),
    restricted ? CONTRACT_RESTRICTED_ERROR_CODE : error_code,
  ).withLog(format, { error_code })
}
