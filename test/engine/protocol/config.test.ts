import { expect } from 'chai'
import { chainId } from '../../../src/engine/crypto/digests.ts'
import type { ChainConfig } from '../../../src/engine/protocol/config.ts'
import {
  CHAIN_CONFIG_FIELDS,
  DEFAULT_CHAIN_CONFIG,
  DEFAULT_WASM_CONFIG,
  packChainConfig,
  packChainConfigV0,
  packWasmConfig,
  unpackChainConfig,
  unpackChainConfigV0,
  unpackWasmConfig,
} from '../../../src/engine/protocol/config.ts'
import {
  defaultGenesis,
  genesisFromJson,
  genesisToJson,
  packGenesis,
  unpackGenesis,
} from '../../../src/engine/protocol/genesis.ts'
import { toHex } from '../../../src/engine/protocol/hex.ts'
import { Reader } from '../../../src/engine/protocol/reader.ts'
import { packOne } from '../../../src/engine/protocol/writer.ts'
import { refusal } from '../refusal.ts'

describe('chain configuration', () => {
  it('gives the same fields from its bytes, in both versions', () => {
    const numbered = { ...DEFAULT_CHAIN_CONFIG } as unknown as Record<string, number | bigint>
    CHAIN_CONFIG_FIELDS.forEach(([name, type], i) => {
      numbered[name] = type === 'u64' ? BigInt(i) : i
    })
    const config = numbered as unknown as ChainConfig
    const v1 = packOne(packChainConfig, config)
    const v0 = packOne(packChainConfigV0, config)
    expect(v1.length).to.equal(8 + 14 * 4 + 2 * 2 + 4)
    expect(toHex(v1.subarray(0, v0.length))).to.equal(toHex(v0))
    expect(unpackChainConfig(new Reader(v1))).to.deep.equal(config)
    const read = unpackChainConfigV0(new Reader(v0))
    expect(read).to.not.have.property('max_action_return_value_size')
    expect({ ...read, max_action_return_value_size: 17 }).to.deep.equal(config)
  })

  it('of WASM gives the same fields from its bytes', () => {
    const bytes = packOne(packWasmConfig, DEFAULT_WASM_CONFIG)
    expect(bytes.length).to.equal(44)
    expect(unpackWasmConfig(new Reader(bytes))).to.deep.equal(DEFAULT_WASM_CONFIG)
  })
})

describe('genesis', () => {
  it('gives the same fields from bytes and JSON', () => {
    const genesis = defaultGenesis()
    const bytes = packOne(packGenesis, genesis)
    expect(unpackGenesis(new Reader(bytes))).to.deep.equal(genesis)
    expect(genesisFromJson(genesisToJson(genesis))).to.deep.equal(genesis)
    expect(genesisFromJson({})).to.deep.equal(genesis)
  })

  it('of the reference has the chain id that everyone’s default chain has', () => {
    // The inline action size of older defaults.
    const genesis = genesisFromJson({ initial_configuration: { max_inline_action_size: 4096 } })
    expect(toHex(chainId(genesis))).to.equal(
      'cf057bbfb72640471fd910bcb67639c22df9f92470936cddc1ade0e2f2e7dc4f',
    )
  })

  it('refuses JSON of other types', () => {
    const wrong: unknown[] = [
      null,
      [],
      'x',
      { initial_timestamp: 5 },
      { initial_key: 5 },
      { initial_configuration: 5 },
      { initial_configuration: { max_authority_depth: 1.5 } },
      { initial_configuration: { max_authority_depth: '' } },
    ]
    for (const json of wrong) {
      expect(
        refusal(() => genesisFromJson(json)),
        JSON.stringify(json),
      ).to.equal('bad_cast_exception')
    }
    const config = (value: unknown) => () =>
      genesisFromJson({ initial_configuration: { max_authority_depth: value } })
    expect(refusal(config(65536))).to.equal('overflow_exception')
    expect(refusal(config(-1))).to.equal('overflow_exception')
    expect(config('6')().initial_configuration.max_authority_depth).to.equal(6)
  })
})
