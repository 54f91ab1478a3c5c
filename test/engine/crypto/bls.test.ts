import { expect } from 'chai'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import {
  blsAggregateSignatures,
  blsAggregateVerify,
  blsProofOfPossession,
  blsPublicKeyOf,
  blsSecretOf,
  blsSign,
  blsVerify,
  blsVerifyPossession,
  isBlsPublicKey,
  isBlsSignature,
} from '../../../src/engine/crypto/bls.ts'
import { writeG2 } from '../../../src/engine/crypto/bls12_381.ts'
import { ChainError } from '../../../src/engine/errors.ts'
import {
  blsPrivateKeyFromString,
  blsPrivateKeyToString,
  blsPublicKeyFromString,
  blsPublicKeyToString,
  blsSignatureFromString,
  blsSignatureToString,
} from '../../../src/engine/protocol/bls_text.ts'

/** Public key, private key and proof of possession, as tools of the reference printed them
 *  (spring: tests/p2p_no_blocks_test_shape.json). */
const REFERENCE_KEYS = [
  [
    'PUB_BLS_sGOyYNtpmmjfsNbQaiGJrPxeSg9sdx0nRtfhI_KnWoACXLL53FIf1HjpcN8wX0cYQyOE60NLSI9iPY8mIlT4GkiFMT3ez7j2IbBBzR0D1MthC0B_fYlgYWwjcbqCOowSaH48KA',
    'PVT_BLS_QgHHJ5vprZcjG7P0xWoIdX4yKPQXoG4k3e28TpLIQicB7GL_',
    'SIG_BLS_HDzwmlF7wSJGetlSfhIGKVtjiMTeYoM4oCbNoHi1tyh0_KnZCsdLUzplexSXD80P0NAkCjlA6YFt2M5_JsZkRTqn2faFSnH6zwKIK9yr2cV3a14W4WcIC90mTP2D-HEPOBjM2gTmWCA0gYfPdV3tB3I0matrYh5R0I1FG0V6p_RVKacXMgV_M3lNUokRI84MPZlc8OVbJ0RbjoBnYylVeYtR31vSJvvk6RvykIjTktZOA0s32-TR5EcxuaFSsVQU7nSQxA',
  ],
  [
    'PUB_BLS_X6Wzge0CMkDLu0svywBWGBdIuMfol_hAG7zeukAddsbQsArgcuZ6tz3LLoLRurUMhz6ZpOHdYCPU0Rg8Fo8n4UDsT6pcHSmwWMKWIhyS-Ms0O_dYCRQ2Q5HLxBGMxyIWaltxlw',
    'PVT_BLS_TvIkGjiwy3b5k9yc6YnwHPQp1n_9x8yP4mZQl5Ke1yvp2_vv',
    'SIG_BLS_Zzi_eRG51GhBgAFhnG048Pa3OjlenLwKtO03CBkZxQB4sdhyYWmqrJDdjpgPwvcPwbRK1jIlaUG9mJVPjJHrmocC-br8_t1EqLAHN3lyuyJ7UZWkzj2E339zNJ8aE28NmF4rmZ0UV3sUP54qZw9k75G7y0toL8djkMkPNzbz9OD0vZQDjQ-PVWQg11t-eP4MbFt8uONuk2NpEBEbT8JXPvnzh1e1-WBxId0Mra5-Pa1ca3zkrqgHdnpWKCUjBr0Kj8yZPg',
  ],
] as const

const message = new TextEncoder().encode('a message of 32 bytes or another')
const secrets = [1, 2, 3].map((i) => blsSecretOf(new Uint8Array(48).fill(i)))
const keys = secrets.map(blsPublicKeyOf)

function refusal(f: () => unknown): string {
  try {
    f()
  } catch (error) {
    expect(error).to.be.instanceOf(ChainError)
    return (error as ChainError).errorName
  }
  return expect.fail('it was taken')
}

describe('BLS signatures', function () {
  it('verify for their key and their message alone', () => {
    const signature = blsSign(secrets[0]!, message)
    expect(blsVerify(keys[0]!, message, signature)).to.equal(true)
    expect(blsVerify(keys[1]!, message, signature)).to.equal(false)
    expect(blsVerify(keys[0]!, message.subarray(1), signature)).to.equal(false)
  })

  it('aggregate: equal and different messages', () => {
    const other = Uint8Array.of(1, 2, 3)
    const sum = blsAggregateSignatures([
      blsSign(secrets[0]!, message),
      blsSign(secrets[1]!, message),
      blsSign(secrets[2]!, other),
    ])
    const groups = [
      { keys: [keys[0]!, keys[1]!], message },
      { keys: [keys[2]!], message: other },
    ]
    expect(blsAggregateVerify(groups, sum)).to.equal(true)
    // A group without signers adds nothing, as in a weak certificate without strong votes.
    expect(blsAggregateVerify([...groups, { keys: [], message: other }], sum)).to.equal(true)
    expect(blsAggregateVerify(groups.slice(0, 1), sum)).to.equal(false)
    expect(blsAggregateVerify([{ keys: [keys[0]!], message }, groups[1]!], sum)).to.equal(false)
  })

  it('prove possession in a domain of their own', () => {
    const proof = blsProofOfPossession(secrets[0]!)
    expect(blsVerifyPossession(keys[0]!, proof)).to.equal(true)
    expect(blsVerifyPossession(keys[1]!, proof)).to.equal(false)
    expect(blsVerify(keys[0]!, keys[0]!, proof)).to.equal(false)
  })

  it('refuse points outside of the curve and of the subgroup', () => {
    const signature = blsSign(secrets[0]!, message)
    const bent = signature.slice()
    bent[0]! ^= 1
    expect(isBlsSignature(bent)).to.equal(false)
    expect(blsVerify(keys[0]!, message, bent)).to.equal(false)
    const bent_key = keys[0]!.slice()
    bent_key[95] = 0xff
    expect(isBlsPublicKey(bent_key)).to.equal(false)
    expect(blsVerify(bent_key, message, signature)).to.equal(false)
    // On the curve, but not in the subgroup: a map to the curve before its cofactor is cleared.
    const { G2, fields } = bls12_381
    let x = fields.Fp2.fromBigTuple([1n, 0n])
    for (;;) {
      const right = fields.Fp2.add(
        fields.Fp2.mul(fields.Fp2.sqr(x), x),
        fields.Fp2.fromBigTuple([4n, 4n]),
      )
      try {
        const y = fields.Fp2.sqrt(right)
        const stray = writeG2(G2.Point.fromAffine({ x, y }))
        expect(isBlsSignature(stray)).to.equal(true)
        expect(blsVerify(keys[0]!, message, stray)).to.equal(false)
        return
      } catch {
        x = fields.Fp2.add(x, fields.Fp2.ONE)
      }
    }
  })

  it('need secrets of the group', () => {
    expect(refusal(() => blsPublicKeyOf(new Uint8Array(32)))).to.equal('assert_exception')
    expect(refusal(() => blsSign(new Uint8Array(32).fill(255), message))).to.equal(
      'assert_exception',
    )
    expect(refusal(() => blsSecretOf(new Uint8Array(47)))).to.equal('assert_exception')
  })
})

describe('text of BLS keys', function () {
  it("is the reference's", () => {
    for (const [public_text, private_text, proof] of REFERENCE_KEYS) {
      const secret = blsPrivateKeyFromString(private_text)
      expect(blsPublicKeyToString(blsPublicKeyOf(secret))).to.equal(public_text)
      expect(blsPrivateKeyToString(secret)).to.equal(private_text)
      expect(blsSignatureToString(blsProofOfPossession(secret))).to.equal(proof)
      expect(blsPublicKeyFromString(public_text)).to.deep.equal(blsPublicKeyOf(secret))
    }
  })

  it('round-trips signatures', () => {
    const signature = new Uint8Array(192).map((_, i) => i)
    expect(blsSignatureFromString(blsSignatureToString(signature))).to.deep.equal(signature)
  })

  it('is refused with a wrong prefix, character, size or checksum', () => {
    const text = REFERENCE_KEYS[0][0]
    for (const wrong of [
      text.replace('PUB', 'SIG'),
      text.replace('_BLS_s', '_BLS_+'),
      text.replace('_BLS_s', '_BLS_A'),
      `${text}AAAA`,
    ]) {
      expect(refusal(() => blsPublicKeyFromString(wrong))).to.equal('assert_exception')
    }
    expect(refusal(() => blsPublicKeyFromString(text.slice(0, 40)))).to.equal('eof_exception')
    expect(refusal(() => blsPrivateKeyFromString('PVT_BLS_'))).to.equal('eof_exception')
  })
})
