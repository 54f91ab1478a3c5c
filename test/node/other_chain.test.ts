/** When a node without producer-name runs a development chain, and when it only follows another chain. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { Engine, defaultGenesis, genesisToJson, systemClock } from '../../src/engine/index.ts'
import { nodeSettings, type NodeSettings } from '../../src/node/engine_settings.ts'
import { serverOptions } from '../../src/node/server_settings.ts'
import { OptionError, parseOptions } from '../../src/options/parse.ts'
import { recordedSnapshot } from '../engine/snapshot/support/snapshot_files.ts'
import { temporaryFolder } from '../support/node_process.ts'

const RECORDED = join(import.meta.dirname, '../fixtures/recordings/one')
const GENESIS = join(RECORDED, 'genesis.json')
const VERSION = '1.2.3'

describe('node: which chain', () => {
  let folder: ReturnType<typeof temporaryFolder>
  beforeEach(() => {
    folder = temporaryFolder()
  })
  afterEach(() => folder.remove())

  const at = (name: string) => join(folder.path, name)
  const valuesOf = (argv: string[]) => parseOptions(['--data-dir', at('data'), ...argv])
  const settings = (...argv: string[]) => nodeSettings(valuesOf(argv), VERSION, 0)

  /** Makes the folder's chain, as a first start with these options does. */
  async function makeChain(...argv: string[]): Promise<void> {
    const deps = { clock: systemClock, log: () => {}, end: () => {} }
    const { engine: options } = settings('--p2p-listen-endpoint=', ...argv)
    const engine = await Engine.open(options, deps)
    await engine.close()
  }

  function expectDevelopment(made: NodeSettings): void {
    expect(made).include({ development: true }).and.not.property('idle_reason')
    expect(made.producer_names).deep.equal(['eosio'])
    expect(made.engine.finalizer_keys.size).equal(1)
    expect(made.engine.rules.contracts_console).equal(true)
    expect(made.engine.services.production.enable_stale_production).equal(true)
  }

  function expectIdle(made: NodeSettings, reason: RegExp): void {
    expect(made.idle_reason).match(reason)
    expect(made).include({ development: false })
    expect(made.producer_names).deep.equal([])
    expect(made.engine.services.production.producers).deep.equal([])
    expect(made.engine.finalizer_keys.size).equal(0)
    expect(made.engine).include({ savanna_from_start: false })
    expect(made.engine.rules.contracts_console).equal(false)
    expect(made.engine.services.production.enable_stale_production).equal(false)
  }

  it('nothing selects another chain: a development chain', () => {
    expectDevelopment(settings())
    expect(settings().engine.savanna_from_start).equal(true)
  })

  it('a genesis makes another chain, which stays another one when it is started again', async () => {
    expectIdle(
      settings('--genesis-json', GENESIS),
      /^the genesis that is given is of chain \w{64},/,
    )
    expectIdle(settings('--genesis-timestamp', 'now'), /^the genesis that is given/)
    await makeChain('--genesis-json', GENESIS)
    expectIdle(settings(), /data\/blocks is of chain \w{64}, which is not a development chain$/)
    expectDevelopment(settings('--delete-all-blocks'))
  })

  it('a node with a peer follows the chain of that peer', () => {
    expectIdle(settings('--p2p-peer-address', 'localhost:9876'), /^p2p-peer-address names the peer/)
  })

  it('so does a snapshot or a block log of another chain', async () => {
    writeFileSync(at('snapshot.bin'), recordedSnapshot(0x24))
    expectIdle(settings('--snapshot', at('snapshot.bin')), /snapshot\.bin is of chain/)
    expectIdle(settings('--replay', join(RECORDED, 'blocks.log')), /blocks\.log is of chain/)
    await makeChain('--snapshot', at('snapshot.bin'))
    expectIdle(settings(), /data\/blocks is of chain/)
  })

  it('the development chain continues from its own folder, log and genesis', async () => {
    await makeChain()
    expectDevelopment(settings())
    const replayed = settings('--replay', at('data/blocks'))
    expectDevelopment(replayed)
    expect(replayed.engine.savanna_from_start).equal(false)
    writeFileSync(at('genesis.json'), JSON.stringify(genesisToJson(defaultGenesis())))
    expectDevelopment(settings('--genesis-json', at('genesis.json')))
  })

  it('plugin lines are those of a node that produces nothing without producer-name', () => {
    const plugins = ['--plugin', 'eosio::producer_plugin', 'eosio::chain_api_plugin']
    expectIdle(
      settings(...plugins),
      /^plugin eosio::producer_plugin is named, as for nodeos \(a dev/,
    )
    const named = settings(...plugins, '-p', 'eosio')
    expect(named).include({ development: false }).and.not.property('idle_reason')
    expect(named.producer_names).deep.equal(['eosio'])
  })

  it('console and verbose errors are on by default on a development chain alone', () => {
    const rules = (...argv: string[]) => settings(...argv).engine.rules
    expect(rules('-p', 'eosio').contracts_console).equal(false)
    expect(rules('-p', 'eosio', '--contracts-console').contracts_console).equal(true)
    expect(rules('--contracts-console=false').contracts_console).equal(false)
    const verbose = (...argv: string[]) =>
      serverOptions(valuesOf(argv), settings(...argv)).verbose_errors
    expect(verbose()).equal(true)
    expect(verbose('--verbose-http-errors=false')).equal(false)
    expect(verbose('-p', 'eosio')).equal(false)
    expect(verbose('-p', 'eosio', '--verbose-http-errors')).equal(true)
  })

  it('a genesis that is not that of the folder says what to do', async () => {
    await makeChain()
    const message =
      /^genesis-json: this genesis makes chain \w{64}, but \S+blocks has blocks of chain \w{64}; continue that chain without genesis-json, name another data-dir .* delete-all-blocks/
    expect(() => settings('--genesis-json', GENESIS)).throw(OptionError, message)
    expect(() => settings('--genesis-json', GENESIS, '-p', 'a')).throw(OptionError, message)
    expect(() => settings('--genesis-timestamp', 'now')).throw(OptionError, /^genesis-timestamp: /)
    expectIdle(settings('--genesis-json', GENESIS, '--delete-all-blocks'), /^the genesis/)
  })
})
