import type { WasmInstance } from '../instance.ts'
import { FRESH_BYTES_PER_UNIT, PIECE } from '../pieces.ts'
import { hostFunction, u64 } from './host_function.ts'
import type { HostFunctions } from './host_function.ts'

/**
 * Units of work of a call, in addition to its bytes. Long values are counted when they are stored.
 */
const CALL = 12

/** Writes the key that an iterator call found. An end iterator does not change memory. */
function givePrimary(vm: WasmInstance, ptr: number, iterator: number): number {
  if (iterator >= 0) vm.setU64(ptr, vm.ctx.contract_db.primary.primary)
  return iterator
}

/** The primary index (spring: webassembly/database.cpp). */
const rowFunctions: HostFunctions = {
  db_store_i64: hostFunction(
    'llllii>i',
    'itself',
    (vm) =>
      (scope: bigint, table: bigint, payer: bigint, id: bigint, ptr: number, length: number) => {
        vm.check(ptr, length)
        vm.checkContextAware()
        vm.spend(CALL + Math.min(length >>> 0, PIECE) / FRESH_BYTES_PER_UNIT)
        const value = vm.bytes(ptr, length)
        const { primary } = vm.ctx.contract_db
        return primary.store(u64(scope), u64(table), u64(payer), u64(id), value)
      },
  ),

  db_update_i64: hostFunction(
    'ilii',
    'itself',
    (vm) => (iterator: number, payer: bigint, ptr: number, length: number) => {
      vm.check(ptr, length)
      vm.checkContextAware()
      vm.spend(CALL + Math.min(length >>> 0, PIECE) / FRESH_BYTES_PER_UNIT)
      vm.ctx.contract_db.primary.update(iterator, u64(payer), vm.bytes(ptr, length))
    },
  ),

  db_remove_i64: hostFunction('i', 'action', (vm) => (iterator: number) => {
    vm.spend(CALL)
    vm.ctx.contract_db.primary.remove(iterator)
  }),

  db_get_i64: hostFunction(
    'iii>i',
    'itself',
    (vm) => (iterator: number, ptr: number, length: number) => {
      vm.check(ptr, length)
      vm.checkContextAware()
      vm.spend(4)
      const { primary } = vm.ctx.contract_db
      if (length === 0) return primary.size(iterator)
      return vm.write(ptr, length, primary.get(iterator))
    },
  ),
}

const searchFunctions: HostFunctions = {
  db_next_i64: hostFunction('ii>i', 'itself', (vm) => (iterator: number, primary: number) => {
    vm.checkPointer(primary, 8)
    vm.checkContextAware()
    vm.spend(CALL)
    return givePrimary(vm, primary, vm.ctx.contract_db.primary.next(iterator))
  }),

  db_previous_i64: hostFunction('ii>i', 'itself', (vm) => (iterator: number, primary: number) => {
    vm.checkPointer(primary, 8)
    vm.checkContextAware()
    vm.spend(CALL)
    return givePrimary(vm, primary, vm.ctx.contract_db.primary.previous(iterator))
  }),

  db_find_i64: hostFunction(
    'llll>i',
    'action',
    (vm) => (code: bigint, scope: bigint, table: bigint, id: bigint) => {
      vm.spend(CALL)
      return vm.ctx.contract_db.primary.find(u64(code), u64(scope), u64(table), u64(id))
    },
  ),

  db_lowerbound_i64: hostFunction(
    'llll>i',
    'action',
    (vm) => (code: bigint, scope: bigint, table: bigint, id: bigint) => {
      vm.spend(CALL)
      return vm.ctx.contract_db.primary.lowerBound(u64(code), u64(scope), u64(table), u64(id))
    },
  ),

  db_upperbound_i64: hostFunction(
    'llll>i',
    'action',
    (vm) => (code: bigint, scope: bigint, table: bigint, id: bigint) => {
      vm.spend(CALL)
      return vm.ctx.contract_db.primary.upperBound(u64(code), u64(scope), u64(table), u64(id))
    },
  ),

  db_end_i64: hostFunction(
    'lll>i',
    'action',
    (vm) => (code: bigint, scope: bigint, table: bigint) => {
      vm.spend(CALL)
      return vm.ctx.contract_db.primary.end(u64(code), u64(scope), u64(table))
    },
  ),
}

/** Host functions of primary tables. */
export const databaseFunctions: HostFunctions = { ...rowFunctions, ...searchFunctions }
