/** A node that cannot use what it finds says what it is, changes nothing, and starts when it is mended. */
import { expect } from 'chai'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { Node } from '../../src/node/node.ts'
import { parseOptions } from '../../src/options/parse.ts'
import { STORE_VERSION, VERSION_KEY, packVersion } from '../../src/engine/store/layout.ts'
import { Rocks } from '../../src/engine/store/rocks.ts'
import { NodeProcess, temporaryFolder } from '../support/node_process.ts'
import { PACKAGE } from '../support/test_node.ts'
import { until } from '../support/wait.ts'
import { FaultyFiles, type Plan } from './faulty_files.ts'

const FILES = [
  'blocks/blocks.log',
  'blocks/blocks.index',
  'blocks/blocks.check',
  'blocks/reversible.log',
  'finalizers/safety.dat',
  'snapshots/snapshot-schedule.json',
]

describe('crash: files that cannot be used', function () {
  const root = temporaryFolder()
  const folder = join(root.path, 'node')
  const at = (name: string) => join(folder, name)
  const options = ['--data-dir', folder, '--http-server-address', '127.0.0.1:0']
  let log: string[] = []
  let head = 0

  async function start(): Promise<Node> {
    log = []
    return Node.start(parseOptions(options), {
      version: '1.2.3',
      package_folder: PACKAGE,
      log: (level, message) => void log.push(`${level} ${message}`),
    })
  }

  before(async () => {
    const node = await start()
    node.engine.api.producer.scheduleSnapshot({ start_block_num: 1_000_000 })
    await until('a vote', () => existsSync(at('finalizers/safety.dat')))
    await node.stop()
    head = node.engine.chain.head.block_num
    expect(FILES.map(at).filter((path) => !existsSync(path))).deep.equal([])
  })
  after(() => root.remove())

  /** Digests of the files, by name. */
  const contents = () =>
    FILES.map((name) => {
      const is_file = statSync(at(name), { throwIfNoEntry: false })?.isFile()
      return [
        name,
        is_file &&
          createHash('sha256')
            .update(readFileSync(at(name)))
            .digest('hex'),
      ]
    })

  /** The node does not start, for the reason that is answered, and leaves everything as it is. */
  async function refused(plan?: Plan): Promise<string> {
    const before = contents()
    const files = FaultyFiles.install(folder, plan)
    const error = await start().then(
      () => undefined,
      (thrown: Error) => thrown,
    )
    await files.remove()
    expect(contents()).deep.equal(before)
    expect(error, files.where).instanceOf(Error)
    return `${error!.message} (${files.where})`
  }

  async function starts(): Promise<void> {
    const node = await start()
    expect(node.engine.chain.head.block_num).at.least(head)
    head = node.engine.chain.head.block_num
    await node.stop()
    expect(log.filter((line) => /^(warn|error)/.test(line))).deep.equal([])
  }

  for (const name of FILES) {
    it(`a folder in the place of ${name}`, async () => {
      renameSync(at(name), join(root.path, 'kept'))
      mkdirSync(at(name))
      expect(await refused()).match(/EISDIR/)
      rmSync(at(name), { recursive: true })
      renameSync(join(root.path, 'kept'), at(name))
      await starts()
    })
  }

  it('no permission to any of them', async () => {
    const found = FaultyFiles.install(folder)
    await starts()
    await found.remove()
    const openings = found.operations.flatMap((what, i) =>
      /^open (blocks|finalizers|snapshots)/.test(what) ? [i + 1] : [],
    )
    const met: string[] = []
    for (const place of openings.slice(0, 8)) {
      const message = await refused({ at: place, fault: 'EACCES', lasting: true })
      expect(message).match(/^cannot (open|read|write) .*EACCES: permission denied/)
      met.push(message)
    }
    expect(met.join())
      .include('(open blocks/reversible.log)')
      .include('(open finalizers/safety.dat)')
    await starts()
  })

  it('a file that a newer program wrote', async () => {
    const newer: [string, number, RegExp][] = [
      ['blocks/blocks.log', 0, /unsupported version 7/],
      ['blocks/reversible.log', 4, /has version 7; this program reads versions 1 and 2/],
      ['finalizers/safety.dat', 8, /Incorrect version number/],
    ]
    for (const [name, offset, message] of newer) {
      const bytes = readFileSync(at(name))
      const changed = Buffer.from(bytes)
      changed.writeUInt32LE(7, offset)
      // The header has a checksum.
      if (name.endsWith('reversible.log')) changed.writeUInt32LE(crc32(changed.subarray(0, 16)), 16)
      writeFileSync(at(name), changed)
      expect(await refused(), name).match(message)
      writeFileSync(at(name), bytes)
    }
    await starts()
  })

  it('a state that a newer program wrote', async () => {
    const setVersion = async (version: number) => {
      const rocks = await Rocks.open(at('state'))
      const put = { type: 'put' as const, key: VERSION_KEY, value: packVersion(version) }
      await rocks.batch([put], true)
      await rocks.close()
    }
    await setVersion(7)
    expect(await refused()).match(/version 7, written by a newer program/)
    await setVersion(STORE_VERSION)
    await starts()
  })

  it('a damaged state: the node says how to mend it, and the blocks are enough to', async () => {
    cpSync(at('state'), join(root.path, 'state'), { recursive: true })
    const manifest = readdirSync(at('state')).find((name) => name.startsWith('MANIFEST'))!
    const bytes = readFileSync(at(`state/${manifest}`))
    bytes.fill(0x55, 10)
    writeFileSync(at(`state/${manifest}`), bytes)
    expect(await refused()).match(
      /is damaged: start once with --replay-blockchain, .*: Corruption|mismatch/,
    )
    rmSync(at('state'), { recursive: true })
    await starts()
  })

  it('the program reports it in one line', async () => {
    renameSync(at('blocks/blocks.log'), join(root.path, 'kept'))
    mkdirSync(at('blocks/blocks.log'))
    const node = new NodeProcess(options)
    const { code } = await node.ended
    expect(code).equal(1)
    expect(node.stderr).match(/^pronghorn: cannot read .*blocks\.log: EISDIR: .*\n$/)
    rmSync(at('blocks/blocks.log'), { recursive: true })
    renameSync(join(root.path, 'kept'), at('blocks/blocks.log'))
    await starts()
  })
})
