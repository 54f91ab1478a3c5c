import { check } from '../../errors.ts'
import { unpackPermissionLevel } from '../../protocol/authority.ts'
import type { PermissionLevel } from '../../protocol/authority.ts'
import { readPublicKey } from '../../protocol/key.ts'
import { unpackTransaction } from '../../protocol/transaction.ts'
import { KEY_SET, LEVEL_SET, TRANSACTION, readWithContext } from '../../protocol/error_context.ts'
import type { WasmInstance } from '../instance.ts'
import { hostFunction, u64 } from './host_function.ts'
import type { HostFunctions } from './host_function.ts'

/** spring: webassembly/permission.cpp */
export const permissionFunctions: HostFunctions = {
  check_transaction_authorization: hostFunction(
    'iiiiii>i',
    'itself',
    (vm) =>
      (
        trx: number,
        trx_size: number,
        keys: number,
        keys_size: number,
        permissions: number,
        permissions_size: number,
      ) => {
        vm.check(permissions, permissions_size)
        vm.check(keys, keys_size)
        vm.check(trx, trx_size)
        vm.checkContextAware()
        vm.spend(200)
        const packed = vm.copy(trx, trx_size)
        const transaction = readWithContext(TRANSACTION, packed, unpackTransaction, () =>
          vm.ctx.checktime(),
        )
        const ok = vm.ctx.checkTransactionAuthorization(
          transaction,
          readKeys(vm, keys, keys_size),
          readPermissions(vm, permissions, permissions_size),
        )
        return ok ? 1 : 0
      },
  ),

  check_permission_authorization: hostFunction(
    'lliiiil>i',
    'itself',
    (vm) =>
      (
        account: bigint,
        permission: bigint,
        keys: number,
        keys_size: number,
        permissions: number,
        permissions_size: number,
        delay_us: bigint,
      ) => {
        vm.check(permissions, permissions_size)
        vm.check(keys, keys_size)
        vm.checkContextAware()
        vm.spend(200)
        check(delay_us >= 0n, 'action_validate_exception', 'provided delay is too large')
        const ok = vm.ctx.checkPermissionAuthorization(
          u64(account),
          u64(permission),
          readKeys(vm, keys, keys_size),
          readPermissions(vm, permissions, permissions_size),
          delay_us,
        )
        return ok ? 1 : 0
      },
  ),

  get_permission_last_used: hostFunction(
    'll>l',
    'action',
    (vm) => (account: bigint, permission: bigint) => {
      vm.spend(20)
      return BigInt(vm.ctx.permissionLastUsed(u64(account), u64(permission)))
    },
  ),

  get_account_creation_time: hostFunction('l>l', 'action', (vm) => (account: bigint) => {
    vm.spend(20)
    return BigInt(vm.ctx.accountCreationTime(u64(account)))
  }),
}

/** Public keys are copied: the answer may keep them. */
function readKeys(vm: WasmInstance, ptr: number, length: number): Uint8Array[] {
  if (length === 0) return []
  return readWithContext(
    KEY_SET,
    vm.copy(ptr, length),
    (r) => r.array(readPublicKey),
    () => vm.ctx.checktime(),
  )
}

function readPermissions(vm: WasmInstance, ptr: number, length: number): PermissionLevel[] {
  if (length === 0) return []
  return readWithContext(
    LEVEL_SET,
    vm.bytes(ptr, length),
    (r) => r.array(unpackPermissionLevel),
    () => vm.ctx.checktime(),
  )
}
