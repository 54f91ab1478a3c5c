import { check } from '../../errors.ts'
import { unpackAction } from '../../protocol/transaction.ts'
import type { Action } from '../../protocol/transaction.ts'
import { ACTION, readWithContext } from '../../protocol/error_context.ts'
import type { WasmInstance } from '../instance.ts'
import { hostFunction, u64 } from './host_function.ts'
import type { HostFunctions } from './host_function.ts'

/** spring: webassembly/transaction.cpp */
export const transactionFunctions: HostFunctions = {
  send_inline: hostFunction('ii', 'itself', (vm) => (ptr: number, length: number) => {
    vm.ctx.executeInline(readInlineAction(vm, ptr, length))
  }),

  send_context_free_inline: hostFunction('ii', 'itself', (vm) => (ptr: number, length: number) => {
    vm.ctx.executeContextFreeInline(readInlineAction(vm, ptr, length))
  }),

  send_deferred: hostFunction(
    'iliii',
    'itself',
    (vm) => (sender_id: number, payer: bigint, ptr: number, length: number, replace: number) => {
      vm.check(ptr, length)
      vm.checkPointer(sender_id, 16)
      vm.checkContextAware()
      vm.spend(100)
      const packed = vm.copy(ptr, length)
      vm.ctx.scheduleDeferred(vm.getU128(sender_id), u64(payer), packed, replace !== 0)
    },
  ),

  cancel_deferred: hostFunction('i>i', 'itself', (vm) => (sender_id: number) => {
    vm.checkPointer(sender_id, 16)
    vm.checkContextAware()
    vm.spend(100)
    return vm.ctx.cancelDeferred(vm.getU128(sender_id)) ? 1 : 0
  }),
}

/** The action in memory, which is copied first: it outlives the contract's run. */
function readInlineAction(vm: WasmInstance, ptr: number, length: number): Action {
  vm.check(ptr, length)
  vm.checkContextAware()
  vm.spend(40)
  const fits = length >>> 0 < vm.ctx.max_inline_action_size
  check(fits, 'inline_action_too_big', 'inline action too big')
  return readWithContext(ACTION, vm.copy(ptr, length), unpackAction, () => vm.ctx.checktime())
}
