/** Where a node keeps things, and what may be done with them before it starts. */
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { ChainError } from '../../src/engine/index.ts'
import { runGenesisCommand } from '../../src/node/genesis_command.ts'
import { Node } from '../../src/node/node.ts'
import { OptionError, parseOptions } from '../../src/options/parse.ts'
import { recordedSnapshot } from '../engine/snapshot/support/snapshot_files.ts'
import { ask } from '../support/http.ts'
import { temporaryFolder } from '../support/node_process.ts'
import { PACKAGE } from '../support/test_node.ts'
import { until } from '../support/wait.ts'

const RECORDED = join(import.meta.dirname, '../fixtures/recordings/one')

describe('node: folders', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let node: Node | undefined
  let log: string[]
  beforeEach(() => {
    folder = temporaryFolder()
    log = []
  })
  afterEach(async () => {
    await stop()
    folder.remove()
  })

  const at = (...path: string[]) => join(folder.path, ...path)
  const values = (...argv: string[]) => {
    const place = argv.includes('--data-dir') ? [] : ['--data-dir', at('data')]
    const listen = ['--http-server-address', '127.0.0.1:0', '--p2p-listen-endpoint=']
    return parseOptions([...place, ...listen, ...argv])
  }

  /** The path of a snapshot of the recorded chain. */
  function recorded(): string {
    writeFileSync(at('recorded.bin'), recordedSnapshot(0x24))
    return at('recorded.bin')
  }

  async function start(...argv: string[]): Promise<Node> {
    node = await Node.start(values(...argv), {
      version: '1.2.3',
      package_folder: PACKAGE,
      log: (level, message) => void log.push(`${level} ${message}`),
    })
    return node
  }

  async function stop(): Promise<void> {
    await node?.stop()
    node = undefined
  }

  const head = () => node!.engine.chain.head.block_num
  const lib = () => node!.engine.chain.last_irreversible.block_num

  async function refused(message: RegExp, ...argv: string[]): Promise<void> {
    const error = await start(...argv).then(
      () => expect.fail('it started'),
      (refusal: unknown) => refusal,
    )
    expect(error).instanceOf(OptionError)
    expect((error as Error).message).match(message)
  }

  it('state and blocks are in the given folders, and the chain continues there', async () => {
    const dirs = ['--state-dir', at('fast'), '--blocks-dir', '../large']
    await start(...dirs)
    await until('some blocks', () => lib() > 6)
    const before = head()
    await stop()
    expect(readdirSync(at('data'))).not.include.members(['state'])
    expect(existsSync(at('fast/CURRENT'))).equal(true)
    expect(existsSync(at('large/blocks.log'))).equal(true)
    await start(...dirs, '--pause-on-startup')
    expect(head()).equal(before)
  })

  it('--delete-all-blocks deletes what the node made, and nothing else', async () => {
    const dirs = ['--state-dir', at('fast'), '--blocks-dir', at('large')]
    for (const dir of ['fast', 'large']) {
      mkdirSync(at(dir))
      writeFileSync(at(dir, 'mine.txt'), 'mine')
    }
    await start(...dirs)
    await until('some blocks', () => head() > 8)
    await stop()
    await start(...dirs, '--delete-all-blocks', '--pause-on-startup')
    expect(head()).lessThan(8)
    expect(log).include('info the state and the blocks are deleted')
    for (const dir of ['fast', 'large']) expect(existsSync(at(dir, 'mine.txt'))).equal(true)
  })

  it('--replay-blockchain makes the state again from all blocks', async () => {
    await start()
    await until('some blocks', () => lib() > 8)
    const { integrity_hash } = await pausedHash()
    const before = head()
    await stop()
    await start('--replay-blockchain', '--pause-on-startup')
    expect(head()).equal(before)
    expect(log).include('info the state is deleted, and made again from the blocks')
    expect((await pausedHash()).integrity_hash).equal(integrity_hash)
  })

  it('--replay-blockchain ends at a block, and a restart continues from there', async () => {
    await start()
    await until('some blocks', () => lib() > 8)
    await stop()
    await start('--pause-on-startup')
    const before = head()
    await stop()
    await start('--replay-blockchain', '--terminate-at-block=6', '--pause-on-startup')
    expect(await node!.ended).equal('done')
    expect(head()).equal(6)
    await stop()
    await start('--pause-on-startup')
    expect(head()).equal(before)
  })

  async function pausedHash() {
    const { loop } = node!.engine.services.production
    loop.pause()
    await until('it stands', () => loop.mode !== 'producing')
    return node!.engine.api.producer.getIntegrityHash()
  }

  it('--replay-blockchain keeps the state when the blocks cannot make it', async () => {
    await refused(/^replay-blockchain: there is no block log in /, '--replay-blockchain')
    const from = recorded()
    await start('--snapshot', from, '--pause-on-startup')
    const before = head()
    await stop()
    await refused(/without a full block log, first block: \d+$/, '--replay-blockchain')
    await refused(/without blocks/, '--replay-blockchain', '--delete-all-blocks')
    await start('--pause-on-startup')
    expect(head()).equal(before)
    await stop()
    await start('--replay-blockchain', '--snapshot', from, '--pause-on-startup')
    expect(head()).equal(before)
  })

  it('--replay-blockchain does nothing under a node that runs', async () => {
    await start()
    const running = node
    await refused(/is in use by another process/, '--replay-blockchain')
    node = running
    const before = head()
    await until('it goes on', () => head() > before)
  })

  it('a start that is stopped leaves everything as it was', async () => {
    await start()
    await until('some blocks', () => lib() > 6)
    const before = head()
    await stop()
    const stopped = async (...argv: string[]) => {
      const log = () => {}
      const deps = { version: '1.2.3', package_folder: PACKAGE, log, stopping: () => true }
      const error: unknown = await Node.start(values(...argv), deps).catch((thrown) => thrown)
      expect(error).instanceOf(ChainError).property('errorName', 'interrupt_exception')
    }
    await stopped()
    await stopped('--data-dir', at('other'), '--snapshot', recorded())
    await start('--pause-on-startup')
    expect(head()).equal(before)
  })

  it('the genesis is printed and written as it was given', async () => {
    const genesis = join(RECORDED, 'genesis.json')
    expect(() => runGenesisCommand(values('--print-genesis-json'))).throw(
      OptionError,
      'there is no block log',
    )
    await start('--genesis-json', genesis, '--pause-on-startup')
    await stop()
    const given: unknown = JSON.parse(readFileSync(genesis, 'utf8'))
    const file = at('genesis.json')
    const printed = runGenesisCommand(
      values('--print-genesis-json', '--extract-genesis-json', file),
    )
    expect(JSON.parse(printed)).deep.equal(given)
    expect(readFileSync(file, 'utf8')).equal(printed)
    expect(runGenesisCommand(values('--extract-genesis-json', file))).equal('')
    expect(() => runGenesisCommand(values('--extract-genesis-json', at('no/file')))).throw(
      OptionError,
      /^extract-genesis-json: ENOENT/,
    )
    // What was written is of the same chain.
    await start('--genesis-json', file, '--pause-on-startup')
  })

  it('a log that begins later has no genesis', async () => {
    await start('--snapshot', recorded(), '--pause-on-startup')
    await stop()
    expect(() => runGenesisCommand(values('--print-genesis-json'))).throw(
      OptionError,
      /does not contain a genesis state, it only has the chain-id/,
    )
  })

  it('the config file and the restrictions of features are in config-dir', async () => {
    mkdirSync(at('config/protocol_features'), { recursive: true })
    writeFileSync(at('config/config.ini'), 'producer-name = alice\n')
    writeFileSync(at('config/other.ini'), 'producer-name = bob\n')
    const feature = (name: string, subjective_restrictions: object) =>
      writeFileSync(
        at('config/protocol_features', `BUILTIN-${name}.json`),
        JSON.stringify({ builtin_feature_codename: name, subjective_restrictions }),
      )
    feature('GET_SENDER', { enabled: false })
    feature('FORWARD_SETCODE', { earliest_allowed_activation_time: '2999-01-01T00:00:00.000' })
    const config = ['--config-dir', at('config')]
    expect(values(...config).list('producer-name')).deep.equal(['alice'])
    expect(values(...config, '--config', 'other.ini').list('producer-name')).deep.equal(['bob'])
    await start(...config)
    expect(node!.settings.producer_names).deep.equal(['alice'])
    const supported = async (filter: object) => {
      const { body } = await ask(
        node!.server.addresses[0]!,
        '/v1/producer/get_supported_protocol_features',
        { body: filter },
      )
      return (body as { specification: { value: string }[] }[]).map(
        ({ specification }) => specification[0]!.value,
      )
    }
    const all = await supported({})
    expect(all).include.members(['GET_SENDER', 'FORWARD_SETCODE', 'SAVANNA'])
    // Savanna depends on all of them; what only it led to goes with it, as in the reference.
    const enabled = await supported({ exclude_disabled: true })
    expect(enabled).include.members(['PREACTIVATE_FEATURE', 'FORWARD_SETCODE'])
    expect(enabled).not.include('GET_SENDER').and.not.include('SAVANNA')
    const activatable = await supported({ exclude_unactivatable: true })
    expect(activatable).include('PREACTIVATE_FEATURE')
    expect(activatable).not.include('GET_SENDER')
    expect(activatable).not.include('FORWARD_SETCODE')
    expect(activatable).not.include('SAVANNA')
  })

  it('files of features that cannot be understood are refused', async () => {
    mkdirSync(at('data/protocol_features'), { recursive: true })
    const file = (name: string, text: string) =>
      writeFileSync(at('data/protocol_features', name), text)
    file('a.json', '{')
    await refused(/^protocol-features-dir .*a\.json: /)
    file('a.json', '{"builtin_feature_codename": "NOTHING"}')
    await refused(/Unrecognized protocol feature codename: NOTHING/)
    file('a.json', '{"builtin_feature_codename": "GET_SENDER", "description_digest": "00"}')
    await refused(/the description digest is not that of GET_SENDER/)
    const restricted = (text: string) =>
      file(
        'a.json',
        `{"builtin_feature_codename": "GET_SENDER", "subjective_restrictions": ${text}}`,
      )
    restricted('{"enabled": "no"}')
    await refused(/enabled is true or false/)
    restricted('{"earliest_allowed_activation_time": 5}')
    await refused(/a time of activation is a text/)
    restricted('{}')
    file('b.json', readFileSync(at('data/protocol_features/a.json'), 'utf8'))
    await refused(/b\.json: GET_SENDER has a file already$/)
  })
})
