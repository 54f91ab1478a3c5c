/**
 * The index for get_accounts_by_authorizers: from a key or a permission level to the permissions
 * whose authority names it.
 *
 * Invariants:
 * - Entries are numbers that contain weight and row id of a permission, sorted: answers are in the
 *   reference's order (authorizer, weight, age of the permission), and a page starts by a search.
 * - The index follows the table: undo is a change like any other, so forks and pending blocks need
 *   no special treatment.
 * spring: plugins/chain_plugin/account_query_db.cpp
 */
import assert from 'node:assert/strict'
import type { PermissionLevel } from '../../protocol/transaction.ts'
import type { Database } from '../../state/database.ts'
import type { Row } from '../../state/object_table.ts'
import type { Permission } from '../../state/rows.ts'

/** Packed bytes of a key, or a permission level. */
export type Authorizer = Uint8Array | PermissionLevel

/** Ids of rows are below this. */
const IDS = 2 ** 37

/** An entry of the index: the weight and the row id of a permission as one number. */
export const entryOf = (weight: number, id: number): number => weight * IDS + id

/** The weight in an entry of the index. */
export const weightOf = (entry: number): number => Math.floor(entry / IDS)

/** The row id of the permission in an entry of the index. */
export const permissionIdOf = (entry: number): number => entry % IDS

/** The entries for one permission of an account. */
interface Authorized {
  permission: bigint
  entries: number[]
}

/** Maximum number of decoded rows while the index is built. */
const MAX_DECODED = 10_000

const NOTHING: readonly never[] = []

/**
 * An index from keys and accounts to the permissions that they can satisfy. It follows all changes
 * of the permission table, including undo, so its answers always match the current state.
 */
export class AuthorizerIndex {
  /** By the bytes of a key as text: shorter than hex. */
  private readonly by_key = new Map<string, number[]>()
  /** Few permissions of an account authorize something; sorted. */
  private readonly by_account = new Map<bigint, Authorized[]>()

  /**
   * Indexes the existing rows and, from now on, all changes. Callers must hold no rows during the
   * call.
   */
  constructor({ permission }: Database) {
    let count = 0
    for (const row of permission.all()) {
      this.added(row)
      if (++count % MAX_DECODED === 0) permission.trim(0)
    }
    permission.watchers.add(this)
  }

  /** Entries of a key, in order. */
  ofKey(key: Uint8Array): readonly number[] {
    return this.by_key.get(textOf(key)) ?? NOTHING
  }

  /** Permissions of an account that authorize something, each with its entries, in order. */
  ofAccount(account: bigint): readonly Readonly<Authorized>[] {
    return this.by_account.get(account) ?? NOTHING
  }

  /** Adds the entries of a permission; the table of permissions calls it. */
  added({ id, auth }: Row<Permission>): void {
    for (const { key, weight } of auth.keys) {
      insert(
        getOrAdd(this.by_key, textOf(key), () => []),
        entryOf(weight, id),
      )
    }
    for (const { permission: level, weight } of auth.accounts) {
      const permissions = getOrAdd(this.by_account, level.actor, () => [])
      insert(entriesIn(permissions, level.permission), entryOf(weight, id))
    }
  }

  /** Removes the entries of a permission; the table of permissions calls it. */
  removed({ id, auth }: Row<Permission>): void {
    for (const { key, weight } of auth.keys) {
      const text = textOf(key)
      const entries = this.by_key.get(text) ?? []
      remove(entries, entryOf(weight, id))
      if (entries.length === 0) this.by_key.delete(text)
    }
    for (const { permission: level, weight } of auth.accounts) {
      const permissions = this.by_account.get(level.actor) ?? []
      const entries = entriesIn(permissions, level.permission)
      remove(entries, entryOf(weight, id))
      if (entries.length > 0) continue
      permissions.splice(placeIn(permissions, level.permission), 1)
      if (permissions.length === 0) this.by_account.delete(level.actor)
    }
  }
}

const textOf = (key: Uint8Array): string => Buffer.from(key).toString('latin1')

function placeIn(permissions: readonly Authorized[], permission: bigint): number {
  const place = permissions.findIndex((other) => other.permission >= permission)
  return place < 0 ? permissions.length : place
}

/** The entries of a permission; creates the list if it does not exist. */
function entriesIn(permissions: Authorized[], permission: bigint): number[] {
  const place = placeIn(permissions, permission)
  const found = permissions[place]
  if (found?.permission === permission) return found.entries
  const entries: number[] = []
  permissions.splice(place, 0, { permission, entries })
  return entries
}

function insert(entries: number[], entry: number): void {
  entries.splice(position(entries, entry), 0, entry)
}

function remove(entries: number[], entry: number): void {
  const at = position(entries, entry)
  assert.equal(entries[at], entry, 'what goes has come')
  entries.splice(at, 1)
}

/** The position of the entry in a sorted list, or the position for its insertion. */
export function position(entries: readonly number[], entry: number): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (entries[middle]! < entry) low = middle + 1
    else high = middle
  }
  return low
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}
