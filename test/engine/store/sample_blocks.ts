import { packSignedBlock } from '../../../src/engine/protocol/block.ts'
import { packOne } from '../../../src/engine/protocol/writer.ts'

/** A packed block with this number and about `size` more bytes, in an extension. */
export function sampleBlock(block_num: number, size = block_num % 50): Uint8Array {
  const previous = new Uint8Array(32).fill(block_num)
  new DataView(previous.buffer).setUint32(0, block_num - 1)
  return packOne(packSignedBlock, {
    timestamp: block_num,
    producer: 5n,
    confirmed: 0,
    previous,
    transaction_mroot: new Uint8Array(32),
    action_mroot: new Uint8Array(32),
    schedule_version: 1,
    header_extensions: [],
    producer_signature: new Uint8Array(66),
    transactions: [],
    block_extensions: [[7, new Uint8Array(size).fill(block_num)]],
  })
}
