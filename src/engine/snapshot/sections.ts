/**
 * The sections of a snapshot of the current version, in order, and the rows of each.
 * spring: libraries/chain/controller.cpp (add_to_snapshot), authorization_manager.cpp,
 * resource_limits.cpp
 */
import type { Writer } from '../protocol/writer.ts'
import type { ContractTableName } from '../state/tables.ts'
import { block_state } from './block_state_json.ts'
import { contractRows } from './contract_rows.ts'
import { BLOCK_STATE_SECTION, CURRENT_VERSION, HEADER_SECTION } from './format.ts'
import { i64, struct, u32, varuint32 } from './json_type.ts'
import type { JsonType } from './json_type.ts'
import { liveTransactions, objectRows, permissionRows, resourceLimitsRows } from './object_rows.ts'
import { CONTRACT_ROWS, OBJECT_ROWS } from './row_json.ts'
import type { SnapshotTableName } from './row_json.ts'
import type { SnapshotSource } from './source.ts'

/**
 * A section. Each step of `rows` appends one packed row to `out` and yields the row's type; the
 * caller may empty `out` between steps.
 */
export interface Section {
  name: string
  rows(out: Writer): Generator<JsonType>
}

/** Sections of objects before and after those of contract rows. */
export const OBJECT_SECTIONS: ReadonlyMap<string, SnapshotTableName> = new Map(
  [
    'account',
    'account_metadata',
    'account_ram_correction',
    'global_property',
    'protocol_state',
    'dynamic_global_property',
    'block_summary',
    'transaction',
    'generated_transaction',
    'table_id',
    'code',
  ].map((table) => [`eosio::chain::${table}_object`, table as SnapshotTableName]),
)

/** Snapshot sections of contract rows, with their tables. */
export const CONTRACT_SECTIONS: ReadonlyMap<string, ContractTableName> = new Map(
  (Object.keys(CONTRACT_ROWS) as ContractTableName[]).map((table) => [
    `eosio::chain::${table}_object`,
    table,
  ]),
)
/** Sections that follow those of the contract tables, with their tables. */
export const LAST_SECTIONS: ReadonlyMap<string, SnapshotTableName> = new Map([
  ['eosio::chain::permission_object', 'permission'],
  ['eosio::chain::permission_link_object', 'permission_link'],
  ['eosio::chain::resource_limits::resource_limits_object', 'resource_limits'],
  ['eosio::chain::resource_limits::resource_usage_object', 'resource_usage'],
  ['eosio::chain::resource_limits::resource_limits_state_object', 'resource_limits_state'],
  ['eosio::chain::resource_limits::resource_limits_config_object', 'resource_limits_config'],
])

/** Types of the rows that precede the rows of one contract table. */
const TABLE_NUMBER = i64
const ROW_COUNT = varuint32

const header = struct({ version: u32 })

/** Every section, in order. */
export function* snapshotSections(source: SnapshotSource): Generator<Section> {
  yield {
    name: HEADER_SECTION,
    rows: (out) => oneRow(header, () => out.u32(CURRENT_VERSION)),
  }
  yield {
    name: BLOCK_STATE_SECTION,
    rows: (out) => oneRow(block_state, () => out.raw(source.block_state)),
  }
  for (const [name, table] of OBJECT_SECTIONS) yield objectSection(source, name, table)
  for (const [name, table] of CONTRACT_SECTIONS) {
    const types = { number: TABLE_NUMBER, count: ROW_COUNT, row: CONTRACT_ROWS[table] }
    yield { name, rows: (out) => contractRows(source.view, table, types, out) }
  }
  for (const [name, table] of LAST_SECTIONS) yield objectSection(source, name, table)
}

function* oneRow(type: JsonType, write: () => void): Generator<JsonType> {
  write()
  yield type
}

function objectSection(source: SnapshotSource, name: string, table: SnapshotTableName): Section {
  const { view } = source
  const type = OBJECT_ROWS[table]
  switch (table) {
    case 'transaction':
      return { name, rows: (out) => liveTransactions(view, source.block_time_us, type, out) }
    case 'permission':
      return { name, rows: (out) => permissionRows(view, type, out) }
    case 'resource_limits':
      return { name, rows: (out) => resourceLimitsRows(view, type, out) }
    default:
      return { name, rows: (out) => objectRows(view, table, type, out) }
  }
}
