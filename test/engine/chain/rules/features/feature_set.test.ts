import { expect } from 'chai'
import { FeatureSet } from '../../../../../src/engine/chain/rules/features.ts'
import { supportedFeatureJson, supportedFeatures } from '../../../../../src/engine/json/feature.ts'
import { FEATURE_SPECS } from '../../../../../src/engine/protocol/features.ts'
import { fromHex } from '../../../../../src/engine/protocol/hex.ts'
import type { BuiltinFeatureName } from '../../../../../src/engine/protocol/features.ts'

/** Digests that the reference answers, in its order of get_supported_protocol_features. */
const SUPPORTED: readonly (readonly [BuiltinFeatureName, string])[] = [
  [
    'DISABLE_DEFERRED_TRXS_STAGE_1',
    'fce57d2331667353a0eac6b4209b67b843a7262a848af0a49a6e2fa9f6584eb4',
  ],
  [
    'DISABLE_DEFERRED_TRXS_STAGE_2',
    '09e86cb0accf8d81c9e85d34bea4b925ae936626d00c984e4691186891f5bc16',
  ],
  ['PREACTIVATE_FEATURE', '0ec7e080177b2c02b278d5088611686b49d739925a92d9bfcacd7fc6b74053bd'],
  [
    'ONLY_LINK_TO_EXISTING_PERMISSION',
    '1a99a59d87e06e09ec5b028a9cbb7749b4a5ad8819004365d02dc4379a8b7241',
  ],
  ['FORWARD_SETCODE', '2652f5f96006294109b3dd0bbde63693f55324af452b799ee137a81a905eed25'],
  ['WTMSIG_BLOCK_SIGNATURES', '299dcb6af692324b899b39f16d5a530a33062804e41f09dc97e9f156b4476707'],
  ['GET_BLOCK_NUM', '35c2186cc36f7bb4aeaf4487b36e57039ccf45a9136aa856a5d569ecca55ef2b'],
  ['REPLACE_DEFERRED', 'ef43112c6543b88db2283a2e077278c315ae2c84719a8b25f25cc88565fbea99'],
  ['NO_DUPLICATE_DEFERRED_ID', '4a90c00d55454dc5b059055ca213579c6ea856967712a56017487886a4d4cc0f'],
  ['RAM_RESTRICTIONS', '4e7bf348da00a945489b2a681749eb56f5de00b900014e137ddae39f48f69d67'],
  ['WEBAUTHN_KEY', '4fca8bd82bbd181e714e283f83e1b45d95ca5af40fb89ad3977b653c448f78c2'],
  ['BLOCKCHAIN_PARAMETERS', '5443fcf88330c586bc0e5f3dee10e7f63c76c00249c87fe4fbf7f38c082006b4'],
  ['BLS_PRIMITIVES2', '63320dd4a58212e4d32d1f58926b73ca33a247326c2a5e9fd39268d2384e011a'],
  [
    'DISALLOW_EMPTY_PRODUCER_SCHEDULE',
    '68dcaa34c0517d19666e6b33add67351d8c5f69e999ca1e37931bc410a297428',
  ],
  ['CRYPTO_PRIMITIVES', '6bcb40a24e49c26d0a60513b6aeb8551d264e4717f306b81a37a5afb3b47cedc'],
  [
    'ONLY_BILL_FIRST_AUTHORIZER',
    '8ba52fe7a3956c5cd3a656a3174b931d3bb2abb45578befc59f283ecd816a405',
  ],
  ['RESTRICT_ACTION_TO_SELF', 'ad9e3d8f650687709fd68f4b90b41f7d825a365b02c23a636cef88ac2ac00c43'],
  ['GET_CODE_HASH', 'bcd2a26394b36614fd4894241d3c451ab0f6fd110958c3423073621a70826e99'],
  ['ACTION_RETURN_VALUE', 'c3a6138c5061cf291310887c0b5c71fcaffeab90d5deb50d3b9e687cead45071'],
  ['CONFIGURABLE_WASM_LIMITS2', 'd528b9f6e9693f45ed277af93474fd473ce7d831dae2180cca35d907bd10cb40'],
  ['FIX_LINKAUTH_RESTRICTION', 'e0fb64b1085cc5538970158d05a009c24e276fb94e1a0bf6a528b48fbc4ff526'],
  ['GET_SENDER', 'f0af56d2c5a48d60a4a5b5c903edfb7db3a736a94ed589d0b797df33ff9d3e1d'],
  ['SAVANNA', 'cbe0fafc8fcc6cc998395e9b6de6ebd94644467b1b4a97ec126005df07013c52'],
]

describe('protocol features', () => {
  const set = new FeatureSet()
  const everything = {
    exclude_disabled: false,
    exclude_unactivatable: false,
    next_block_time_us: 0,
  }

  it('have the digests of the network, and are listed after what they depend on', () => {
    const listed = supportedFeatures(set, everything)
    expect(listed.map((f) => [f.name, f.digest_hex])).to.deep.equal(SUPPORTED)
    expect(FEATURE_SPECS).to.have.lengthOf(SUPPORTED.length)
  })

  it('are found by digest and by name', () => {
    for (const [name, digest] of SUPPORTED) {
      expect(set.byDigest(fromHex(digest)).name).to.equal(name)
      expect(set.digestHex(name)).to.equal(digest)
    }
    expect(() => set.byDigest(new Uint8Array(32))).to.throw(
      `unrecognized protocol feature with digest: ${'00'.repeat(32)}`,
    )
  })

  it('print as the reference prints them', () => {
    expect(supportedFeatureJson(set.byName('DISABLE_DEFERRED_TRXS_STAGE_2'))).to.deep.equal({
      feature_digest: '09e86cb0accf8d81c9e85d34bea4b925ae936626d00c984e4691186891f5bc16',
      subjective_restrictions: {
        enabled: true,
        preactivation_required: true,
        earliest_allowed_activation_time: '1970-01-01T00:00:00.000',
      },
      description_digest: 'a857eeb932774c511a40efb30346ec01bfb7796916b54c3c69fe7e5fb70d5cba',
      dependencies: ['fce57d2331667353a0eac6b4209b67b843a7262a848af0a49a6e2fa9f6584eb4'],
      protocol_feature_type: 'builtin',
      specification: [{ name: 'builtin_feature_codename', value: 'DISABLE_DEFERRED_TRXS_STAGE_2' }],
    })
    expect(set.byName('SAVANNA').dependencies).to.have.lengthOf(21)
    const preactivate = supportedFeatureJson(set.byName('PREACTIVATE_FEATURE'))
    expect(preactivate.subjective_restrictions.preactivation_required).to.equal(false)
  })

  it("follow the operator's restrictions", () => {
    const restricted = new FeatureSet({
      DISABLE_DEFERRED_TRXS_STAGE_1: { enabled: false },
      GET_SENDER: { earliest_allowed_activation_time: 1_000_000 },
    })
    const stage_1 = restricted.byName('DISABLE_DEFERRED_TRXS_STAGE_1')
    const sender = restricted.byName('GET_SENDER')
    expect(stage_1.digest_hex).to.equal(set.digestHex('DISABLE_DEFERRED_TRXS_STAGE_1'))
    expect(restricted.recognize(stage_1.digest, 0)).to.equal('disabled')
    expect(restricted.recognize(sender.digest, 999_999)).to.equal('too_early')
    expect(restricted.recognize(sender.digest, 1_000_000)).to.equal('ready')
    expect(restricted.recognize(new Uint8Array(32), 0)).to.equal('unrecognized')

    const names = (filter: Partial<typeof everything>) =>
      supportedFeatures(restricted, { ...everything, ...filter }).map((f) => f.name)
    const enabled = names({ exclude_disabled: true })
    // What depends on a feature that is left out is left out too.
    expect(enabled).to.not.include.members(['DISABLE_DEFERRED_TRXS_STAGE_1', 'SAVANNA'])
    expect(enabled).to.not.include('DISABLE_DEFERRED_TRXS_STAGE_2')
    expect(enabled).to.include('GET_SENDER')
    expect(names({ exclude_unactivatable: true })).to.not.include('GET_SENDER')
    expect(names({})).to.have.lengthOf(SUPPORTED.length)
  })
})
