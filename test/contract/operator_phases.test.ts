/**
 * What the reference was recorded with as an operator's tool, sent to a node that stands where the
 * reference stood: run-time options and lists, a pause at a height, failing transactions of one
 * account, a pause. Schedules of snapshots are compared in test/engine/services/snapshots.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { ACCEPTED, judge } from '../driver/accepted.ts'
import { compareRecordings, recordingOf, type Line } from '../driver/compare.ts'
import { parseTimePoint } from '../../src/engine/index.ts'
import { unpackSignedBlock } from '../../src/engine/protocol/block.ts'
import { Reader } from '../../src/engine/protocol/reader.ts'
import { BlockLog } from '../../src/engine/store/block_log.ts'
import { stillClock } from '../support/still_clock.ts'
import { TestNode } from '../support/test_node.ts'
import { root } from './support.ts'

const RECORDED = join(root, 'test/fixtures/recordings/one')
/** About when the requests were made. */
const TIME = parseTimePoint('2026-11-28T00:02:38.200')

const lines = gunzipSync(readFileSync(join(RECORDED, 'live.jsonl.gz')))
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Line)

/** A phase with its exchanges, but for those that another test compares. */
function phase(name: string): Line[] {
  const begin = lines.findIndex((line) => line.phase?.startsWith(name))
  const length = lines.slice(begin + 1).findIndex((line) => line.phase !== undefined)
  const all = lines.slice(begin, length < 0 ? undefined : begin + 1 + length)
  return all.filter(({ path }) => !path?.includes('snapshot'))
}

describe('recorded phases of an operator', () => {
  const log = BlockLog.openReadOnly(RECORDED)
  let node: TestNode
  let ours: Line[]
  let theirs: Line[]
  before(async () => {
    const argv = [
      `--genesis-json=${join(RECORDED, 'genesis.json')}`,
      '--producer-name=nobody',
      '--contracts-console',
      // What was tried can be read, as on the recorded node, which produced.
      '--read-mode=speculative',
      '--max-transaction-time=200',
    ]
    node = await TestNode.start({ argv, clock: stillClock(TIME) })
  })
  after(async () => {
    log.close()
    await node.stop()
  })
  beforeEach(() => {
    ours = []
    theirs = []
  })

  /** Gives the node the recorded blocks up to a height. */
  async function blocks(last: number): Promise<void> {
    for (let num = node.head_block_num + 1; num <= last; num++) {
      const block = unpackSignedBlock(new Reader(log.read(num)!))
      await node.engine.services.production.pushBlock(block)
    }
    expect(node.head_block_num).equal(last)
  }

  async function send(recorded: Line[]): Promise<void> {
    for (const line of recorded) {
      theirs.push(line)
      if (line.phase !== undefined) {
        ours.push(line)
        continue
      }
      const { body, path } = line
      const answer = await node.ask(path, body === null ? {} : { body })
      ours.push({ ...line, status: answer.status, response: answer.text })
    }
  }

  /** Every answer is the recorded one, or differs as was decided. */
  function expectAsRecorded(count: number): void {
    const differences = compareRecordings(recordingOf(theirs), recordingOf(ours))
    expect(judge(differences, ACCEPTED).faults).deep.equal([])
    expect(ours.filter(({ phase }) => phase === undefined)).length(count)
  }

  it('run-time options, greylist, lists and what they refuse', async () => {
    await blocks(103)
    await send(phase('producer api'))
    expectAsRecorded(21)
  })

  it('a pause at a height', async () => {
    await blocks(124)
    const recorded = phase('pause at a height')
    await send(recorded.slice(0, 4))
    await blocks(129)
    await send([...recorded.slice(4), ...phase('pause asked at')])
    expectAsRecorded(6)
  })

  it('an account that fails often', async () => {
    await blocks(132)
    await send(phase('subjective billing'))
    expectAsRecorded(14)
  })

  it('a pause, and transactions during it', async () => {
    await blocks(133)
    const recorded = phase('before the pause')
    await send(recorded.slice(0, -1))
    expectAsRecorded(8)
    const hash = ({ path }: Line) => path?.endsWith('get_integrity_hash')
    // Not masked here: it is of the recorded blocks.
    const [theirs, own] = [recorded.find(hash)!, ours.find(hash)!]
    expect(JSON.parse(own.response)).deep.equal(JSON.parse(theirs.response))
  })
})
