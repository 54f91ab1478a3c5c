import { antelope } from './antelope.ts'
import type { PermissionRow } from './machine/accounts.ts'
import { nameToBigInt } from './numbers.ts'
import type { AccountPermission } from './permissions.ts'

/** The engine's form of permissions. Numbers and names may be of any copy of the library. */
export function permissionRows(permissions: readonly AccountPermission[]): PermissionRow[] {
  return permissions.map(({ perm_name, parent, required_auth: auth }) => ({
    name: nameToBigInt(perm_name),
    parent: nameToBigInt(parent),
    auth: {
      threshold: Number(auth.threshold),
      keys: auth.keys.map(({ key, weight }) => ({
        key: antelope.Serializer.encode({ object: key }).array.slice(),
        weight: Number(weight),
      })),
      accounts: auth.accounts.map(({ permission, weight }) => ({
        permission: {
          actor: nameToBigInt(permission.actor),
          permission: nameToBigInt(permission.permission),
        },
        weight: Number(weight),
      })),
      waits: auth.waits.map(({ wait_sec, weight }) => ({
        wait_sec: Number(wait_sec),
        weight: Number(weight),
      })),
    },
  }))
}
