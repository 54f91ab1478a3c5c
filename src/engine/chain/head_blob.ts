/** The chain's own part of a stored head: the header state after the block. */
import { check } from '../errors.ts'
import { Reader } from '../protocol/reader.ts'
import { Writer } from '../protocol/writer.ts'
import { packHeaderState, unpackHeaderState } from './pack_header_state.ts'
import type { HeaderState } from './block_header_state.ts'
import type { BlockState } from './block_state.ts'

/** Kind of header state that follows. Savanna states get the next number. */
const LEGACY = 0

export function packHead(block: BlockState): Uint8Array {
  const writer = new Writer()
  writer.u8(LEGACY)
  packHeaderState(writer, block.header_state)
  return writer.bytes()
}

export function unpackHead(bytes: Uint8Array): HeaderState {
  const reader = new Reader(bytes)
  const kind = reader.u8()
  check(
    kind === LEGACY,
    'unsupported_feature',
    'the stored head is of a kind that this version does not know; use the version that wrote it',
  )
  return unpackHeaderState(reader)
}
