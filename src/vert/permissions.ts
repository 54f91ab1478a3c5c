/** Permissions of accounts as values of the library of types. */
import type { API, Authority, Name, PermissionLevel } from '@wharfkit/antelope'
import { antelope } from './antelope.ts'

/** A permission of an account. */
export type AccountPermission = API.v1.AccountPermission

/** The permissions of a new account: `owner` and `active`, each satisfied by itself. */
export function generatePermissions(name: Name): AccountPermission[] {
  return [permissionOf(name, 'owner', ''), permissionOf(name, 'active', 'owner')]
}

function permissionOf(name: Name, perm_name: string, parent: string): AccountPermission {
  const permission = { actor: name, permission: perm_name }
  const required_auth = { threshold: 1, keys: [], accounts: [{ weight: 1, permission }], waits: [] }
  return antelope.API.v1.AccountPermission.from({ perm_name, parent, required_auth })
}

/**
 * Adds `name@eosio.code` to `active`, so that the contract may act for its account.
 * @throws Error there is no `active`
 */
export function addInlinePermission(name: Name, permissions: AccountPermission[]): void {
  const active = permissions.find(({ perm_name }) => String(perm_name) === 'active')
  if (active === undefined) throw new Error(`Account ${name} has no permission active`)
  const permission = { actor: name, permission: 'eosio.code' }
  const weight = antelope.PermissionLevelWeight.from({ weight: 1, permission })
  active.required_auth.accounts.push(weight)
  active.required_auth.sort()
}

/** Whether an authority lists the permission with enough weight. */
export function isAuthoritySatisfied(authority: Authority, permission: PermissionLevel): boolean {
  let weight = 0
  for (const { permission: own, weight: more } of authority.accounts)
    if (own.equals(permission)) weight += more.toNumber()
  return weight >= authority.threshold.toNumber()
}
