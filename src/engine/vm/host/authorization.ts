import { Writer } from '../../protocol/writer.ts'
import type { WasmInstance } from '../instance.ts'
import { hostFunction, u64 } from './host_function.ts'
import type { HostFunctions } from './host_function.ts'

/** Units of work of a search among the levels that authorize the action. */
function levelsWork(vm: WasmInstance): number {
  return 2 + vm.ctx.act.authorization.length / 8
}

/** spring: webassembly/authorization.cpp */
export const authorizationFunctions: HostFunctions = {
  require_auth: hostFunction('l', 'action', (vm) => (account: bigint) => {
    vm.spend(levelsWork(vm))
    vm.ctx.requireAuth(u64(account))
  }),

  require_auth2: hostFunction('ll', 'action', (vm) => (account: bigint, permission: bigint) => {
    vm.spend(levelsWork(vm))
    vm.ctx.requireAuth2(u64(account), u64(permission))
  }),

  has_auth: hostFunction('l>i', 'action', (vm) => (account: bigint) => {
    vm.spend(levelsWork(vm))
    return vm.ctx.hasAuth(u64(account)) ? 1 : 0
  }),

  require_recipient: hostFunction('l', 'action', (vm) => (account: bigint) => {
    vm.spend(20)
    vm.ctx.requireRecipient(u64(account))
  }),

  is_account: hostFunction('l>i', 'action', (vm) => (account: bigint) => {
    vm.spend(10)
    return vm.ctx.isAccount(u64(account)) ? 1 : 0
  }),

  // Version 0 is the only version of the result, whatever is requested.
  get_code_hash: hostFunction(
    'liii>i',
    'itself',
    (vm) => (account: bigint, _version: number, ptr: number, length: number) => {
      vm.check(ptr, length)
      vm.checkContextAware()
      vm.spend(20)
      const result = vm.ctx.codeHash(u64(account))
      const w = new Writer(64)
      w.varuint32(0)
      w.u64(result.code_sequence)
      w.raw(result.code_hash)
      w.u8(result.vm_type)
      w.u8(result.vm_version)
      const packed = w.view()
      if (packed.length <= length >>> 0) vm.write(ptr, length, packed)
      return packed.length
    },
  ),
}
