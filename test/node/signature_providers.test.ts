import { expect } from 'chai'
import { blsPublicKeyFromString, toHex } from '../../src/engine/index.ts'
import { nodeSettings } from '../../src/node/engine_settings.ts'
import {
  DEVELOPMENT_BLS_PRIVATE_KEY,
  DEVELOPMENT_BLS_PUBLIC_KEY,
  DEVELOPMENT_PRIVATE_KEY,
  DEVELOPMENT_PUBLIC_KEY,
} from '../../src/node/development.ts'
import { OptionError, parseOptions } from '../../src/options/parse.ts'

const BLS = `${DEVELOPMENT_BLS_PUBLIC_KEY}=KEY:${DEVELOPMENT_BLS_PRIVATE_KEY}`
const K1 = `${DEVELOPMENT_PUBLIC_KEY}=KEY:${DEVELOPMENT_PRIVATE_KEY}`
/** spring: another key of tests/p2p_no_blocks_test_shape.json */
const OTHER_BLS_PRIVATE_KEY = 'PVT_BLS_TvIkGjiwy3b5k9yc6YnwHPQp1n_9x8yP4mZQl5Ke1yvp2_vv'

describe('node: keys of finalizers', () => {
  const engine = (...argv: string[]) =>
    nodeSettings(parseOptions(['--data-dir', '/nowhere', ...argv]), '1.2.3', 0).engine
  const finalizers = (...argv: string[]) => [...engine(...argv).finalizer_keys.keys()]
  const development = [toHex(blsPublicKeyFromString(DEVELOPMENT_BLS_PUBLIC_KEY))]

  it('are given beside those of producers', () => {
    const given = engine('-p', 'alice', '--signature-provider', BLS, '--signature-provider', K1)
    expect([...given.finalizer_keys.keys()]).deep.equal(development)
    expect(given.services.production.signing_keys.size).equal(1)
    const alone = engine('-p', 'alice', '--signature-provider', BLS)
    expect(alone.services.production.signing_keys.size).equal(0)
  })

  it('are the well-known one on a development chain, and none elsewhere', () => {
    expect(finalizers()).deep.equal(development)
    expect(finalizers('--signature-provider', K1)).deep.equal(development)
    expect(finalizers('-p', 'alice')).deep.equal([])
    expect(finalizers('--genesis-timestamp', 'now')).deep.equal([])
  })

  it('start Savanna only on a new chain', () => {
    expect(engine().savanna_from_start).equal(true)
    expect(engine('-p', 'eosio').savanna_from_start).equal(false)
    expect(engine('--genesis-timestamp', 'now').savanna_from_start).equal(false)
  })

  it('have their safety file in the data folder, or where it is said', () => {
    expect(engine().finalizers_dir).equal('/nowhere/finalizers')
    expect(engine('--finalizers-dir', 'f').finalizers_dir).equal('/nowhere/f')
    expect(engine('--finalizers-dir', '/f').finalizers_dir).equal('/f')
  })

  it('that are wrong are refused in plain words, which have no private key', () => {
    const key = DEVELOPMENT_PRIVATE_KEY
    const wrong: [string, RegExp][] = [
      ['EOS6=KEY:5K', /^command line: signature-provider EOS6: this is not a whole public key$/],
      [
        `EOS6=KEY:${key}`,
        /^command line: signature-provider EOS6: this is not a whole public key$/,
      ],
      [key, /"…": it does not begin with a public key \(EOS… or PUB_…\); write PUBLIC_KEY=KEY:/],
      [DEVELOPMENT_PUBLIC_KEY, /there is no = after the public key; write/],
      [`${DEVELOPMENT_PUBLIC_KEY}=${key}`, /there is no KEY: after the =; write/],
      [`${DEVELOPMENT_PUBLIC_KEY}=KEY:`, /there is no private key after KEY:; write/],
      [`${DEVELOPMENT_PUBLIC_KEY}=KEY:5K`, /what follows KEY: is not a whole private key of this/],
      [
        `${DEVELOPMENT_PUBLIC_KEY}=KEOSD:http:\/\/127.0.0.1`,
        /kind KEOSD is refused, because this node/,
      ],
      [`${DEVELOPMENT_PUBLIC_KEY}=SE:x`, /a provider of the kind SE is refused/],
    ]
    for (const [spec, message] of wrong) {
      expect(() => engine('-p', 'alice', '--signature-provider', spec), spec)
        .throw(OptionError, message)
        .property('message')
        .not.match(/5K|c\.size|expr|!=/)
    }
  })

  it('are refused when they are not keys, or not of each other; no message has the private key', () => {
    for (const [spec, message] of [
      [
        `${DEVELOPMENT_BLS_PUBLIC_KEY}=KEY:${OTHER_BLS_PRIVATE_KEY}`,
        'belongs to another public key',
      ],
      [`${DEVELOPMENT_BLS_PUBLIC_KEY}=KEY:${DEVELOPMENT_PRIVATE_KEY}`, 'signature-provider'],
      [`${DEVELOPMENT_BLS_PUBLIC_KEY}x=KEY:${DEVELOPMENT_BLS_PRIVATE_KEY}`, 'signature-provider'],
      [`${DEVELOPMENT_BLS_PUBLIC_KEY}=${DEVELOPMENT_BLS_PRIVATE_KEY}`, 'write PUBLIC_KEY=KEY'],
    ] as const) {
      expect(() => engine('--signature-provider', spec))
        .throw(OptionError, message)
        .property('message')
        .not.match(/PVT_BLS|5KQwrP/)
    }
  })
})
