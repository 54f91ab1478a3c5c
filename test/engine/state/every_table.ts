import type { Database } from '../../../src/engine/state/database.ts'
import type { ChainConfig, WasmConfig } from '../../../src/engine/protocol/config.ts'

const digest = (n: number) => new Uint8Array(32).fill(n)
/** A K1 public key: type byte and 33 bytes. */
const key = new Uint8Array(34).fill(2, 1)
const usage = (n: bigint) => ({ last_ordinal: 7, value_ex: n, consumed: n + 1n })
const elastic = {
  target: 1n,
  max: 2n,
  periods: 3,
  max_multiplier: 4,
  contract_rate: { numerator: 5n, denominator: 6n },
  expand_rate: { numerator: 7n, denominator: 8n },
}

const configuration: ChainConfig = {
  max_block_net_usage: 1n << 40n,
  target_block_net_usage_pct: 2,
  max_transaction_net_usage: 3,
  base_per_transaction_net_usage: 4,
  net_usage_leeway: 5,
  context_free_discount_net_usage_num: 6,
  context_free_discount_net_usage_den: 7,
  max_block_cpu_usage: 8,
  target_block_cpu_usage_pct: 9,
  max_transaction_cpu_usage: 10,
  min_transaction_cpu_usage: 11,
  max_transaction_lifetime: 12,
  deferred_trx_expiration_window: 13,
  max_transaction_delay: 14,
  max_inline_action_size: 15,
  max_inline_action_depth: 16,
  max_authority_depth: 17,
  max_action_return_value_size: 18,
}

const wasm_configuration: WasmConfig = {
  max_mutable_global_bytes: 1,
  max_table_elements: 2,
  max_section_elements: 3,
  max_linear_memory_init: 4,
  max_func_local_bytes: 5,
  max_nested_structures: 6,
  max_symbol_bytes: 7,
  max_module_bytes: 8,
  max_code_bytes: 9,
  max_pages: 10,
  max_call_depth: 11,
}

/** Puts one or more rows into every table. */
export function fillEveryTable(db: Database): void {
  db.account.create({ name: 1n, creation_date: 2, abi: new Uint8Array([3, 4]) })
  db.account.create({ name: 2n, creation_date: 2, abi: new Uint8Array(0) })
  db.account_metadata.create({
    name: 1n,
    recv_sequence: 1n << 63n,
    auth_sequence: 3n,
    code_sequence: 4n,
    abi_sequence: 5n,
    code_hash: digest(6),
    last_code_update: 1_700_000_000_000_000,
    flags: 1,
    vm_type: 8,
    vm_version: 9,
  })
  db.account_ram_correction.create({ name: 1n, ram_correction: 2n })
  db.account_ram_correction.remove(
    db.account_ram_correction.create({ name: 3n, ram_correction: 2n }),
  )
  db.global_property.create({
    proposed_schedule_block_num: 5,
    proposed_schedule: {
      version: 1,
      producers: [
        { producer_name: 9n, authority: [0, { threshold: 1, keys: [{ key, weight: 1 }] }] },
      ],
    },
    configuration,
    chain_id: digest(1),
    wasm_configuration,
  })
  db.protocol_state.create({
    activated_protocol_features: [{ feature_digest: digest(1), activation_block_num: 2 }],
    preactivated_protocol_features: [digest(3)],
    whitelisted_intrinsics: new Set(['sha256', 'abort']),
    num_supported_key_types: 2,
  })
  db.dynamic_global_property.create({ global_action_sequence: 77n })
  for (let i = 0; i < 3; i++) db.block_summary.create({ block_id: digest(i) })
  db.transaction.create({ expiration: 5, trx_id: digest(1) })
  db.transaction.create({ expiration: 5, trx_id: digest(2) })
  db.generated_transaction.create({
    trx_id: digest(1),
    sender: 1n,
    sender_id: 1n << 127n,
    payer: 3n,
    delay_until: 4,
    expiration: 5,
    published: 6,
    packed_trx: new Uint8Array([7, 8]),
  })
  db.table_id.create({ code: 1n, scope: 2n, table: 3n, payer: 4n, count: 5 })
  db.code.create({
    code_hash: digest(1),
    code: new Uint8Array(1000).fill(7),
    code_ref_count: 2n,
    first_block_used: 3,
    vm_type: 0,
    vm_version: 0,
  })
  db.database_header.create({ version: 3 })
  db.permission_usage.create({ last_used: 1 })
  db.permission.create({
    usage_id: 0,
    parent: 0,
    owner: 1n,
    name: 2n,
    last_updated: 3,
    auth: {
      threshold: 1,
      keys: [{ key, weight: 2 }],
      accounts: [{ permission: { actor: 1n, permission: 2n }, weight: 3 }],
      waits: [{ wait_sec: 4, weight: 5 }],
    },
  })
  db.permission_link.create({ account: 1n, code: 2n, message_type: 0n, required_permission: 4n })
  for (const pending of [false, true]) {
    const limits = { owner: 1n, pending, net_weight: -1n, cpu_weight: 2n, ram_bytes: -3n }
    db.resource_limits.create(limits)
  }
  db.resource_usage.create({
    owner: 1n,
    net_usage: usage(1n),
    cpu_usage: usage(5n),
    ram_usage: 6n,
  })
  db.resource_limits_state.create({
    average_block_net_usage: usage(1n),
    average_block_cpu_usage: usage(2n),
    pending_net_usage: 3n,
    pending_cpu_usage: 4n,
    total_net_weight: 5n,
    total_cpu_weight: 6n,
    total_ram_bytes: 7n,
    virtual_net_limit: 8n,
    virtual_cpu_limit: 9n,
  })
  db.resource_limits_config.create({
    cpu_limit_parameters: elastic,
    net_limit_parameters: { ...elastic, max: 99n },
    account_cpu_usage_average_window: 1,
    account_net_usage_average_window: 2,
  })
  fillContractTables(db)
}

function fillContractTables(db: Database): void {
  for (let i = 0n; i < 20n; i++) {
    db.key_value.insert(Number(i % 3n), i * 1000n, i, new Uint8Array(Number(i * i)).fill(5))
    db.index64.insert(1, i, 2n, 1n << i)
    db.index128.insert(1, i, 2n, 1n << (i * 6n))
    db.index256.insert(1, i, 2n, [i, 1n << 127n])
    db.index_double.insert(1, i, 2n, i << 52n)
    db.index_long_double.insert(1, i, 2n, i << 112n)
  }
}
