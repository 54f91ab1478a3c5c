/**
 * From a pending header state to a header, and from a header to the state after it.
 * spring: libraries/chain/block_header_state_legacy.cpp (make_block_header, _finish_next)
 */
import { check } from '../../../errors.ts'
import { blockId, scheduleDigest, scheduleDigestLegacy } from '../../../crypto/digests.ts'
import { bytesEqual, toHex } from '../../../protocol/hex.ts'
import type { BlockHeader, SignedBlockHeader } from '../../../protocol/block.ts'
import type {
  ProducerAuthoritySchedule,
  ProducerScheduleLegacy,
} from '../../../protocol/schedule.ts'
import { upgradeSchedule } from '../../../protocol/schedule.ts'
import { extractHeaderExtensions, makeHeaderExtensions } from '../../../protocol/block_extension.ts'
import type { FinalityExtension, HeaderExtensions } from '../../../protocol/block_extension.ts'
import type { HeaderState, PendingHeaderState, ScheduleInfo } from './header_state.ts'
import { addFeatures } from '../../rules/features/activated_list.ts'

/** The rules of protocol features that headers depend on. */
export interface HeaderRules {
  /** Whether blocks that follow a block with these features may have weighted authorities. */
  weightedSignatures(activated: readonly Uint8Array[]): boolean
  /** Refuses features that a block at `slot` may not activate on top of `activated`. */
  checkFeatures(slot: number, activated: readonly Uint8Array[], added: readonly Uint8Array[]): void
}

/** The fields that execution adds to a header. */
export interface HeaderResults {
  transaction_mroot: Uint8Array
  action_mroot: Uint8Array
  /** Schedule that becomes pending with this block. */
  new_producers: ProducerAuthoritySchedule | undefined
  /** Features that this block activated, in order. */
  features: readonly Uint8Array[]
  /** In blocks of the transition to Savanna. */
  finality: FinalityExtension | undefined
}

/** The header of a block whose execution is finished. */
export function makeBlockHeader(
  pending: PendingHeaderState,
  results: HeaderResults,
  rules: HeaderRules,
): BlockHeader {
  const extensions: HeaderExtensions = {}
  let new_producers: ProducerScheduleLegacy | undefined
  if (results.features.length > 0) extensions.protocol_feature_activation = [...results.features]
  if (results.new_producers !== undefined) {
    if (rules.weightedSignatures(pending.prev_activated_protocol_features)) {
      extensions.producer_schedule_change = results.new_producers
    } else {
      new_producers = downgradeSchedule(results.new_producers)
    }
  }
  if (results.finality !== undefined) extensions.finality_extension = results.finality
  return {
    timestamp: pending.timestamp,
    producer: pending.producer,
    confirmed: pending.confirmed,
    previous: pending.previous,
    transaction_mroot: results.transaction_mroot,
    action_mroot: results.action_mroot,
    schedule_version: pending.active_schedule_version,
    ...(new_producers && { new_producers }),
    header_extensions: makeHeaderExtensions(extensions),
  }
}

/**
 * The state after a block with this header, which must be what the pending state allows. Signatures
 * are checked apart (block_signing.ts).
 * @throws ChainError block_validate_exception, producer_schedule_exception, or the reason to refuse
 *   an extension
 */
export function finishHeaderState(
  pending: PendingHeaderState,
  header: SignedBlockHeader,
  additional_signatures: readonly Uint8Array[],
  rules: HeaderRules,
): HeaderState {
  const features = pending.prev_activated_protocol_features
  check(
    additional_signatures.length === 0 || rules.weightedSignatures(features),
    'producer_schedule_exception',
    'Block contains multiple signatures before WTMsig block signatures are enabled',
  )
  checkTemplate(pending, header)
  const extensions = extractHeaderExtensions(header.header_extensions)
  const announced = announcedSchedule(pending, header, extensions, rules)
  let activated = features
  const added = extensions.protocol_feature_activation
  if (added !== undefined) {
    rules.checkFeatures(pending.timestamp, features, added)
    activated = addFeatures(features, added)
  }
  return {
    block_num: pending.block_num,
    dpos_proposed_irreversible_blocknum: pending.dpos_proposed_irreversible_blocknum,
    dpos_irreversible_blocknum: pending.dpos_irreversible_blocknum,
    active_schedule: pending.active_schedule,
    blockroot_merkle: pending.blockroot_merkle,
    producer_to_last_produced: pending.producer_to_last_produced,
    producer_to_last_implied_irb: pending.producer_to_last_implied_irb,
    valid_block_signing_authority: pending.valid_block_signing_authority,
    confirm_count: pending.confirm_count,
    id: blockId(header),
    header,
    pending_schedule: announced ?? followPendingSchedule(pending),
    activated_protocol_features: activated,
    additional_signatures,
  }
}

/** The form of a schedule that headers carry before weighted authorities are enabled. */
function downgradeSchedule(schedule: ProducerAuthoritySchedule): ProducerScheduleLegacy {
  const producers = schedule.producers.map(({ producer_name, authority: [, authority] }) => {
    const [only, ...more] = authority.keys
    check(
      only !== undefined && more.length === 0 && only.weight === authority.threshold,
      'producer_schedule_exception',
      'multisig block signing present before enabled!',
    )
    return { producer_name, block_signing_key: only.key }
  })
  return { version: schedule.version, producers }
}

/** The fields of a header that its predecessor and its time determine. */
function checkTemplate(pending: PendingHeaderState, header: SignedBlockHeader): void {
  check(header.timestamp === pending.timestamp, 'block_validate_exception', 'timestamp mismatch')
  check(
    bytesEqual(header.previous, pending.previous),
    'unlinkable_block_exception',
    () => `previous mismatch ${toHex(header.previous)} != ${toHex(pending.previous)}`,
  )
  check(header.confirmed === pending.confirmed, 'block_validate_exception', 'confirmed mismatch')
  check(header.producer === pending.producer, 'wrong_producer', 'wrong producer specified')
  check(
    header.schedule_version === pending.active_schedule_version,
    'producer_schedule_exception',
    'schedule_version in signed block is corrupted',
  )
}

/** The schedule that a header announces, which becomes pending. */
function announcedSchedule(
  pending: PendingHeaderState,
  header: SignedBlockHeader,
  extensions: HeaderExtensions,
  rules: HeaderRules,
): ScheduleInfo | undefined {
  const { new_producers } = header
  const extension = extensions.producer_schedule_change
  if (new_producers === undefined && extension === undefined) return undefined
  const weighted = rules.weightedSignatures(pending.prev_activated_protocol_features)
  let announced: ScheduleInfo | undefined
  if (new_producers !== undefined) {
    check(
      !weighted,
      'producer_schedule_exception',
      'Block header contains legacy producer schedule outdated by activation of WTMsig Block Signatures',
    )
    checkAnnouncement(pending, new_producers.version)
    announced = {
      schedule_lib_num: pending.block_num,
      schedule_hash: scheduleDigestLegacy(new_producers),
      schedule: upgradeSchedule(new_producers),
    }
  }
  if (extension !== undefined) {
    check(
      weighted,
      'producer_schedule_exception',
      'Block header producer_schedule_change_extension before activation of WTMsig Block Signatures',
    )
    checkAnnouncement(pending, extension.version)
    announced = {
      schedule_lib_num: pending.block_num,
      schedule_hash: scheduleDigest(extension),
      schedule: extension,
    }
  }
  return announced
}

function checkAnnouncement(pending: PendingHeaderState, version: number): void {
  check(
    !pending.was_pending_promoted,
    'producer_schedule_exception',
    'cannot set pending producer schedule in the same block in which pending was promoted to active',
  )
  check(
    version === pending.active_schedule.version + 1,
    'producer_schedule_exception',
    'wrong producer schedule version specified',
  )
  check(
    pending.prev_pending_schedule.schedule.producers.length === 0,
    'producer_schedule_exception',
    'cannot set new pending producers until last pending is confirmed',
  )
}

/** The pending schedule of a block that announces none; empty after it became active. */
function followPendingSchedule(pending: PendingHeaderState): ScheduleInfo {
  const prev = pending.prev_pending_schedule
  if (!pending.was_pending_promoted) return prev
  return { ...prev, schedule: { version: prev.schedule.version, producers: [] } }
}
