/**
 * The frame of a binary snapshot: [magic u32][version u32], sections, [end mark u64]. A section is
 * [u64: bytes after this number][u64: number of rows][name, ended by 0][packed rows].
 * spring: libraries/chain/snapshot.cpp
 */

/** Begins every binary snapshot. */
export const MAGIC = 0x30510550
/** Version of the frame. */
export const FRAME_VERSION = 1
/** Bytes of the magic number and the version. */
export const FRAME_HEADER_SIZE = 8
/** In place of the next section's size. */
export const END_MARK = 0xffffffffffffffffn

/** Versions of the rows. spring: libraries/chain/include/eosio/chain/chain_snapshot.hpp */
export const CURRENT_VERSION = 8
/** The oldest version that can be read. */
export const OLDEST_VERSION = 2
/** The first version with a section for each kind of contract rows; before, all were in one section. */
export const FIRST_VERSION_WITH_SPLIT_TABLES = 7
/** Written by a withdrawn release; the reference no longer reads it. */
export const WITHDRAWN_VERSION = 7

/** The section with the version of the rows. */
export const HEADER_SECTION = 'eosio::chain::chain_snapshot_header'
/** The section with the state of the head block. */
export const BLOCK_STATE_SECTION = 'eosio::chain::block_state'
/** Up to version 2. */
export const GENESIS_SECTION = 'eosio::chain::genesis_state'
/** Up to version 6. */
export const CONTRACT_TABLES_SECTION = 'contract_tables'
/** The section with the global properties, whose form depends on the version. */
export const GLOBAL_PROPERTY_SECTION = 'eosio::chain::global_property_object'
