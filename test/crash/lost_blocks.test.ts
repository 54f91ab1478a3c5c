/** Blocks that were announced and are not there any more: damaged files, and files that were removed. */
import { expect } from 'chai'
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LostBlocks } from '../../src/engine/chain/chain_options.ts'
import { ChainError } from '../../src/engine/errors.ts'
import { unpackReversible } from '../../src/engine/store/reversible_records.ts'
import { boot } from '../engine/chain/support/savanna_chain.ts'
import type { TestChain } from '../engine/chain/support/test_chain.ts'
import { temporaryFolder } from '../support/node_process.ts'
import { copyDisk, FINALIZER, makeBlocks, openChain, Told, type Disk } from './chain_session.ts'
import { Rows } from './rows.ts'

const REVERSIBLE = 'blocks/reversible.log'
const SAFETY = 'finalizers/safety.dat'
/** Of the header of reversible.log, and of a record's. */
const HEADER = 20
const RECORD_HEADER = 8
const MARK = 8

describe('crash: blocks that are lost', function () {
  this.timeout(240_000)
  const root = temporaryFolder()
  const whole: Disk = { folder: join(root.path, 'whole'), rows: new Rows() }
  const announced = new Told()
  let count = 0

  before(async () => {
    mkdirSync(whole.folder)
    const test = await openChain(whole, announced)
    boot({ test, votes: [] }, [FINALIZER])
    await makeBlocks(test, announced, 6)
    await test.chain.close()
    // A start leaves the reversible blocks alone in the file.
    const again = await openChain(whole, announced)
    await again.chain.close()
  })
  after(() => root.remove())

  const copy = () => copyDisk(whole, join(root.path, String(count++)))
  const change = ({ folder }: Disk, name: string, to: (bytes: Buffer) => Buffer) =>
    writeFileSync(join(folder, name), to(readFileSync(join(folder, name))))
  const flip = (at: number) => (bytes: Buffer) => {
    bytes[at < 0 ? bytes.length + at : at]! ^= 0x20
    return bytes
  }
  /** Where each record of a file begins, and where the last one ends. */
  const records = (bytes: Buffer): number[] => {
    const places = [HEADER]
    for (const { packed } of unpackReversible(bytes, 'file')!.records) {
      places.push(places.at(-1)! + RECORD_HEADER + packed.length + MARK)
    }
    return places
  }
  const contents = ({ folder }: Disk) =>
    ['blocks', 'finalizers'].map((part) =>
      readdirSync(join(folder, part)).map((name) => [name, readFileSync(join(folder, part, name))]),
    )

  async function refused(disk: Disk): Promise<string> {
    const before = contents(disk)
    const thrown = await openChain(disk, new Told()).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(thrown).instanceOf(ChainError)
    const { message } = thrown as ChainError
    expect(message).match(/: put .* back, or start once with --lost-blocks=(keep|new)-safety to /)
    expect(message).not.match(/\n/)
    expect(contents(disk)).deep.equal(before)
    return message
  }

  async function accepted(disk: Disk, lost_blocks: LostBlocks): Promise<[TestChain, Told]> {
    const told = new Told()
    return [await openChain(disk, told, undefined, { lost_blocks }), told]
  }

  /** The chain goes on from `head`, and its finalizer makes blocks final again, now and later. */
  async function goesOn(disk: Disk, head: number): Promise<string> {
    const [test, told] = await accepted(disk, 'new-safety')
    expect(test.head.block_num).equal(head)
    expect(test.head.key).equal(announced.blocks.get(head))
    const log = told.log.join('\n')
    const made = head === announced.head ? 0 : 5
    await makeBlocks(test, told, made)
    if (made > 0) expect(test.chain.last_irreversible.block_num).greaterThan(head + 1)
    await test.chain.close()
    // From then on nothing is missing.
    const again = await openChain(disk, new Told())
    expect(again.head.key).equal(test.head.key)
    await makeBlocks(again, new Told(), 3)
    expect(again.chain.last_irreversible.block_num).greaterThan(head + made)
    await again.chain.close()
    return log
  }

  const damages: [string, (disk: Disk) => void, RegExp][] = [
    [
      'a block with others behind it',
      (disk) => change(disk, REVERSIBLE, flip(HEADER + 60)),
      /reversible.log is damaged at byte 20/,
    ],
    [
      'the length of a record',
      (disk) => change(disk, REVERSIBLE, flip(HEADER + 1)),
      /reversible.log is damaged at byte 20/,
    ],
    [
      'the whole first record',
      (disk) => change(disk, REVERSIBLE, (bytes) => bytes.fill(0, HEADER, records(bytes)[1])),
      /reversible.log is damaged at byte 20/,
    ],
  ]
  for (const [what, damage, told] of damages) {
    it(`refuses a damaged reversible.log: ${what}; continues without it on request`, async () => {
      const disk = copy()
      damage(disk)
      expect(await refused(disk)).match(told)
      const log = await goesOn(disk, announced.head - 2)
      expect(log).match(/error reversible.log was damaged at byte 20; it is kept as .*lost-1/)
      const id = (number: number) => `block ${number} ${announced.blocks.get(number)}`
      expect(log).contain(`lost-blocks: ${id(announced.head)} is dropped`)
      expect(log).contain(`the chain continues from ${id(announced.head - 2)}`)
      expect(log).contain(`finalizers forget that they voted on ${id(announced.head)}`)
      expect(readdirSync(join(disk.folder, 'finalizers'))).deep.equal([
        'safety.dat',
        'safety.dat.lost-1',
      ])
    })
  }

  it('refuses damage of the last record, and of the header', async () => {
    const last = copy()
    change(last, REVERSIBLE, (bytes) => flip(records(bytes).at(-1)! - MARK - 1)(bytes))
    expect(await refused(last)).match(/reversible.log is damaged at byte \d+/)
    await goesOn(last, announced.head - 1)

    const header = copy()
    change(header, REVERSIBLE, flip(9))
    expect(await refused(header)).match(/reversible.log is damaged at byte 0/)
    // All records are there.
    const log = await goesOn(header, announced.head)
    expect(log).not.match(/dropped|forget/)
  })

  it('refuses a reversible.log that contains something else', async () => {
    for (const contents of [Buffer.alloc(2000), Buffer.alloc(2000, 'another file ')]) {
      const disk = copy()
      change(disk, REVERSIBLE, () => contents)
      expect(await refused(disk)).match(/reversible.log is damaged at byte 0/)
      await goesOn(disk, announced.head - 2)
      expect(readFileSync(join(disk.folder, `${REVERSIBLE}.lost-1`))).deep.equal(contents)
    }
  })

  it('says that a missing blocks.log or safety.dat starts without what was in it', async () => {
    const log = async (missing: string[]) => {
      const disk = copy()
      for (const name of missing) rmSync(join(disk.folder, name))
      const told = new Told()
      const test = await openChain(disk, told)
      await test.chain.close()
      return told.log.join('\n')
    }
    const no_blocks = /warn blocks.log has no blocks: blocks up to \d+ cannot be read/
    const no_safety = /warn .*safety.dat does not exist: finalizers may vote against earlier votes/
    expect(await log([]))
      .not.match(no_blocks)
      .not.match(no_safety)
    expect(await log(['blocks/blocks.log']))
      .match(no_blocks)
      .not.match(no_safety)
    expect(await log([SAFETY]))
      .match(no_safety)
      .not.match(no_blocks)
  })

  it('refuses a reversible.log that is missing or ends too early, as the finalizers know', async () => {
    const missing = copy()
    rmSync(join(missing.folder, REVERSIBLE))
    expect(await refused(missing)).match(
      /end at block \d+, but block \d+ [0-9a-f]{64} was announced/,
    )
    await goesOn(missing, announced.head - 2)

    const empty = copy()
    change(empty, REVERSIBLE, () => Buffer.alloc(0))
    await refused(empty)

    const short = copy()
    // The state does not know it.
    short.rows.head = { ...short.rows.head!, head: short.rows.head!.head.subarray(0, -32) }
    change(short, REVERSIBLE, (bytes) => bytes.subarray(0, records(bytes).at(-2)))
    const id = announced.blocks.get(announced.head)!
    expect(await refused(short)).match(
      new RegExp(`end at block \\d+, but .*safety.dat refers to block ${announced.head} ${id}`),
    )
    await goesOn(short, announced.head - 1)
  })

  it('refuses it as the state knows, without finalizers too', async () => {
    const disk = copy()
    rmSync(join(disk.folder, SAFETY))
    change(disk, REVERSIBLE, (bytes) => bytes.subarray(0, records(bytes).at(-2)))
    expect(await refused(disk)).contain(`but block ${announced.head} `)
  })

  it('refuses reversible blocks that do not follow the log', async () => {
    const disk = copy()
    for (const name of ['blocks.log', 'blocks.index']) rmSync(join(disk.folder, 'blocks', name))
    // Without a state this is a new chain, which those blocks are not of.
    expect(await refused({ ...disk, rows: new Rows() })).match(
      /reversible.log does not follow the blocks before it: block \d+ exists, but block \d+ is missing/,
    )
  })

  it('refuses a damaged block of blocks.log; continues without it on request', async () => {
    const disk = copy()
    const at = readFileSync(join(disk.folder, 'blocks/blocks.index')).readUInt32LE(8) + 40
    change(disk, 'blocks/blocks.log', flip(at))
    expect(await refused(disk)).match(/blocks are lost: block 2 of blocks.log is damaged: put /)
    const log = await goesOn(disk, announced.head)
    expect(log).match(/error blocks.log was damaged; a copy is kept as .*blocks.log.lost-1/)
    const test = await openChain(disk, new Told())
    expect(() => test.chain.packedBlockByNumber(2)).throw(/block 2 of .*blocks.log is damaged: put/)
    expect(test.chain.packedBlockByNumber(3)).not.equal(undefined)
    await test.chain.close()
  })

  it('keeps the finalizers to their votes when that is wanted: they wait for the blocks', async () => {
    const disk = copy()
    const source = await openChain(copy(), new Told())
    const lost = source.chain.packedBlockByNumber(announced.head)!.slice()
    await source.chain.close()
    change(disk, REVERSIBLE, (bytes) => bytes.subarray(0, records(bytes).at(-2)))
    const safety = readFileSync(join(disk.folder, SAFETY))
    const [test, told] = await accepted(disk, 'keep-safety')
    expect(told.log.join('\n')).match(
      /warn lost-blocks: finalizers are bound to block \d+ [0-9a-f]{64} and vote again when/,
    )
    expect(readFileSync(join(disk.folder, SAFETY))).deep.equal(safety)
    expect(test.head.block_num).equal(announced.head - 1)
    test.chain.pushBlock(lost)
    expect(test.head.key).equal(announced.blocks.get(announced.head))
    await makeBlocks(test, told, 4)
    expect(test.chain.last_irreversible.block_num).greaterThan(announced.head)
    await test.chain.close()
  })

  it('lets finalizers discard votes for lost blocks also after later blocks were made, and no other votes', async () => {
    const disk = copy()
    rmSync(join(disk.folder, REVERSIBLE))
    const [kept, told] = await accepted(disk, 'keep-safety')
    const root = kept.chain.last_irreversible.block_num
    await makeBlocks(kept, told, 5)
    expect(kept.chain.last_irreversible.block_num).equal(root)
    const { block_num } = kept.head
    await kept.chain.close()

    const [test, told_again] = await accepted(disk, 'new-safety')
    expect(told_again.log.join('\n')).match(/finalizers forget that they voted on block \d+ /)
    await makeBlocks(test, told_again, 4)
    expect(test.chain.last_irreversible.block_num).greaterThan(block_num)
    await test.chain.close()

    const [same, told_last] = await accepted(disk, 'new-safety')
    expect(told_last.log.join('\n')).not.contain('forget')
    await same.chain.close()
    expect(readdirSync(join(disk.folder, 'finalizers'))).deep.equal([
      'safety.dat',
      'safety.dat.lost-1',
    ])
  })

  it('refuses a damaged safety file; finalizers discard it on request', async () => {
    const disk = copy()
    change(disk, SAFETY, flip(60))
    expect(await refused(disk)).match(/safety.dat: put a copy of it back, or start once with/)
    const log = await goesOn(disk, announced.head)
    expect(log).match(
      /error lost-blocks: finalizers forget what they voted on; .*safety.dat.lost-1/,
    )
  })

  it('treats an incomplete record at the end as an interrupted write', async () => {
    const disk = copy()
    cpSync(join(disk.folder, REVERSIBLE), join(disk.folder, 'whole'))
    change(disk, REVERSIBLE, (bytes) => Buffer.concat([bytes, bytes.subarray(HEADER, HEADER + 90)]))
    const told = new Told()
    const test = await openChain(disk, told)
    expect(test.head.block_num).equal(announced.head)
    expect(told.log.join()).match(/warn reversible.log: 90 bytes at the end are not a whole block/)
    await test.chain.close()
  })
})
