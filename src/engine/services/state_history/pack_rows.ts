/**
 * Rows of the state in the form of state history: a version (0 or 1), then fields. They are made from the
 * packed rows of the state, mostly by copying bytes.
 * spring: libraries/state_history/include/eosio/state_history/serialization.hpp
 */
import { packAuthority } from '../../protocol/authority.ts'
import { packChainConfig, packWasmConfig } from '../../protocol/config.ts'
import { Reader } from '../../protocol/reader.ts'
import { packProducerAuthoritySchedule } from '../../protocol/schedule.ts'
import type { Writer } from '../../protocol/writer.ts'
import * as codecs from '../../state/row_codecs.ts'

/** Rows to which others refer: those of the state, and those that the block removed. */
export interface RowContext {
  /** Code, scope and name of a contract's table, 24 bytes. @throws AssertionError if there is none */
  tableOf(t_id: number): Uint8Array
  /** The name of a permission. @throws AssertionError if there is none */
  permissionName(id: number): bigint
}

/** How the rows of a table are written, and when a change of a row is worth telling. */
export interface HistoryTable {
  /** Writes a row from its stored key and bytes. */
  pack(w: Writer, row: Uint8Array, key: Uint8Array, context: RowContext): void
  /** Whether a changed row is part of the deltas; always, if absent. spring: include_delta */
  differs?(old_row: Uint8Array, row: Uint8Array): boolean
}

/** Bits of the first byte of an account's flags. */
const PRIVILEGED = 1

/** An account's metadata: the places of the fields that history has of it. */
const METADATA = { code_hash: 40, last_code_update: 72, flags: 80, vm_type: 84, end: 86 } as const

/** Accounts. */
export const ACCOUNT: HistoryTable = {
  pack(w, row) {
    w.u8(0)
    w.raw(row)
  },
}

/** The metadata of accounts. */
export const ACCOUNT_METADATA: HistoryTable = {
  pack(w, row) {
    const { code_hash, last_code_update, flags, vm_type, end } = METADATA
    const hash = row.subarray(code_hash, last_code_update)
    const has_code = hash.some((byte) => byte !== 0)
    w.u8(0)
    w.raw(row.subarray(0, 8))
    w.bool(isPrivileged(row))
    w.raw(row.subarray(last_code_update, flags))
    w.bool(has_code)
    if (!has_code) return
    w.raw(row.subarray(vm_type, end))
    w.raw(hash)
  },
  differs(old_row, row) {
    const { code_hash, flags, vm_type, end } = METADATA
    return (
      !equal(old_row, row, code_hash, flags) ||
      !equal(old_row, row, vm_type, end) ||
      isPrivileged(old_row) !== isPrivileged(row)
    )
  },
}

/** Codes. */
export const CODE: HistoryTable = {
  pack(w, row) {
    const { code_hash, code, vm_type, vm_version } = codecs.code.unpack(new Reader(row))
    w.u8(0)
    w.u8(vm_type)
    w.u8(vm_version)
    w.raw(code_hash)
    w.blob(code)
  },
  // Only the number of its users changes.
  differs: () => false,
}

/** Contract tables. */
export const CONTRACT_TABLE: HistoryTable = {
  pack(w, row) {
    w.u8(0)
    w.raw(row.subarray(0, 32))
  },
  differs: (old_row, row) => !equal(old_row, row, 24, 32),
}

/** Rows of contract tables. */
export const CONTRACT_ROW: HistoryTable = {
  pack(w, row, key, context) {
    packContractKey(w, row, key, context)
    w.varuint32(row.length - 8)
    w.raw(row.subarray(8))
  },
}

/** Secondary keys are written as they are stored: low bytes first. */
export const CONTRACT_INDEX: HistoryTable = {
  pack(w, row, key, context) {
    packContractKey(w, row, key, context)
    w.raw(row.subarray(8))
  },
}

/** Each half of a key of 256 bits is written with its high bytes first. */
export const CONTRACT_INDEX256: HistoryTable = {
  pack(w, row, key, context) {
    packContractKey(w, row, key, context)
    w.raw(row.slice(8, 24).reverse())
    w.raw(row.slice(24, 40).reverse())
  },
}

/** The global properties. */
export const GLOBAL_PROPERTY: HistoryTable = {
  pack(w, row) {
    const property = codecs.global_property.unpack(new Reader(row))
    w.u8(1)
    w.optional(property.proposed_schedule_block_num, (out, block_num) => out.u32(block_num))
    packProducerAuthoritySchedule(w, property.proposed_schedule)
    w.u8(1)
    packChainConfig(w, property.configuration)
    w.raw(property.chain_id)
    w.u8(0)
    packWasmConfig(w, property.wasm_configuration)
  },
}

/** Deferred transactions. */
export const GENERATED_TRANSACTION: HistoryTable = {
  pack(w, row) {
    const generated = codecs.generated_transaction.unpack(new Reader(row))
    w.u8(0)
    w.u64(generated.sender)
    w.u128(generated.sender_id)
    w.u64(generated.payer)
    w.raw(generated.trx_id)
    w.blob(generated.packed_trx)
  },
}

/** The protocol state. */
export const PROTOCOL_STATE: HistoryTable = {
  pack(w, row) {
    const { activated_protocol_features } = codecs.protocol_state.unpack(new Reader(row))
    w.u8(0)
    w.array(activated_protocol_features, (out, { feature_digest, activation_block_num }) => {
      out.u8(0)
      out.raw(feature_digest)
      out.u32(activation_block_num)
    })
  },
  // Features are activated, never the reverse.
  differs: (old_row, row) => activatedCount(old_row) !== activatedCount(row),
}

/** Permissions. */
export const PERMISSION: HistoryTable = {
  pack(w, row, _key, context) {
    const permission = codecs.permission.unpack(new Reader(row))
    w.u8(0)
    w.u64(permission.owner)
    w.u64(permission.name)
    w.u64(permission.parent === 0 ? 0n : context.permissionName(permission.parent))
    w.u64(BigInt(permission.last_updated))
    packAuthority(w, permission.auth)
  },
}

/** Permission links. */
export const PERMISSION_LINK: HistoryTable = ACCOUNT

/** Resource limits of accounts. */
export const RESOURCE_LIMITS: HistoryTable = {
  pack(w, row) {
    w.u8(0)
    w.raw(row.subarray(0, 32))
  },
  differs: (old_row, row) => !equal(old_row, row, 8, 32),
}

/** Bytes of a usage accumulator. */
const USAGE = 20

/** Resource usage of accounts. */
export const RESOURCE_USAGE: HistoryTable = {
  pack(w, row) {
    w.u8(0)
    w.raw(row.subarray(0, 8))
    packUsages(w, row, 8)
    w.raw(row.subarray(8 + 2 * USAGE))
  },
}

/** Two accumulators, the usage of the pending block, and the fields that history has. */
const STATE_TOTALS = 2 * USAGE + 16

/** The state of resource limits. */
export const RESOURCE_LIMITS_STATE: HistoryTable = {
  pack(w, row) {
    w.u8(0)
    packUsages(w, row, 0)
    w.raw(row.subarray(STATE_TOTALS))
  },
  differs: (old_row, row) =>
    !equal(old_row, row, 0, 2 * USAGE) || !equal(old_row, row, STATE_TOTALS, row.length),
}

/** Bytes of the parameters of an elastic limit, and of them those before the two ratios. */
const LIMIT = 56
const LIMIT_START = 24

/** Parameters of resource limits. */
export const RESOURCE_LIMITS_CONFIG: HistoryTable = {
  pack(w, row) {
    w.u8(0)
    for (const at of [0, LIMIT]) {
      w.u8(0)
      w.raw(row.subarray(at, at + LIMIT_START))
      for (const ratio of [at + LIMIT_START, at + LIMIT_START + 16]) {
        w.u8(0)
        w.raw(row.subarray(ratio, ratio + 16))
      }
    }
    w.raw(row.subarray(2 * LIMIT))
  },
}

function packUsages(w: Writer, row: Uint8Array, at: number): void {
  for (const start of [at, at + USAGE]) {
    w.u8(0)
    w.raw(row.subarray(start, start + USAGE))
  }
}

/** Version, code, scope, table, primary key and payer. Keys are stored with the high bytes first. */
function packContractKey(w: Writer, row: Uint8Array, key: Uint8Array, context: RowContext): void {
  const view = new DataView(key.buffer, key.byteOffset, key.byteLength)
  w.u8(0)
  w.raw(context.tableOf(view.getUint32(0)))
  w.u64(view.getBigUint64(4))
  w.raw(row.subarray(0, 8))
}

const isPrivileged = (row: Uint8Array): boolean => (row[METADATA.flags]! & PRIVILEGED) !== 0

const activatedCount = (row: Uint8Array): number => new Reader(row).varuint32()

function equal(a: Uint8Array, b: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (a[i] !== b[i]) return false
  return true
}
