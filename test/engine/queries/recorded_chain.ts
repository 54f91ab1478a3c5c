/** The recorded chain as queries see it: its blocks up to 140, and the state after block 122. */
import { FeatureSet } from '../../../src/engine/chain/rules/features.ts'
import { blockId } from '../../../src/engine/crypto/digests.ts'
import { blockNumOf, unpackSignedBlock } from '../../../src/engine/protocol/block.ts'
import type { SignedBlock } from '../../../src/engine/protocol/block.ts'
import { toHex } from '../../../src/engine/protocol/hex.ts'
import { Reader } from '../../../src/engine/protocol/reader.ts'
import type { QueryChain } from '../../../src/engine/queries/query.ts'
import { recordedBlocks } from '../protocol/recorded_blocks.ts'
import { recordedState } from './recorded_state.ts'

/** Parts of a chain that a test wants to be different. */
export type Overrides = Partial<Record<keyof QueryChain, unknown>>

const NO_SCHEDULE = { version: 0, producers: [] }

function blockState(block: SignedBlock): unknown {
  return {
    block_num: blockNumOf(block),
    id: blockId(block),
    timestamp: block.timestamp,
    producer: block.producer,
    active_schedule: NO_SCHEDULE,
    pending_schedule: NO_SCHEDULE,
  }
}

/** A chain for queries; what they do not read of it is not there. */
export function recordedChain(overrides: Overrides = {}): QueryChain {
  const blocks = recordedBlocks().blocks.map((bytes) => unpackSignedBlock(new Reader(bytes)))
  const by_id = new Map(blocks.map((block) => [toHex(blockId(block)), block]))
  const head = blockState(blocks[139]!)
  const db = recordedState()
  const chain = {
    chain_id: db.global_property.single().chain_id,
    db,
    features: new FeatureSet(),
    rules: { resource_greylist: new Set<bigint>() },
    head,
    last_irreversible: head,
    fork_head: head,
    pending: undefined,
    earliest_available_block_num: 1,
    blockByNumber: (block_num: number) => blocks[block_num - 1],
    blockById: (id: Uint8Array) => by_id.get(toHex(id)),
    ...overrides,
  }
  return chain as unknown as QueryChain
}
