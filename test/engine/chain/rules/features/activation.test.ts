import { expect } from 'chai'
import {
  activateFeature,
  checkProtocolFeatures,
  FeatureSet,
  preactivateFeature,
} from '../../../../../src/engine/chain/rules/features.ts'
import type { PreactivationContext } from '../../../../../src/engine/chain/rules/features.ts'
import { toHex } from '../../../../../src/engine/protocol/hex.ts'
import { N } from '../../../../../src/engine/protocol/name.ts'
import type { BuiltinFeatureName } from '../../../../../src/engine/protocol/features.ts'
import { refusalOf } from '../../../refusal.ts'
import { RuleChain } from '../../support/rule_chain.ts'

const set = new FeatureSet({
  GET_CODE_HASH: { enabled: false },
  GET_BLOCK_NUM: { earliest_allowed_activation_time: 2_000_000_000_000_000 },
})
const digest = (name: BuiltinFeatureName) => set.byName(name).digest
const UNKNOWN = new Uint8Array(32).fill(0xab)

function failure(f: () => void): [string, string] {
  const { errorName, message } = refusalOf(f)
  return [errorName, message]
}

describe('activation of protocol features', () => {
  const check = (digests: Uint8Array[], ...active: BuiltinFeatureName[]) => {
    const hexes = new Set(active.map((name) => set.digestHex(name)))
    checkProtocolFeatures(set, 1_000_000, (hex) => hexes.has(hex), digests)
  }

  it('is checked: known, enabled, due, new, and after what it depends on', () => {
    check([digest('DISABLE_DEFERRED_TRXS_STAGE_1'), digest('DISABLE_DEFERRED_TRXS_STAGE_2')])
    check([digest('DISABLE_DEFERRED_TRXS_STAGE_2')], 'DISABLE_DEFERRED_TRXS_STAGE_1')
    const stage_2 = set.digestHex('DISABLE_DEFERRED_TRXS_STAGE_2')
    const missing = `not all dependencies of protocol feature with digest '${stage_2}' have been activated`
    const protocol = 'protocol_feature_exception'
    expect(failure(() => check([digest('DISABLE_DEFERRED_TRXS_STAGE_2')]))).to.deep.equal([
      protocol,
      missing,
    ])
    // Its dependency comes too late.
    expect(
      failure(() =>
        check([digest('DISABLE_DEFERRED_TRXS_STAGE_2'), digest('DISABLE_DEFERRED_TRXS_STAGE_1')]),
      ),
    ).to.deep.equal([protocol, missing])
    expect(failure(() => check([UNKNOWN]))).to.deep.equal([
      protocol,
      `protocol feature with digest '${toHex(UNKNOWN)}' is unrecognized`,
    ])
    expect(failure(() => check([digest('GET_CODE_HASH')]))[1]).to.match(/' is disabled$/)
    expect(failure(() => check([digest('GET_BLOCK_NUM')]))[1]).to.match(
      /^1970-01-01T00:00:01.000 is too early for the earliest allowed activation time/,
    )
    expect(failure(() => check([digest('GET_SENDER')], 'GET_SENDER'))[1]).to.match(
      /' has already been activated$/,
    )
  })

  it('adds host functions, once', () => {
    const { db } = new RuleChain()
    const count = db.protocol_state.single().whitelisted_intrinsics.size
    activateFeature({ db }, set.byName('PREACTIVATE_FEATURE'))
    const { whitelisted_intrinsics } = db.protocol_state.single()
    expect(whitelisted_intrinsics.size).to.equal(count + 2)
    expect(whitelisted_intrinsics.has('preactivate_feature')).to.equal(true)
    expect(whitelisted_intrinsics.has('is_feature_activated')).to.equal(true)
    expect(() => activateFeature({ db }, set.byName('PREACTIVATE_FEATURE'))).to.throw(
      'is whitelisted already',
    )
  })

  it('enables WebAuthn keys', () => {
    const { db } = new RuleChain()
    activateFeature({ db }, set.byName('WEBAUTHN_KEY'))
    expect(db.protocol_state.single().num_supported_key_types).to.equal(3)
  })

  it('gives RAM back that replaced deferred transactions were billed too much', () => {
    const chain = new RuleChain()
    chain.newAccount('alice')
    chain.newAccount('bob')
    chain.db.account_ram_correction.create({ name: N('alice'), ram_correction: 724n })
    chain.db.account_ram_correction.create({ name: N('bob'), ram_correction: 1_000_000n })
    activateFeature(chain, set.byName('REPLACE_DEFERRED'))
    expect([chain.ram('alice'), chain.ram('bob')]).to.deep.equal([2000, 0])
    expect(chain.db.account_ram_correction.size).to.equal(0)
  })

  it('drops deferred transactions and refunds their payers', () => {
    const chain = new RuleChain()
    chain.newAccount('alice')
    chain.db.resource_usage.modify(chain.db.resource_usage.get('by_owner', N('alice')), (row) => {
      row.ram_usage += 2n * (272n + 100n)
    })
    for (const n of [1, 2]) {
      chain.db.generated_transaction.create({
        trx_id: new Uint8Array(32).fill(n),
        sender: 0n,
        sender_id: BigInt(n),
        payer: N('alice'),
        delay_until: 0,
        expiration: 0,
        published: 0,
        packed_trx: new Uint8Array(100),
      })
    }
    activateFeature(chain, set.byName('DISABLE_DEFERRED_TRXS_STAGE_2'))
    expect(chain.ram('alice')).to.equal(2724)
    expect(chain.db.generated_transaction.size).to.equal(0)
  })
})

describe('preactivation of protocol features', () => {
  let chain: RuleChain
  let context: PreactivationContext & { speculative: boolean }
  const active = new Set<string>()

  beforeEach(() => {
    chain = new RuleChain()
    active.clear()
    context = {
      db: chain.db,
      features: set,
      block_time_us: 1_600_000_000_000_000,
      speculative: true,
      isFeatureActivated: (bytes) => active.has(toHex(bytes)),
    }
  })

  it('remembers features in order, after what they depend on', () => {
    const second = digest('DISABLE_DEFERRED_TRXS_STAGE_2')
    expect(failure(() => preactivateFeature(context, second))).to.deep.equal([
      'protocol_feature_exception',
      `not all dependencies of protocol feature with digest '${toHex(second)}' have been activated or pre-activated`,
    ])
    const first = digest('DISABLE_DEFERRED_TRXS_STAGE_1')
    preactivateFeature(context, first)
    preactivateFeature(context, second)
    const state = chain.db.protocol_state.single()
    expect(state.preactivated_protocol_features).to.deep.equal([first, second])
    expect(failure(() => preactivateFeature(context, first))[1]).to.match(
      /' is already pre-activated$/,
    )
  })

  it('refuses what is active', () => {
    active.add(set.digestHex('GET_SENDER'))
    expect(failure(() => preactivateFeature(context, digest('GET_SENDER')))).to.deep.equal([
      'protocol_feature_exception',
      `protocol feature with digest '${set.digestHex('GET_SENDER')}' is already activated`,
    ])
  })

  it('objects subjectively while producing, to the whole block while validating', () => {
    const errors = (speculative: boolean) => {
      context.speculative = speculative
      return [UNKNOWN, digest('GET_CODE_HASH'), digest('GET_BLOCK_NUM')].map(
        (bytes) => failure(() => preactivateFeature(context, bytes))[0],
      )
    }
    expect(new Set(errors(true))).to.deep.equal(new Set(['subjective_block_production_exception']))
    expect(new Set(errors(false))).to.deep.equal(new Set(['protocol_feature_bad_block_exception']))
  })
})
