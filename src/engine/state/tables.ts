/**
 * Every object table of the state: number, row form, unique indices. The numbers are the reference's
 * object types (spring: chain/types.hpp) and are part of the store's keys. Contract rows
 * (`key_value`, `index64` … `index_long_double`) are in {@link CONTRACT_TABLES}; they have no objects.
 *
 * The packed form of a row is the one that the reference's snapshots have where it holds all that
 * memory needs; the exceptions are noted.
 */
import * as codecs from './row_codecs.ts'
import { indexOf } from './index_key.ts'
import type { IndexDefinition } from './index_key.ts'
import type { RowCodec } from './row_codecs.ts'
import type * as rows from './rows.ts'

/** The definition of a table; `I` maps its index names to their definitions. */
export interface TableDefinition<T, I extends Record<string, IndexDefinition<T>>> {
  readonly number: number
  readonly codec: RowCodec<T>
  readonly indices: I
}

function table<T>(number: number, codec: RowCodec<T>) {
  return <I extends Record<string, IndexDefinition<T>>>(
    indices: (index: ReturnType<typeof indexOf<T>>) => I,
  ): TableDefinition<T, I> => ({ number, codec, indices: indices(indexOf<T>()) })
}

/** The object tables in the order of the reference's snapshots. */
export const OBJECT_TABLES = {
  account: table<rows.Account>(
    1,
    codecs.account,
  )((index) => ({
    by_name: index(['u64'], (r) => [r.name]),
  })),
  account_metadata: table<rows.AccountMetadata>(
    2,
    codecs.account_metadata,
  )((index) => ({
    by_name: index(['u64'], (r) => [r.name]),
  })),
  account_ram_correction: table<rows.AccountRamCorrection>(
    39,
    codecs.account_ram_correction,
  )((index) => ({
    by_name: index(['u64'], (r) => [r.name]),
  })),
  global_property: table<rows.GlobalProperty>(13, codecs.global_property)(() => ({})),
  protocol_state: table<rows.ProtocolState>(38, codecs.protocol_state)(() => ({})),
  dynamic_global_property: table<rows.DynamicGlobalProperty>(
    14,
    codecs.dynamic_global_property,
  )(() => ({})),
  block_summary: table<rows.BlockSummary>(15, codecs.block_summary)(() => ({})),
  transaction: table<rows.TransactionRow>(
    16,
    codecs.transaction,
  )((index) => ({
    by_trx_id: index(['sha256'], (r) => [r.trx_id]),
    by_expiration: index(['u32', 'uint53'], (r) => [r.expiration, r.id]),
  })),
  generated_transaction: table<rows.GeneratedTransaction>(
    17,
    codecs.generated_transaction,
  )((index) => ({
    by_trx_id: index(['sha256'], (r) => [r.trx_id]),
    by_expiration: index(['uint53', 'uint53'], (r) => [r.expiration, r.id]),
    by_delay: index(['uint53', 'uint53'], (r) => [r.delay_until, r.id]),
    by_sender_id: index(['u64', 'u128'], (r) => [r.sender, r.sender_id]),
  })),
  table_id: table<rows.TableId>(
    30,
    codecs.table_id,
  )((index) => ({
    by_code_scope_table: index(['u64', 'u64', 'u64'], (r) => [r.code, r.scope, r.table]),
  })),
  code: table<rows.Code>(
    40,
    codecs.code,
  )((index) => ({
    by_code_hash: index(['sha256', 'u32', 'u32'], (r) => [r.code_hash, r.vm_type, r.vm_version]),
  })),
  database_header: table<rows.DatabaseHeader>(41, codecs.database_header)(() => ({})),
  /** Packed with usage_id and parent as ids; snapshots have the parent's name and last_used. */
  permission: table<rows.Permission>(
    3,
    codecs.permission,
  )((index) => ({
    by_parent: index(['uint53', 'uint53'], (r) => [r.parent, r.id]),
    by_owner: index(['u64', 'u64'], (r) => [r.owner, r.name]),
    by_name: index(['u64', 'uint53'], (r) => [r.name, r.id]),
  })),
  /** Snapshots have these rows only within permission rows. */
  permission_usage: table<rows.PermissionUsage>(4, codecs.permission_usage)(() => ({})),
  permission_link: table<rows.PermissionLink>(
    5,
    codecs.permission_link,
  )((index) => ({
    by_action_name: index(['u64', 'u64', 'u64'], (r) => [r.account, r.code, r.message_type]),
    by_permission_name: index(['u64', 'u64', 'uint53'], (r) => [
      r.account,
      r.required_permission,
      r.id,
    ]),
  })),
  /** Packed with `pending` behind the snapshot's form. */
  resource_limits: table<rows.ResourceLimits>(
    31,
    codecs.resource_limits,
  )((index) => ({
    by_owner: index(['bool', 'u64'], (r) => [r.pending, r.owner]),
  })),
  resource_usage: table<rows.ResourceUsage>(
    32,
    codecs.resource_usage,
  )((index) => ({
    by_owner: index(['u64'], (r) => [r.owner]),
  })),
  resource_limits_state: table<rows.ResourceLimitsState>(
    33,
    codecs.resource_limits_state,
  )(() => ({})),
  resource_limits_config: table<rows.ResourceLimitsConfig>(
    34,
    codecs.resource_limits_config,
  )(() => ({})),
} as const

/** The name of an object table. */
export type ObjectTableName = keyof typeof OBJECT_TABLES

/** Row type of an object table. */
export type RowOf<N extends ObjectTableName> = (typeof OBJECT_TABLES)[N] extends {
  codec: RowCodec<infer T>
}
  ? T
  : never

/** Key values of each index of an object table. */
export type KeysOf<N extends ObjectTableName> = KeysOfIndices<(typeof OBJECT_TABLES)[N]['indices']>

type KeysOfIndices<I> = { [N in keyof I]: KeyOf<I[N]> } & { by_id: readonly [number] }
type KeyOf<D> = D extends { key: (row: never) => infer K extends readonly unknown[] } ? K : never

/** Contract tables: number, and for secondary tables the kind of their secondary key. */
export const CONTRACT_TABLES = {
  key_value: { number: 7 },
  index64: { number: 8, secondary: 'u64' },
  index128: { number: 9, secondary: 'u128' },
  index256: { number: 10, secondary: 'key256' },
  index_double: { number: 11, secondary: 'float64' },
  index_long_double: { number: 12, secondary: 'float128' },
} as const

/** The name of a table of contract rows. */
export type ContractTableName = keyof typeof CONTRACT_TABLES

/** A table of either kind. */
export type TableName = ObjectTableName | ContractTableName
