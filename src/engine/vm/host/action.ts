import { refuse } from '../refuse.ts'
import { hostFunction } from './host_function.ts'
import type { HostFunctions } from './host_function.ts'

/** spring: webassembly/action.cpp */
export const actionFunctions: HostFunctions = {
  read_action_data: hostFunction('ii>i', 'any', (vm) => (ptr: number, length: number) => {
    vm.check(ptr, length)
    vm.spend(1)
    const { data } = vm.ctx.act
    return length === 0 ? data.length : vm.write(ptr, length, data)
  }),

  action_data_size: hostFunction('>i', 'any', (vm) => () => {
    vm.spend(1)
    return vm.ctx.act.data.length
  }),

  current_receiver: hostFunction('>l', 'any', (vm) => () => {
    vm.spend(1)
    return vm.ctx.receiver
  }),

  set_action_return_value: hostFunction('ii', 'itself', (vm) => (ptr: number, length: number) => {
    vm.check(ptr, length)
    vm.checkContextAware()
    const most = vm.ctx.max_action_return_value_size
    if (!vm.ctx.read_only && length >>> 0 > most) {
      refuse(
        'action_return_value_exception',
        'action return value size must be less or equal to ${s} bytes',
        { s: most },
      )
    }
    vm.spend(10)
    vm.ctx.setActionReturnValue(vm.copy(ptr, length))
  }),
}
