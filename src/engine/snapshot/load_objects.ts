import { check } from '../errors.ts'
import { unpackAuthority } from '../protocol/authority.ts'
import type { Authority } from '../protocol/authority.ts'
import { bytesEqual } from '../protocol/hex.ts'
import type { Reader } from '../protocol/reader.ts'
import type { Database } from '../state/database.ts'
import { permission_usage, type RowCodec } from '../state/row_codecs.ts'
import { OBJECT_TABLES } from '../state/tables.ts'
import type { SnapshotTableName } from './row_json.ts'
import type { SectionReader } from './section_reader.ts'

/** Rows that are stored in the form of snapshots; ids are assigned in order. */
export function loadObjects(rows: SectionReader, name: SnapshotTableName, db: Database): void {
  const codec = OBJECT_TABLES[name].codec as RowCodec<unknown>
  const table = db[name] as unknown as { add(row: object & { id: number }): void }
  while (rows.remaining > 0) {
    rows.row((r) => table.add({ ...(codec.unpack(r) as object), id: 0 }))
  }
}

/** Ids of recent blocks: 65536 rows, of which a young chain has few that are not empty. */
export function loadBlockSummaries(rows: SectionReader, db: Database): void {
  const { block_summary: table } = db
  const codec = OBJECT_TABLES.block_summary.codec
  const empty = { block_id: new Uint8Array(32) }
  let empty_rows = 0
  while (rows.remaining > 0) {
    const row = rows.row((r) => codec.unpack(r))
    if (bytesEqual(row.block_id, empty.block_id)) empty_rows += 1
    else {
      table.createEqual(empty, empty_rows)
      empty_rows = 0
      table.add({ ...row, id: 0 })
    }
  }
  table.createEqual(empty, empty_rows)
}

/** No limits are pending after a block, and snapshots do not say so. */
export function loadLimits(rows: SectionReader, db: Database): void {
  while (rows.remaining > 0) {
    rows.row((r) => {
      db.resource_limits.add({
        id: 0,
        owner: r.name(),
        net_weight: r.i64(),
        cpu_weight: r.i64(),
        ram_bytes: r.i64(),
        pending: false,
      })
    })
  }
}

/**
 * Permissions name their parent and have the time of their last use in them. The first one is
 * reserved and empty, and has no row of usage. spring: libraries/chain/authorization_manager.cpp
 */
export function loadPermissions(rows: SectionReader, db: Database): void {
  while (rows.remaining > 0) {
    rows.row((r) => addPermission(unpackPermission(r), db))
  }
}

interface SnapshotPermission {
  parent: bigint
  owner: bigint
  name: bigint
  last_updated: number
  last_used: number
  auth: Authority
}

function unpackPermission(r: Reader): SnapshotPermission {
  return {
    parent: r.name(),
    owner: r.name(),
    name: r.name(),
    last_updated: permission_usage.unpack(r).last_used,
    last_used: permission_usage.unpack(r).last_used,
    auth: unpackAuthority(r),
  }
}

function addPermission(row: SnapshotPermission, db: Database): void {
  const { owner, name, last_updated, auth } = row
  const is_reserved = db.permission.size === 0
  if (is_reserved) checkReserved(row)
  const parent = row.parent === 0n ? 0 : parentId(row, db)
  const usage = { id: 0, last_used: row.last_used }
  if (!is_reserved) db.permission_usage.add(usage)
  db.permission.add({ id: 0, usage_id: usage.id, parent, owner, name, last_updated, auth })
}

function checkReserved(row: SnapshotPermission): void {
  const { threshold, keys, accounts, waits } = row.auth
  const names_nothing = row.parent === 0n && row.owner === 0n && row.name === 0n
  const is_empty = threshold === 0 && keys.length + accounts.length + waits.length === 0
  check(
    names_nothing && is_empty && row.last_updated === 0,
    'snapshot_exception',
    'Unexpected content of reserved permission 0',
  )
}

function parentId(row: SnapshotPermission, db: Database): number {
  const parent = db.permission.findId('by_owner', row.owner, row.parent)
  check(parent !== undefined, 'snapshot_exception', 'a permission precedes its parent')
  check(parent !== 0, 'snapshot_exception', 'Unexpected mapping to reserved permission 0')
  return parent
}
