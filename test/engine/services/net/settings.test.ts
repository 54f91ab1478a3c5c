import { hostname } from 'node:os'
import { expect } from 'chai'
import { netSettings } from '../../../../src/engine/services/net/settings.ts'
import { privateKeyFromString, type PrivateKey } from '../../../../src/engine/crypto/keys.ts'
import { N } from '../../../../src/engine/protocol/name.ts'
import { OptionError, parseOptions } from '../../../../src/options/parse.ts'

const DEVELOPMENT_KEY = 'EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV'
const PRIVATE_KEY = '5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3'

function settings(
  argv: readonly string[],
  development = false,
  keys = new Map<string, PrivateKey>(),
  producers: readonly bigint[] = [],
) {
  const facts = {
    data_dir: '/',
    development,
    producers,
    signing_keys: keys,
    plugins: new Set<string>(),
  }
  return netSettings(parseOptions(['--data-dir', '/no-such-folder', ...argv]), facts)
}

function refusal(...argv: string[]): string {
  try {
    settings(argv)
  } catch (error) {
    if (error instanceof OptionError) return error.message
    throw error
  }
  return 'nothing is refused'
}

describe('settings of the network', () => {
  const listeners = (argv: string[], development = false) =>
    settings(argv, development).listeners.map(({ text, public_address }) => [text, public_address])

  it('defaults are those of the reference, but a development chain does not listen', () => {
    const { listeners: opened, ...rest } = settings([])
    expect(opened.length).equal(1)
    expect(rest).deep.equal({
      peers: [],
      producer_addresses: new Map(),
      gossip: new Map(),
      max_nodes_per_host: 1,
      max_clients: 25,
      accept_transactions: true,
      accept_votes: true,
      disable_block_nack: false,
      dedup_cache_expire_us: 10_000_000,
      keepalive_us: 10_000_000,
      connection_cleanup_us: 30_000_000,
      sync_fetch_span: 1000,
      sync_peer_limit: 3,
      agent_name: 'Pronghorn Agent',
      allowed: { any: true, producers: false, specified: false },
      peer_keys: new Set(),
      private_keys: [],
    })
    expect(listeners([])).deep.equal([['0.0.0.0:9876:0', `${hostname()}:9876`]])
    expect(listeners([], true)).deep.equal([])
    expect(listeners(['--p2p-listen-endpoint='])).deep.equal([])
    expect(listeners(['--p2p-listen-endpoint=a:1'], true)).deep.equal([['a:1', 'a:1']])
  })

  it('votes are not taken without threads for them, unless this node produces', () => {
    const accepts = (argv: string[], producers: bigint[] = []) =>
      settings(argv, false, new Map(), producers).accept_votes
    expect(accepts(['--vote-threads=4'])).equal(true)
    expect(accepts(['--vote-threads=0'])).equal(false)
    expect(accepts(['--vote-threads=0'], [1n])).equal(true)
  })

  it('listeners are sorted and each is opened once, with the addresses that peers see', () => {
    const argv = ['b:2:trx', 'a:1:blk:5KB/s', 'b:2:trx'].map((a) => `--p2p-listen-endpoint=${a}`)
    expect(listeners([...argv, '--p2p-server-address=public.example:1'])).deep.equal([
      ['a:1:blk:5KB/s', 'public.example:1'],
      ['b:2:trx', 'b:2:trx'],
    ])
    const [first] = settings(argv).listeners
    expect(first!.address).deep.equal({ host: 'a', port: '1', type: 'blk', rate_limit: 5000 })
    expect(listeners(['--p2p-listen-endpoint=[::]:9876:trx'])).deep.equal([
      ['[::]:9876:trx', `${hostname()}:9876:trx`],
    ])
  })

  it('keys are read with and without quotes', () => {
    const { peer_keys, private_keys, allowed } = settings([
      '--allowed-connection=producers',
      '--allowed-connection=specified',
      `--peer-key="${DEVELOPMENT_KEY}"`,
      `--peer-key=${DEVELOPMENT_KEY}`,
      `--peer-private-key=["${DEVELOPMENT_KEY}","${PRIVATE_KEY}"]`,
    ])
    expect([peer_keys.size, private_keys.length]).deep.equal([1, 1])
    expect(allowed).deep.equal({ any: false, producers: true, specified: true })
    const none = { any: false, producers: false, specified: false }
    const of = (...kinds: string[]) =>
      settings(kinds.map((kind) => `--allowed-connection=${kind}`)).allowed
    expect(of('none')).deep.equal(none)
    // It undoes those before it.
    expect(of('any', 'none')).deep.equal(none)
    expect(of('any', 'none', 'producers')).deep.equal({ ...none, producers: true })
  })

  it('what is wrong is refused with the option', () => {
    expect(refusal('--p2p-listen-endpoint=a')).match(/^p2p-listen-endpoint a: Invalid address/)
    expect(refusal('--p2p-listen-endpoint=a:70000')).match(/the port is not a number up to 65535/)
    expect(refusal('--p2p-listen-endpoint=a:98x6:trx')).match(
      /the port is not a number up to 65535/,
    )
    expect(refusal('--p2p-peer-address=a')).match(/^Invalid p2p-peer-address a, syntax/)
    expect(
      refusal('--p2p-listen-endpoint=a:1', '--p2p-server-address=a:1', '--p2p-server-address=b:2'),
    ).match(/more times than p2p-listen-endpoint/)
    expect(refusal('--allowed-connection=specified')).match(/At least one peer-key/)
    expect(refusal('--allowed-connection=all')).match(/not "all"/)
    expect(refusal('--peer-key=what')).match(/^peer-key what/)
    const pairs = [
      `["${DEVELOPMENT_KEY}"]`,
      `["${DEVELOPMENT_KEY}","${PRIVATE_KEY}","${PRIVATE_KEY}"]`,
      `["${DEVELOPMENT_KEY}",1]`,
      `{"0":"${DEVELOPMENT_KEY}","1":"${PRIVATE_KEY}","length":2}`,
      '"ab"',
    ]
    for (const pair of pairs) expect(refusal(`--peer-private-key=${pair}`)).match(/JSON array/)
    const secret = refusal(`--peer-private-key=["${PRIVATE_KEY}"]`)
    expect(secret).match(/^peer-private-key with its key/)
    expect(secret).not.contain(PRIVATE_KEY)
    expect(refusal(`--agent-name=${'a'.repeat(385)}`)).match(/agent-name too long/)
    // Two bytes each.
    expect(refusal(`--agent-name=${'é'.repeat(193)}`)).match(/agent-name too long/)
    expect(settings([`--agent-name=${'a'.repeat(384)}`]).agent_name).have.length(384)
    const host = (length: number) => `${'a'.repeat(length - 2)}:1`
    const server = (text: string) => ['--p2p-listen-endpoint=a:1', `--p2p-server-address=${text}`]
    expect(refusal(...server('a'))).match(/^Invalid p2p-server-address a, syntax/)
    expect(refusal(...server(host(290)))).match(/p2p-server-address a+:1 too long/)
    expect(listeners(server(host(289)))).deep.equal([['a:1', host(289)]])
    expect(() => parseOptions(['--net-threads=1'])).throw(OptionError, /is refused/)
  })

  it('addresses of block producers are read, and wrong ones refused', () => {
    const { producer_addresses } = settings([
      '--p2p-auto-bp-peer=proda,a.example:9876:blk',
      '--p2p-auto-bp-peer=prodb,[::1]:9877',
    ])
    expect([...producer_addresses]).deep.equal([
      [N('proda'), { host: 'a.example', port: '9876', type: 'blk' }],
      [N('prodb'), { host: '::1', port: '9877', type: '' }],
    ])
    const keys = new Map([['', privateKeyFromString(PRIVATE_KEY)]])
    const gossip = ['proda,a:1,10.0.0.1', 'proda, a:2 , [::1]', 'prodb,b:1,10.0.0.1']
    expect([
      ...settings(
        gossip.map((text) => `--p2p-bp-gossip-endpoint=${text}`),
        false,
        keys,
      ).gossip,
    ]).deep.equal([
      [
        N('proda'),
        [
          { server_endpoint: 'a:1', outbound_ip_address: '10.0.0.1' },
          { server_endpoint: 'a:2', outbound_ip_address: '[::1]' },
        ],
      ],
      [N('prodb'), [{ server_endpoint: 'b:1', outbound_ip_address: '10.0.0.1' }]],
    ])
    const auto = (text: string, ...more: string[]) => refusal(`--p2p-auto-bp-peer=${text}`, ...more)
    expect(auto('proda')).match(/^p2p-auto-bp-peer proda must consist of an account name and/)
    expect(auto('PRODA,a:1')).match(/^The account PRODA supplied by --p2p-auto-bp-peer option/)
    expect(auto('proda,a')).match(/^Invalid p2p-auto-bp-peer a, syntax/)
    expect(auto('proda,a:1', '--p2p-peer-address=a:1')).match(/^"a:1" should only appear in either/)
    const wrong: Record<string, RegExp> = {
      proda: /must consist of bp-account-name/,
      'proda,a:1': /must consist of bp-account-name/,
      'PRODA,a:1,10.0.0.1': /^The account PRODA/,
      'proda,a,10.0.0.1': /inbound server endpoint a, syntax host:port/,
      'proda,a:1:trx,10.0.0.1': /inbound server endpoint a:1:trx/,
      'proda,a:1,here': /outbound ip address here, syntax/,
      'proda,a:1,10.0.0.1': /^signature-provider of associated key required/,
    }
    for (const [text, message] of Object.entries(wrong)) {
      expect(refusal(`--p2p-bp-gossip-endpoint=${text}`)).match(message)
    }
    const more = (...texts: string[]) =>
      refusal(...texts.map((t) => `--p2p-bp-gossip-endpoint=${t}`))
    expect(more('proda,a:1,10.0.0.1', 'proda,a:2,10.0.0.1')).match(/outbound ip address: 10.0.0.1/)
    expect(more('proda,a:1,10.0.0.1', 'proda,a:1,10.0.0.2')).match(/inbound server endpoint: a:1/)
    const nine = Array.from({ length: 9 }, (_, i) => `proda,a:${i + 1},10.0.0.${i}`)
    expect(more(...nine)).match(/^Too many p2p-bp-gossip-endpoint for proda, max 8/)
  })
})
