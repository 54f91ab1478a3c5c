/**
 * Packed forms of the object rows: what the reference reflects for its snapshots (FC_REFLECT in the
 * *_object.hpp headers of spring: libraries/chain), apart from what tables.ts notes.
 */
import assert from 'node:assert/strict'
import { packAuthority, unpackAuthority } from '../protocol/authority.ts'
import {
  packChainConfig,
  packWasmConfig,
  unpackChainConfig,
  unpackWasmConfig,
} from '../protocol/config.ts'
import {
  packProducerAuthoritySchedule,
  unpackProducerAuthoritySchedule,
} from '../protocol/schedule.ts'
import type { Reader } from '../protocol/reader.ts'
import type { Writer } from '../protocol/writer.ts'
import type * as rows from './rows.ts'

/** Packs a row to bytes and back. */
export interface RowCodec<T> {
  /** Rows have byte arrays, which `unpack` takes as views: the bytes must be the row's own then. */
  readonly has_views?: true
  pack(w: Writer, row: T): void
  unpack(r: Reader): T
  /**
   * Writes the fields that nearly every transaction changes into a packed row, whose first word is `words[at]`.
   * They have fixed places in it and are in no index.
   */
  packHot?(words: Uint32Array, at: number, row: T): void
}

/** Rows of accounts. */
export const account: RowCodec<rows.Account> = {
  has_views: true,
  pack(w, row) {
    w.name(row.name)
    w.u32(row.creation_date)
    w.blob(row.abi)
  },
  unpack: (r) => ({ name: r.name(), creation_date: r.u32(), abi: r.blob() }),
}

/** Rows of the metadata of accounts. */
export const account_metadata: RowCodec<rows.AccountMetadata> = {
  has_views: true,
  pack(w, row) {
    w.name(row.name)
    w.u64(row.recv_sequence)
    w.u64(row.auth_sequence)
    w.u64(row.code_sequence)
    w.u64(row.abi_sequence)
    packDigest(w, row.code_hash)
    packUint53(w, row.last_code_update)
    w.u32(row.flags)
    w.u8(row.vm_type)
    w.u8(row.vm_version)
  },
  unpack: (r) => ({
    name: r.name(),
    recv_sequence: r.u64(),
    auth_sequence: r.u64(),
    code_sequence: r.u64(),
    abi_sequence: r.u64(),
    code_hash: r.checksum256(),
    last_code_update: unpackUint53(r),
    flags: r.u32(),
    vm_type: r.u8(),
    vm_version: r.u8(),
  }),
  packHot(words, at, row) {
    putU64(words, at + 2, row.recv_sequence)
    putU64(words, at + 4, row.auth_sequence)
  },
}

/** Rows of corrections of the RAM of accounts. */
export const account_ram_correction: RowCodec<rows.AccountRamCorrection> = {
  pack(w, row) {
    w.name(row.name)
    w.u64(row.ram_correction)
  },
  unpack: (r) => ({ name: r.name(), ram_correction: r.u64() }),
}

/** Rows of the times of the last use of permissions. */
export const permission_usage: RowCodec<rows.PermissionUsage> = {
  pack: (w, row) => packUint53(w, row.last_used),
  unpack: (r) => ({ last_used: unpackUint53(r) }),
  packHot(words, at, row) {
    words[at] = row.last_used >>> 0
    words[at + 1] = row.last_used / 0x1_0000_0000
  },
}

/** Rows of permissions. */
export const permission: RowCodec<rows.Permission> = {
  has_views: true,
  pack(w, row) {
    packUint53(w, row.usage_id)
    packUint53(w, row.parent)
    w.name(row.owner)
    w.name(row.name)
    packUint53(w, row.last_updated)
    packAuthority(w, row.auth)
  },
  unpack: (r) => ({
    usage_id: unpackUint53(r),
    parent: unpackUint53(r),
    owner: r.name(),
    name: r.name(),
    last_updated: unpackUint53(r),
    auth: unpackAuthority(r),
  }),
}

/** Rows of permission links. */
export const permission_link: RowCodec<rows.PermissionLink> = {
  pack(w, row) {
    w.name(row.account)
    w.name(row.code)
    w.name(row.message_type)
    w.name(row.required_permission)
  },
  unpack: (r) => ({
    account: r.name(),
    code: r.name(),
    message_type: r.name(),
    required_permission: r.name(),
  }),
}

/** Rows of the global properties. */
export const global_property: RowCodec<rows.GlobalProperty> = {
  has_views: true,
  pack(w, row) {
    w.optional(row.proposed_schedule_block_num, (out, block_num) => out.u32(block_num))
    packProducerAuthoritySchedule(w, row.proposed_schedule)
    packChainConfig(w, row.configuration)
    packDigest(w, row.chain_id)
    packWasmConfig(w, row.wasm_configuration)
  },
  unpack: (r) => ({
    proposed_schedule_block_num: r.optional((from) => from.u32()),
    proposed_schedule: unpackProducerAuthoritySchedule(r),
    configuration: unpackChainConfig(r),
    chain_id: r.checksum256(),
    wasm_configuration: unpackWasmConfig(r),
  }),
}

/** Rows of the counter of actions. */
export const dynamic_global_property: RowCodec<rows.DynamicGlobalProperty> = {
  pack: (w, row) => w.u64(row.global_action_sequence),
  unpack: (r) => ({ global_action_sequence: r.u64() }),
  packHot: (words, at, row) => putU64(words, at, row.global_action_sequence),
}

/** Rows of the protocol state. */
export const protocol_state: RowCodec<rows.ProtocolState> = {
  has_views: true,
  pack(w, row) {
    w.array(row.activated_protocol_features, (out, feature) => {
      packDigest(out, feature.feature_digest)
      out.u32(feature.activation_block_num)
    })
    w.array(row.preactivated_protocol_features, packDigest)
    // std::set<std::string>: in byte order, and the names are ASCII.
    w.array([...row.whitelisted_intrinsics].sort(), (out, name) => out.string(name))
    w.u32(row.num_supported_key_types)
  },
  unpack: (r) => ({
    activated_protocol_features: r.array((from) => ({
      feature_digest: from.checksum256(),
      activation_block_num: from.u32(),
    })),
    preactivated_protocol_features: r.array((from) => from.checksum256()),
    whitelisted_intrinsics: new Set(r.array((from) => from.string())),
    num_supported_key_types: r.u32(),
  }),
}

/** Rows of block summaries. */
export const block_summary: RowCodec<rows.BlockSummary> = {
  has_views: true,
  pack: (w, row) => packDigest(w, row.block_id),
  unpack: (r) => ({ block_id: r.checksum256() }),
}

/** Rows of ids of transactions that have not expired. */
export const transaction: RowCodec<rows.TransactionRow> = {
  has_views: true,
  pack(w, row) {
    w.u32(row.expiration)
    packDigest(w, row.trx_id)
  },
  unpack: (r) => ({ expiration: r.u32(), trx_id: r.checksum256() }),
}

/** Rows of deferred transactions. */
export const generated_transaction: RowCodec<rows.GeneratedTransaction> = {
  has_views: true,
  pack(w, row) {
    packDigest(w, row.trx_id)
    w.name(row.sender)
    w.u128(row.sender_id)
    w.name(row.payer)
    packUint53(w, row.delay_until)
    packUint53(w, row.expiration)
    packUint53(w, row.published)
    w.blob(row.packed_trx)
  },
  unpack: (r) => ({
    trx_id: r.checksum256(),
    sender: r.name(),
    sender_id: r.u128(),
    payer: r.name(),
    delay_until: unpackUint53(r),
    expiration: unpackUint53(r),
    published: unpackUint53(r),
    packed_trx: r.blob(),
  }),
}

/** Rows of contract tables. */
export const table_id: RowCodec<rows.TableId> = {
  pack(w, row) {
    w.name(row.code)
    w.name(row.scope)
    w.name(row.table)
    w.name(row.payer)
    w.u32(row.count)
  },
  unpack: (r) => ({
    code: r.name(),
    scope: r.name(),
    table: r.name(),
    payer: r.name(),
    count: r.u32(),
  }),
}

/** Rows of codes. */
export const code: RowCodec<rows.Code> = {
  has_views: true,
  pack(w, row) {
    packDigest(w, row.code_hash)
    w.blob(row.code)
    w.u64(row.code_ref_count)
    w.u32(row.first_block_used)
    w.u8(row.vm_type)
    w.u8(row.vm_version)
  },
  unpack: (r) => ({
    code_hash: r.checksum256(),
    code: r.blob(),
    code_ref_count: r.u64(),
    first_block_used: r.u32(),
    vm_type: r.u8(),
    vm_version: r.u8(),
  }),
}

/** Rows of the header of the database. */
export const database_header: RowCodec<rows.DatabaseHeader> = {
  pack: (w, row) => w.u32(row.version),
  unpack: (r) => ({ version: r.u32() }),
}

/** Rows of resource limits of accounts. */
export const resource_limits: RowCodec<rows.ResourceLimits> = {
  pack(w, row) {
    w.name(row.owner)
    w.i64(row.net_weight)
    w.i64(row.cpu_weight)
    w.i64(row.ram_bytes)
    w.bool(row.pending)
  },
  unpack: (r) => ({
    owner: r.name(),
    net_weight: r.i64(),
    cpu_weight: r.i64(),
    ram_bytes: r.i64(),
    pending: r.bool(),
  }),
}

/** Rows of resource usage of accounts. */
export const resource_usage: RowCodec<rows.ResourceUsage> = {
  pack(w, row) {
    w.name(row.owner)
    packUsage(w, row.net_usage)
    packUsage(w, row.cpu_usage)
    w.u64(row.ram_usage)
  },
  unpack: (r) => ({
    owner: r.name(),
    net_usage: unpackUsage(r),
    cpu_usage: unpackUsage(r),
    ram_usage: r.u64(),
  }),
  packHot(words, at, row) {
    putUsage(words, at + 2, row.net_usage)
    putUsage(words, at + 7, row.cpu_usage)
    putU64(words, at + 12, row.ram_usage)
  },
}

/** Rows of parameters of resource limits. */
export const resource_limits_config: RowCodec<rows.ResourceLimitsConfig> = {
  pack(w, row) {
    packElasticLimit(w, row.cpu_limit_parameters)
    packElasticLimit(w, row.net_limit_parameters)
    w.u32(row.account_cpu_usage_average_window)
    w.u32(row.account_net_usage_average_window)
  },
  unpack: (r) => ({
    cpu_limit_parameters: unpackElasticLimit(r),
    net_limit_parameters: unpackElasticLimit(r),
    account_cpu_usage_average_window: r.u32(),
    account_net_usage_average_window: r.u32(),
  }),
}

/** Rows of the state of resource limits. */
export const resource_limits_state: RowCodec<rows.ResourceLimitsState> = {
  pack(w, row) {
    packUsage(w, row.average_block_net_usage)
    packUsage(w, row.average_block_cpu_usage)
    w.u64(row.pending_net_usage)
    w.u64(row.pending_cpu_usage)
    w.u64(row.total_net_weight)
    w.u64(row.total_cpu_weight)
    w.u64(row.total_ram_bytes)
    w.u64(row.virtual_net_limit)
    w.u64(row.virtual_cpu_limit)
  },
  unpack: (r) => ({
    average_block_net_usage: unpackUsage(r),
    average_block_cpu_usage: unpackUsage(r),
    pending_net_usage: r.u64(),
    pending_cpu_usage: r.u64(),
    total_net_weight: r.u64(),
    total_cpu_weight: r.u64(),
    total_ram_bytes: r.u64(),
    virtual_net_limit: r.u64(),
    virtual_cpu_limit: r.u64(),
  }),
  packHot(words, at, row) {
    putU64(words, at + 10, row.pending_net_usage)
    putU64(words, at + 12, row.pending_cpu_usage)
  },
}

function packDigest(w: Writer, digest: Uint8Array): void {
  assert.equal(digest.length, 32, 'a digest has 32 bytes')
  w.checksum256(digest)
}

/** An id or a time in microseconds: 64 bits on the wire, a safe integer here. */
function packUint53(w: Writer, value: number): void {
  assert(Number.isSafeInteger(value) && value >= 0, 'ids and times are safe integers')
  w.u32(value >>> 0)
  w.u32(Math.floor(value / 0x1_0000_0000))
}

function unpackUint53(r: Reader): number {
  const low = r.u32()
  const value = r.u32() * 0x1_0000_0000 + low
  assert(Number.isSafeInteger(value), 'ids and times are safe integers')
  return value
}

function packUsage(w: Writer, usage: rows.UsageAccumulator): void {
  w.u32(usage.last_ordinal)
  w.u64(usage.value_ex)
  w.u64(usage.consumed)
}

function unpackUsage(r: Reader): rows.UsageAccumulator {
  return { last_ordinal: r.u32(), value_ex: r.u64(), consumed: r.u64() }
}

function putUsage(words: Uint32Array, at: number, usage: rows.UsageAccumulator): void {
  words[at] = usage.last_ordinal
  putU64(words, at + 1, usage.value_ex)
  putU64(words, at + 3, usage.consumed)
}

const scratch_u64 = new BigUint64Array(1)
const scratch_u32 = new Uint32Array(scratch_u64.buffer)

function putU64(words: Uint32Array, at: number, value: bigint): void {
  scratch_u64[0] = value
  words[at] = scratch_u32[0] as number
  words[at + 1] = scratch_u32[1] as number
}

function packElasticLimit(w: Writer, limit: rows.ElasticLimitParameters): void {
  w.u64(limit.target)
  w.u64(limit.max)
  w.u32(limit.periods)
  w.u32(limit.max_multiplier)
  w.u64(limit.contract_rate.numerator)
  w.u64(limit.contract_rate.denominator)
  w.u64(limit.expand_rate.numerator)
  w.u64(limit.expand_rate.denominator)
}

function unpackElasticLimit(r: Reader): rows.ElasticLimitParameters {
  return {
    target: r.u64(),
    max: r.u64(),
    periods: r.u32(),
    max_multiplier: r.u32(),
    contract_rate: { numerator: r.u64(), denominator: r.u64() },
    expand_rate: { numerator: r.u64(), denominator: r.u64() },
  }
}
