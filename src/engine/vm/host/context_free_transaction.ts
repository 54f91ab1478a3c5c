import { Writer } from '../../protocol/writer.ts'
import { packAction } from '../../protocol/transaction.ts'
import { FRESH_BYTES_PER_UNIT } from '../pieces.ts'
import { refuse } from '../refuse.ts'
import { hostFunction } from './host_function.ts'
import type { HostFunctions } from './host_function.ts'

/** spring: webassembly/cf_transaction.cpp, context_free.cpp; apply_context.cpp get_action. */
export const contextFreeTransactionFunctions: HostFunctions = {
  read_transaction: hostFunction('ii>i', 'any', (vm) => (ptr: number, length: number) => {
    vm.check(ptr, length)
    vm.spend(1)
    const packed = vm.ctx.packed_transaction
    return length === 0 ? packed.length : vm.write(ptr, length, packed)
  }),

  transaction_size: hostFunction('>i', 'any', (vm) => () => {
    vm.spend(1)
    return vm.ctx.packed_transaction.length
  }),

  expiration: hostFunction('>i', 'any', (vm) => () => {
    vm.spend(1)
    return vm.ctx.trx.expiration | 0
  }),

  tapos_block_num: hostFunction('>i', 'any', (vm) => () => {
    vm.spend(1)
    return vm.ctx.trx.ref_block_num
  }),

  tapos_block_prefix: hostFunction('>i', 'any', (vm) => () => {
    vm.spend(1)
    return vm.ctx.trx.ref_block_prefix | 0
  }),

  get_action: hostFunction(
    'iiii>i',
    'any',
    (vm) => (type: number, index: number, ptr: number, length: number) => {
      vm.check(ptr, length)
      vm.spend(10)
      if (type !== 0 && type !== 1) {
        refuse('action_not_found_exception', 'action is not found')
      }
      const action = vm.ctx.getAction(type, index >>> 0)
      if (action === undefined) return -1
      const { authorization, data } = action
      vm.spend(authorization.length + data.length / FRESH_BYTES_PER_UNIT)
      const w = new Writer()
      packAction(w, action)
      const packed = w.view()
      if (packed.length <= length >>> 0) vm.write(ptr, length, packed)
      return packed.length
    },
  ),

  get_context_free_data: hostFunction(
    'iii>i',
    'itself',
    (vm) => (index: number, ptr: number, length: number) => {
      vm.check(ptr, length)
      vm.checkContextFree()
      vm.spend(1)
      const data = vm.ctx.contextFreeData(index >>> 0)
      if (data === undefined) return -1
      return length === 0 ? data.length : vm.write(ptr, length, data)
    },
  ),
}
