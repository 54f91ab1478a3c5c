/** Proposals of producers by privileged contracts (spring: webassembly/privileged.cpp, controller.cpp). */
import { isValidPublicKey } from '../../crypto/valid_public_key.ts'
import { MAX_PRODUCERS, MAX_PROPOSERS } from '../../protocol/constants.ts'
import { bytesEqual, toHex } from '../../protocol/hex.ts'
import { nameToString } from '../../protocol/name.ts'
import type { Reader } from '../../protocol/reader.ts'
import {
  unpackProducerAuthority,
  unpackProducerKey,
  upgradeSchedule,
} from '../../protocol/schedule.ts'
import type {
  BlockSigningAuthorityV0,
  ProducerAuthority,
  ProducerAuthoritySchedule,
} from '../../protocol/schedule.ts'
import {
  PRODUCER_AUTHORITIES,
  PRODUCER_KEYS,
  readWithContext,
} from '../../protocol/error_context.ts'
import type { Database } from '../../state/database.ts'
import type { BuiltinFeatureName } from '../../protocol/features.ts'
import type { BlockProposals, LegacySchedules } from './proposals.ts'
import { ensure, refuse } from '../base/refuse.ts'
import { isFork } from '../rules/fork.ts'

/** The data on which proposing producers depends. */
export interface ScheduleContext {
  readonly db: Database
  /** Number of the pending block. */
  readonly block_num: number
  isFeatureActivated(feature: BuiltinFeatureName): boolean
  /** Undefined in Savanna blocks. */
  legacySchedules(): LegacySchedules | undefined
  /** The proposal of the transaction for a Savanna block, which the block adopts if it succeeds. */
  readonly proposals: BlockProposals
  /** Throws when the transaction's time is over. */
  checktime(): void
}

const U32_MAX = 0xffffffff

/**
 * Proposes a producer schedule.
 *
 * @param packed vector of {name, key} (format 0) or of producer authorities (format 1); parts of it
 *   are kept
 * @returns the version that it will have (2^32 - 1 in Savanna blocks, where it is not known yet),
 *   or -1 if nothing is proposed
 * @throws ChainError wasm_execution_error
 */
export function setProposedProducers(
  ctx: ScheduleContext,
  packed: Uint8Array,
  format: bigint,
): bigint {
  const checktime = (): void => ctx.checktime()
  if (format === 0n) {
    const producers = readWithContext(
      PRODUCER_KEYS,
      packed,
      (r) => r.array(unpackProducerKey),
      checktime,
    )
    return proposeProducers(ctx, upgradeSchedule({ version: 0, producers }).producers, true)
  }
  if (format === 1n) {
    const read = (r: Reader): ProducerAuthority[] => r.array(unpackProducerAuthority)
    return proposeProducers(
      ctx,
      readWithContext(PRODUCER_AUTHORITIES, packed, read, checktime),
      false,
    )
  }
  return refuse('wasm_execution_error', 'Producer schedule is in an unknown format!')
}

function proposeProducers(
  ctx: ScheduleContext,
  producers: ProducerAuthority[],
  validate_keys: boolean,
): bigint {
  ensure(
    producers.length > 0 || !ctx.isFeatureActivated('DISALLOW_EMPTY_PRODUCER_SCHEDULE'),
    'wasm_execution_error',
    'Producer schedule cannot be empty',
  )
  for (const { producer_name, authority } of producers) {
    ensure(
      ctx.db.account.find('by_name', producer_name),
      'wasm_execution_error',
      'producer schedule includes a nonexisting account',
    )
    ctx.checktime()
    checkSigningAuthority(ctx, producer_name, authority[1], validate_keys)
  }
  ensure(
    new Set(producers.map((producer) => producer.producer_name)).size === producers.length,
    'wasm_execution_error',
    'duplicate producer name in producer schedule',
  )
  const legacy = ctx.legacySchedules()
  return legacy ? proposeLegacy(ctx, legacy, producers) : proposeSavanna(ctx, producers)
}

function checkSigningAuthority(
  ctx: ScheduleContext,
  producer: bigint,
  authority: BlockSigningAuthorityV0,
  validate_keys: boolean,
): void {
  const key_types = ctx.db.protocol_state.single().num_supported_key_types
  let weights = 0
  for (const { key, weight } of authority.keys) {
    ctx.checktime()
    ensure(
      key[0]! < key_types,
      'unactivated_key_type',
      'Unactivated key type used in proposed producer schedule',
    )
    ensure(
      !validate_keys || isValidPublicKey(key),
      'wasm_execution_error',
      'producer schedule includes an invalid key',
    )
    weights = Math.min(U32_MAX, weights + weight)
  }
  const log = () => ({ account: nameToString(producer) })
  ensure(
    new Set(authority.keys.map(({ key }) => toHex(key))).size === authority.keys.length,
    'wasm_execution_error',
    'producer schedule includes a duplicated key for ${account}',
    log,
  )
  ensure(
    authority.threshold > 0,
    'wasm_execution_error',
    'producer schedule includes an authority with a threshold of 0 for ${account}',
    log,
  )
  ensure(
    weights >= authority.threshold,
    'wasm_execution_error',
    'producer schedule includes an unsatisfiable authority for ${account}',
    log,
  )
}

/** spring: controller_impl::set_proposed_producers_legacy */
function proposeLegacy(
  ctx: ScheduleContext,
  { active, pending, savanna_transition }: LegacySchedules,
  producers: ProducerAuthority[],
): bigint {
  ensure(
    producers.length <= MAX_PRODUCERS,
    'wasm_execution_error',
    'Producer schedule exceeds the maximum producer count for this chain',
  )
  const { db, block_num } = ctx
  const gpo = db.global_property.single()
  if (gpo.proposed_schedule_block_num !== undefined) {
    // One proposal at a time; within its block it may be replaced.
    if (gpo.proposed_schedule_block_num !== block_num) return -1n
    if (sameProducers(producers, gpo.proposed_schedule.producers)) return -1n
  }
  const current = pending.producers.length === 0 ? active : pending
  if (sameProducers(producers, current.producers) || savanna_transition) return -1n
  const proposed: ProducerAuthoritySchedule = { version: current.version + 1, producers }
  db.global_property.modify(gpo, (row) => {
    row.proposed_schedule_block_num = block_num
    row.proposed_schedule = proposed
  })
  return BigInt(proposed.version)
}

/** spring: transaction_context::set_proposed_producers; on a fork, nothing is proposed. */
function proposeSavanna(ctx: ScheduleContext, producers: ProducerAuthority[]): bigint {
  if (producers.length === 0) return -1n
  ensure(
    producers.length <= MAX_PROPOSERS,
    'wasm_execution_error',
    'Producer schedule exceeds the maximum proposer count for this chain',
  )
  if (!isFork(ctx.db)) ctx.proposals.proposed_schedule = { block_num: ctx.block_num, producers }
  return BigInt(U32_MAX)
}

/** Whether two lists have the same producers in the same order, with the same authorities. */
export function sameProducers(
  a: readonly ProducerAuthority[],
  b: readonly ProducerAuthority[],
): boolean {
  return a.length === b.length && a.every((producer, i) => sameProducer(producer, b[i]!))
}

/** Whether two producers have the same name and the same authority. */
export function sameProducer(a: ProducerAuthority, b: ProducerAuthority): boolean {
  const [kind_a, auth_a] = a.authority
  const [kind_b, auth_b] = b.authority
  return (
    a.producer_name === b.producer_name &&
    kind_a === kind_b &&
    auth_a.threshold === auth_b.threshold &&
    auth_a.keys.length === auth_b.keys.length &&
    auth_a.keys.every(
      ({ key, weight }, i) =>
        weight === auth_b.keys[i]!.weight && bytesEqual(key, auth_b.keys[i]!.key),
    )
  )
}
