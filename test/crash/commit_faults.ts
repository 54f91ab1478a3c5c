/** One operation of a chain's work on its files goes wrong, and then the chain must go on from there. */
import { expect } from 'chai'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ChainError } from '../../src/engine/errors.ts'
import type { BlockLogFiles } from '../../src/engine/store/block_log_files.ts'
import { needsBoot } from '../../src/engine/services/production/development/boot.ts'
import { boot } from '../engine/chain/support/savanna_chain.ts'
import { stateDigest } from '../engine/chain/support/state_digest.ts'
import { copyDisk, FINALIZER, makeBlocks, openChain, Told, type Disk } from './chain_session.ts'
import { FaultyFiles, type Fault, type Place } from './faulty_files.ts'
import type { Keeping } from './histories.ts'
import { Rows } from './rows.ts'

/** What happens to an operation, and after that to the machine. */
export interface Mishap {
  fault: Fault
  lasting?: boolean
  /** What is on the disk afterwards; absent: all that the process wrote. */
  power_cut?: { names: 'synced' | 'all'; tail: 'none' | 'half' }
}

/** The process goes on, and must tell what is wrong. */
export const FAILURES: readonly Mishap[] = [
  { fault: 'EIO' },
  { fault: 'ENOSPC', lasting: true },
  { fault: 'short' },
  { fault: 'EACCES', lasting: true },
  { fault: 'EIO', lasting: true },
]

/** The process ends, or the machine. */
export const ENDS: readonly Mishap[] = (['before', 'within', 'after'] as const).flatMap((fault) => [
  { fault },
  { fault, power_cut: { names: 'synced', tail: 'none' } },
  { fault, power_cut: { names: 'all', tail: 'none' } },
  { fault, power_cut: { names: 'all', tail: 'half' } },
])

/** Blocks between the restarts of a session. */
const BLOCKS = [3, 1] as const
/** Blocks after which what finalizers can make final is final. */
const TO_FINALITY = 4

/**
 * `new`: a chain begins. `old`: a chain of some blocks goes on. `split`: the same, and logs of its blocks and its history
 * are split. `few`: its block log is split and keeps the last file. `pruned`: no blocks are kept that the state has, logs of
 * its history are pruned at each start and with each block, then put together, and trace slices are compressed and
 * removed.
 */
export const STORIES = ['new', 'old', 'split', 'few', 'pruned'] as const
export type Story = (typeof STORIES)[number]

const KEEPING: Record<Story, Keeping> = {
  new: {},
  old: {},
  split: { split: true },
  few: {},
  // Each block goes beyond another kilobyte.
  pruned: {
    kept_history: 5,
    prune_step: 1024,
    retention: { kept_blocks: 3, uncompressed_blocks: 0 },
  },
}

const BLOCK_LOGS: Record<Story, BlockLogFiles> = {
  new: {},
  old: {},
  split: { stride: 2 },
  few: { stride: 1, max_retained_files: 0 },
  pruned: { stride: 2, keep_blocks: 0 },
}

export class CommitFaults {
  private readonly root: string
  private readonly begun: Disk
  private count = 0

  private constructor(root: string, begun: Disk) {
    this.root = root
    this.begun = begun
  }

  /** @param root an empty folder */
  static async prepare(root: string): Promise<CommitFaults> {
    const begun = { folder: join(root, 'begun'), rows: new Rows() }
    mkdirSync(begun.folder)
    const told = new Told()
    const test = await openChain(begun, told)
    boot({ test, votes: [] }, [FINALIZER])
    await makeBlocks(test, told, 4)
    await test.chain.close()
    return new CommitFaults(root, begun)
  }

  /** Everything that the chain of a story does with its files. */
  async operations(story: Story): Promise<readonly string[]> {
    const disk = this.newDisk(story)
    const files = FaultyFiles.install(disk.folder)
    try {
      await session(story, disk, new Told(), files)
    } finally {
      await files.remove()
    }
    return files.operations
  }

  /**
   * Lets one operation go wrong; throws what is not right then.
   * @returns false if there were fewer operations: their order varies, and so does their number, as what is written
   *   while a sync runs needs another sync
   */
  async try(story: Story, at: Place, mishap: Mishap): Promise<boolean> {
    const disk = this.newDisk(story)
    const told = new Told()
    const files = FaultyFiles.install(disk.folder, { at, ...mishap })
    let failure: unknown
    try {
      await session(story, disk, told, files)
    } catch (error) {
      failure = error
    } finally {
      await files.remove()
    }
    const about = `${story} chain, ${JSON.stringify(mishap)} at ${JSON.stringify(at)}: ${files.where ?? 'nowhere'}`
    try {
      if (!files.happened && failure !== undefined) throw failure
      if (files.happened && !files.dead) checkFailure(failure, told, files.where!)
      if (mishap.power_cut) files.cutPower(mishap.power_cut.names, mishap.power_cut.tail)
      await checkRestart(story, disk, told)
    } catch (error) {
      throw new Error(`${about}\n${told.log.join('\n')}`, { cause: error })
    }
    rmSync(disk.folder, { recursive: true })
    return files.happened
  }

  private newDisk(story: Story): Disk {
    const folder = join(this.root, `${this.count++}`)
    const [keeping, block_log] = [KEEPING[story], BLOCK_LOGS[story]]
    if (story !== 'new') return { ...copyDisk(this.begun, folder), keeping, block_log }
    mkdirSync(folder)
    return { folder, rows: new Rows() }
  }
}

/** Work, a restart, and work again. */
async function session(story: Story, disk: Disk, told: Told, files: FaultyFiles): Promise<void> {
  const last = { blocks: 1, prunes: false }
  const parts = BLOCKS.map((blocks) => ({ blocks, prunes: true }))
  for (const { blocks, prunes } of story === 'pruned' ? [...parts, last] : parts) {
    const test = await openChain({ ...disk, keeping: { ...disk.keeping, prunes } }, told, files)
    try {
      if (story === 'new' && needsBoot(test.chain)) boot({ test, votes: [] }, [FINALIZER])
      await makeBlocks(test, told, blocks)
    } catch (error) {
      told.at_work = true
      throw error
    } finally {
      // What it throws failed before.
      await test.chain.close()
    }
  }
}

/** What the system refused is told in one line, and ends the work; a vote that cannot be kept is not
 *  cast, and old traces stay as they are, which ends nothing. Space that is not given back stays in use. */
function checkFailure(failure: unknown, told: Told, where: string): void {
  if (failure === undefined && where.startsWith('punch ')) return
  const errors = told.log.filter((line) => line.startsWith('error'))
  if (failure === undefined) {
    expect(errors.length, 'nothing was told').greaterThan(0)
    for (const line of errors) {
      expect(line).match(
        /a vote was not cast: cannot write .*safety.dat: E|old traces could not be removed or compressed: .*E/,
      )
    }
    return
  }
  if (!(failure instanceof ChainError)) throw failure
  if (told.at_work) expect(told.failures, 'the node is told to end').equal(1)
  expect(failure.message).match(/(cannot (open|read|write|begin|split|remove) .*: E|commit|EIO)/)
}

async function checkRestart(story: Story, disk: Disk, told: Told): Promise<void> {
  const again = new Told()
  const test = await openChain(disk, again)
  try {
    const { chain } = test
    expect(chain.head.block_num, 'announced blocks').at.least(told.head)
    expect(chain.last_irreversible.block_num, 'irreversible blocks').at.least(told.irreversible)
    for (const [number, id] of told.blocks) {
      expect(Buffer.from(chain.blockIdByNumber(number)!).toString('hex')).equal(id)
    }
    const state = told.states.get(chain.head.key)
    if (state !== undefined) expect(stateDigest(chain.db), 'the state').equal(state)
    const { block_num } = chain.head
    if (story === 'new' && needsBoot(chain)) boot({ test, votes: [] }, [FINALIZER])
    await makeBlocks(test, again, TO_FINALITY)
    expect(chain.last_irreversible.block_num, 'finality goes on').at.least(block_num)
    await again.histories!.check(chain)
  } finally {
    await test.chain.close()
  }
  const last = await openChain(disk, again)
  expect(last.head.key).equal(test.head.key)
  await last.chain.close()
}
