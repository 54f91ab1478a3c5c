/**
 * The start of a block log: its chain and its first block.
 * spring: libraries/chain/block_log.cpp (block_log_preamble)
 *
 * Version 1 has [version][genesis] and starts with block 1. Version 2 has [version][first
 * block][genesis][totem]. Version 3 has [version][first block], the genesis if the first block is
 * 1, else the chain id, and the totem. The totem is eight bytes ff.
 */
import { chainId } from '../crypto/digests.ts'
import { ChainError, check, fail, rethrowAs } from '../errors.ts'
import { packGenesis, unpackGenesis } from '../protocol/genesis.ts'
import type { GenesisState } from '../protocol/genesis.ts'
import { Reader } from '../protocol/reader.ts'
import { Writer } from '../protocol/writer.ts'

/** The version that we write. */
export const BLOCK_LOG_VERSION = 3
/** More bytes than any preamble has. */
export const MAX_PREAMBLE = 4096
const PRUNED_FLAG = 0x80000000
const TOTEM = 0xffffffffffffffffn

/** The start of a new log: a genesis, or a later block of a chain with a known id. */
export type LogStart = { genesis: GenesisState } | { chain_id: Uint8Array; first_block_num: number }

/** The start of a block log. */
export interface Preamble {
  version: number
  first_block_num: number
  genesis: GenesisState | undefined
  chain_id: Uint8Array
  /** Bytes of the preamble: where the first block is. */
  length: number
}

/**
 * Reads the preamble from the first bytes of a log.
 * @throws ChainError block_log_exception, or block_log_unsupported_version
 */
export function readPreamble(bytes: Uint8Array, path: string): Preamble {
  const context = `${path}: the block log's preamble cannot be read`
  try {
    return rethrowAs('block_log_exception', context, () => unpackPreamble(bytes, path))
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    fail(error.errorName, `${error.message}: if the file is damaged, put a copy of it back`)
  }
}

function unpackPreamble(bytes: Uint8Array, path: string): Preamble {
  const r = new Reader(bytes)
  const word = r.u32()
  const version = (word & ~PRUNED_FLAG) >>> 0
  check(version > 0, 'block_log_exception', `${path}: the block log was not set up properly`)
  check(
    version <= BLOCK_LOG_VERSION,
    'block_log_unsupported_version',
    `${path}: unsupported version ${version} of the block log; versions 1 to ${BLOCK_LOG_VERSION} are supported`,
  )
  check(
    (word & PRUNED_FLAG) === 0,
    'block_log_unsupported_version',
    `${path}: the block log is pruned; vacuum it first`,
  )
  const first_block_num = version === 1 ? 1 : r.u32()
  const has_genesis = version < 3 || first_block_num === 1
  if (first_block_num === 0) fail('block_log_exception', `${path}: the first block is 0`)
  const genesis = has_genesis ? unpackGenesis(r) : undefined
  const chain_id = genesis ? chainId(genesis) : r.checksum256().slice()
  if (version > 1) {
    check(
      r.u64() === TOTEM,
      'block_log_exception',
      `${path}: the separator between preamble and blocks is missing`,
    )
  }
  return { version, first_block_num, genesis: own(genesis), chain_id, length: r.pos }
}

/**
 * The preamble of a new log.
 * @throws ChainError block_log_exception if it begins with block 1 and has no genesis
 */
export function packPreamble(start: LogStart): Uint8Array {
  const w = new Writer()
  w.u32(BLOCK_LOG_VERSION)
  if ('genesis' in start) {
    w.u32(1)
    packGenesis(w, start.genesis)
  } else {
    check(
      start.first_block_num > 1,
      'block_log_exception',
      'a block log that begins with block 1 needs the genesis',
    )
    w.u32(start.first_block_num)
    w.checksum256(start.chain_id)
  }
  w.u64(TOTEM)
  return w.bytes()
}

/** A genesis without views of the file's bytes. */
function own(genesis: GenesisState | undefined): GenesisState | undefined {
  return genesis && { ...genesis, initial_key: genesis.initial_key.slice() }
}
