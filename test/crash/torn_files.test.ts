/** The ends of files as a machine that lost its power may leave them: cut off, or with other bytes. */
import { expect } from 'chai'
import { cpSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RocksStore } from '../../src/engine/store/rocks_store.ts'
import { stateDigest } from '../engine/chain/support/state_digest.ts'
import { TestChain } from '../engine/chain/support/test_chain.ts'
import { Random } from '../fuzz/random.ts'
import { temporaryFolder } from '../support/node_process.ts'

const BLOCKS = 8
const CUTS_OF_A_FILE = 6

describe('crash: torn ends of files', function () {
  const root = temporaryFolder()
  const whole = join(root.path, 'whole')
  const torn = join(root.path, 'torn')
  const random = new Random(7)
  /** Id of the block and digest of the state after it, by number. */
  const history = new Map<number, [string, string]>()

  let log: string[] = []

  const open = async (folder: string) => {
    const store = await RocksStore.open(join(folder, 'state'))
    const options = { blocks_dir: join(folder, 'blocks') }
    return TestChain.open(options, store, {
      log: (level, message) => void log.push(`${level} ${message}`),
    })
  }
  const look = ({ chain }: TestChain): [string, string] => [chain.head.key, stateDigest(chain.db)]

  before(async () => {
    const test = await open(whole)
    for (let i = 0; i < BLOCKS; i++) {
      test.createAccount(`acc${'abcdefgh'[i]}`)
      test.produce()
      history.set(test.head.block_num, look(test))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await test.chain.close()
  })
  after(() => root.remove())

  /** Opens a copy of the folder with one file's end changed; the state is that of its head. */
  async function opened(file: string, change: (bytes: Buffer) => Buffer): Promise<number> {
    log = []
    rmSync(torn, { recursive: true, force: true })
    cpSync(whole, torn, { recursive: true })
    writeFileSync(join(torn, file), change(readFileSync(join(torn, file))))
    const test = await open(torn)
    const { block_num } = test.head
    expect(look(test), file).deep.equal(history.get(block_num))
    test.produce(2)
    await test.chain.close()
    return block_num
  }

  const last = BLOCKS + 1

  /** @param most bytes at the end that are changed */
  function changes(size: number, most = 4000): ((bytes: Buffer) => Buffer)[] {
    return Array.from({ length: CUTS_OF_A_FILE }, (_, i) => {
      const from = i === 0 ? 0 : size - 1 - random.below(Math.min(size - 1, most))
      const cut = (bytes: Buffer) => bytes.subarray(0, from)
      const garble = (bytes: Buffer) =>
        Buffer.concat([bytes.subarray(0, from), random.bytes(size - from)])
      return i % 2 === 0 ? cut : garble
    })
  }

  it('of the log of the state: the blocks make good what it lost', async () => {
    const names = readdirSync(join(whole, 'state')).filter((name) => name.endsWith('.log'))
    expect(names.length).greaterThan(0)
    for (const name of names) {
      const file = `state/${name}`
      for (const change of changes(statSync(join(whole, file)).size)) {
        expect(await opened(file, change)).equal(last)
      }
    }
  })

  it('of the index of the blocks: it is made again', async () => {
    const file = 'blocks/blocks.index'
    const { size } = statSync(join(whole, file))
    for (const change of changes(size)) expect(await opened(file, change)).equal(last)
  })

  it('of the reversible blocks: what was written of the next one is cut off', async () => {
    const file = 'blocks/reversible.log'
    const record = readFileSync(join(whole, file)).subarray(20, 200)
    for (const change of changes(record.length, record.length - 8)) {
      const torn = change(record)
      if (torn.length === 0) continue
      expect(await opened(file, (bytes) => Buffer.concat([bytes, torn]))).equal(last)
      expect(log.join()).match(
        /warn reversible.log: \d+ bytes at the end are not a whole block: cut off/,
      )
    }
  })

  it('of the reversible blocks: announced ones are lost, so the start is refused', async () => {
    const file = 'blocks/reversible.log'
    const { size } = statSync(join(whole, file))
    for (const change of changes(size, 100).slice(1)) {
      const outcome = await opened(file, change).catch((error: Error) => error.message)
      // The last bytes are a mark, which nothing depends on.
      const is_whole = change(Buffer.alloc(size))
        .subarray(0, size - 8)
        .equals(Buffer.alloc(size - 8))
      if (is_whole) expect(outcome).equal(last)
      else expect(outcome).match(/(was announced|damaged at byte).*--lost-blocks/)
    }
  })
})
