/**
 * The legacy (before Savanna) state of a block header: what is needed to say whether a header may
 * follow another one, who may sign it, and what it makes irreversible.
 *
 * All values are immutable: a state shares what it does not change with the one before it.
 * spring: libraries/chain/block_header_state_legacy.cpp
 */
import { check } from '../../../errors.ts'
import type { IncrementalMerkleLegacy } from '../../../crypto/merkle.ts'
import type { SignedBlockHeader } from '../../../protocol/block.ts'
import type {
  BlockSigningAuthority,
  ProducerAuthority,
  ProducerAuthoritySchedule,
} from '../../../protocol/schedule.ts'
import { PRODUCER_REPETITIONS } from '../../../protocol/constants.ts'
import { MAXIMUM_TRACKED_DPOS_CONFIRMATIONS } from '../../base/constants.ts'

/** A schedule and the block that announced it. */
export interface ScheduleInfo {
  /** Number of the block whose header announced the schedule (the reference's misnomer). */
  readonly schedule_lib_num: number
  /** SHA-256 of the schedule as the header carried it (legacy or with authorities). */
  readonly schedule_hash: Uint8Array
  readonly schedule: ProducerAuthoritySchedule
}

/** The common fields of pending and finished header states. */
export interface HeaderStateCommon {
  readonly block_num: number
  readonly dpos_proposed_irreversible_blocknum: number
  readonly dpos_irreversible_blocknum: number
  readonly active_schedule: ProducerAuthoritySchedule
  /** Ids of all blocks before this one. */
  readonly blockroot_merkle: IncrementalMerkleLegacy
  readonly producer_to_last_produced: ReadonlyMap<bigint, number>
  readonly producer_to_last_implied_irb: ReadonlyMap<bigint, number>
  readonly valid_block_signing_authority: BlockSigningAuthority
  /** Confirmations that each of the last blocks still needs, oldest first. */
  readonly confirm_count: Uint8Array
}

/** The state after a block. */
export interface HeaderState extends HeaderStateCommon {
  readonly id: Uint8Array
  readonly header: SignedBlockHeader
  readonly pending_schedule: ScheduleInfo
  /** Digests, ascending. */
  readonly activated_protocol_features: readonly Uint8Array[]
  readonly additional_signatures: readonly Uint8Array[]
}

/** The data of a block before its transactions are executed. */
export interface PendingHeaderState extends HeaderStateCommon {
  readonly prev_activated_protocol_features: readonly Uint8Array[]
  readonly prev_pending_schedule: ScheduleInfo
  /** The pending schedule of the block before becomes active with this one. */
  readonly was_pending_promoted: boolean
  readonly previous: Uint8Array
  readonly producer: bigint
  /** Slot. */
  readonly timestamp: number
  /** Version of the schedule that signs this block. */
  readonly active_schedule_version: number
  readonly confirmed: number
}

/**
 * The producer whose turn a slot is.
 * @throws ChainError producer_schedule_exception if the schedule is empty
 */
export function scheduledProducer(
  schedule: ProducerAuthoritySchedule,
  slot: number,
): ProducerAuthority {
  const { producers } = schedule
  const index = slot % (producers.length * PRODUCER_REPETITIONS)
  const producer = producers[Math.floor(index / PRODUCER_REPETITIONS)]
  check(producer, 'producer_schedule_exception', 'the active producer schedule is empty')
  return producer
}

/**
 * The state with which a block at `slot` (0: the next one) starts on top of `prev`.
 * @throws ChainError block_validate_exception, producer_double_confirm, producer_schedule_exception
 */
export function nextHeaderState(
  prev: HeaderState,
  slot: number,
  confirmed: number,
): PendingHeaderState {
  const when = slot === 0 ? prev.header.timestamp + 1 : slot
  check(
    when > prev.header.timestamp,
    'block_validate_exception',
    'next block must be in the future',
  )
  const producer = scheduledProducer(prev.active_schedule, when)
  checkDoubleConfirm(prev, producer.producer_name, confirmed)
  const block_num = prev.block_num + 1
  const counted = confirm(prev, confirmed)
  const dpos_irreversible_blocknum = lastIrreversible(prev, producer.producer_name)
  const promoted =
    prev.pending_schedule.schedule.producers.length > 0 &&
    dpos_irreversible_blocknum >= prev.pending_schedule.schedule_lib_num
  const active_schedule = promoted ? prev.pending_schedule.schedule : prev.active_schedule
  const keep = promoted ? active_schedule.producers.map((p) => p.producer_name) : undefined
  const own = producer.producer_name
  const produced = follow(prev.producer_to_last_produced, keep, dpos_irreversible_blocknum)
  produced.set(own, block_num)
  const implied = follow(prev.producer_to_last_implied_irb, keep, dpos_irreversible_blocknum)
  // A producer that leaves the schedule with this block no longer counts.
  if (!promoted || implied.has(own)) implied.set(own, prev.dpos_proposed_irreversible_blocknum)
  return {
    block_num,
    previous: prev.id,
    timestamp: when,
    confirmed,
    active_schedule_version: prev.active_schedule.version,
    prev_activated_protocol_features: prev.activated_protocol_features,
    valid_block_signing_authority: producer.authority,
    producer: producer.producer_name,
    blockroot_merkle: appended(prev.blockroot_merkle, prev.id),
    confirm_count: counted.confirm_count,
    dpos_proposed_irreversible_blocknum: counted.proposed,
    dpos_irreversible_blocknum,
    prev_pending_schedule: prev.pending_schedule,
    active_schedule,
    producer_to_last_produced: produced,
    producer_to_last_implied_irb: implied,
    was_pending_promoted: promoted,
  }
}

function appended(merkle: IncrementalMerkleLegacy, id: Uint8Array): IncrementalMerkleLegacy {
  const next = merkle.clone()
  next.append(id)
  return next
}

/** A producer must not confirm a range that overlaps with what it produced before. The reference
 *  computes with 32-bit wrap-around, so confirming more blocks than exist is not a double confirm. */
function checkDoubleConfirm(prev: HeaderState, producer: bigint, confirmed: number): void {
  const last = prev.producer_to_last_produced.get(producer)
  if (last === undefined) return
  check(
    last < (prev.block_num + 1 - confirmed) >>> 0,
    'producer_double_confirm',
    () =>
      `producer double-confirming known range: block ${prev.block_num + 1}, ` +
      `confirmed ${confirmed}, last produced ${last}`,
  )
}

/** Counts the confirmations of a block: itself and the `confirmed` blocks before it. */
function confirm(
  prev: HeaderState,
  confirmed: number,
): { confirm_count: Uint8Array; proposed: number } {
  // The producers of the schedule before this block sign and therefore confirm it.
  const required = Math.floor((prev.active_schedule.producers.length * 2) / 3) + 1
  const old = prev.confirm_count
  const full = old.length >= MAXIMUM_TRACKED_DPOS_CONFIRMATIONS
  const kept = full ? old.subarray(1) : old
  const counts = new Uint8Array(kept.length + 1)
  counts.set(kept)
  counts[kept.length] = required
  const block_num = prev.block_num + 1
  const last = counts.length - 1
  for (let i = last; i >= 0 && last - i <= confirmed; i--) {
    const left = counts[i]! - 1
    counts[i] = left
    if (left !== 0) continue
    return { confirm_count: counts.slice(i + 1), proposed: block_num - (last - i) }
  }
  return { confirm_count: counts, proposed: prev.dpos_proposed_irreversible_blocknum }
}

/** More than two thirds of the producers imply that this block is irreversible. */
function lastIrreversible(prev: HeaderState, next_producer: bigint): number {
  const implied: number[] = []
  for (const [producer, block_num] of prev.producer_to_last_implied_irb) {
    implied.push(producer === next_producer ? prev.dpos_proposed_irreversible_blocknum : block_num)
  }
  if (implied.length === 0) return 0
  implied.sort((a, b) => a - b)
  return implied[Math.floor((implied.length - 1) / 3)]!
}

/**
 * A copy of the numbers of all producers. When a schedule becomes active (`keep`), only its
 * producers are copied, and new ones start at `initial`.
 */
function follow(
  old: ReadonlyMap<bigint, number>,
  keep: readonly bigint[] | undefined,
  initial: number,
): Map<bigint, number> {
  if (keep === undefined) return new Map(old)
  return new Map(keep.map((name) => [name, old.get(name) ?? initial]))
}
