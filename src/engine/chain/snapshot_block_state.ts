/**
 * The block state of a snapshot, in the forms of all versions.
 * spring: libraries/chain/include/eosio/chain/snapshot_detail.hpp
 */
import { blockId } from '../crypto/digests.ts'
import { IncrementalMerkleLegacy } from '../crypto/merkle.ts'
import { check, rethrowAs } from '../errors.ts'
import { blockNumOf, unpackSignedBlockHeader } from '../protocol/block.ts'
import { bytesEqual } from '../protocol/hex.ts'
import { readPublicKey } from '../protocol/key.ts'
import { Reader } from '../protocol/reader.ts'
import { unpackProducerScheduleLegacy, upgradeSchedule } from '../protocol/schedule.ts'
import type { HeaderState } from './block_header_state.ts'
import { unpackHead } from './head_blob.ts'
import type { StoredStates } from './head_blob.ts'
import { unpackHeaderState, unpackNumbers } from './pack_header_state.ts'

const FIRST_VERSION_WITH_SAVANNA = 7
const LAST_VERSION_WITH_LEGACY_SCHEDULES = 2

/** Errors: `snapshot_exception`. */
export function unpackSnapshotState(version: number, bytes: Uint8Array): StoredStates {
  const context = 'the block state of the snapshot cannot be read'
  const stored = rethrowAs('snapshot_exception', context, () => unpackStates(version, bytes))
  const { legacy, savanna } = stored.states
  for (const state of [legacy, savanna]) {
    check(
      !state || bytesEqual(blockId(state.header), state.id),
      'snapshot_exception',
      'the block state of the snapshot has the header of another block',
    )
  }
  const same = !legacy || !savanna || bytesEqual(legacy.id, savanna.id)
  const numbered = !legacy || legacy.block_num === blockNumOf(legacy.header)
  check(same && numbered, 'snapshot_exception', 'the block state of the snapshot is of two blocks')
  return stored
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
