import { expect } from 'chai'
import { ReadBlocks } from '../../../../src/engine/chain/blocks/read_blocks.ts'
import { packSignedBlock } from '../../../../src/engine/protocol/block.ts'
import type { SignedBlock } from '../../../../src/engine/protocol/block.ts'
import { packOne } from '../../../../src/engine/protocol/writer.ts'

const LAST = 1000

function block(timestamp: number, data_bytes = 0): SignedBlock {
  return {
    timestamp,
    producer: 1n,
    confirmed: 0,
    previous: new Uint8Array(32),
    transaction_mroot: new Uint8Array(32),
    action_mroot: new Uint8Array(32),
    schedule_version: 0,
    header_extensions: [[7, new Uint8Array(data_bytes)]],
    producer_signature: new Uint8Array(66),
    transactions: [],
    block_extensions: [],
  }
}

describe('chain: irreversible blocks that are read', () => {
  let reads: number[]
  let size: number
  let blocks: ReadBlocks
  beforeEach(() => {
    reads = []
    size = 0
    blocks = new ReadBlocks({
      read: (block_num) => {
        reads.push(block_num)
        return block_num > LAST ? undefined : packOne(packSignedBlock, block(block_num, size))
      },
    })
  })

  it('are kept, the last ones', () => {
    const first = blocks.read(1)
    expect(first!.timestamp).equal(1)
    expect(blocks.read(1)).equal(first)
    expect(reads).deep.equal([1])
    for (let block_num = 2; block_num <= 300; block_num++) {
      blocks.read(block_num)
      blocks.read(1)
    }
    expect(reads.filter((block_num) => block_num === 1)).length(1)
    blocks.read(2)
    expect(reads.filter((block_num) => block_num === 2)).length(2)
  })

  it('that are not there are looked for each time', () => {
    for (let i = 0; i < 3; i++) expect(blocks.read(LAST + 1)).equal(undefined)
    expect(reads).length(3)
  })

  it('take a bounded amount of memory', () => {
    size = 60_000
    for (let block_num = 1; block_num <= 100; block_num++) blocks.read(block_num)
    reads = []
    for (let block_num = 100; block_num >= 1; block_num--) blocks.read(block_num)
    expect(reads.length).within(60, 70)
  })
})
