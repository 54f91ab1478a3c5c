import { packAuthority } from '../../../../src/engine/protocol/authority.ts'
import { Writer } from '../../../../src/engine/protocol/writer.ts'
import type { Database } from '../../../../src/engine/state/database.ts'
import type { SecondaryKey } from '../../../../src/engine/state/secondary_kind.ts'
import type { SecondaryTable } from '../../../../src/engine/state/secondary_table.ts'
import { OBJECT_TABLES } from '../../../../src/engine/state/tables.ts'

/** Packed rows by the name that a snapshot's section has. */
export type Sections = Map<string, Uint8Array>

/** The sections of a state, but for those of header states. */
export function stateSections(db: Database, with_block_ids = true): Sections {
  const sections: Sections = new Map()
  const add = (name: string, f: (w: Writer) => void): void => {
    const w = new Writer()
    f(w)
    sections.set(`eosio::chain::${name}_object`, w.bytes())
  }
  for (const name of PLAIN) {
    if (name === 'block_summary' && !with_block_ids) continue
    const table = db[name] as unknown as { all(): Iterable<never> }
    const pack = OBJECT_TABLES[name].codec.pack as (w: Writer, row: never) => void
    const prefix = name.startsWith('resource') ? 'resource_limits::' : ''
    add(prefix + name, (w) => {
      for (const row of table.all()) pack(w, row)
    })
  }
  add('permission', (w) => packPermissions(w, db))
  add('resource_limits::resource_limits', (w) => {
    for (const { owner, net_weight, cpu_weight, ram_bytes } of db.resource_limits.all()) {
      w.u64(owner)
      for (const limit of [net_weight, cpu_weight, ram_bytes]) w.i64(limit)
    }
  })
  add('key_value', (w) => packKeyValues(w, db))
  add('index64', (w) => packSecondary(w, db, db.index64, (k) => w.u64(k)))
  add('index128', (w) => packSecondary(w, db, db.index128, (k) => w.u128(k)))
  add('index256', (w) => packSecondary(w, db, db.index256, ([a, b]) => (w.u128(a), w.u128(b))))
  add('index_double', (w) => packSecondary(w, db, db.index_double, (k) => w.u64(k)))
  add('index_long_double', (w) => packSecondary(w, db, db.index_long_double, (k) => w.u128(k)))
  return sections
}

/** Tables whose rows are stored in the form of snapshots. */
const PLAIN = [
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
  'permission_link',
  'resource_usage',
  'resource_limits_state',
  'resource_limits_config',
] as const

function packPermissions(w: Writer, db: Database): void {
  for (const row of db.permission.all()) {
    w.u64(db.permission.getById(row.parent).name)
    w.u64(row.owner)
    w.u64(row.name)
    w.i64(BigInt(row.last_updated))
    w.i64(BigInt(db.permission_usage.getById(row.usage_id).last_used))
    packAuthority(w, row.auth)
  }
}

/** Rows table by table, each table led by its position among the tables and its number of rows. */
function packTables(
  w: Writer,
  db: Database,
  table: { first(t_id: number): number; next(row: number): number },
  pack: (row: number) => void,
): void {
  let position = 0
  for (const { id } of db.table_id.all()) {
    const rows: number[] = []
    for (let row = table.first(id); row !== -1; row = table.next(row)) rows.push(row)
    if (rows.length > 0) {
      w.u64(BigInt(position))
      w.varuint32(rows.length)
      rows.forEach(pack)
    }
    position++
  }
}

function packKeyValues(w: Writer, db: Database): void {
  const { key_value } = db
  packTables(w, db, key_value, (row) => {
    w.u64(key_value.primary(row))
    w.u64(key_value.payer(row))
    w.blob(key_value.value(row))
  })
}

function packSecondary<K extends SecondaryKey>(
  w: Writer,
  db: Database,
  table: SecondaryTable<K>,
  packKey: (key: K) => void,
): void {
  packTables(w, db, table, (row) => {
    w.u64(table.primary(row))
    w.u64(table.payer(row))
    packKey(table.secondary(row))
  })
}
