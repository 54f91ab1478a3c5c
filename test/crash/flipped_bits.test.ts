/** Flipped bits in every file of the data folder: harmless, or told at the start in one line. */
import { expect } from 'chai'
import { cpSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ChainError, Engine, systemClock } from '../../src/engine/index.ts'
import { nodeSettings } from '../../src/node/engine_settings.ts'
import { parseOptions } from '../../src/options/parse.ts'
import { Random } from '../fuzz/random.ts'
import { temporaryFolder } from '../support/node_process.ts'
import { TestNode } from '../support/test_node.ts'
import { until } from '../support/wait.ts'

/** Positions in a file; half of them near its begin, where headers are. `FLIPS=100` tries more. */
const FLIPS = Number(process.env.FLIPS ?? 5)
const HEADER_BYTES = 100
/** Files that a start does not read. */
const UNREAD = /^state\/(LOG.*|OPTIONS.*|IDENTITY|SESSION_ID)$|^snapshots\/.*\.bin(\.sha256)?$/
const ADVICE = /start once with --|put .* back|remove it|delete this folder/

interface Outcome {
  id: string
  hash: string
}

describe('crash: flipped bits', function () {
  this.timeout(1_200_000)
  const root = temporaryFolder()
  const whole = join(root.path, 'whole')
  const copy = join(root.path, 'copy')
  const seed = Number(process.env.SEED ?? 1)
  let files: string[] = []
  let undamaged: Outcome

  before(async () => {
    // Opened and closed, so that the state has tables and a log.
    for (let round = 0; round < 2; round++) {
      const node = await TestNode.start({ folder: whole })
      const irreversible = () => node.engine.api.chain.getInfo().last_irreversible_block_num
      const before = irreversible()
      if (round === 0) node.engine.api.producer.scheduleSnapshot({ start_block_num: 1_000_000 })
      else await node.engine.api.producer.createSnapshot({})
      await until('irreversible blocks', () => irreversible() > before + 6)
      await node.stop()
    }
    files = readdirSync(whole, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(whole, name)).isFile())
      .filter((name) => statSync(join(whole, name)).size > 0)
      .sort()
    cpSync(whole, copy, { recursive: true })
    undamaged = await started()
  })
  after(() => root.remove())

  /** Opens the copy and looks at its head and at all of its rows. */
  async function started(): Promise<Outcome> {
    const settings = nodeSettings(parseOptions(['--data-dir', copy]), '1.2.3', systemClock.now())
    const engine = await Engine.open(settings.engine, {
      clock: systemClock,
      log: () => undefined,
      end: () => undefined,
    })
    try {
      const { head_block_id, integrity_hash } = await engine.api.producer.getIntegrityHash()
      return { id: head_block_id, hash: integrity_hash }
    } finally {
      await engine.close()
    }
  }

  /** Starts from a copy with one bit changed; answers the refusal, if it is one. */
  async function damaged(name: string, at: number, bit: number): Promise<string | undefined> {
    const what = `${name}: bit ${bit} of byte ${at} (SEED=${seed})`
    rmSync(copy, { recursive: true, force: true })
    cpSync(whole, copy, { recursive: true })
    const bytes = readFileSync(join(whole, name))
    bytes[at]! ^= 1 << bit
    writeFileSync(join(copy, name), bytes)
    const outcome = await started().catch((error: unknown) => error)
    if (!(outcome instanceof Error)) {
      expect(outcome, what).deep.equal(undamaged)
      return undefined
    }
    expect(outcome, `${what}: ${outcome.stack}`).instanceOf(ChainError)
    expect(outcome.message, what).match(ADVICE)
    expect(outcome.message, what).not.include('\n')
    return outcome.message
  }

  const group = (pattern: RegExp) => files.filter((name) => pattern.test(name))

  async function flip(names: readonly string[], flips = FLIPS): Promise<number> {
    let refused = 0
    expect(names.length).greaterThan(0)
    for (const [i, name] of names.entries()) {
      const random = new Random(seed * 1000 + i)
      const { size } = statSync(join(whole, name))
      for (let n = 0; n < flips; n++) {
        const most = n % 2 === 0 ? Math.min(HEADER_BYTES, size) : size
        const refusal = await damaged(name, random.below(most), random.below(8))
        if (refusal !== undefined) refused++
      }
    }
    return refused
  }

  it('in tables, manifest and CURRENT of the state: it is damaged, and can be made again', async () => {
    const names = group(/^state\/(.*\.sst|MANIFEST.*|CURRENT)$/)
    expect(await flip(names)).equal(names.length * FLIPS)
  })

  it('in the log of the state: the blocks make good what it lost', async () => {
    expect(await flip(group(/^state\/\d+\.log$/), 2 * FLIPS)).equal(0)
  })

  it('in the irreversible blocks: each is noticed', async () => {
    expect(await flip(group(/^blocks\/blocks\.log$/), 2 * FLIPS)).equal(2 * FLIPS)
  })

  it('in the index and the checksums of the irreversible blocks: nothing changes', async () => {
    expect(await flip(group(/^blocks\/blocks\.(index|check)$/))).equal(0)
  })

  it('in the schedule of snapshots: the chain is the same, or the start is refused', async () => {
    await flip(group(/^snapshots\/.*\.json$/))
  })

  it('in the reversible blocks and the safety file: the chain is the same, or the start is refused', async () => {
    await flip(group(/^(blocks\/reversible\.log|finalizers\/safety\.dat)$/))
  })

  it('in prepared codes: nothing changes', async () => {
    expect(await flip(group(/^code-cache\//))).equal(0)
  })

  it('in files that a start does not read: nothing changes', async () => {
    expect(await flip(group(UNREAD), 1)).equal(0)
  })

  it('in traces of blocks: the chain is the same, or the start is refused', async () => {
    await flip(group(/^traces\//))
  })

  it('no other file is there', () => {
    const flipped =
      /^(state\/(.*\.(sst|log)|MANIFEST.*|CURRENT)|blocks\/(blocks|reversible)\..*|snapshots\/.*\.json|finalizers\/safety\.dat|code-cache\/.*|traces\/.*)$/
    expect(files.filter((name) => !flipped.test(name) && !UNREAD.test(name))).deep.equal([])
  })
})
