import { expect } from 'chai'
import { parseAddress } from '../../src/node/address.ts'
import { serverOptions } from '../../src/node/server_settings.ts'
import { OptionError, parseOptions } from '../../src/options/parse.ts'
import { CATEGORIES } from '../../src/server/index.ts'

const FOLDER = '/no/such/folder'
const BY_CATEGORY = '--http-server-address=http-category-address'

const server = (...argv: string[]) =>
  serverOptions(parseOptions(['--data-dir', FOLDER, ...argv]), FOLDER)
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
      expect(parseAddress(text, FOLDER)).deep.equal(address)
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
      expect(() => parseAddress(text, FOLDER)).throw(OptionError, `"${text}" is no address`)
    })
  }

  it('one address serves everything unless told otherwise', () => {
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
      { address: { host: '127.0.0.1', port: 8080 }, categories: ['node', 'chain_ro', 'chain_rw'] },
      { address: { path: '/no/such/folder/producer.sock' }, categories: ['node', 'producer_rw'] },
    ])
  })

  const wrong: [string, string[], RegExp][] = [
    [
      'categories beside an address for everything',
      ['--http-category-address=chain_ro,127.0.0.1:1'],
      /needs --http-server-address=http-category-address/,
    ],
    [
      'a category that is none',
      [BY_CATEGORY, '--http-category-address=net_ro,:1'],
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
      'an address that is none',
      [BY_CATEGORY, '--http-category-address=chain_ro,x'],
      /is no address/,
    ],
    [
      'a port with two hosts',
      [
        BY_CATEGORY,
        '--http-category-address=chain_ro,127.0.0.1:1',
        '--http-category-address=chain_rw,localhost:1',
      ],
      /port 1 is asked for twice: 127.0.0.1, localhost/,
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

  it('-1 is no limit', () => {
    expect(server()).include({
      max_body_size: 2 * 2 ** 20,
      max_bytes_in_flight: 500 * 2 ** 20,
      max_requests_in_flight: Infinity,
      request_timeout_ms: 30_000,
      validate_host: true,
      verbose_errors: false,
    })
    expect(server('--http-max-bytes-in-flight-mb=-1').max_bytes_in_flight).equal(Infinity)
    expect(server('--http-max-in-flight-requests=3').max_requests_in_flight).equal(3)
  })
})
