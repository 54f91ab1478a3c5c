/** The reference's state at block 122 of the recorded chain, from its own JSON, in a database. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Authority } from '../../../src/engine/protocol/authority.ts'
import type { ChainConfig, WasmConfig } from '../../../src/engine/protocol/config.ts'
import { fromHex } from '../../../src/engine/protocol/hex.ts'
import { publicKeyFromString } from '../../../src/engine/protocol/key.ts'
import { nameFromString } from '../../../src/engine/protocol/name.ts'
import { parseBlockTimestamp, parseTimePoint } from '../../../src/engine/protocol/time.ts'
import { createDatabase } from '../../../src/engine/state/database.ts'
import type { Database } from '../../../src/engine/state/database.ts'
import type { ElasticLimitParameters, UsageAccumulator } from '../../../src/engine/state/rows.ts'

type Fields = Record<string, unknown>

const text = (row: Fields, key: string): string => String(row[key])
const name = (row: Fields, key: string): bigint => nameFromString(text(row, key))
const number = (row: Fields, key: string): number => Number(row[key])
const big = (row: Fields, key: string): bigint => BigInt(row[key] as string | number)
const bytes = (row: Fields, key: string): Uint8Array =>
  new Uint8Array(Buffer.from(text(row, key), 'base64'))
const time = (row: Fields, key: string): number => parseTimePoint(text(row, key))
const fields = (row: Fields, key: string): Fields => row[key] as Fields
const list = (row: Fields, key: string): Fields[] => row[key] as Fields[]

function authority(row: Fields): Authority {
  return {
    threshold: number(row, 'threshold'),
    keys: list(row, 'keys').map((k) => ({
      key: publicKeyFromString(text(k, 'key')),
      weight: number(k, 'weight'),
    })),
    accounts: list(row, 'accounts').map((a) => ({
      permission: {
        actor: name(fields(a, 'permission'), 'actor'),
        permission: name(fields(a, 'permission'), 'permission'),
      },
      weight: number(a, 'weight'),
    })),
    waits: list(row, 'waits').map((w) => ({
      wait_sec: number(w, 'wait_sec'),
      weight: number(w, 'weight'),
    })),
  }
}

const usage = (row: Fields): UsageAccumulator => ({
  last_ordinal: number(row, 'last_ordinal'),
  value_ex: big(row, 'value_ex'),
  consumed: big(row, 'consumed'),
})

const ratio = (row: Fields) => ({
  numerator: big(row, 'numerator'),
  denominator: big(row, 'denominator'),
})

const elastic = (row: Fields): ElasticLimitParameters => ({
  target: big(row, 'target'),
  max: big(row, 'max'),
  periods: number(row, 'periods'),
  max_multiplier: number(row, 'max_multiplier'),
  contract_rate: ratio(fields(row, 'contract_rate')),
  expand_rate: ratio(fields(row, 'expand_rate')),
})

type Sections = Record<string, unknown[]>

const rowsOf = (sections: Sections, section: string): Fields[] => sections[section] as Fields[]

function loadAccounts(db: Database, sections: Sections): void {
  for (const r of rowsOf(sections, 'account_object')) {
    db.account.create({
      name: name(r, 'name'),
      creation_date: parseBlockTimestamp(text(r, 'creation_date')),
      abi: bytes(r, 'abi'),
    })
  }
  for (const r of rowsOf(sections, 'account_metadata_object')) {
    db.account_metadata.create({
      name: name(r, 'name'),
      recv_sequence: big(r, 'recv_sequence'),
      auth_sequence: big(r, 'auth_sequence'),
      code_sequence: big(r, 'code_sequence'),
      abi_sequence: big(r, 'abi_sequence'),
      code_hash: fromHex(text(r, 'code_hash')),
      last_code_update: time(r, 'last_code_update'),
      flags: number(r, 'flags'),
      vm_type: number(r, 'vm_type'),
      vm_version: number(r, 'vm_version'),
    })
  }
  for (const r of rowsOf(sections, 'code_object')) {
    db.code.create({
      code_hash: fromHex(text(r, 'code_hash')),
      code: bytes(r, 'code'),
      code_ref_count: big(r, 'code_ref_count'),
      first_block_used: number(r, 'first_block_used'),
      vm_type: number(r, 'vm_type'),
      vm_version: number(r, 'vm_version'),
    })
  }
}

function loadGlobals(db: Database, sections: Sections): void {
  const [global] = rowsOf(sections, 'global_property_object') as [Fields]
  const configuration = fields(global, 'configuration')
  db.global_property.create({
    proposed_schedule_block_num: undefined,
    proposed_schedule: { version: 0, producers: [] },
    configuration: {
      ...(configuration as unknown as ChainConfig),
      max_block_net_usage: big(configuration, 'max_block_net_usage'),
    },
    chain_id: fromHex(text(global, 'chain_id')),
    wasm_configuration: global['wasm_configuration'] as WasmConfig,
  })
  const [protocol] = rowsOf(sections, 'protocol_state_object') as [Fields]
  db.protocol_state.create({
    activated_protocol_features: list(protocol, 'activated_protocol_features').map((f) => ({
      feature_digest: fromHex(text(f, 'feature_digest')),
      activation_block_num: number(f, 'activation_block_num'),
    })),
    preactivated_protocol_features: [],
    whitelisted_intrinsics: new Set(),
    num_supported_key_types: number(protocol, 'num_supported_key_types'),
  })
}

function doubleBits(printed: unknown): bigint {
  const view = new DataView(new ArrayBuffer(8))
  const special: Record<string, number> = { inf: Infinity, '-inf': -Infinity }
  view.setFloat64(0, special[String(printed)] ?? Number(printed))
  return view.getBigUint64(0)
}

const quadBits = (printed: unknown): bigint =>
  BigInt(`0x${Buffer.from(String(printed).slice(2), 'hex').reverse().toString('hex')}`)

function loadContractTables(db: Database, sections: Sections): void {
  const ids = rowsOf(sections, 'table_id_object').map(
    (r) =>
      db.table_id.create({
        code: name(r, 'code'),
        scope: name(r, 'scope'),
        table: name(r, 'table'),
        payer: name(r, 'payer'),
        count: number(r, 'count'),
      }).id,
  )
  const load = (section: string, insert: (t_id: number, row: Fields) => void): void => {
    // A table's number, how many rows follow, the rows; again and again.
    const values = sections[section]!
    for (let i = 0; i < values.length;) {
      const t_id = ids[Number(values[i++])]!
      for (let n = Number(values[i++]); n > 0; n--) insert(t_id, values[i++] as Fields)
    }
  }
  const place = (r: Fields): [bigint, bigint] => [big(r, 'primary_key'), name(r, 'payer')]
  load('key_value_object', (t, r) => db.key_value.insert(t, ...place(r), bytes(r, 'value')))
  load('index64_object', (t, r) => db.index64.insert(t, ...place(r), big(r, 'secondary_key')))
  load('index128_object', (t, r) => db.index128.insert(t, ...place(r), big(r, 'secondary_key')))
  load('index256_object', (t, r) => {
    const [high, low] = r['secondary_key'] as [string, string]
    db.index256.insert(t, ...place(r), [BigInt(high), BigInt(low)])
  })
  load('index_double_object', (t, r) =>
    db.index_double.insert(t, ...place(r), doubleBits(r['secondary_key'])),
  )
  load('index_long_double_object', (t, r) =>
    db.index_long_double.insert(t, ...place(r), quadBits(r['secondary_key'])),
  )
}

function loadPermissions(db: Database, sections: Sections): void {
  const ids = new Map<string, number>()
  for (const r of rowsOf(sections, 'permission_object')) {
    const owner = text(r, 'owner')
    const row = db.permission.create({
      usage_id: db.permission_usage.create({ last_used: time(r, 'last_used') }).id,
      parent: ids.get(`${owner}@${text(r, 'parent')}`) ?? 0,
      owner: name(r, 'owner'),
      name: name(r, 'name'),
      last_updated: time(r, 'last_updated'),
      auth: authority(fields(r, 'auth')),
    })
    ids.set(`${owner}@${text(r, 'name')}`, row.id)
  }
  for (const r of rowsOf(sections, 'permission_link_object')) {
    db.permission_link.create({
      account: name(r, 'account'),
      code: name(r, 'code'),
      message_type: name(r, 'message_type'),
      required_permission: name(r, 'required_permission'),
    })
  }
}

function loadResources(db: Database, sections: Sections): void {
  const section = (what: string): Fields[] => rowsOf(sections, `resource_limits::${what}_object`)
  for (const r of section('resource_limits')) {
    db.resource_limits.create({
      owner: name(r, 'owner'),
      pending: false,
      net_weight: big(r, 'net_weight'),
      cpu_weight: big(r, 'cpu_weight'),
      ram_bytes: big(r, 'ram_bytes'),
    })
  }
  for (const r of section('resource_usage')) {
    db.resource_usage.create({
      owner: name(r, 'owner'),
      net_usage: usage(fields(r, 'net_usage')),
      cpu_usage: usage(fields(r, 'cpu_usage')),
      ram_usage: big(r, 'ram_usage'),
    })
  }
  const [state] = section('resource_limits_state') as [Fields]
  db.resource_limits_state.create({
    average_block_net_usage: usage(fields(state, 'average_block_net_usage')),
    average_block_cpu_usage: usage(fields(state, 'average_block_cpu_usage')),
    pending_net_usage: big(state, 'pending_net_usage'),
    pending_cpu_usage: big(state, 'pending_cpu_usage'),
    total_net_weight: big(state, 'total_net_weight'),
    total_cpu_weight: big(state, 'total_cpu_weight'),
    total_ram_bytes: big(state, 'total_ram_bytes'),
    virtual_net_limit: big(state, 'virtual_net_limit'),
    virtual_cpu_limit: big(state, 'virtual_cpu_limit'),
  })
  const [config] = section('resource_limits_config') as [Fields]
  db.resource_limits_config.create({
    cpu_limit_parameters: elastic(fields(config, 'cpu_limit_parameters')),
    net_limit_parameters: elastic(fields(config, 'net_limit_parameters')),
    account_cpu_usage_average_window: number(config, 'account_cpu_usage_average_window'),
    account_net_usage_average_window: number(config, 'account_net_usage_average_window'),
  })
}

/** A fresh database with the state after block 122. */
export function recordedState(): Database {
  const packed = readFileSync(new URL('./fixtures/state_122.json.gz', import.meta.url))
  const sections = JSON.parse(gunzipSync(packed).toString()) as Sections
  const db = createDatabase()
  loadAccounts(db, sections)
  loadGlobals(db, sections)
  loadContractTables(db, sections)
  loadPermissions(db, sections)
  loadResources(db, sections)
  return db
}
