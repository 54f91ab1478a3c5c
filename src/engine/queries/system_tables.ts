import { N } from '../protocol/name.ts'
import type { QueryChain } from './query.ts'

/** The account of the usual token contract. */
export const TOKEN_ACCOUNT = N('eosio.token')

/** The bytes of a row in a contract's table; undefined when table or row are missing. */
export function rowBytes(
  chain: Pick<QueryChain, 'db'>,
  code: bigint,
  scope: bigint,
  table: bigint,
  primary: bigint,
): Uint8Array | undefined {
  const t = chain.db.table_id.find('by_code_scope_table', code, scope, table)
  if (!t) return undefined
  const row = chain.db.key_value.find(t.id, primary)
  return row < 0 ? undefined : chain.db.key_value.value(row)
}

/** The bytes of every row in a contract's table, in the order of their keys. */
export function* tableBytes(
  chain: Pick<QueryChain, 'db'>,
  code: bigint,
  scope: bigint,
  table: bigint,
): Generator<Uint8Array> {
  const t = chain.db.table_id.find('by_code_scope_table', code, scope, table)
  if (!t) return
  const rows = chain.db.key_value
  for (let row = rows.first(t.id); row >= 0; row = rows.next(row)) yield rows.value(row)
}
