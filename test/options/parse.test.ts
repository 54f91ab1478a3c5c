import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { DEVELOPMENT_PRIVATE_KEY, DEVELOPMENT_PUBLIC_KEY } from '../../src/node/development.ts'
import { nameFromString } from '../../src/engine/protocol/name.ts'
import { genesisTimestamp } from '../../src/options/chain_options.ts'
import { helpText, printConfig, printDefaultConfig } from '../../src/options/help.ts'
import { OptionError, parseOptions } from '../../src/options/parse.ts'
import { REFUSED } from '../../src/options/refused.ts'
import { OPTIONS } from '../../src/options/table.ts'

describe('options', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pronghorn-options-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const parse = (...argv: string[]) => parseOptions(['--data-dir', folder, ...argv])
  const config = (text: string) => writeFileSync(join(folder, 'config.ini'), text)

  it('uses defaults without options', () => {
    const values = parse()
    expect(values.text('http-server-address')).equal('127.0.0.1:8888')
    expect(values.integer('max-transaction-time')).equal(499)
    expect(values.bool('http-keep-alive')).equal(true)
    expect(values.switch('enable-stale-production')).equal(false)
    expect(values.list('producer-name')).deep.equal([])
    expect(values.isGiven('producer-name')).equal(false)
  })

  it('reads long, short and attached forms, and lists of several values', () => {
    const values = parse('-e', '-p', 'alice', 'bob', '-pcarol', '--max-transaction-time=-1', '-x')
    expect(values.switch('enable-stale-production')).equal(true)
    expect(values.switch('pause-on-startup')).equal(true)
    expect(values.list('producer-name')).deep.equal(['alice', 'bob', 'carol'])
    expect(values.integer('max-transaction-time')).equal(-1)
  })

  it('values are handed on as their rows parse them', () => {
    config('actor-blacklist = bob\n')
    const values = parse('--actor-blacklist', 'dan', '--genesis-timestamp', 'now')
    const names = ['dan', 'bob'].map(nameFromString)
    expect(values.parsed('actor-blacklist', nameFromString)).deep.equal(names)
    expect(values.parsed('actor-whitelist', nameFromString)).deep.equal([])
    expect(values.parsed('genesis-timestamp', genesisTimestamp)).deep.equal(['now'])
    expect(() => values.parsed('actor-blacklist', String)).throws(
      'not how actor-blacklist is parsed',
    )
  })

  it('reads the config file of the data folder; the command line wins', () => {
    config('# comment\nproducer-name = alice\nproducer-name = bob\nhttp-keep-alive=false\n')
    expect(parse().list('producer-name')).deep.equal(['alice', 'bob'])
    expect(parse().bool('http-keep-alive')).equal(false)
    expect(parse('--http-keep-alive', '1').bool('http-keep-alive')).equal(true)
  })

  it('a list has the values of the command line, then those of the config file', () => {
    config('producer-name = alice\nactor-blacklist = bob\n')
    expect(parse('-p', 'carol').list('producer-name')).deep.equal(['carol', 'alice'])
    expect(parse('--actor-blacklist', 'dan').list('actor-blacklist')).deep.equal(['dan', 'bob'])
  })

  it('lists of own addresses are those of the command line alone, if it has some', () => {
    for (const name of ['p2p-listen-endpoint', 'p2p-server-address', 'http-category-address']) {
      config(`${name} = a:1\n`)
      expect(parse(`--${name}`, 'b:2').list(name), name).deep.equal(['b:2'])
    }
    config('allowed-connection = none\n')
    expect(parse('--allowed-connection', 'any').list('allowed-connection')).deep.equal(['any'])
  })

  it('reads what the reference reads: comments behind values, forms of true and false', () => {
    config(
      '# all\nproducer-name = alice # me\n  # nothing\nhttp-keep-alive = No\n' +
        'enable-stale-production = ON\nvalidate-responses = 1\ncontracts-console =\n[section]\n',
    )
    const values = parse('--http-validate-host=0')
    expect(values.list('producer-name')).deep.equal(['alice'])
    expect(values.bool('http-keep-alive')).equal(false)
    expect(values.bool('http-validate-host')).equal(false)
    expect(values.switch('enable-stale-production')).equal(true)
    expect(values.switch('validate-responses')).equal(true)
    expect(values.switch('contracts-console')).equal(true)
    expect(printConfig(values)).match(/^http-keep-alive = false$/m)
  })

  it('on the command line, the beginning of a name is enough if no other name has it', () => {
    const values = parse('--delete-all', '--greylist-l=7', '--chain-th=1')
    expect(values.switch('delete-all-blocks')).equal(true)
    expect(values.integer('greylist-limit')).equal(7)
    expect(values.integer('chain-threads')).equal(1)
    expect(parse('--replay', 'file').text('replay'), 'a whole name').equal('file')
    // As nodeos reads it.
    for (const argv of [['--replay'], ['--replay', '--chain-th', '1']]) {
      const again = parse(...argv)
      expect(again.switch('replay-blockchain')).equal(true)
      expect(again.isGiven('replay')).equal(false)
    }
    config('greylist-l = 7\n')
    expect(() => parse()).throw(OptionError, 'config.ini:1: unknown option greylist-l;')
  })

  const wrong: [string, string[], RegExp][] = [
    [
      'an ambiguous option',
      ['--greylist', '1'],
      /greylist is ambiguous: it may be greylist-account or greylist-limit$/,
    ],
    ['a refused option that is abbreviated', ['--wasm-r', 'x'], /option wasm-runtime is refused/],
    ['an option without a name', ['--'], /unknown option ;/],
    ['an unknown option', ['--no-such-thing', '1'], /unknown option no-such-thing/],
    ['an option of the reference that is not built', ['--wasm-runtime', 'eos-vm'], /refused/],
    ['a missing value', ['--genesis-json'], /needs a value/],
    ['a number outside its bounds', ['--greylist-limit', '1001'], /from 1 to 1000/],
    ['an invalid number', ['--greylist-limit', '1e2'], /from 1 to 1000/],
    ['an invalid boolean', ['--http-keep-alive', 'maybe'], /true or false/],
    ['a single option given twice', ['--genesis-json', 'a', '--genesis-json', 'b'], /given twice/],
    ['a folder without a name', ['--state-dir', ''], /state-dir is the name of a file or folder/],
    ['a file without a name', ['--snapshot='], /snapshot is the name of a file or folder/],
    ['a value for a short switch', ['-ex'], /takes no value/],
    ['a bare word', ['start'], /unknown argument/],
    ['a config file that is not there', ['--config', '/no/such/file'], /cannot read the config/],
  ]
  for (const [what, argv, message] of wrong) {
    it(`refuses ${what}`, () => {
      expect(() => parse(...argv)).throw(OptionError, message)
    })
  }

  it('refuses wrong lines in the config file and says where they are', () => {
    config('producer-name = alice\nnonsense\n')
    expect(() => parse()).throw(OptionError, /config\.ini:2: expected/)
    config('wasm-runtime = eos-vm-jit\nproducer-name = alice\nhttp-keep-alive = maybe\nnothing = 1')
    expect(() => parse())
      .throw(OptionError)
      .property('message')
      .match(
        /^\S+config\.ini:1: option wasm-runtime is refused: contracts run in V8\n\S+:3: option http-keep-alive is true or false, not "maybe"\n\S+:4: unknown option nothing;[^\n]+$/,
      )
    config('[http]\nhttp-threads = 1\n[a.]\nhttp-threads = 1\n[\n')
    expect(() => parse())
      .throw(OptionError)
      .property('message')
      .match(
        /^\S+:2: unknown option http\.http-threads;[^\n]+\n\S+:4: unknown option a\.http-threads;[^\n]+\n\S+:5: expected[^\n]+$/,
      )
    config('genesis-json = x\n')
    expect(() => parse()).throw(OptionError, /config\.ini:1: genesis-json is for the command line/)
  })

  it('reports all errors together, each with its place', () => {
    config(
      'plugin = eosio::resource_monitor_plugin\nplugin = eosio::net_plugin\n' +
        'plugin = history_plugin, what\npeer-log-format = x\n',
    )
    const argv = ['--wasm-runtime', 'eos-vm', '--plugin', 'eosio::wallet_plugin', '--nothing', '1']
    const told = messageOf(() => parse(...argv, '--net-threads=2', '-p', 'alice'))
    expect(told.replaceAll(join(folder, 'config.ini'), 'config.ini').split('\n')).deep.equal([
      'command line: option wasm-runtime is refused: contracts run in V8',
      'command line: plugin eosio::wallet_plugin is refused: it belongs to the wallet keosd',
      'command line: unknown option nothing; --help lists every option',
      'command line: option net-threads is refused: peers share one thread with the chain, and all are looked after at once',
      'config.ini:1: plugin eosio::resource_monitor_plugin is refused: watch the disk from outside; a node that cannot write ends',
      'config.ini:3: plugin history_plugin is refused: this node has no history API',
      'config.ini:3: plugin what is refused: the reference has no plugin of this name',
      'config.ini:4: option peer-log-format is refused: log lines about a peer have its number and its name; see log-format',
    ])
  })

  function messageOf(action: () => unknown): string {
    try {
      action()
    } catch (error) {
      expect(error).instanceOf(OptionError)
      return (error as Error).message
    }
    throw new Error('nothing was wrong')
  }

  it('--help names every option and every refused one', () => {
    const text = helpText('1.2.3')
    for (const { name } of OPTIONS) expect(text).contain(`--${name}`)
    for (const name of REFUSED.keys()) expect(text).contain(name)
  })

  it('no option is both offered and refused', () => {
    for (const { name } of OPTIONS) expect(REFUSED.has(name), name).equal(false)
  })

  it('no message contains a misplaced private key', () => {
    const key = '5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3'
    config(`${key} = EOS6MR\n`)
    for (const argv of [
      [],
      [key],
      [`-s${key}`],
      [`--${key}`],
      ['--http-keep-alive', key],
      ['--greylist-limit', `PVT_K1_${key}`],
      ['--config', `/no/${key}`],
      ['-p', key],
      ['--key-blacklist', key],
      ['--signature-provider', key],
    ]) {
      expect(() => parse(...argv), argv.join(' '))
        .throw(OptionError)
        .property('message')
        .include('(private key)')
        .and.not.include(key.slice(1))
    }
  })

  it('reports wrong values of all options together, each with its place', () => {
    config(
      'signature-provider = EOS6=KEY:5K\nactor-blacklist = Bob\nread-mode = tail\n' +
        'http-server-address = nonsense\nproducer-name = alice\n',
    )
    const file = join(folder, 'config.ini')
    const argv = ['--key-blacklist', 'EOS6', 'EOS7', '--log-level', 'loud', '-p', 'Carol']
    let message = ''
    try {
      parse(...argv)
    } catch (error) {
      message = (error as OptionError).message
    }
    const lines = message.split('\n').map((line) => line.replace(/(?<=\w: \S+ \S+): .*/, ''))
    expect(lines).deep.equal([
      'command line: key-blacklist EOS6',
      'command line: key-blacklist EOS7',
      'command line: option log-level is error, warn, info, or debug, not "loud"',
      'command line: producer-name Carol',
      `${file}:1: signature-provider EOS6`,
      `${file}:2: actor-blacklist Bob`,
      `${file}:3: option read-mode is head, speculative, or irreversible, not "tail"`,
      `${file}:4: http-server-address "nonsense" is not an address; write HOST:PORT, [IPV6]:PORT or a socket path`,
    ])
  })

  it('--print-default-config explains every option of a config file, and sets none', () => {
    const text = printDefaultConfig()
    for (const { name, commandLineOnly } of OPTIONS) {
      if (!commandLineOnly) expect(text).match(new RegExp(`^# ${name} =`, 'm'))
    }
    expect(text)
      .match(/^# http-keep-alive = true$/m)
      .and.match(/^# contracts-console = false$/m)
    config(text)
    expect(printConfig(parse())).equal(printConfig(parseOptions([])))
    config(text.replaceAll(/^# ([a-z0-9-]+ = \S+)$/gm, '$1'))
    expect(parse().integer('greylist-limit')).equal(1000)
  })

  it('--print-config can be read back, and hides private keys', () => {
    const provider = `${DEVELOPMENT_PUBLIC_KEY}=KEY:${DEVELOPMENT_PRIVATE_KEY}`
    const text = printConfig(parse('--signature-provider', provider, '-p', 'alice'))
    expect(text)
      .contain('producer-name = alice')
      .and.match(/^# signature-provider = .*\(hidden\)$/m)
    expect(text).not.contain(DEVELOPMENT_PRIVATE_KEY.slice(1))
    config(text)
    expect(parse().list('producer-name')).deep.equal(['alice'])
  })
})
