/**
 * Constants of the chain's rules that are not parameters (spring: config.hpp and the billable_size
 * specializations beside each object). RAM is in bytes.
 */
import { BLOCK_INTERVAL_MS, PERCENT_100 } from '../../protocol/constants.ts'

/** Usage averages are stored multiplied by this. */
export const RATE_LIMITING_PRECISION = 1_000_000
/** 24 hours, in slots: the window of an account's CPU and NET usage. */
export const ACCOUNT_USAGE_WINDOW_SLOTS = (24 * 60 * 60 * 1000) / BLOCK_INTERVAL_MS
/** One minute, in blocks: the window of a block's CPU and NET average. */
export const BLOCK_USAGE_WINDOW_BLOCKS = (60 * 1000) / BLOCK_INTERVAL_MS
/** The maximum factor of virtual limits over real ones; as a greylist limit it means no limit. */
export const MAXIMUM_ELASTIC_RESOURCE_MULTIPLIER = 1000

/** The greatest number of legacy blocks whose confirmations are counted at a time. */
export const MAXIMUM_TRACKED_DPOS_CONFIRMATIONS = 1024

/** CPU that an account may exceed its limit by while a block is built, microseconds. */
export const DEFAULT_SUBJECTIVE_CPU_LEEWAY_US = 31_000

/** Room that must stay between the base and the maximum NET of a transaction. */
export const MIN_NET_USAGE_DELTA_BETWEEN_BASE_AND_MAX_FOR_TRX = 10 * 1024
/** NET billed for a transaction in addition to its bytes. */
export const FIXED_NET_OVERHEAD_OF_PACKED_TRX = 16
/** NET of a receipt that names a transaction by its id. */
export const TRANSACTION_ID_NET_USAGE = 32

/** RAM billed for each index of a row. */
export const OVERHEAD_PER_ROW_PER_INDEX_RAM_BYTES = 32
/** RAM billed for a list in a row in addition to its elements. */
export const FIXED_OVERHEAD_SHARED_VECTOR_RAM_BYTES = 16
/** Billed for an account in addition to its permissions. */
export const OVERHEAD_PER_ACCOUNT_RAM_BYTES = 2 * 1024
/** Contract code is billed this many times its size. */
export const SETCODE_RAM_BYTES_MULTIPLIER = 10

/** Rounds an object's size up to the alignment that RAM is billed by. */
export function billable(size: number): number {
  return Math.ceil(size / 16) * 16
}

const ROW = OVERHEAD_PER_ROW_PER_INDEX_RAM_BYTES

/** A permission and its usage row, without what its authority lists (five indices). */
export const BILLABLE_PERMISSION = billable(
  billable(3 * FIXED_OVERHEAD_SHARED_VECTOR_RAM_BYTES + 4) + 64 + 5 * ROW,
)
/** RAM billed for a permission link (three indices). */
export const BILLABLE_PERMISSION_LINK = billable(40 + 3 * ROW)
/** Per account, key (its packed size comes on top) and wait of an authority. */
export const BILLABLE_PERMISSION_LEVEL_WEIGHT = billable(24)
/** RAM billed for a key of an authority, in addition to its packed size. */
export const BILLABLE_KEY_WEIGHT = billable(8)
/** RAM billed for a wait of an authority. */
export const BILLABLE_WAIT_WEIGHT = billable(16)
/** A deferred transaction, without its packed bytes (five indices; spring: generated_transaction_object.hpp). */
export const BILLABLE_GENERATED_TRANSACTION = billable(96 + 4 + 5 * ROW)
/** `percentage` of a value, rounded down (spring: EOS_PERCENT). */
export function percentOf(value: bigint, percentage: number): bigint {
  return (value * BigInt(percentage)) / BigInt(PERCENT_100)
}
