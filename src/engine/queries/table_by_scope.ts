import { UINT64_MAX } from '../protocol/integer.ts'
import type { Body } from '../contract.ts'
import { nameFromString, nameToString } from '../protocol/name.ts'
import type { TableId } from '../state/rows.ts'
import { attempt, refuseUint64, uint64FromText, uint64IfAny } from './key_text.ts'
import { parseParams } from './params.ts'
import type { StateChain } from './query.ts'
import { MAX_ROWS, MAX_WALKED_ROWS } from './query.ts'

/** A bound of an iteration over scopes: a scope, and a table in it. */
interface Place {
  scope: bigint
  table: bigint
}

/**
 * A bound: a scope, or `scope:table` as in `more` in the middle of a scope. Without a table,
 * `table` is the bound's table.
 */
function placeFromText(text: string, what: string, table: bigint): Place {
  const colon = text.lastIndexOf(':')
  if (colon < 0) return { scope: uint64FromText(text, what), table }
  const scope = uint64IfAny(text.slice(0, colon))
  const name = attempt(() => nameFromString(text.slice(colon + 1)))
  if (scope === undefined || name === undefined) return refuseUint64(text, what)
  return { scope, table: name }
}

/**
 * A scope as a bound that reads back: its name, or its number where the name has digits alone (or
 * nothing), because a bound of digits is a number.
 */
function scopeToText(scope: bigint): string {
  const name = nameToString(scope)
  return /^[0-9]*$/.test(name) ? String(scope) : name
}

/** A bound that continues at this row: only the scope if the page ended with a complete scope. */
function placeToText(next: TableId, last: TableId | undefined): string {
  const scope = scopeToText(next.scope)
  return last?.scope === next.scope ? `${scope}:${nameToString(next.table)}` : scope
}

/**
 * Tables of a contract by scope. `limit` counts the rows of the answer; `more` is the next page's
 * `lower_bound` (`upper_bound` when reading in reverse), empty at the end. Where a page ends within
 * a scope, `more` names the table too, so that no page repeats another one.
 * spring: read_only::get_table_by_scope
 */
export function getTableByScope(chain: StateChain, params: Body<'get_table_by_scope'>) {
  const p = parseParams(params, (fields) => ({
    code: fields.name('code'),
    table: fields.name('table'),
    lower_bound: fields.string('lower_bound'),
    upper_bound: fields.string('upper_bound'),
    limit: Math.min(fields.uint32('limit', 10), MAX_ROWS),
    reverse: fields.bool('reverse'),
    // Accepted and without effect: a page is bounded by rows, not by the clock.
    time_limit_ms: fields.optionalUint32('time_limit_ms'),
  }))
  const lower =
    p.lower_bound === ''
      ? { scope: 0n, table: p.table }
      : placeFromText(p.lower_bound, 'lower_bound scope', p.table)
  const last_table = p.table === 0n ? UINT64_MAX : p.table
  const upper =
    p.upper_bound === ''
      ? { scope: UINT64_MAX, table: last_table }
      : placeFromText(p.upper_bound, 'upper_bound scope', last_table)
  const rows: TableId[] = []
  let more = ''
  let walked = 0
  const range = chain.db.table_id.range(
    'by_code_scope_table',
    [p.code, lower.scope, lower.table],
    [p.code, upper.scope, upper.table],
    p.reverse,
  )
  for (const row of range) {
    const wanted = p.table === 0n || row.table === p.table
    const full = rows.length >= p.limit
    // A page of nothing has no next one.
    if (p.limit === 0) break
    if ((wanted && full) || walked++ >= MAX_WALKED_ROWS) {
      more = placeToText(row, rows.at(-1))
      break
    }
    if (wanted) rows.push(row)
  }
  return {
    rows: rows.map((row) => ({
      code: nameToString(row.code),
      scope: nameToString(row.scope),
      table: nameToString(row.table),
      payer: nameToString(row.payer),
      count: row.count,
    })),
    more,
  }
}
