/**
 * Detects missing announced blocks. Each file has information about the others: the state has the
 * id of the last announced block, the finalizers' safety file has the blocks of their votes, and
 * each block names its parent. Missing blocks were damaged or removed by others: no crash of this
 * node or its machine removes them.
 */
import { blockId } from '../../crypto/digests.ts'
import { fail } from '../../errors.ts'
import { blockNumFromId, blockNumOf, unpackSignedBlock } from '../../protocol/block.ts'
import type { SignedBlock } from '../../protocol/block.ts'
import { toHex } from '../../protocol/hex.ts'
import { Reader } from '../../protocol/reader.ts'
import type { BlockArchive, JournalRecord } from '../storage/block_files.ts'
import type { BlockState } from '../headers/block_state.ts'
import type { BlockRef } from '../headers/savanna/finality_core.ts'
import type { ForeignBlocks } from '../storage/reference_fork_db.ts'
import type { OpenedSafety } from './open_finality.ts'

/** Follows what is said about damage. */
export const WAY_OUT =
  ': put the right files back, or start once with --lost-blocks=keep-safety to continue from the last good block'

/** The information of files about the chain. */
export interface KnownBlocks {
  /** The block that the state is at. */
  head: BlockState
  /** The last announced block according to the stored state. */
  announced: Uint8Array | undefined
  /** Blocks that follow from the state. */
  archives: readonly Omit<BlockArchive, 'discard'>[]
  journal: readonly JournalRecord[]
  /** The blocks in a file of nodeos. */
  foreign: ForeignBlocks | undefined
  /** Undefined without finalizers, and in a new chain. */
  safety: OpenedSafety | undefined
}

/** A block that is known by its id. */
interface KnownBlock {
  block_num: number
  id: Uint8Array
  /** Slot. */
  timestamp: number
}

/** Describes what is missing, one sentence each; empty if nothing is missing. */
export function findLostBlocks(known: KnownBlocks): string[] {
  const { head, archives, journal, foreign, announced, safety } = known
  let newest = lastOf(head, archives)
  const ids = new Set([toHex(newest.id)])
  const { block_num: archived } = newest
  const lost: string[] = []
  for (const { packed } of journal) {
    const block = described(unpackSignedBlock(new Reader(packed)))
    ids.add(toHex(block.id))
    if (block.block_num > archived && !ids.has(toHex(block.previous))) {
      const text = `block ${block.block_num} exists, but block ${block.block_num - 1} is missing`
      lost.push(`reversible.log does not follow the blocks before it: ${text}`)
    }
    newest = {
      ...(block.block_num > newest.block_num ? block : newest),
      timestamp: Math.max(block.timestamp, newest.timestamp),
    }
  }
  for (const { block_num, id, timestamp } of foreign?.blocks ?? []) {
    if (block_num > newest.block_num) newest = { ...newest, block_num, id }
    newest.timestamp = Math.max(timestamp, newest.timestamp)
  }
  if (foreign && foreign.root_block_num > archived) {
    lost.push(
      `blocks.log ends at block ${archived}, but ${foreign.path} begins after block ${foreign.root_block_num}`,
    )
  }
  const ending = `blocks.log and reversible.log end at block ${newest.block_num}`
  if (announced && blockNumFromId(announced) > newest.block_num) {
    lost.push(`${ending}, but ${idText(announced)} was announced`)
  }
  // Blocks of the log that were not synced may be lost by a power cut, but not before the journal has them.
  for (const { behind_block_num: behind, damaged_block_num: damaged } of archives) {
    if (damaged !== undefined) lost.push(`block ${damaged} of blocks.log is damaged`)
    if (behind === undefined || behind <= newest.block_num) continue
    lost.push(
      `blocks.log is damaged after block ${archived}, because block ${behind} follows the damage`,
    )
  }
  const voted = safety && newestVote(safety)
  if (safety && voted && voted.timestamp > newest.timestamp) {
    lost.push(`${ending}, but ${safety.store.path} refers to ${idText(voted.block_id)}`)
  }
  return lost
}

/**
 * Refuses a start for which blocks are missing.
 * @throws ChainError reversible_blocks_exception
 */
export function refuseLostBlocks(lost: readonly string[]): void {
  const [first] = lost
  if (first !== undefined)
    fail('reversible_blocks_exception', `blocks are lost: ${first}${WAY_OUT}`)
}

/** The latest block that finalizers voted on, or are locked on. */
export function newestVote({ own }: OpenedSafety): BlockRef | undefined {
  const refs = own.flatMap(({ safety }) => [safety.last_vote, safety.lock])
  return refs.reduce<BlockRef | undefined>(
    (latest, ref) => (ref.timestamp > (latest?.timestamp ?? 0) ? ref : latest),
    undefined,
  )
}

/** A block as text: its number and its id. */
export function idText(id: Uint8Array): string {
  return `block ${blockNumFromId(id)} ${toHex(id)}`
}

/** The last irreversible block that is here. */
function lastOf(
  { block_num, id, timestamp }: BlockState,
  archives: readonly Omit<BlockArchive, 'discard'>[],
): KnownBlock {
  let last: KnownBlock = { block_num, id, timestamp }
  for (const archive of archives) {
    if (archive.head_block_num <= last.block_num) continue
    const packed = archive.read(archive.head_block_num)
    if (packed !== undefined) last = described(unpackSignedBlock(new Reader(packed)))
  }
  return last
}

function described(block: SignedBlock): KnownBlock & { previous: Uint8Array } {
  const { timestamp, previous } = block
  return { block_num: blockNumOf(block), id: blockId(block), timestamp, previous }
}
