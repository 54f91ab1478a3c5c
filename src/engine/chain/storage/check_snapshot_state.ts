/**
 * Checks the properties of block states that a running chain assumes, because a snapshot file may
 * come from anyone.
 * @throws ChainError snapshot_exception
 */
import { blockId } from '../../crypto/digests.ts'
import { check } from '../../errors.ts'
import { blockNumFromId, blockNumOf } from '../../protocol/block.ts'
import { bytesEqual } from '../../protocol/hex.ts'
import type { HeaderState } from '../headers/legacy/header_state.ts'
import type { FinalityCore } from '../headers/savanna/finality_core.ts'
import { currentBlockNum, lastFinalBlockNum } from '../headers/savanna/finality_core.ts'
import type { ValidStructure } from '../headers/savanna/valid_structure.ts'
import type { StoredStates } from '../headers/packed_head.ts'

const ANY_DIGEST = new Uint8Array(32)

/**
 * Checks that the header states of a snapshot are consistent with each other and with their block.
 * @throws ChainError snapshot_exception
 */
export function checkSnapshotState({ states, valid }: StoredStates): void {
  const { legacy, savanna } = states
  for (const state of [legacy, savanna]) {
    if (!state) continue
    expect(bytesEqual(blockId(state.header), state.id), 'it has the header of another block')
  }
  if (legacy) checkLegacy(legacy)
  if (legacy && savanna)
    expect(bytesEqual(legacy.id, savanna.id), 'its parts are of different blocks')
  if (!savanna) return expect(!valid, 'it has a finality tree without Savanna')
  checkCore(savanna.core, blockNumOf(savanna.header))
  if (valid) checkValid(valid, savanna.core)
  expect(legacy ?? valid, 'a Savanna block lacks its finality tree')
}

function checkLegacy(state: HeaderState): void {
  expect(state.block_num === blockNumOf(state.header), 'its parts are of different blocks')
  // Nodes that are missing would be asserted by the next block.
  state.blockroot_merkle.clone().append(ANY_DIGEST)
}

/** spring: libraries/chain/include/eosio/chain/finality_core.hpp (invariants) */
function checkCore(core: FinalityCore, block_num: number): void {
  const links = core.links.toArray()
  const refs = core.refs.toArray()
  expect(links.length > 0, 'its finality core has no link')
  expect(currentBlockNum(core) === block_num, 'its finality core is of another block')
  const final = lastFinalBlockNum(core)
  expect(block_num - final === refs.length, 'its finality core does not reach the last final block')
  for (const [i, ref] of refs.entries()) {
    const is_later = i === 0 || ref.timestamp > refs[i - 1]!.timestamp
    expect(is_later && blockNumFromId(ref.block_id) === final + i, 'its finality core has gaps')
  }
  const first = block_num - links.length + 1
  for (const [i, { source_block_num, target_block_num }] of links.entries()) {
    const before = i === 0 ? final : links[i - 1]!.target_block_num
    const is_linked = source_block_num === first + i && target_block_num >= before
    // Only the block at which Savanna starts claims itself.
    const is_earlier = target_block_num < source_block_num || (i === 0 && final === first)
    expect(is_linked && is_earlier, 'the links of its finality core do not follow each other')
  }
  expect(first <= links.at(-1)!.target_block_num, 'its finality core lacks the latest claim')
}

function checkValid({ tree, roots }: ValidStructure, core: FinalityCore): void {
  const subtrees = tree.count.toString(2).replaceAll('0', '').length
  expect(tree.trees.length === subtrees, 'its finality tree lacks nodes')
  const blocks = currentBlockNum(core) - lastFinalBlockNum(core) + 1
  expect(roots.length === blocks, 'its finality tree lacks roots')
}

function expect(condition: unknown, otherwise: string): void {
  check(condition, 'snapshot_exception', `the block state of the snapshot is wrong: ${otherwise}`)
}
