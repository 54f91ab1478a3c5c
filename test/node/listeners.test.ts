import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { parseAddress } from '../../src/engine/options/address.ts'
import { nodeSettings } from '../../src/node/engine_settings.ts'
import { serverOptions } from '../../src/node/server_settings.ts'
import { OptionError, parseOptions } from '../../src/options/parse.ts'
import { CATEGORIES } from '../../src/server/index.ts'
import { temporaryFolder } from '../support/node_process.ts'

const FOLDER = '/no/such/folder'
const BY_CATEGORY = '--http-server-address=http-category-address'

const server = (...argv: string[]) => {
  const values = parseOptions(['--data-dir', FOLDER, ...argv])
  return serverOptions(values, nodeSettings(values, '1.2.3', 0))
}
const listeners = (...argv: string[]) =>
  server(...argv).listeners.map(({ address, categories }) => ({
    address,
    categories: [...categories],
  }))

describe('node: addresses', () => {
  const right: [string, object][] = [
    ['127.0.0.1:8888', { host: '127.0.0.1', port: 8888 }],
    ['localhost:0', { host: 'localhost', port: 0 }],
    ['[::1]:65535', { host: '::1', port: 65535 }],
    [':8888', { host: '::', port: 8888 }],
    ['node.example:80', { host: 'node.example', port: 80 }],
    ['/run/node.sock', { path: '/run/node.sock' }],
    ['./node.sock', { path: '/no/such/folder/node.sock' }],
    ['../node.sock', { path: '/no/such/node.sock' }],
  ]
  for (const [text, address] of right) {
    it(`reads ${text}`, () => {
      expect(parseAddress('http-server-address', text, FOLDER)).deep.equal(address)
    })
  }

  for (const text of [
    '',
    '8888',
    'host',
    'host:',
    'host:x',
    'host:65536',
    '::1:80',
    '[::1]',
    'a:b:1',
  ]) {
    it(`refuses "${text}"`, () => {
      expect(() => parseAddress('http-server-address', text, FOLDER)).throw(
        OptionError,
        `http-server-address "${text}" is not an address`,
      )
    })
  }

  it('one address serves everything by default', () => {
    const everything = [...CATEGORIES]
    expect(listeners()).deep.equal([
      { address: { host: '127.0.0.1', port: 8888 }, categories: everything },
    ])
    expect(listeners('--http-server-address=', '--unix-socket-path=x.sock')).deep.equal([
      { address: { path: '/no/such/folder/x.sock' }, categories: everything },
    ])
    expect(listeners('--http-server-address=')).deep.equal([])
  })

  it('categories share an address where it is the same', () => {
    expect(
      listeners(
        BY_CATEGORY,
        '--http-category-address=chain_ro,127.0.0.1:8080',
        '--http-category-address=chain_rw,127.0.0.1:8080',
        '--http-category-address=producer_rw,./producer.sock',
      ),
    ).deep.equal([
      {
        address: { host: '127.0.0.1', port: 8080 },
        categories: ['node', 'chain_info', 'chain_ro', 'chain_rw'],
      },
      {
        address: { path: '/no/such/folder/producer.sock' },
        categories: ['node', 'chain_info', 'producer_rw'],
      },
    ])
  })

  const PLUGINS = ['chain', 'http', 'chain_api'].map((name) => `--plugin=eosio::${name}_plugin`)
  const categoriesOf = (...argv: string[]) => listeners(...argv).map((it) => it.categories)

  it('without a plugin line, everything is served but control, which is for this machine alone', () => {
    const control = ['producer_rw', 'snapshot', 'net_rw', 'dev']
    const open = CATEGORIES.filter((name) => !control.includes(name))
    for (const address of ['0.0.0.0:8888', ':8888', '192.168.1.5:80', 'node.example:80']) {
      expect(categoriesOf(`--http-server-address=${address}`), address).deep.equal([open])
    }
    for (const address of ['127.0.0.1:8888', '[::1]:8888', 'localhost:1']) {
      expect(categoriesOf(`--http-server-address=${address}`), address).deep.equal([CATEGORIES])
    }
    const both = categoriesOf('--http-server-address=:80', '--unix-socket-path=x.sock')
    expect(both).deep.equal([open, CATEGORIES])
    const by_name = categoriesOf(BY_CATEGORY, '--http-category-address=producer_rw,0.0.0.0:80')
    expect(by_name).deep.equal([['node', 'chain_info', 'producer_rw']])
  })

  it('the control over development chains is for loopback addresses alone, whatever is asked for', () => {
    const plugin = '--plugin=eosio::dev_api_plugin'
    expect(categoriesOf('--http-server-address=0.0.0.0:80', plugin)).deep.equal([['node']])
    expect(categoriesOf(plugin)).deep.equal([['node', 'dev']])
    const by_name = '--http-category-address=dev,127.0.0.1:80'
    expect(categoriesOf(BY_CATEGORY, by_name)).deep.equal([['node', 'chain_info', 'dev']])
    expect(() => listeners(BY_CATEGORY, '--http-category-address=dev,0.0.0.0:80')).throw(
      'dev is served only on loopback addresses',
    )
  })

  it('with plugin lines, what these plugins serve in the reference is served, and nothing else', () => {
    const chain_api = ['node', 'chain_info', 'chain_ro', 'chain_rw']
    const producer_api = ['node', 'producer_ro', 'producer_rw', 'snapshot']
    const open = '--http-server-address=0.0.0.0:8888'
    const served: [string[], string[]][] = [
      [['chain', 'http'], ['node']],
      [['chain', 'http', 'chain_api'], chain_api],
      [['chain_api'], chain_api],
      [['producer_api'], producer_api],
      [['net_api'], ['node', 'net_ro', 'net_rw']],
      [
        ['chain_api', 'producer_api'],
        [...chain_api, ...producer_api.slice(1)],
      ],
      [['db_size_api'], ['node', 'db_size']],
      [['prometheus'], ['node', 'prometheus']],
    ]
    for (const [names, categories] of served) {
      const argv = names.map((name) => `--plugin=eosio::${name}_plugin`)
      expect(categoriesOf(open, ...argv), names.join()).deep.equal([categories])
      expect(categoriesOf(...argv), names.join()).deep.equal([categories])
    }
    // In the reference nothing listens without the plugin http.
    for (const name of ['chain', 'producer', 'signature_provider']) {
      expect(listeners(open, `--plugin=${name}_plugin`), name).deep.equal([])
    }
  })

  it('the config.ini of a public API node serves the chain group alone', () => {
    const folder = temporaryFolder()
    try {
      const config = [
        'http-server-address = 0.0.0.0:8888',
        'access-control-allow-origin = *',
        'plugin = eosio::chain_plugin eosio::http_plugin',
        'plugin = eosio::chain_api_plugin',
      ]
      writeFileSync(join(folder.path, 'config.ini'), config.join('\n'))
      const values = parseOptions(['--data-dir', folder.path])
      const settings = nodeSettings(values, '1.2.3', 0)
      const [listener] = serverOptions(values, settings).listeners
      const categories = ['node', 'chain_info', 'chain_ro', 'chain_rw']
      expect([...listener!.categories]).deep.equal(categories)
      expect(settings).include({ development: false })
      expect(settings.producer_names).deep.equal([])
      expect(settings.idle_reason).include('plugin eosio::chain_plugin eosio::http_plugin is named')
    } finally {
      folder.remove()
    }
  })

  const wrong: [string, string[], RegExp][] = [
    [
      'a category whose plugin is not among those that are named',
      [...PLUGINS, BY_CATEGORY, '--http-category-address=producer_rw,127.0.0.1:1'],
      /^--plugin=eosio::producer_api_plugin is required for --http-category-address=producer_rw,127/,
    ],
    [
      'categories beside an address for everything',
      ['--http-category-address=chain_ro,127.0.0.1:1'],
      /needs --http-server-address=http-category-address/,
    ],
    [
      'an unknown category',
      [BY_CATEGORY, '--http-category-address=wallet,:1'],
      /categories: chain/,
    ],
    [
      'the category that is everywhere',
      [BY_CATEGORY, '--http-category-address=node,:1'],
      /write CAT/,
    ],
    [
      'a category without address',
      [BY_CATEGORY, '--http-category-address=chain_ro'],
      /write CATEGORY/,
    ],
    [
      'an invalid address',
      [BY_CATEGORY, '--http-category-address=chain_ro,x'],
      /is not an address/,
    ],
    [
      'a port with two hosts',
      [
        BY_CATEGORY,
        '--http-category-address=chain_ro,127.0.0.1:1',
        '--http-category-address=chain_rw,localhost:1',
      ],
      /port 1 is given twice: 127.0.0.1, localhost/,
    ],
  ]
  for (const [what, argv, message] of wrong) {
    it(`refuses ${what}`, () => {
      expect(() => listeners(...argv)).throw(OptionError, message)
    })
  }
})

describe('node: the server as the user wants it', () => {
  it('lets pages of any origin in on a development chain of this machine alone', () => {
    const open = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    expect(server().cors).deep.equal(open)
    expect(server('--http-server-address=[::1]:1').cors).deep.equal(open)
    expect(server('--http-server-address=:1').cors).deep.equal({})
    expect(server('--http-server-address=', '--unix-socket-path=x').cors).deep.equal(open)
    const mixed = [
      BY_CATEGORY,
      '--http-category-address=chain_ro,0.0.0.0:1',
      '--http-category-address=chain_rw,127.0.0.1:2',
    ]
    expect(server(...mixed).cors).deep.equal({})
    expect(server('--producer-name=alice').cors).deep.equal({})
    expect(server('--http-server-address=:1', '--access-control-allow-origin=x').cors).deep.equal({
      'access-control-allow-origin': 'x',
    })
  })

  it('-1 means no limit', () => {
    expect(server()).include({
      max_body_size: 2 * 2 ** 20,
      max_bytes_in_flight: 500 * 2 ** 20,
      max_requests_in_flight: Infinity,
      request_timeout_ms: 30_000,
      validate_host: true,
      verbose_errors: true,
    })
    expect(server('--http-max-bytes-in-flight-mb=-1').max_bytes_in_flight).equal(Infinity)
    expect(server('--http-max-in-flight-requests=3').max_requests_in_flight).equal(3)
  })
})
