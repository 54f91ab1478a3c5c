/**
 * The block state of a snapshot, in the forms of all versions.
 * spring: libraries/chain/include/eosio/chain/snapshot_detail.hpp
 */
import { AssertionError } from 'node:assert'
import { IncrementalMerkleLegacy } from '../../crypto/merkle.ts'
import { ChainError, fail } from '../../errors.ts'
import { unpackSignedBlockHeader } from '../../protocol/block.ts'
import { readPublicKey } from '../../protocol/key.ts'
import { Reader } from '../../protocol/reader.ts'
import { unpackProducerScheduleLegacy, upgradeSchedule } from '../../protocol/schedule.ts'
import type { HeaderState } from '../headers/legacy/header_state.ts'
import { checkSnapshotState } from './check_snapshot_state.ts'
import { unpackHead } from '../headers/packed_head.ts'
import type { StoredStates } from '../headers/packed_head.ts'
import { unpackHeaderState, unpackNumbers } from '../headers/legacy/pack_header_state.ts'

const FIRST_VERSION_WITH_SAVANNA = 7
const LAST_VERSION_WITH_LEGACY_SCHEDULES = 2

/** @throws ChainError `snapshot_exception` */
export function unpackSnapshotState(version: number, bytes: Uint8Array): StoredStates {
  try {
    const stored = unpackStates(version, bytes)
    checkSnapshotState(stored)
    return stored
  } catch (error) {
    // Codecs and rules assert what holds for states of our own; these are anyone's.
    if (!(error instanceof ChainError || error instanceof AssertionError)) throw error
    if (error instanceof ChainError && error.errorName === 'snapshot_exception') throw error
    fail('snapshot_exception', `the block state of the snapshot cannot be read: ${error.message}`)
  }
}

function unpackStates(version: number, bytes: Uint8Array): StoredStates {
  if (version >= FIRST_VERSION_WITH_SAVANNA) return unpackHead(bytes)
  const reader = new Reader(bytes)
  const legacy =
    version <= LAST_VERSION_WITH_LEGACY_SCHEDULES
      ? unpackOldHeaderState(reader)
      : unpackHeaderState(reader)
  return { states: { legacy }, valid: undefined }
}

/** Producers had one key each. */
function unpackOldHeaderState(reader: Reader): HeaderState {
  // Evaluated in order, which is the order of the fields.
  return {
    block_num: reader.u32(),
    dpos_proposed_irreversible_blocknum: reader.u32(),
    dpos_irreversible_blocknum: reader.u32(),
    active_schedule: upgradeSchedule(unpackProducerScheduleLegacy(reader)),
    blockroot_merkle: IncrementalMerkleLegacy.unpack(reader),
    producer_to_last_produced: unpackNumbers(reader),
    producer_to_last_implied_irb: unpackNumbers(reader),
    valid_block_signing_authority: [
      0,
      { threshold: 1, keys: [{ key: readPublicKey(reader), weight: 1 }] },
    ],
    confirm_count: Uint8Array.from(reader.blob()),
    id: Uint8Array.from(reader.checksum256()),
    header: unpackSignedBlockHeader(reader),
    pending_schedule: {
      schedule_lib_num: reader.u32(),
      schedule_hash: Uint8Array.from(reader.checksum256()),
      schedule: upgradeSchedule(unpackProducerScheduleLegacy(reader)),
    },
    activated_protocol_features: reader.bool()
      ? reader.array((r) => Uint8Array.from(r.checksum256()))
      : [],
    additional_signatures: [],
  }
}
