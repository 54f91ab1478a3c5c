/**
 * The reversible blocks that nodeos leaves when it ends: `blocks/reversible/fork_db.dat`, version 3. Only the
 * blocks are taken: everything else in the file follows from them, and they are checked as blocks from
 * outside are.
 * spring: libraries/chain/{fork_database.cpp (close), include/eosio/chain/block_state.hpp,
 * block_state_legacy.hpp, qc.hpp (FC_REFLECT)}
 */
import { AssertionError } from 'node:assert'
import { blockId } from '../../crypto/digests.ts'
import { ChainError, check, fail } from '../../errors.ts'
import { blockNumFromId, blockNumOf, unpackSignedBlock } from '../../protocol/block.ts'
import {
  unpackFinalizerPolicy,
  unpackQcSignature,
  unpackSizedSignature,
  unpackBitset,
} from '../../protocol/finality.ts'
import { bytesEqual, toHex } from '../../protocol/hex.ts'
import { Reader } from '../../protocol/reader.ts'
import { unpackValid } from '../headers/savanna/valid_structure.ts'
import { unpackSavannaHeader } from '../headers/savanna/pack_header_state.ts'
import { unpackHeaderState } from '../headers/legacy/pack_header_state.ts'

/** A block of the file. */
export interface ForeignBlock {
  block_num: number
  id: Uint8Array
  previous: Uint8Array
  /** Slot. */
  timestamp: number
  packed: Uint8Array
  /** nodeos had executed it. */
  executed: boolean
}

/** The blocks of a fork database file of nodeos. */
export interface ForeignBlocks {
  path: string
  /** Number of the last irreversible block, on which the others build. */
  root_block_num: number
  /** Parents before children. */
  blocks: readonly ForeignBlock[]
}

const MAGIC = 0x30510fdb
const VERSION = 3
/** The weak digest: 32 bytes and "WEAK". */
const WEAK_DIGEST_SIZE = 36

/**
 * Reads the bytes of the file.
 * @throws ChainError fork_database_exception that says how to continue
 */
export function unpackForkDatabase(bytes: Uint8Array, path: string): ForeignBlocks {
  try {
    return unpackFile(new Reader(bytes), bytes, path)
  } catch (error) {
    if (!(error instanceof ChainError || error instanceof AssertionError)) throw error
    if (error instanceof ChainError && error.errorName === 'fork_database_exception') throw error
    fail('fork_database_exception', `${path} is damaged: ${error.message}${FORK_DB_WAY_OUT}`)
  }
}

/** Follows what is wrong with the file. */
export const FORK_DB_WAY_OUT =
  ': put a right copy of it there, or move it away to continue without the reversible blocks of nodeos'

function unpackFile(r: Reader, bytes: Uint8Array, path: string): ForeignBlocks {
  check(
    r.u32() === MAGIC,
    'fork_database_exception',
    `${path} is not a fork database of nodeos${FORK_DB_WAY_OUT}`,
  )
  const version = r.u32()
  check(
    version === VERSION,
    'fork_database_exception',
    `${path} has version ${version}; only version ${VERSION} is supported (Spring 1.0.1 and later)` +
      FORK_DB_WAY_OUT,
  )
  const in_use = r.u32()
  check(in_use <= 2, 'fork_database_exception', `${path} is damaged${FORK_DB_WAY_OUT}`)
  const found = new Map<string, ForeignBlock>()
  let root_block_num = 0
  for (const unpackEntry of [unpackLegacyEntry, unpackSavannaEntry]) {
    if (!r.bool()) continue
    // Data about finality, which the blocks contain too.
    r.checksum256()
    const root = unpackEntry(r, bytes)
    root_block_num = Math.max(root_block_num, blockNumFromId(root.id))
    for (const { id, block } of r.array((r) => unpackEntry(r, bytes))) {
      check(block, 'fork_database_exception', `a block of ${path} is missing${FORK_DB_WAY_OUT}`)
      check(
        bytesEqual(block.id, id),
        'fork_database_exception',
        () => `${path} is damaged: block ${toHex(id)} has another id${FORK_DB_WAY_OUT}`,
      )
      found.set(toHex(id), block)
    }
  }
  check(
    r.remaining() === 0 && root_block_num > 0,
    'fork_database_exception',
    `${path} is damaged: it does not end where it should${FORK_DB_WAY_OUT}`,
  )
  const blocks = [...found.values()].sort((a, b) => a.block_num - b.block_num)
  return { path, root_block_num, blocks }
}

interface Entry {
  id: Uint8Array
  /** Absent in the root of a chain that started from a snapshot. */
  block: ForeignBlock | undefined
}

/** spring: block_state_legacy */
function unpackLegacyEntry(r: Reader, bytes: Uint8Array): Entry {
  const { id } = unpackHeaderState(r)
  const block = unpackBlock(r, bytes)
  const executed = r.bool()
  r.optional((r) => r.checksum256())
  return { id, block: block && { ...block, executed } }
}

/** spring: block_state */
function unpackSavannaEntry(r: Reader, bytes: Uint8Array): Entry {
  const { id } = unpackSavannaHeader(r)
  const block = unpackBlock(r, bytes)
  r.checksum256()
  r.bytes(WEAK_DIGEST_SIZE)
  skipAggregatingQc(r)
  r.optional(unpackValid)
  const executed = r.bool()
  return { id, block: block && { ...block, executed } }
}

function unpackBlock(r: Reader, bytes: Uint8Array): Omit<ForeignBlock, 'executed'> | undefined {
  if (!r.bool()) return undefined
  const from = r.pos
  const block = unpackSignedBlock(r)
  const { previous, timestamp } = block
  const packed = bytes.slice(from, r.pos)
  return { block_num: blockNumOf(block), id: blockId(block), previous, timestamp, packed }
}

/** spring: aggregating_qc_t */
function skipAggregatingQc(r: Reader): void {
  r.optional(unpackFinalizerPolicy)
  r.optional(unpackFinalizerPolicy)
  skipAggregatingSignature(r)
  r.optional(skipAggregatingSignature)
}

/** spring: aggregating_qc_sig_t */
function skipAggregatingSignature(r: Reader): void {
  r.optional(unpackQcSignature)
  // Quorum, most weak votes, state, strong and weak sum.
  for (let i = 0; i < 5; i++) r.u64()
  for (let i = 0; i < 2; i++) {
    unpackBitset(r)
    unpackSizedSignature(r)
  }
}
