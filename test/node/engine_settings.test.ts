import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { nameFromString, publicKeyFromString, toHex } from '../../src/engine/index.ts'
import { nodeSettings } from '../../src/node/engine_settings.ts'
import { DEVELOPMENT_BLS_PUBLIC_KEY } from '../../src/node/development.ts'
import { OptionError, parseOptions } from '../../src/options/parse.ts'
import { temporaryFolder } from '../support/node_process.ts'

const PUBLIC = 'EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV'
const PRIVATE = '5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3'
const OTHER_PUBLIC = 'EOS5p78kHbL33Rn3JWkTWRE2B9uz6gy4r1KbfAKLNQGE3ovMBS5bu'
const OTHER_PRIVATE = '5HpHagT65TZzG1PH3CSu63k8DbpvD8s5ip4nEB3kEsreAnchuDf'
const NOW_US = Date.UTC(2030, 0, 1, 0, 0, 0, 250) * 1000

describe('node: the engine as the user wants it', () => {
  const folder = temporaryFolder()
  after(() => folder.remove())

  const settings = (...argv: string[]) =>
    nodeSettings(parseOptions(['--data-dir', folder.path, ...argv]), '1.2.3', NOW_US)
  const file = (name: string, text: string) => {
    const path = join(folder.path, name)
    writeFileSync(path, text)
    return path
  }

  it('without options it is a development chain', () => {
    const { development, producer_names, engine, data_dir } = settings()
    expect(development).equal(true)
    expect(producer_names).deep.equal(['eosio'])
    expect(data_dir).equal(folder.path)
    expect(engine.data_dir).equal(folder.path)
    expect(engine).not.property('genesis')
    expect(engine.warm_up).equal(true)
    expect(engine.services.production.producers).deep.equal([nameFromString('eosio')])
    expect([...engine.services.production.signing_keys.keys()]).deep.equal([
      toHex(publicKeyFromString(PUBLIC)),
    ])
    expect(engine.services.production).include({
      enable_stale_production: true,
      pause_on_startup: false,
      waits_for_processor: true,
    })
    expect(engine.accept_transactions).equal(true)
  })

  it('with producers it is not a development chain, and waits for recent blocks', () => {
    const { development, producer_names, engine } = settings('-p', 'alice', '-p', 'bob')
    expect(development).equal(false)
    expect(producer_names).deep.equal(['alice', 'bob'])
    expect(engine.services.production.producers).deep.equal(['alice', 'bob'].map(nameFromString))
    expect(engine.services.production.enable_stale_production).equal(false)
    expect(engine.services.production.waits_for_processor).equal(false)
    expect(settings('-p', 'alice', '-e').engine.services.production.enable_stale_production).equal(
      true,
    )
    expect(settings('-x').engine.services.production.pause_on_startup).equal(true)
  })

  it('limits in the units of the engine', () => {
    const { engine } = settings(
      '--max-transaction-time=30',
      '--abi-serializer-max-time-ms=20',
      '--incoming-transaction-queue-size-mb=2',
      '--chain-threads=3',
      '--subjective-cpu-leeway-us=100',
      '--greylist-limit=7',
      '--produce-block-offset-ms=100',
    )
    expect(engine.services.production.runtime).include({
      max_transaction_time: 30,
      produce_block_offset_ms: 100,
    })
    expect(engine.services.production).include({ max_queue_bytes: 2 ** 21, recovery_threads: 3 })
    expect(engine.abi_serializer_max_time_us).equal(20_000)
    expect(engine.rules).include({ subjective_cpu_leeway_us: 100, greylist_limit: 7 })
    expect(settings().engine.rules.subjective_cpu_leeway_us).equal(undefined)
  })

  it('lists of names, actions and keys', () => {
    const { rules } = settings(
      '--actor-blacklist=alice',
      '--actor-blacklist=bob',
      '--contract-whitelist=eosio.token',
      '--action-blacklist=eosio.token::issue',
      '--action-blacklist=retire',
      `--key-blacklist=${PUBLIC}`,
      '--greylist-account=carol',
    ).engine
    expect([...rules.actor_blacklist]).deep.equal(['alice', 'bob'].map(nameFromString))
    expect([...rules.contract_whitelist]).deep.equal([nameFromString('eosio.token')])
    expect([...rules.action_blacklist]).deep.equal(['eosio.token::issue', '*::retire'])
    expect([...rules.key_blacklist]).deep.equal([toHex(publicKeyFromString(PUBLIC))])
    expect([...rules.resource_greylist]).deep.equal([nameFromString('carol')])
  })

  it('several keys; the development key only where none is given', () => {
    const one = `${OTHER_PUBLIC}=KEY:${OTHER_PRIVATE}`
    const { signing_keys } = settings('--signature-provider', one).engine.services.production
    expect([...signing_keys.keys()]).deep.equal([toHex(publicKeyFromString(OTHER_PUBLIC))])
    const both = settings('--signature-provider', one, `${PUBLIC}=KEY:${PRIVATE}`).engine.services
      .production
    expect(both.signing_keys.size).equal(2)
  })

  it('a genesis from a file, and another time for it', () => {
    const path = file(
      'genesis.json',
      JSON.stringify({
        initial_timestamp: '2026-01-01T00:00:00.000',
        initial_key: OTHER_PUBLIC,
        initial_configuration: { max_block_cpu_usage: 300000 },
      }),
    )
    const { genesis } = settings('--genesis-json', path).engine
    expect(toHex(genesis!.initial_key)).equal(toHex(publicKeyFromString(OTHER_PUBLIC)))
    expect(genesis!.initial_configuration.max_block_cpu_usage).equal(300000)
    expect(genesis!.initial_timestamp).equal(Date.UTC(2026, 0, 1) * 1000)
    const now = settings('--genesis-json', path, '--genesis-timestamp', 'now').engine
    expect(now.genesis!.initial_timestamp).equal(NOW_US + 250_000)
    const then = settings('--genesis-timestamp', '2027-01-01T00:00:00.500').engine
    expect(then.genesis!.initial_timestamp).equal((Date.UTC(2027, 0, 1) + 500) * 1000)
    const within = settings('--genesis-timestamp', '2027-01-01T00:00:00.127').engine
    expect(within.genesis!.initial_timestamp).equal((Date.UTC(2027, 0, 1) + 500) * 1000)
    const loud = settings('--genesis-json', path, '--genesis-timestamp', 'NOW').engine
    expect(loud.genesis!.initial_timestamp).equal(now.genesis!.initial_timestamp)
  })

  it('a limit of no time for conversions, which the traces do not have', () => {
    const { abi_serializer_max_time_us, services } = settings(
      ...['--abi-serializer-max-time-ms', '0', '--plugin', 'eosio::trace_api_plugin'],
      '--trace-no-abis',
    ).engine
    expect(abi_serializer_max_time_us).equal(0)
    expect(services.trace_api?.max_conversion_us).equal(15_000)
  })

  it('how the block log is split, and which blocks are kept', () => {
    const files = (...argv: string[]) => settings(...argv).engine.block_log
    const blocks = settings().engine.blocks_dir
    expect(files()).deep.equal({})
    expect(files('--blocks-log-stride', '500')).deep.equal({
      stride: 500,
      retained_dir: blocks,
      archive_dir: join(blocks, 'archive'),
    })
    const all = ['--max-retained-block-files', '3', '--blocks-retained-dir', 'old']
    expect(files(...all, '--blocks-archive-dir', '')).deep.equal({
      max_retained_files: 3,
      retained_dir: join(blocks, 'old'),
    })
    const kept = (count: string) => files('--block-log-retain-blocks', count)
    expect(kept('0')).deep.equal({ keep_blocks: 0, stride: 1000 })
    expect(kept('100000')).deep.equal({ keep_blocks: 100_000, stride: 12_500 })
    expect(() => files(...all, '--block-log-retain-blocks', '9')).throw(
      OptionError,
      /^block-log-retain-blocks cannot be specified together with blocks-retained-dir/,
    )
  })

  const wrong: [string, string[], RegExp][] = [
    ['a producer that is not a name', ['-p', 'Alice'], /^command line: producer-name Alice: /],
    [
      'an actor that is not a name',
      ['--actor-blacklist', 'a b'],
      /^command line: actor-blacklist a b: /,
    ],
    [
      'an action of three parts',
      ['--action-blacklist', 'a::b::c'],
      /^command line: action-blacklist a::b::c: /,
    ],
    ['an invalid key', ['--key-blacklist', 'EOS6x'], /^command line: key-blacklist EOS6x: /],
    [
      'a genesis that is not there',
      ['--genesis-json', '/no/file'],
      /^genesis-json: there is no file/,
    ],
    [
      'a genesis that is a folder',
      ['--genesis-json', '/'],
      /^genesis-json: \/ is a folder, not a file$/,
    ],
    ['a block log that is not there', ['--replay', '/no/file'], /^replay: there is no file/],
    ['an invalid time', ['--genesis-timestamp', 'noon'], /^command line: genesis-timestamp noon: /],
    [
      'the key of somebody else',
      ['--signature-provider', `${OTHER_PUBLIC}=KEY:${PRIVATE}`],
      /^signature-provider EOS5p78.*: the private key belongs to another public key than this$/,
    ],
    ['a wallet', ['--signature-provider', `${PUBLIC}=KEOSD:http://127.0.0.1`], /=KEY:PRIVATE_KEY$/],
  ]
  for (const [what, argv, message] of wrong) {
    it(`refuses ${what}`, () => {
      expect(() => settings(...argv)).throw(OptionError, message)
    })
  }

  it('refuses a genesis that is wrong', () => {
    for (const text of ['', '{', '[]', '{"initial_key": 5}', '{"initial_timestamp": "x"}']) {
      const path = file('wrong.json', text)
      expect(() => settings('--genesis-json', path), text).throw(OptionError, /^genesis-json \//)
    }
  })

  it('no message has the text of a private key', () => {
    const modern = 'PVT_K1_2bfGi9rYsXQSXXTvJbDAPhHLQUojjaNLomdm3cEJ1XTzMqUt3V'
    for (const secret of [PRIVATE, OTHER_PRIVATE, modern]) {
      const specs = [
        secret,
        `${secret}=KEY:${PUBLIC}`,
        `${secret}=KEY:${secret}`,
        `${PUBLIC}=${secret}`,
        `${PUBLIC}:${secret}`,
        `${PUBLIC} KEY:${secret}`,
        `${PUBLIC}=KEY:${secret}x`,
        `${PUBLIC}=KEY:${secret}0`,
        `${PUBLIC}=KEY:${secret.slice(0, 20)}-${secret.slice(20)}`,
        `${PUBLIC}=KEY:${secret.slice(1)}`,
        `${PUBLIC}=key:${secret}`,
        `PUB_BLS_x=KEY:${secret}`,
        `${DEVELOPMENT_BLS_PUBLIC_KEY}=KEY:${secret}`,
        `${PUBLIC}=KEY:PVT_BLS_${secret}`,
        `KEY:${secret}`,
        `=KEY:${secret}`,
        ` ${secret}`,
      ]
      for (const spec of specs) {
        const told = messageOf(() => settings('--signature-provider', spec))
        expect(told, spec).match(/^command line: signature-provider/)
        expect(told, spec).not.include(secret.slice(1, 30))
        expect(told, spec).not.include(secret.slice(-20))
      }
    }
  })

  function messageOf(action: () => unknown): string {
    try {
      action()
    } catch (error) {
      expect(error).instanceOf(OptionError)
      return (error as Error).message
    }
    throw new Error(`nothing was wrong: ${String(action)}`)
  }
})
