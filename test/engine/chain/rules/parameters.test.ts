import { expect } from 'chai'
import {
  getBlockchainParameters,
  getParametersPacked,
  getWasmParameters,
  setBlockchainParameters,
  setParametersPacked,
  setWasmParameters,
  validateChainConfig,
  validateWasmConfig,
} from '../../../../src/engine/chain/rules/parameters.ts'
import {
  DEFAULT_CHAIN_CONFIG,
  DEFAULT_WASM_CONFIG,
  packChainConfigV0,
  packWasmConfig,
} from '../../../../src/engine/protocol/config.ts'
import type { ChainConfig, WasmConfig } from '../../../../src/engine/protocol/config.ts'
import { Writer } from '../../../../src/engine/protocol/writer.ts'
import { RuleChain } from '../support/rule_chain.ts'

function packed(write: (w: Writer) => void): Uint8Array {
  const writer = new Writer()
  write(writer)
  return writer.bytes()
}

describe('chain parameters', () => {
  const refused: [Partial<ChainConfig>, string][] = [
    [{ target_block_net_usage_pct: 10_001 }, 'net usage percentage cannot exceed 100%'],
    [{ target_block_net_usage_pct: 9 }, 'net usage percentage must be at least 0.1%'],
    [{ target_block_cpu_usage_pct: 10_001 }, 'cpu usage percentage cannot exceed 100%'],
    [{ target_block_cpu_usage_pct: 9 }, 'cpu usage percentage must be at least 0.1%'],
    [{ max_block_net_usage: 524_288n }, 'net usage must be less than max block net usage'],
    [{ max_block_cpu_usage: 150_000 }, 'cpu usage must be less than max block cpu usage'],
    [{ base_per_transaction_net_usage: 524_288 }, 'base net usage per transaction must be less'],
    [{ max_transaction_net_usage: 10_251 }, 'must be at least 10240 bytes larger'],
    [{ context_free_discount_net_usage_den: 0 }, 'cannot have a 0 denominator'],
    [{ context_free_discount_net_usage_num: 101 }, 'cannot exceed 1'],
    [{ min_transaction_cpu_usage: 150_001 }, 'min transaction cpu usage cannot exceed max'],
    [{ min_transaction_cpu_usage: 50_000 }, 'must be at less than the difference'],
    [{ max_authority_depth: 0 }, 'max authority depth should be at least 1'],
    [{ max_action_return_value_size: 20 * 1024 * 1024 + 1 }, 'max action return value size'],
  ]

  it('are refused where they would stop the chain, each with its reason', () => {
    validateChainConfig(DEFAULT_CHAIN_CONFIG)
    for (const [change, reason] of refused) {
      expect(() => validateChainConfig({ ...DEFAULT_CHAIN_CONFIG, ...change })).to.throw(reason)
    }
    validateChainConfig({
      ...DEFAULT_CHAIN_CONFIG,
      max_transaction_net_usage: 10_252,
      min_transaction_cpu_usage: 49_999,
      max_action_return_value_size: 20 * 1024 * 1024,
    })
  })

  it('keep at least this much of each WASM limit', () => {
    const minimums: Partial<WasmConfig> = {
      max_section_elements: 4,
      max_func_local_bytes: 8,
      max_nested_structures: 1,
      max_symbol_bytes: 32,
      max_module_bytes: 256,
      max_code_bytes: 32,
      max_pages: 1,
      max_call_depth: 2,
    }
    validateWasmConfig({ ...DEFAULT_WASM_CONFIG, ...minimums })
    for (const [name, minimum] of Object.entries(minimums)) {
      expect(() => validateWasmConfig({ ...DEFAULT_WASM_CONFIG, [name]: minimum - 1 })).to.throw(
        `${name} cannot be less than ${minimum}`,
      )
    }
  })

  it('are got and set as version 0 without touching later ones', () => {
    const chain = new RuleChain()
    const configuration = () => chain.db.global_property.single().configuration
    const later = configuration().max_action_return_value_size
    const change = { ...DEFAULT_CHAIN_CONFIG, max_authority_depth: 9 }
    const bytes = packed((w) => packChainConfigV0(w, change))
    setBlockchainParameters(chain.db, bytes)
    expect(configuration()).to.include({
      max_authority_depth: 9,
      max_action_return_value_size: later,
    })
    expect(getBlockchainParameters(chain.db)).to.deep.equal(bytes)
    expect(() => setBlockchainParameters(chain.db, bytes.subarray(1))).to.throw()
    expect(configuration().max_authority_depth).to.equal(9)
  })

  it('are got and set by number, each once, the last one with its feature', () => {
    const chain = new RuleChain()
    const ids = (...numbers: number[]) =>
      packed((w) => w.array(numbers, (writer, id) => writer.varuint32(id)))
    expect(getParametersPacked(chain, ids(16, 0))).to.deep.equal(
      packed((w) => {
        w.varuint32(2)
        w.varuint32(16)
        w.u16(6)
        w.varuint32(0)
        w.u64(1_048_576n)
      }),
    )
    expect(() => getParametersPacked(chain, ids(18))).to.throw(
      'provided id 18 should be less than 18',
    )
    expect(() => getParametersPacked(chain, ids(3, 3))).to.throw('duplicate id provided: 3')
    expect(() => getParametersPacked(chain, ids(17))).to.throw('config id 17 is no allowed')

    const set = packed((w) => {
      w.varuint32(1)
      w.varuint32(17)
      w.u32(1000)
    })
    expect(() => setParametersPacked(chain, set)).to.throw('config id 17 is no allowed')
    chain.features.add('ACTION_RETURN_VALUE')
    setParametersPacked(chain, set)
    expect(chain.db.global_property.single().configuration.max_action_return_value_size).to.equal(
      1000,
    )
    const bad = packed((w) => {
      w.varuint32(1)
      w.varuint32(16)
      w.u16(0)
    })
    expect(() => setParametersPacked(chain, bad)).to.throw('max authority depth')
    // A count that the bytes do not keep.
    expect(() =>
      setParametersPacked(
        chain,
        packed((w) => w.varuint32(0xffffffff)),
      ),
    ).to.throw()
    expect(chain.db.global_property.single().configuration.max_authority_depth).to.equal(6)
  })

  it('include the WASM limits, under version 0', () => {
    const { db } = new RuleChain()
    const config = { ...DEFAULT_WASM_CONFIG, max_pages: 100 }
    const bytes = packed((w) => packWasmConfig(w, config))
    setWasmParameters(
      db,
      packed((w) => [w.u32(0), w.raw(bytes)]),
    )
    expect(getWasmParameters(db)).to.deep.equal(bytes)
    expect(() =>
      setWasmParameters(
        db,
        packed((w) => w.u32(1)),
      ),
    ).to.throw('Unknown version: 1')
    // Lengths are those of the whole.
    const short = packed((w) => [w.u32(0), w.raw(bytes.subarray(0, 42))])
    expect(() => setWasmParameters(db, short)).to.throw('read datastream of length 46 over by -1')
    const version = short.subarray(0, 3)
    expect(() => setWasmParameters(db, version)).to.throw('read datastream of length 3 over by -2')
  })
})
