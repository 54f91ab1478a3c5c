/**
 * Producer schedules, of the old form (one key each) and the new one (an authority each).
 * spring: libraries/chain/include/eosio/chain/producer_schedule.hpp
 */
import { check } from '../errors.ts'
import type { KeyWeight } from './authority.ts'
import { packKeyWeight, unpackKeyWeight } from './authority.ts'
import { readPublicKey, writePublicKey } from './key.ts'
import type { Reader } from './reader.ts'
import type { Writer } from './writer.ts'

/** A producer with its only signing key. */
export interface ProducerKey {
  producer_name: bigint
  block_signing_key: Uint8Array
}

/** A producer schedule with one key for each producer. */
export interface ProducerScheduleLegacy {
  version: number
  producers: ProducerKey[]
}

/** A block signing authority: keys with weights, and a threshold. */
export interface BlockSigningAuthorityV0 {
  threshold: number
  keys: KeyWeight[]
}

/** A variant of one kind so far: `[0, {threshold, keys}]`. */
export type BlockSigningAuthority = [0, BlockSigningAuthorityV0]

/** A producer with its signing authority. */
export interface ProducerAuthority {
  producer_name: bigint
  authority: BlockSigningAuthority
}

/** A producer schedule with signing authorities. */
export interface ProducerAuthoritySchedule {
  version: number
  producers: ProducerAuthority[]
}

/**
 * Writes a producer with its key in the wire format. spring:
 * libraries/chain/include/eosio/chain/producer_schedule.hpp
 */
export function packProducerKey(w: Writer, p: ProducerKey): void {
  w.u64(p.producer_name)
  writePublicKey(w, p.block_signing_key)
}

/** Reads a producer with its key in the wire format. */
export function unpackProducerKey(r: Reader): ProducerKey {
  return { producer_name: r.u64(), block_signing_key: readPublicKey(r) }
}

/** Writes a producer schedule with one key for each producer in the wire format. */
export function packProducerScheduleLegacy(w: Writer, schedule: ProducerScheduleLegacy): void {
  w.u32(schedule.version)
  w.array(schedule.producers, packProducerKey)
}

/** Reads a producer schedule with one key for each producer in the wire format. */
export function unpackProducerScheduleLegacy(r: Reader): ProducerScheduleLegacy {
  return { version: r.u32(), producers: r.array(unpackProducerKey) }
}

/** Writes a block signing authority in the wire format: a variant of one type. */
export function packBlockSigningAuthority(w: Writer, authority: BlockSigningAuthority): void {
  w.varuint32(authority[0])
  w.u32(authority[1].threshold)
  w.array(authority[1].keys, packKeyWeight)
}

/**
 * Reads a block signing authority in the wire format.
 * @throws ChainError assert_exception, or out_of_range_exception if bytes are missing
 */
export function unpackBlockSigningAuthority(r: Reader): BlockSigningAuthority {
  const kind = r.varuint32()
  check(kind === 0, 'assert_exception', 'Provided index out of range for variant.')
  return [0, { threshold: r.u32(), keys: r.array(unpackKeyWeight) }]
}

/** Writes a producer with its signing authority in the wire format. */
export function packProducerAuthority(w: Writer, p: ProducerAuthority): void {
  w.u64(p.producer_name)
  packBlockSigningAuthority(w, p.authority)
}

/**
 * Reads a producer with its signing authority in the wire format.
 * @throws ChainError assert_exception, or out_of_range_exception if bytes are missing
 */
export function unpackProducerAuthority(r: Reader): ProducerAuthority {
  return { producer_name: r.u64(), authority: unpackBlockSigningAuthority(r) }
}

/** Writes a producer schedule with signing authorities in the wire format. */
export function packProducerAuthoritySchedule(
  w: Writer,
  schedule: ProducerAuthoritySchedule,
): void {
  w.u32(schedule.version)
  w.array(schedule.producers, packProducerAuthority)
}

/** Reads a producer schedule with signing authorities in the wire format. */
export function unpackProducerAuthoritySchedule(r: Reader): ProducerAuthoritySchedule {
  return { version: r.u32(), producers: r.array(unpackProducerAuthority) }
}

/** The new form of an old schedule: each key alone reaches its threshold of 1. */
export function upgradeSchedule(schedule: ProducerScheduleLegacy): ProducerAuthoritySchedule {
  return {
    version: schedule.version,
    producers: schedule.producers.map((p) => ({
      producer_name: p.producer_name,
      authority: [0, { threshold: 1, keys: [{ key: p.block_signing_key, weight: 1 }] }],
    })),
  }
}
