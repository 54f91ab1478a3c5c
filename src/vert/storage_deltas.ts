/** The difference of two storages in the form of VeRT: `old` and `new` in the place of what changed. */
import type { Storage, StoredRow } from './storage.ts'

/** Changed rows by contract, table and scope; what was removed is not in it. */
// oxlint-disable-next-line typescript/no-explicit-any -- rows have any fields, as in VeRT
export type StorageDeltas = any

type Fields = Record<string, unknown>

/** The changes from one storage to the other. */
export function storageDeltas(before: Storage, after: Storage): StorageDeltas {
  const deltas: Fields = {}
  for (const [account, tables] of Object.entries(after)) {
    const old_tables = before[account]
    if (old_tables === undefined) {
      Object.assign(deltas, { [account]: { new: tables } })
      continue
    }
    for (const [table, scopes] of Object.entries(tables)) {
      const old_scopes = old_tables[table]
      if (old_scopes === undefined) put(deltas, [account, table], { new: scopes })
      else
        for (const [scope, rows] of Object.entries(scopes)) {
          const old_rows = old_scopes[scope]
          if (old_rows === undefined) put(deltas, [account, table, scope], { new: rows })
          else {
            const changed = changedRows(old_rows, rows)
            if (changed.length > 0) put(deltas, [account, table, scope], changed)
          }
        }
    }
  }
  return deltas
}

/** Rows are compared by their primary keys. */
function changedRows(before: readonly StoredRow[], after: readonly StoredRow[]): unknown[] {
  const old = new Map(before.map((row) => [row.primaryKey, row]))
  const changed: unknown[] = []
  for (const row of after) {
    const previous = old.get(row.primaryKey)
    if (previous === undefined) changed.push({ new: row })
    else if (!equal(previous, row)) changed.push(difference(previous, row))
  }
  return changed
}

/** The old value, with `{ old, new }` where the new one differs. */
function difference(before: unknown, after: unknown): unknown {
  if (equal(before, after)) return before
  if (!isContainer(before) || !isContainer(after)) return { old: before, new: after }
  if (Array.isArray(before) !== Array.isArray(after)) return { old: before, new: after }
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  const result: Fields | unknown[] = Array.isArray(before) ? [] : {}
  for (const key of keys) {
    const value = Object.hasOwn(before, key)
      ? Object.hasOwn(after, key)
        ? difference(before[key], after[key])
        : before[key]
      : { new: after[key] }
    ;(result as Fields)[key] = value
  }
  return result
}

function isContainer(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array)
}

function equal(a: unknown, b: unknown): boolean {
  return a === b || textOfValue(a) === textOfValue(b)
}

/** JSON with numbers of any size; indented by 4 as VeRT prints it. */
export function textOfValue(value: unknown, indent?: number): string {
  const replacer = (_key: string, item: unknown): unknown =>
    typeof item === 'bigint' ? item.toString() : item
  return JSON.stringify(value, replacer, indent) ?? 'undefined'
}

function put(target: Fields, path: readonly string[], value: unknown): void {
  const last = path[path.length - 1]!
  let at = target
  for (const part of path.slice(0, -1)) at = (at[part] ??= {}) as Fields
  at[last] = value
}
