/**
 * The packed legacy header state, which is the reference's form of it in snapshots.
 * spring: libraries/chain/include/eosio/chain/block_header_state_legacy.hpp (FC_REFLECT)
 */
import { IncrementalMerkleLegacy } from '../../../crypto/merkle.ts'
import { packSignedBlockHeader, unpackSignedBlockHeader } from '../../../protocol/block.ts'
import {
  packBlockSigningAuthority,
  packProducerAuthoritySchedule,
  unpackBlockSigningAuthority,
  unpackProducerAuthoritySchedule,
} from '../../../protocol/schedule.ts'
import { readSignature, writeSignature } from '../../../protocol/key.ts'
import type { Reader } from '../../../protocol/reader.ts'
import type { Writer } from '../../../protocol/writer.ts'
import type { HeaderState } from './header_state.ts'

/**
 * Writes a legacy header state in the format of the reference's snapshots. spring:
 * libraries/chain/include/eosio/chain/block_header_state_legacy.hpp
 */
export function packHeaderState(writer: Writer, state: HeaderState): void {
  writer.u32(state.block_num)
  writer.u32(state.dpos_proposed_irreversible_blocknum)
  writer.u32(state.dpos_irreversible_blocknum)
  packProducerAuthoritySchedule(writer, state.active_schedule)
  state.blockroot_merkle.pack(writer)
  packNumbers(writer, state.producer_to_last_produced)
  packNumbers(writer, state.producer_to_last_implied_irb)
  packBlockSigningAuthority(writer, state.valid_block_signing_authority)
  writer.blob(state.confirm_count)
  writer.raw(state.id)
  packSignedBlockHeader(writer, state.header)
  writer.u32(state.pending_schedule.schedule_lib_num)
  writer.raw(state.pending_schedule.schedule_hash)
  packProducerAuthoritySchedule(writer, state.pending_schedule.schedule)
  // The reference has a pointer here, which is never null.
  writer.bool(true)
  writer.array(state.activated_protocol_features, (w, digest) => w.raw(digest))
  writer.array(state.additional_signatures, writeSignature)
}

/**
 * Reads a legacy header state in the format of the reference's snapshots.
 * @throws ChainError assert_exception, or out_of_range_exception if bytes are missing
 */
export function unpackHeaderState(reader: Reader): HeaderState {
  // Evaluated in order, which is the order of the fields.
  return {
    block_num: reader.u32(),
    dpos_proposed_irreversible_blocknum: reader.u32(),
    dpos_irreversible_blocknum: reader.u32(),
    active_schedule: unpackProducerAuthoritySchedule(reader),
    blockroot_merkle: IncrementalMerkleLegacy.unpack(reader),
    producer_to_last_produced: unpackNumbers(reader),
    producer_to_last_implied_irb: unpackNumbers(reader),
    valid_block_signing_authority: unpackBlockSigningAuthority(reader),
    confirm_count: Uint8Array.from(reader.blob()),
    id: Uint8Array.from(reader.checksum256()),
    header: unpackSignedBlockHeader(reader),
    pending_schedule: {
      schedule_lib_num: reader.u32(),
      schedule_hash: Uint8Array.from(reader.checksum256()),
      schedule: unpackProducerAuthoritySchedule(reader),
    },
    activated_protocol_features: reader.bool()
      ? reader.array((r) => Uint8Array.from(r.checksum256()))
      : [],
    additional_signatures: reader.array((r) => readSignature(r)),
  }
}

/** A flat_map: ascending by name. */
function packNumbers(writer: Writer, numbers: ReadonlyMap<bigint, number>): void {
  const entries = [...numbers].sort(([a], [b]) => (a < b ? -1 : 1))
  writer.array(entries, (w, [name, number]) => {
    w.u64(name)
    w.u32(number)
  })
}

/** Reads a map from producer to block number. */
export function unpackNumbers(reader: Reader): ReadonlyMap<bigint, number> {
  return new Map(reader.array((r) => [r.u64(), r.u32()] as const))
}
