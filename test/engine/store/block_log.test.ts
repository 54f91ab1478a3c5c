import { readFileSync, rmSync, truncateSync, writeFileSync, copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { chainId } from '../../../src/engine/crypto/digests.ts'
import { defaultGenesis, packGenesis } from '../../../src/engine/protocol/genesis.ts'
import { packOne } from '../../../src/engine/protocol/writer.ts'
import {
  blockNumOf,
  packSignedBlock,
  unpackSignedBlock,
} from '../../../src/engine/protocol/block.ts'
import { Reader } from '../../../src/engine/protocol/reader.ts'
import { packPreamble } from '../../../src/engine/store/block_log_preamble.ts'
import { BlockLog } from '../../../src/engine/store/block_log.ts'
import { sampleBlock } from './sample_blocks.ts'
import { temporaryFolder } from './temporary_folder.ts'

const genesis = defaultGenesis()
const genesis_bytes = packOne(packGenesis, genesis)
const TOTEM = Buffer.alloc(8, 0xff)

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** A log file as the reference lays it out. */
function layOut(preamble: Uint8Array[], blocks: Uint8Array[]): { log: Buffer; index: Buffer } {
  const parts = [...preamble]
  const index: Buffer[] = []
  let position = Buffer.concat(parts).length
  for (const block of blocks) {
    const trailer = Buffer.alloc(8)
    trailer.writeBigUInt64LE(BigInt(position))
    parts.push(block, trailer)
    index.push(trailer)
    position += block.length + 8
  }
  return { log: Buffer.concat(parts), index: Buffer.concat(index) }
}

const V3 = [u32(3), u32(1), genesis_bytes, TOTEM]
const samples = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => sampleBlock(from + i))

function expectBlocks(log: BlockLog, from: number, to: number): void {
  expect(log.head_block_num).equal(to)
  for (let n = from; n <= to; n++) {
    expect(Buffer.from(log.read(n)!).equals(sampleBlock(n)), `block ${n}`).equal(true)
  }
  expect(log.read(from - 1)).equal(undefined)
  expect(log.read(to + 1)).equal(undefined)
}

describe('store: block log', () => {
  const root = temporaryFolder()
  let count = 0
  const newFolder = () => {
    const folder = join(root, String(count++))
    mkdirSync(folder)
    return folder
  }
  const write = (folder: string, { log, index }: { log: Buffer; index: Buffer }) => {
    writeFileSync(join(folder, 'blocks.log'), log)
    writeFileSync(join(folder, 'blocks.index'), index)
  }

  it('is laid out byte for byte as the reference does', async () => {
    const folder = newFolder()
    const log = BlockLog.open(folder, genesis)
    expect(log.head_block_num).equal(0)
    expect(log.first_block_num).equal(0)
    expect(log.chain_id).equal(undefined)
    expect(log.genesis).equal(genesis)
    for (let n = 1; n <= 5; n++) log.append([sampleBlock(n)], n)
    await log.sync()
    expectBlocks(log, 1, 5)
    expect(log.chain_id).deep.equal(chainId(genesis))
    log.close()
    const expected = layOut(V3, samples(1, 5))
    expect(readFileSync(join(folder, 'blocks.log')).equals(expected.log)).equal(true)
    expect(readFileSync(join(folder, 'blocks.index')).equals(expected.index)).equal(true)
  })

  it('has blocks that are appended together as those that are appended one by one', () => {
    const [one_by_one, together] = [newFolder(), newFolder()]
    const log = BlockLog.open(one_by_one, genesis)
    for (let n = 1; n <= 5; n++) log.append([sampleBlock(n)], n)
    log.close()
    const other = BlockLog.open(together, genesis)
    other.append([sampleBlock(1), sampleBlock(2), sampleBlock(3)], 1)
    other.append([sampleBlock(4), sampleBlock(5)], 4)
    expectBlocks(other, 1, 5)
    other.close()
    for (const name of ['blocks.log', 'blocks.index', 'blocks.check']) {
      const expected = readFileSync(join(one_by_one, name))
      expect(readFileSync(join(together, name)).equals(expected), name).equal(true)
    }
  })

  it('continues where it was', () => {
    const folder = newFolder()
    write(folder, layOut(V3, samples(1, 5)))
    const log = BlockLog.open(folder)
    expect(log.genesis).deep.equal(genesis)
    log.append([sampleBlock(6)], 6)
    expectBlocks(log, 1, 6)
    log.close()
    expect(readFileSync(join(folder, 'blocks.log')).equals(layOut(V3, samples(1, 6)).log)).equal(
      true,
    )
  })

  it('begins at a later block of a known chain', () => {
    const folder = newFolder()
    const log = BlockLog.open(folder)
    expect(() => log.append([sampleBlock(9)], 9)).throw('told its chain')
    expect(() => log.begin({ chain_id: chainId(genesis), first_block_num: 1 })).throw('genesis')
    log.begin({ chain_id: chainId(genesis), first_block_num: 9 })
    log.append([sampleBlock(9)], 9)
    log.append([sampleBlock(10)], 10)
    log.close()
    const again = BlockLog.open(folder, genesis)
    expect(again.first_block_num).equal(9)
    expect(again.chain_id).deep.equal(Buffer.from(chainId(genesis)))
    expectBlocks(again, 9, 10)
    again.close()
  })

  it('takes only the next block', () => {
    const log = BlockLog.open(newFolder(), genesis)
    log.append([sampleBlock(1)], 1)
    expect(() => log.append([sampleBlock(1)], 1)).throw('block 2 is next')
    expect(() => log.append([sampleBlock(3)], 3)).throw('block 2 is next')
    log.close()
  })

  for (const [version, preamble] of [
    [1, [u32(1), genesis_bytes]],
    [2, [u32(2), u32(1), genesis_bytes, TOTEM]],
  ] as const) {
    it(`reads version ${version}, and appends in it`, () => {
      const folder = newFolder()
      write(folder, layOut([...preamble], samples(1, 3)))
      const log = BlockLog.open(folder)
      expectBlocks(log, 1, 3)
      log.append([sampleBlock(4)], 4)
      expectBlocks(log, 1, 4)
      log.close()
    })
  }

  it('reads version 2 that begins later', () => {
    const folder = newFolder()
    write(folder, layOut([u32(2), u32(4), genesis_bytes, TOTEM], samples(4, 6)))
    const log = BlockLog.open(folder)
    expect(log.first_block_num).equal(4)
    expect(log.chain_id).deep.equal(chainId(genesis))
    expectBlocks(log, 4, 6)
    log.close()
  })

  const refused = (what: string, parts: Uint8Array[], text: string) =>
    it(`refuses ${what}`, () => {
      const folder = newFolder()
      write(folder, layOut(parts, samples(1, 2)))
      const before = readFileSync(join(folder, 'blocks.log'))
      expect(() => BlockLog.open(folder)).throw(text)
      expect(readFileSync(join(folder, 'blocks.log')).equals(before)).equal(true)
    })
  refused('version 0', [u32(0), u32(1), genesis_bytes, TOTEM], 'set up properly')
  refused('version 4', [u32(4), u32(1), genesis_bytes, TOTEM], 'unsupported version 4')
  refused('a pruned log', [u32(0x80000003), u32(1), genesis_bytes, TOTEM], 'pruned')
  refused('a missing separator', [u32(3), u32(1), genesis_bytes, Buffer.alloc(8)], 'separator')

  it('cuts a torn end off, wherever it is torn', () => {
    const folder = newFolder()
    const { log: whole, index } = layOut(V3, samples(1, 4))
    const start = layOut(V3, []).log.length
    const ends = [0, 1, 2, 3, 4].map((n) => layOut(V3, samples(1, n)).log.length)
    for (let size = start; size <= whole.length; size++) {
      write(folder, { log: whole.subarray(0, size), index })
      const log = BlockLog.open(folder)
      const blocks = ends.filter((end) => end <= size).length - 1
      expect(log.head_block_num, `cut at ${size}`).equal(blocks)
      if (blocks > 0) expectBlocks(log, 1, blocks)
      for (let n = blocks + 1; n <= 5; n++) log.append([sampleBlock(n)], n)
      expectBlocks(log, 1, 5)
      log.close()
      const expected = layOut(V3, samples(1, 5))
      expect(readFileSync(log.path).equals(expected.log)).equal(true)
      expect(readFileSync(log.index_path).equals(expected.index)).equal(true)
    }
  })

  it('cuts an end of garbage off', () => {
    const folder = newFolder()
    const { log: whole, index } = layOut(V3, samples(1, 4))
    for (const garbage of [Buffer.alloc(200), Buffer.alloc(200, 0xff), whole.subarray(0, 250)]) {
      write(folder, { log: Buffer.concat([whole, garbage]), index })
      const log = BlockLog.open(folder)
      expectBlocks(log, 1, 4)
      expect(readFileSync(log.path).length).greaterThan(whole.length)
      log.mend()
      expectBlocks(log, 1, 4)
      log.close()
      expect(readFileSync(log.path).equals(whole)).equal(true)
    }
  })

  it('restores the index, wherever it is cut, and without it', () => {
    const folder = newFolder()
    const { log: whole, index } = layOut(V3, samples(1, 6))
    for (let size = 0; size <= index.length; size++) {
      write(folder, { log: whole, index: index.subarray(0, size) })
      const log = BlockLog.open(folder)
      expectBlocks(log, 1, 6)
      log.mend()
      expectBlocks(log, 1, 6)
      log.close()
      expect(readFileSync(log.index_path).equals(index)).equal(true)
    }
    rmSync(join(folder, 'blocks.index'))
    const log = BlockLog.open(folder)
    log.mend()
    expectBlocks(log, 1, 6)
    log.close()
    expect(readFileSync(log.index_path).equals(index)).equal(true)
  })

  it('restores a log that is torn and has no index', () => {
    const folder = newFolder()
    const { log: whole } = layOut(V3, samples(1, 6))
    write(folder, { log: whole.subarray(0, whole.length - 3), index: Buffer.alloc(0) })
    const log = BlockLog.open(folder)
    expectBlocks(log, 1, 5)
    log.close()
  })

  it('cuts an index off that is longer than the log', () => {
    const folder = newFolder()
    const { log: whole } = layOut(V3, samples(1, 3))
    const { index } = layOut(V3, samples(1, 6))
    write(folder, { log: whole, index })
    const log = BlockLog.open(folder)
    expectBlocks(log, 1, 3)
    log.append([sampleBlock(4)], 4)
    expectBlocks(log, 1, 4)
    log.close()
  })

  it('makes entries of the index that do not fit again', () => {
    const folder = newFolder()
    const { log: whole, index } = layOut(V3, samples(1, 6))
    for (let at = 0; at < index.length; at++) {
      const damaged = Buffer.from(index)
      damaged[at]! ^= 1 << (at % 8)
      write(folder, { log: whole, index: damaged })
      const log = BlockLog.open(folder)
      expectBlocks(log, 1, 6)
      log.mend()
      expect(readFileSync(log.index_path).equals(index), `byte ${at}`).equal(true)
      log.close()
    }
  })

  it('finds a block whose length or number is damaged without a checksum', () => {
    const folder = newFolder()
    const { log: whole, index } = layOut(V3, samples(1, 6))
    const second = Number(index.readBigUInt64LE(8))
    const third = Number(index.readBigUInt64LE(16))
    for (const at of [second + 15, third - 3]) {
      const damaged = Buffer.from(whole)
      damaged[at]! ^= 4
      write(folder, { log: damaged, index })
      const log = BlockLog.open(folder)
      expect(log.damaged_block_num).equal(2)
      expect(() => log.read(2)).throw(/block 2.*put a copy/)
      expectBlocksOne(log, 1)
      expectBlocksOne(log, 5)
      log.close()
    }
  })

  it('finds a changed bit wherever it is in a block, also with a damaged index', () => {
    const folder = newFolder()
    BlockLog.open(folder, genesis).close()
    const written = BlockLog.open(folder, genesis)
    for (let n = 1; n <= 6; n++) written.append([sampleBlock(n)], n)
    written.close()
    const whole = readFileSync(written.path)
    const index = readFileSync(written.index_path)
    const begin = Number(index.readBigUInt64LE(8))
    const end = Number(index.readBigUInt64LE(24))
    for (let at = begin; at < end; at++) {
      const damaged = Buffer.from(whole)
      damaged[at]! ^= 1 << (at % 8)
      const damaged_index = Buffer.from(index)
      if (at % 2 === 0) damaged_index[16]! ^= 1
      write(folder, { log: damaged, index: damaged_index })
      const log = BlockLog.open(folder)
      expect(log.damaged_block_num, `byte ${at}`).within(2, 4)
      log.close()
      expect(readFileSync(log.path).equals(damaged)).equal(true)
      expect(readFileSync(log.index_path).equals(damaged_index)).equal(true)
    }
  })

  it('continues without a damaged block on request, and refuses to read it', () => {
    const folder = newFolder()
    const log = BlockLog.open(folder, genesis)
    for (let n = 1; n <= 6; n++) log.append([sampleBlock(n)], n)
    log.close()
    const damaged = readFileSync(log.path)
    damaged[damaged.length - 30]! ^= 1
    writeFileSync(log.path, damaged)
    const again = BlockLog.open(folder)
    expect(again.damaged_block_num).equal(6)
    expect(readFileSync(again.mend(true)!).equals(damaged)).equal(true)
    again.append([sampleBlock(7)], 7)
    again.close()
    const last = BlockLog.open(folder)
    expect(last.damaged_block_num).equal(undefined)
    expect(() => last.read(6)).throw(/block 6.*put a copy/)
    expectBlocksOne(last, 5)
    expectBlocksOne(last, 7)
    last.close()
  })

  it('knows of a damaged block after a read that had to make the index again', () => {
    const folder = newFolder()
    const log = BlockLog.open(folder, genesis)
    for (let n = 1; n <= 6; n++) log.append([sampleBlock(n)], n)
    log.close()
    const damaged = readFileSync(log.path)
    const index = readFileSync(log.index_path)
    damaged[Number(index.readBigUInt64LE(8)) + 30]! ^= 1
    index[24]! ^= 1
    write(folder, { log: damaged, index })
    for (let start = 0; start < 2; start++) {
      const opened = BlockLog.open(folder)
      expectBlocksOne(opened, 4)
      expect(opened.damaged_block_num).equal(2)
      opened.close()
    }
  })

  it('makes checksums of a log that has none, and needs no whole file of them', () => {
    const folder = newFolder()
    const { log: whole, index } = layOut(V3, samples(1, 6))
    write(folder, { log: whole, index })
    const log = BlockLog.open(folder)
    log.mend()
    log.close()
    const path = join(folder, 'blocks.check')
    const checks = readFileSync(path)
    expect(checks.length).equal(16 + 6 * 8)
    for (let at = 0; at < checks.length; at++) {
      const damaged = Buffer.from(checks)
      damaged[at]! ^= 1 << (at % 8)
      writeFileSync(path, at % 3 === 0 ? damaged.subarray(0, at) : damaged)
      const opened = BlockLog.open(folder)
      expect(opened.damaged_block_num).equal(undefined)
      expectBlocks(opened, 1, 6)
      opened.mend()
      opened.close()
      expect(readFileSync(path).equals(checks), `byte ${at}`).equal(true)
    }
  })

  it('does not use the checksums of another log', () => {
    const folder = newFolder()
    const log = BlockLog.open(folder, genesis)
    for (let n = 1; n <= 6; n++) log.append([sampleBlock(n)], n)
    log.close()
    const other = [
      u32(3),
      u32(1),
      packOne(packGenesis, { ...genesis, initial_timestamp: 0 }),
      TOTEM,
    ]
    const blocks = Array.from({ length: 6 }, (_, i) => sampleBlock(i + 1, 3))
    write(folder, layOut(other, blocks))
    const opened = BlockLog.open(folder)
    expect(opened.damaged_block_num).equal(undefined)
    expect(Buffer.from(opened.read(2)!).equals(blocks[1]!)).equal(true)
    opened.close()
  })

  it('says that whole blocks are behind an end that is damaged', () => {
    const folder = newFolder()
    const { log: whole, index } = layOut(V3, samples(1, 6))
    const second = Number(index.readBigUInt64LE(8))
    const damaged = Buffer.concat([whole, Buffer.alloc(30)])
    damaged.fill(0, second, second + 40)
    write(folder, { log: damaged, index: index.subarray(0, 8) })
    const log = BlockLog.open(folder)
    expect(log.head_block_num).equal(1)
    expect(log.behind_block_num).equal(6)
    log.close()
    expect(readFileSync(log.path)).deep.equal(damaged)
  })

  const expectBlocksOne = (log: BlockLog, n: number) =>
    expect(Buffer.from(log.read(n)!).equals(sampleBlock(n))).equal(true)

  it('reads a log of another program without changing it', () => {
    const folder = newFolder()
    const { log: whole, index } = layOut(V3, samples(1, 6))
    const torn = Buffer.concat([whole, Buffer.alloc(30, 9)])
    for (const cut of [0, 8, 20, index.length]) {
      write(folder, { log: torn, index: index.subarray(0, cut) })
      const log = BlockLog.openReadOnly(cut === 8 ? join(folder, 'blocks.log') : folder)
      expectBlocks(log, 1, 6)
      expect(log.genesis).deep.equal(genesis)
      log.close()
      expect(readFileSync(log.path).equals(torn)).equal(true)
      expect(readFileSync(log.index_path).length).equal(cut)
    }
    rmSync(join(folder, 'blocks.index'))
    const log = BlockLog.openReadOnly(folder)
    expectBlocks(log, 1, 6)
    log.close()
  })

  it('reads the file that it is given, whatever its name and what is beside it', () => {
    const folder = newFolder()
    write(folder, layOut(V3, samples(1, 3)))
    for (const name of ['other.log', 'other']) {
      const { log: bytes, index } = layOut(V3, samples(1, 6))
      writeFileSync(join(folder, name), bytes)
      if (name === 'other') writeFileSync(join(folder, 'other.index'), index)
      const log = BlockLog.openReadOnly(join(folder, name))
      expectBlocks(log, 1, 6)
      log.close()
    }
  })

  it('reports that there is no log to read', () => {
    const folder = newFolder()
    expect(() => BlockLog.openReadOnly(folder)).throw('no block log')
    expect(() => BlockLog.openReadOnly(join(folder, 'nowhere'))).throw('no block log')
  })

  it('starts again when the file is empty', () => {
    const folder = newFolder()
    write(folder, { log: Buffer.alloc(0), index: Buffer.alloc(16) })
    const log = BlockLog.open(folder, genesis)
    log.append([sampleBlock(1)], 1)
    expectBlocks(log, 1, 1)
    log.close()
  })

  it('reads a log that the reference wrote', () => {
    const log = BlockLog.openReadOnly('test/fixtures/recordings/one')
    expect(log.first_block_num).equal(1)
    expect(log.head_block_num).greaterThan(100)
    for (let n = 1; n <= log.head_block_num; n++) {
      const packed = log.read(n)!
      const block = unpackSignedBlock(new Reader(packed))
      expect(blockNumOf(block)).equal(n)
      expect(packOne(packSignedBlock, block)).deep.equal(new Uint8Array(packed))
    }
    const written = readFileSync(log.path)
    const preamble = packPreamble({ genesis: log.genesis! })
    expect(written.subarray(0, preamble.length).equals(preamble)).equal(true)
    log.close()
  })

  it('has blocks larger than the first read of a repair', () => {
    const folder = newFolder()
    const large = sampleBlock(2, 5_000_000)
    write(folder, layOut(V3, [sampleBlock(1), large]))
    truncateSync(join(folder, 'blocks.index'), 8)
    copyFileSync(join(folder, 'blocks.log'), join(folder, 'copy'))
    const log = BlockLog.open(folder)
    expect(log.head_block_num).equal(2)
    expect(Buffer.from(log.read(2)!).equals(large)).equal(true)
    log.close()
  })
})
