import { hostFunction } from './host_function.ts'
import type { HostFunctions } from './host_function.ts'

/** spring: webassembly/system.cpp */
export const systemFunctions: HostFunctions = {
  current_time: hostFunction('>l', 'action', (vm) => () => {
    vm.spend(1)
    return BigInt(vm.ctx.block_time_us)
  }),

  publication_time: hostFunction('>l', 'action', (vm) => () => {
    vm.spend(1)
    return BigInt(vm.ctx.publication_time_us)
  }),

  is_feature_activated: hostFunction('i>i', 'itself', (vm) => (digest: number) => {
    vm.checkPointer(digest, 32)
    vm.checkContextAware()
    vm.spend(10)
    return vm.ctx.privileged_api.isFeatureActive(vm.bytes(digest, 32)) ? 1 : 0
  }),

  get_sender: hostFunction('>l', 'action', (vm) => () => {
    vm.spend(2)
    return vm.ctx.sender()
  }),

  get_block_num: hostFunction('>i', 'any', (vm) => () => {
    vm.spend(1)
    return vm.ctx.block_num | 0
  }),
}
