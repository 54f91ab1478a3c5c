/**
 * The chain's own part of a stored head: the states after the block, in the form that the
 * reference's snapshots of version 8 have.
 * spring: libraries/chain/include/eosio/chain/snapshot_detail.hpp (snapshot_block_state_data_v8)
 */
import { check } from '../../errors.ts'
import { Reader } from '../../protocol/reader.ts'
import { Writer } from '../../protocol/writer.ts'
import { packSavannaState, unpackSavannaState } from './savanna/pack_header_state.ts'
import type { ValidStructure } from './savanna/valid_structure.ts'
import { packHeaderState, unpackHeaderState } from './legacy/pack_header_state.ts'
import type { BlockState, HeaderStates } from './block_state.ts'

/** Packs the header states of the head block for the store. */
export function packHead(block: BlockState): Uint8Array {
  const { legacy, savanna, valid } = block
  const writer = new Writer(4096)
  writer.optional(legacy, packHeaderState)
  writer.optional(savanna && { savanna, valid }, packSavannaState)
  return writer.bytes()
}

/** The contents of a packed head. */
export interface StoredStates {
  states: HeaderStates
  valid: ValidStructure | undefined
}

/**
 * Reads the header states of {@link packHead}.
 * @throws ChainError database_exception if there is no state
 */
export function unpackHead(bytes: Uint8Array): StoredStates {
  return unpackStates(new Reader(bytes))
}

/** The data of the chain in the store in addition to rows. */
export interface StoredChain extends StoredStates {
  /** Id of the last block that was announced when the state was stored; undefined when blocks were
   *  not synced, and in stores of former versions. */
  announced: Uint8Array | undefined
}

/** The head as the store has it. */
export function packStored(block: BlockState, announced: Uint8Array | undefined): Uint8Array {
  const states = packHead(block)
  return announced === undefined ? states : Buffer.concat([states, announced])
}

/**
 * Reads the data of the chain in the store.
 * @throws ChainError database_exception if there is no state
 */
export function unpackStored(bytes: Uint8Array): StoredChain {
  const reader = new Reader(bytes)
  const states = unpackStates(reader)
  return { ...states, announced: reader.remaining() > 0 ? reader.checksum256().slice() : undefined }
}

function unpackStates(reader: Reader): StoredStates {
  const legacy = reader.optional(unpackHeaderState)
  const stored = reader.optional(unpackSavannaState)
  check(legacy ?? stored, 'database_exception', 'the stored head has no state')
  return { states: { legacy, savanna: stored?.savanna }, valid: stored?.valid }
}
