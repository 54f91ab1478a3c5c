import { blockId } from '../../../../src/engine/crypto/digests.ts'
import { blockNumOf, type SignedBlock } from '../../../../src/engine/protocol/block.ts'
import type { ReceivedBlock } from '../../../../src/net/peer_chain.ts'

/** A block as it comes from a peer. */
export function receivedBlock(block: SignedBlock, packed: Uint8Array): ReceivedBlock {
  const open = () => ({ block, packed })
  const size = packed.length
  return { header: block, size, id: blockId(block), block_num: blockNumOf(block), open }
}
