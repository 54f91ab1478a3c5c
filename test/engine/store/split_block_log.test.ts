import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { defaultGenesis } from '../../../src/engine/protocol/genesis.ts'
import { BlockLog } from '../../../src/engine/store/block_log.ts'
import type { BlockLogFiles } from '../../../src/engine/store/block_log_files.ts'
import { eraseBlocks } from '../../../src/engine/store/erase.ts'
import {
  chainIdOfLog,
  firstBlockOfLog,
  genesisOfLog,
} from '../../../src/engine/store/inspect_block_log.ts'
import { SplitBlockLog } from '../../../src/engine/store/split_block_log.ts'
import { sampleBlock } from './sample_blocks.ts'
import { temporaryFolder } from './temporary_folder.ts'

const genesis = defaultGenesis()
const samples = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => sampleBlock(from + i))

function expectBlocks(log: SplitBlockLog, from: number, to: number): void {
  expect([log.first_block_num, log.head_block_num]).deep.equal([from, to])
  for (let n = from; n <= to; n++) {
    expect(Buffer.from(log.read(n)!).equals(sampleBlock(n)), `block ${n}`).equal(true)
  }
  expect(log.read(from - 1)).equal(undefined)
  expect(log.read(to + 1)).equal(undefined)
}

describe('store: split block log', () => {
  const root = temporaryFolder()
  let folder: string
  let log: SplitBlockLog
  let count = 0
  beforeEach(() => (folder = join(root, `${count++}`)))
  afterEach(() => log.close())

  function open(files: BlockLogFiles = {}): SplitBlockLog {
    log = SplitBlockLog.open(folder, files, genesis)
    log.mend()
    return log
  }
  const reopen = (files?: BlockLogFiles): SplitBlockLog => {
    log.close()
    return open(files)
  }
  const logsIn = (dir = folder): string[] =>
    readdirSync(dir)
      .filter((name) => name.endsWith('.log'))
      .sort()

  it('is split after each multiple of the stride, and all blocks can be read', () => {
    open({ stride: 5 }).append(samples(1, 12), 1)
    log.append(samples(13, 13), 13)
    expectBlocks(log, 1, 13)
    expect(logsIn()).deep.equal(['blocks-1-5.log', 'blocks-6-10.log', 'blocks.log'])
    expect(log.genesis).deep.equal(genesis)
    expectBlocks(reopen({ stride: 5 }), 1, 13)
    log.append(samples(14, 15), 14)
    expect(logsIn()).include('blocks-11-15.log')
    // The current log has no block.
    expectBlocks(reopen(), 1, 15)
    // Without the option it is not split any more, and the retained logs are read as before.
    log.append(samples(16, 31), 16)
    expectBlocks(reopen(), 1, 31)
    expect(logsIn()).have.length(4)
  })

  it('has logs in the format of the reference', () => {
    open({ stride: 4 }).append(samples(1, 9), 1)
    for (const [name, first, last] of [
      ['blocks-1-4.log', 1, 4],
      ['blocks-5-8.log', 5, 8],
      ['blocks.log', 9, 9],
    ] as const) {
      const one = BlockLog.openReadOnly(join(folder, name))
      expect([one.first_block_num, one.head_block_num], name).deep.equal([first, last])
      expect(one.chain_id).deep.equal(log.chain_id)
      one.close()
    }
  })

  it('its facts are found without opening it', () => {
    const retained_dir = join(folder, 'old')
    open({ stride: 4, retained_dir }).append(samples(1, 9), 1)
    expect(firstBlockOfLog(folder, retained_dir)).equal(1)
    expect(firstBlockOfLog(folder)).equal(9)
    expect(genesisOfLog(folder, retained_dir)).deep.equal(genesis)
    expect(chainIdOfLog(folder)).deep.equal(log.chain_id)
    eraseBlocks(folder, { retained_dir })
    expect(readdirSync(folder)).deep.equal(['old'])
    expect(readdirSync(retained_dir)).deep.equal([])
    expect(firstBlockOfLog(folder, retained_dir)).equal(undefined)
    expect(chainIdOfLog(folder)).equal(undefined)
  })

  it('surplus logs are archived or removed, but only when the stored state has their blocks', () => {
    const files = {
      stride: 3,
      retained_dir: join(folder, 'retained'),
      archive_dir: join(folder, 'archive'),
      max_retained_files: 2,
    }
    open(files).append(samples(1, 13), 1)
    for (const stored of [0, 2, 5]) log.discard(stored)
    expect(log.first_block_num).equal(4)
    expect(logsIn(files.archive_dir)).deep.equal(['blocks-1-3.log'])
    log.discard(6)
    expectBlocks(log, 7, 13)
    log.discard(13)
    expectBlocks(reopen(files), 7, 13)
    expect(logsIn(files.retained_dir)).deep.equal(['blocks-10-12.log', 'blocks-7-9.log'])
    expect(logsIn(files.archive_dir)).deep.equal(['blocks-1-3.log', 'blocks-4-6.log'])
    const { stride, retained_dir } = files
    reopen({ stride, retained_dir, max_retained_files: 0 }).discard(13)
    expectBlocks(log, 13, 13)
    expect(readdirSync(files.retained_dir)).deep.equal([])
    eraseBlocks(folder, files)
    expect(readdirSync(files.archive_dir)).deep.equal([])
  })

  it('keeps a number of blocks', () => {
    open({ stride: 2, keep_blocks: 4 }).append(samples(1, 11), 1)
    log.discard(5)
    expectBlocks(log, 5, 11)
    log.discard(11)
    expectBlocks(log, 7, 11)
    log.append(samples(12, 12), 12)
    log.discard(11)
    expectBlocks(log, 9, 12)
  })

  it('a node that keeps none has only blocks that the stored state lacks', () => {
    open({ stride: 2, keep_blocks: 0 }).append(samples(1, 5), 1)
    expect(logsIn()).deep.equal(['recent-1-2.log', 'recent-3-4.log', 'recent.log'])
    log.discard(3)
    expectBlocks(log, 3, 5)
    log.discard(5)
    expectBlocks(reopen({ stride: 2, keep_blocks: 0 }), 5, 5)
    expect(chainIdOfLog(folder)).deep.equal(log.chain_id)
    expect(firstBlockOfLog(folder)).equal(5)
    log.append(samples(6, 6), 6)
    log.discard(6)
    // No block is left, but what chain it is and which block is next.
    expect([log.first_block_num, log.head_block_num]).deep.equal([7, 0])
    reopen({ stride: 2, keep_blocks: 0 }).append(samples(7, 7), 7)
    eraseBlocks(folder)
    expect(readdirSync(folder)).deep.equal([])
  })

  it('a node may keep none from some time on, and blocks again', () => {
    open().append(samples(1, 3), 1)
    expectBlocks(reopen({ stride: 2, keep_blocks: 0 }), 1, 3)
    expect(logsIn()).deep.equal(['recent.log'])
    log.append(samples(4, 5), 4)
    log.discard(5)
    expectBlocks(log, 5, 5)
    expectBlocks(reopen(), 5, 5)
    expect(logsIn()).deep.equal(['blocks.log'])
    log.append(samples(6, 8), 6)
    expectBlocks(reopen(), 5, 8)
  })

  it('continues after an end of the process between two steps of a split', () => {
    const files = { stride: 3 }
    const at = (stem: string, extension: string) => join(folder, `${stem}.${extension}`)
    open(files).append(samples(1, 2), 1)
    reopen().append(samples(3, 3), 3)
    log.close()
    const order = ['check', 'index', 'log']
    for (let steps = 1; steps <= order.length; steps++) {
      const moved = order.slice(0, steps)
      for (const extension of moved) {
        renameSync(at('blocks', extension), at('blocks-1-3', extension))
      }
      expectBlocks(open(files), 1, 3)
      log.close()
      if (steps === order.length) break
      for (const extension of moved) {
        renameSync(at('blocks-1-3', extension), at('blocks', extension))
      }
    }
    open(files).append(samples(4, 4), 4)
    expectBlocks(reopen(files), 1, 4)
  })

  it('no other log is taken for one that is archived: nothing is removed then', () => {
    const archive_dir = join(folder, 'archive')
    open({ stride: 3 }).append(samples(1, 4), 1)
    mkdirSync(archive_dir)
    copyFileSync(join(folder, 'blocks.log'), join(archive_dir, 'blocks-1-3.log'))
    reopen({ stride: 3, archive_dir, max_retained_files: 0 })
    expect(() => log.discard(4)).throw(/archive.blocks-1-3.log exists, and is not the same as/)
    expect(logsIn()).deep.equal(['blocks-1-3.log', 'blocks.log'])
  })

  it('a log that has its old and its new name is one', () => {
    open({ stride: 3 }).append(samples(1, 3), 1)
    log.close()
    for (const extension of ['log', 'index', 'check']) {
      copyFileSync(join(folder, `blocks-1-3.${extension}`), join(folder, `blocks.${extension}`))
    }
    expectBlocks(open({ stride: 3 }), 1, 3)
    log.append(samples(4, 4), 4)
    expectBlocks(reopen({ stride: 3 }), 1, 4)
  })

  it('refuses logs between which blocks are missing, of another chain, and with other blocks', () => {
    open({ stride: 2 }).append(samples(1, 7), 1)
    log.close()
    const refuses = (message: RegExp): void => {
      expect(() => SplitBlockLog.open(folder, {}, genesis)).throw(message)
    }
    const path = (name: string) => join(folder, `${name}.log`)
    renameSync(path('blocks-3-4'), path('x'))
    refuses(
      /blocks-1-2\.log ends at block 2, but the next log begins with block 5: put the missing/,
    )
    renameSync(path('blocks-5-6'), path('blocks-3-6'))
    refuses(/blocks-3-6\.log has blocks 5 to 6$/)
    renameSync(path('blocks-3-6'), path('blocks-5-6'))
    const other = join(root, `${count++}`)
    mkdirSync(other)
    const foreign = BlockLog.open(other, {
      ...genesis,
      initial_timestamp: genesis.initial_timestamp + 500_000,
    })
    foreign.append(samples(1, 2), 1)
    foreign.close()
    renameSync(path('x'), path('blocks-3-4'))
    copyFileSync(join(other, 'blocks.log'), path('blocks-1-2'))
    rmSync(join(folder, 'blocks-1-2.index'))
    refuses(/blocks-1-2\.log is of another chain than/)
    copyFileSync(path('blocks'), path('recent'))
    refuses(/has blocks\.log and recent\.log: remove the one that is not of this chain$/)
    expect(existsSync(path('blocks'))).equal(true)
  })
})
