/** Blocks that are made together, and written together at the end: what is left when the process ends between. */
import { expect } from 'chai'
import { mkdirSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { MARK_SIZE, unpackReversible } from '../../src/engine/store/reversible_records.ts'
import { boot } from '../engine/chain/support/savanna_chain.ts'
import { temporaryFolder } from '../support/node_process.ts'
import { copyDisk, FINALIZER, makeBlocks, openChain, Told, type Disk } from './chain_session.ts'
import { Rows } from './rows.ts'

const BLOCKS = 6
const RECORD_HEADER = 8
const JOURNAL = 'blocks/reversible.log'

describe('crash: blocks that are made together', () => {
  const root = temporaryFolder()
  const disk: Disk = { folder: join(root.path, 'whole'), rows: new Rows() }
  let count = 0
  const copyOf = (from: Disk) => copyDisk(from, join(root.path, String(count++)))
  /** Copies of the disk when listeners were told each block, and when all were written. */
  const between: Disk[] = []
  let written: Disk
  /** Bytes of the journal before them. */
  let size: number
  const told = new Told()
  let announced: number

  before(async () => {
    mkdirSync(disk.folder)
    const test = await openChain(disk, told)
    boot({ test, votes: [] }, [FINALIZER])
    await makeBlocks(test, told, 6)
    announced = test.head.block_num
    const end = test.chain.events.on('blockAccepted', () => void between.push(copyOf(disk)))
    size = statSync(join(disk.folder, JOURNAL)).size
    test.chain.inOneSync(() => {
      for (let i = 0; i < BLOCKS; i++) test.produce()
    })
    end()
    written = copyOf(disk)
    await test.chain.close()
  })
  after(() => root.remove())

  /** The chain has its blocks up to `head`, continues with others, and so do its histories. */
  async function expectContinued(from: Disk, head: number): Promise<void> {
    const again = new Told()
    const test = await openChain(from, again)
    expect(test.head.block_num).equal(head)
    expect(test.head.key).equal(told.blocks.get(head))
    test.produce(1, 7)
    await makeBlocks(test, again, 4)
    expect(test.chain.last_irreversible.block_num).least(head + 2)
    await again.histories!.check(test.chain)
    await test.chain.close()
    const last = await openChain(from, new Told())
    expect(last.head.key).equal(test.head.key)
    await last.chain.close()
  }

  it('are not there before the last one is made, whatever histories have of them', async () => {
    expect(between).have.length(BLOCKS)
    for (const from of between) await expectContinued(from, announced)
  })

  it('are all there when they are written', () =>
    expectContinued(copyOf(written), announced + BLOCKS))

  it('are there up to the one within which the write was interrupted', async () => {
    const bytes = readFileSync(join(written.folder, JOURNAL))
    const made = unpackReversible(bytes, JOURNAL)!.records.slice(-BLOCKS)
    let begin = size
    for (const [i, { packed }] of made.entries()) {
      const from = copyOf(written)
      truncateSync(join(from.folder, JOURNAL), begin + 20)
      await expectContinued(from, announced + i)
      begin += RECORD_HEADER + packed.length + MARK_SIZE
    }
    expect(begin).equal(bytes.length)
  })
})
