/**
 * Who may act for whom: from a key or a permission level to the permissions whose authority names it.
 *
 * Invariants:
 * - Entries are numbers that hold weight and row id of a permission, sorted: answers are in the
 *   reference's order (authorizer, weight, age of the permission), and a page begins by a search.
 * - Rows that changed since the index was last asked are in `changed`; asking indexes them anew first.
 *   Undo is a change like any other, so forks and pending blocks need no care here.
 * spring: plugins/chain_plugin/account_query_db.cpp
 */
import { toHex } from '../protocol/hex.ts'
import type { PermissionLevel } from '../protocol/transaction.ts'
import type { Database } from '../state/database.ts'
import type { Permission } from '../state/rows.ts'

/** A key as hex of its packed bytes, or a permission level. */
export type Authorizer = string | PermissionLevel

/** An authorizer and an entry: where the index tells that it may act. */
export interface Match {
  authorizer: Authorizer
  entry: number
}

/** Ids of rows are below this. */
const IDS = 2 ** 37

export const entryOf = (weight: number, id: number): number => weight * IDS + id
export const weightOf = (entry: number): number => Math.floor(entry / IDS)
export const permissionIdOf = (entry: number): number => entry % IDS

export class AuthorizerIndex {
  private readonly permissions: Database['permission']
  private readonly by_key = new Map<string, number[]>()
  private readonly by_account = new Map<bigint, Map<bigint, number[]>>()
  /** What each row is indexed under, by its id. */
  private readonly indexed = new Map<number, Match[]>()
  private readonly changed = new Set<number>()

  /** Indexes what is there, and from now on what changes. */
  constructor({ permission }: Database) {
    this.permissions = permission
    for (const row of permission.all()) this.add(row.id, row)
    permission.onChange = (id) => this.changed.add(id)
  }

  /** Entries of a key, in order. */
  ofKey(key: string): readonly number[] {
    this.refresh()
    return this.by_key.get(key) ?? []
  }

  /** Permissions of an account that authorize something, each with its entries, in order. */
  ofAccount(account: bigint): (readonly [bigint, readonly number[]])[] {
    this.refresh()
    const permissions = this.by_account.get(account)
    return permissions ? [...permissions].sort(([a], [b]) => (a < b ? -1 : 1)) : []
  }

  private refresh(): void {
    for (const id of this.changed) {
      this.remove(id)
      const row = this.permissions.byId(id)
      if (row) this.add(id, row)
    }
    this.changed.clear()
  }

  private add(id: number, { auth }: Permission): void {
    const matches: Match[] = [
      ...auth.accounts.map(({ permission, weight }) => ({
        authorizer: permission,
        entry: entryOf(weight, id),
      })),
      ...auth.keys.map(({ key, weight }) => ({
        authorizer: toHex(key),
        entry: entryOf(weight, id),
      })),
    ]
    if (matches.length === 0) return
    for (const { authorizer, entry } of matches) {
      const entries = this.entriesOf(authorizer)
      entries.splice(position(entries, entry), 0, entry)
    }
    this.indexed.set(id, matches)
  }

  private remove(id: number): void {
    for (const { authorizer, entry } of this.indexed.get(id) ?? []) {
      const entries = this.entriesOf(authorizer)
      entries.splice(position(entries, entry), 1)
      if (entries.length === 0) this.forget(authorizer)
    }
    this.indexed.delete(id)
  }

  private entriesOf(authorizer: Authorizer): number[] {
    if (typeof authorizer === 'string') return getOrAdd(this.by_key, authorizer, () => [])
    const permissions = getOrAdd(this.by_account, authorizer.actor, () => new Map())
    return getOrAdd(permissions, authorizer.permission, () => [])
  }

  private forget(authorizer: Authorizer): void {
    if (typeof authorizer === 'string') return void this.by_key.delete(authorizer)
    const permissions = this.by_account.get(authorizer.actor)
    permissions?.delete(authorizer.permission)
    if (permissions?.size === 0) this.by_account.delete(authorizer.actor)
  }
}

/** Where the entry is, or would be, in a sorted list. */
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
