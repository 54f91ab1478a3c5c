/** What changes with a feature, before and after, where no other test shows it. */
import { expect } from 'chai'
import { GENESIS_INTRINSICS } from '../../../../../src/engine/chain/rules/features/genesis_intrinsics.ts'
import { FEATURE_SPECS } from '../../../../../src/engine/protocol/features.ts'
import { N } from '../../../../../src/engine/protocol/name.ts'
import { HOST_FUNCTIONS } from '../../../../../src/engine/vm/host/table.ts'
import type { BuiltinFeatureName } from '../../../../../src/engine/protocol/features.ts'
import { WasmRuntime } from '../../../../../src/engine/vm/runtime.ts'
import { NO_RESULT } from '../../../../../src/engine/vm/wasm/module.ts'
import { I64, assemble } from '../../../vm/assembler.ts'
import type { TestFunction } from '../../../vm/assembler.ts'
import { Harness, action, setCodeAction } from '../../support/harness.ts'

const specOf = (name: BuiltinFeatureName) => FEATURE_SPECS.find((spec) => spec.name === name)!

/** What must be active before a feature, in order. */
function dependenciesOf(name: BuiltinFeatureName): BuiltinFeatureName[] {
  const direct = specOf(name).dependencies.flatMap((d) => [...dependenciesOf(d), d])
  const first = name === 'PREACTIVATE_FEATURE' ? [] : (['PREACTIVATE_FEATURE'] as const)
  return [...new Set([...first, ...direct])]
}

const APPLY: [number[], number[]] = [[I64, I64, I64], []]
const IDLE: TestFunction = { type: 0, code: [] }

/** A contract that imports one host function and does nothing. */
function importing(name: string): Uint8Array {
  const { params, result } = HOST_FUNCTIONS.get(name)!.type
  const type: [number[], number[]] = [params, result === NO_RESULT ? [] : [result]]
  return assemble({ types: [APPLY, type], imports: [[name, 1]], functions: [IDLE] })
}

/** Usage of an account in this window, NET and CPU. */
function usageOf(chain: Harness, account: string): [net: bigint, cpu: bigint] {
  const { net_usage, cpu_usage } = chain.db.resource_usage.get('by_owner', N(account))
  return [net_usage.value_ex, cpu_usage.value_ex]
}

describe('features and what they change', () => {
  for (const { name, intrinsics } of FEATURE_SPECS) {
    if (intrinsics.length === 0) continue
    it(`${name} lets contracts import ${intrinsics.length} functions`, () => {
      const features = dependenciesOf(name)
      const chain = new Harness({ runtime: new WasmRuntime(), features })
      chain.createAccount('contract')
      for (const intrinsic of intrinsics) {
        const set = setCodeAction('contract', importing(intrinsic))
        const trace = chain.fails([set], 'wasm_serialization_error')
        expect(trace.except!.message).to.equal(`env.${intrinsic} unresolveable`)
      }
      chain.activate(name)
      for (const intrinsic of intrinsics) chain.setCode('contract', importing(intrinsic))
    })
  }

  it('the functions of the genesis and of the features are those that there are, each once', () => {
    const names = [...GENESIS_INTRINSICS, ...FEATURE_SPECS.flatMap(({ intrinsics }) => intrinsics)]
    expect(names.sort()).deep.equal([...HOST_FUNCTIONS.keys()].sort())
  })

  it('ONLY_BILL_FIRST_AUTHORIZER: other signers pay nothing', () => {
    const chain = new Harness({ features: ['PREACTIVATE_FEATURE'] })
    chain.createAccount('alice', 'bob')
    const both = () => chain.ok([action('alice', 'idle', 'bob@active,alice@active')])
    both()
    const [alice, bob] = [usageOf(chain, 'alice'), usageOf(chain, 'bob')]
    expect(alice).to.deep.equal(bob)
    expect(alice[0] > 0n && alice[1] > 0n).to.equal(true)
    chain.activate('ONLY_BILL_FIRST_AUTHORIZER')
    both()
    expect(usageOf(chain, 'alice')).to.deep.equal(alice)
    expect(usageOf(chain, 'bob')[0] > bob[0]).to.equal(true)
  })

  it('FORWARD_SETCODE: the system contract sees setcode', () => {
    const chain = new Harness({ features: ['PREACTIVATE_FEATURE'] })
    chain.createAccount('alice')
    chain.setScript('eosio', (ctx) => ctx.consoleAppend('seen'))
    const consoleOf = (code: string) =>
      chain.ok([setCodeAction('alice', Buffer.from(code))]).action_traces[0]!.console
    expect(consoleOf('one')).to.equal('')
    // Other native actions were always seen.
    chain.createAccount('bob')
    chain.activate('FORWARD_SETCODE')
    expect(consoleOf('two')).to.equal('seen')
  })

  it('ACTION_RETURN_VALUE: the digest of an action covers what it returns', () => {
    const digests = ['one', 'two'].map((value) => {
      const chain = new Harness({ features: ['PREACTIVATE_FEATURE'] })
      chain.createAccount('contract')
      chain.setScript('contract', (ctx) => ctx.setActionReturnValue(Buffer.from(value)))
      const digest = () => {
        const { receipt } = chain.ok([action('contract', 'go', 'contract@active')])
          .action_traces[0]!
        return Buffer.from(receipt!.act_digest).toString('hex')
      }
      const before = digest()
      chain.activate('ACTION_RETURN_VALUE')
      return [before, digest()]
    })
    expect(digests[0]![0]).to.equal(digests[1]![0])
    expect(digests[0]![1]).to.not.equal(digests[1]![1])
  })

  it('CONFIGURABLE_WASM_LIMITS2: the limits of code are those of the configuration', () => {
    const features = dependenciesOf('CONFIGURABLE_WASM_LIMITS2')
    const chain = new Harness({ runtime: new WasmRuntime(), features })
    chain.createAccount('contract')
    const pages = (initial: number) => assemble({ memory: { initial }, functions: [IDLE] })
    const limit = (max_pages: number) =>
      chain.db.global_property.modify(chain.db.global_property.single(), (row) => {
        row.wasm_configuration.max_pages = max_pages
      })
    limit(600)
    chain.setCode('contract', pages(528))
    chain.fails([setCodeAction('contract', pages(529))], 'wasm_execution_error')
    chain.activate('CONFIGURABLE_WASM_LIMITS2')
    limit(600)
    chain.setCode('contract', pages(529))
    limit(40)
    chain.fails([setCodeAction('contract', pages(41))], 'wasm_serialization_error')
    chain.setCode('contract', pages(40))
  })
})
