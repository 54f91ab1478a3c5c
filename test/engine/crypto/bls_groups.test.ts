/** BLS in WebAssembly and in JavaScript give the same results, for hostile inputs too. */
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { expect } from 'chai'
import type { BlsGroup, BlsSigners } from '../../../src/engine/crypto/bls.ts'
import { NOBLE_GROUP, blsPublicKeyOf, blsSecretOf } from '../../../src/engine/crypto/bls.ts'
import {
  G1_BYTES,
  G2_BYTES,
  readG1,
  readG2,
  writeG1,
  writeG2,
} from '../../../src/engine/crypto/bls12_381.ts'
import { loadBlsWasm } from '../../../src/engine/crypto/bls_wasm.ts'

const { Fp, Fp2 } = bls12_381.fields
const G1 = bls12_381.G1.Point
const G2 = bls12_381.G2.Point
const DST = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_'
const OTHER_DST = 'BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'
const message = Uint8Array.of(1, 2, 3)
const secrets = [1, 2, 3].map((i) => blsSecretOf(new Uint8Array(48).fill(i)))
const keys = secrets.map(blsPublicKeyOf)

/** A point of the curve whose order is not the group's. */
function outsideG1(from: bigint): Uint8Array {
  for (let x = from; ; x++) {
    const square = Fp.add(Fp.mul(Fp.sqr(x), x), 4n)
    if (Fp.pow(square, (Fp.ORDER - 1n) / 2n) !== 1n) continue
    const point = G1.fromAffine({ x, y: Fp.sqrt(square) })
    if (!point.isTorsionFree()) return writeG1(point)
  }
}

function outsideG2(from: bigint): Uint8Array {
  for (let c0 = from; ; c0++) {
    const x = Fp2.fromBigTuple([c0, 1n])
    const square = Fp2.add(Fp2.mul(Fp2.sqr(x), x), Fp2.fromBigTuple([4n, 4n]))
    try {
      const point = G2.fromAffine({ x, y: Fp2.sqrt(square) })
      if (!point.isTorsionFree()) return writeG2(point)
    } catch (error) {
      // There is no root; the next number is tried.
      expect((error as Error).message).match(/square root/)
    }
  }
}

/** The same coordinate, plus the prime: not the number's only form, which the reference refuses. */
function unreduced(point: Uint8Array): Uint8Array {
  const bytes = Uint8Array.from(point)
  let carry = 0n
  for (let i = 0; i < 48; i++) {
    const sum = BigInt(bytes[i]!) + ((Fp.ORDER >> BigInt(8 * i)) & 255n) + carry
    bytes[i] = Number(sum & 255n)
    carry = sum >> 8n
  }
  return bytes
}

function negativeG1(key: Uint8Array): Uint8Array {
  return writeG1(readG1(key)!.negate())
}

function sumG2(...signatures: Uint8Array[]): Uint8Array {
  return writeG2(signatures.map((s) => readG2(s)!).reduce((a, b) => a.add(b)))
}

describe('BLS in WebAssembly', function () {
  let wasm: BlsGroup

  before(async () => {
    wasm = await loadBlsWasm()
  })

  /** The result of both, which must be one. */
  function verified(groups: BlsSigners[], signature: Uint8Array): boolean {
    const result = wasm.verify(groups, signature, DST)
    expect(NOBLE_GROUP.verify(groups, signature, DST)).equal(result)
    return result
  }

  const signed = (i: number, text = message) => wasm.sign(secrets[i]!, text, DST)

  it('signs as in JavaScript, messages of all lengths, under both tags', () => {
    for (const length of [0, 1, 32, 64, 300]) {
      const text = new Uint8Array(length).fill(length)
      for (const tag of [DST, OTHER_DST]) {
        expect(wasm.sign(secrets[0]!, text, tag)).deep.equal(
          NOBLE_GROUP.sign(secrets[0]!, text, tag),
        )
      }
    }
    const last = new Uint8Array(32)
    Buffer.from((bls12_381.fields.Fr.ORDER - 1n).toString(16), 'hex')
      .reverse()
      .copy(last)
    expect(wasm.sign(last, message, DST)).deep.equal(NOBLE_GROUP.sign(last, message, DST))
  })

  it('verifies signatures and sums of signatures', () => {
    const other = Uint8Array.of(4)
    const sum = sumG2(signed(0), signed(1), signed(2, other))
    const groups = [
      { keys: [keys[0]!, keys[1]!], message },
      { keys: [keys[2]!], message: other },
    ]
    expect(verified(groups, sum)).equal(true)
    expect(verified(groups.slice(1), sum)).equal(false)
    expect(verified([{ keys: [keys[0]!], message }], signed(0))).equal(true)
    expect(verified([{ keys: [keys[0]!], message: other }], signed(0))).equal(false)
    expect(wasm.verify([{ keys: [keys[0]!], message }], signed(0), OTHER_DST)).equal(false)
  })

  it('treats the point at infinity alike', () => {
    const zero = new Uint8Array(G2_BYTES)
    expect(verified([], zero)).equal(true)
    expect(verified([{ keys: [], message }], zero)).equal(true)
    expect(verified([{ keys: [new Uint8Array(G1_BYTES)], message }], zero)).equal(true)
    expect(verified([{ keys: [keys[0]!, negativeG1(keys[0]!)], message }], zero)).equal(true)
    expect(verified([{ keys: [keys[0]!], message }], zero)).equal(false)
    expect(verified([], signed(0))).equal(false)
    expect(verified([{ keys: [keys[0]!, keys[0]!], message }], sumG2(signed(0), signed(0)))).equal(
      true,
    )
  })

  it('refuses points outside of the group, and takes a sum that is inside', () => {
    const outside = outsideG1(5n)
    expect(readG1(outside)).not.equal(undefined)
    expect(verified([{ keys: [outside], message }], signed(0))).equal(false)
    expect(verified([{ keys: [outside, keys[0]!], message }], signed(0))).equal(false)
    const balanced = [outside, negativeG1(outside), keys[0]!]
    expect(verified([{ keys: balanced, message }], signed(0))).equal(true)
    const wrong = outsideG2(5n)
    expect(readG2(wrong)).not.equal(undefined)
    expect(verified([{ keys: [keys[0]!], message }], wrong)).equal(false)
    expect(verified([{ keys: [keys[0]!], message }], sumG2(wrong, signed(0)))).equal(false)
    // (0, 2) is on the curve, of order 3.
    const small = writeG1(G1.fromAffine({ x: 0n, y: 2n }))
    expect(verified([{ keys: [small, keys[0]!], message }], signed(0))).equal(false)
  })

  it('refuses bytes that are not a point of the curve', () => {
    const right = [{ keys: [keys[0]!], message }]
    const wrong_keys = [
      unreduced(keys[0]!),
      keys[0]!.map((byte, i) => (i === 0 ? byte ^ 1 : byte)),
      new Uint8Array(G1_BYTES).fill(255),
      new Uint8Array(G1_BYTES).fill(1, 0, 1),
    ]
    for (const key of wrong_keys) {
      expect(verified([{ keys: [key], message }], signed(0))).equal(false)
      expect(verified([{ keys: [key, keys[0]!], message }], signed(0))).equal(false)
    }
    const wrong_signatures = [
      unreduced(signed(0)),
      signed(0).map((byte, i) => (i === 100 ? byte ^ 1 : byte)),
      new Uint8Array(G2_BYTES).fill(255),
      new Uint8Array(G2_BYTES).fill(1, 0, 1),
    ]
    for (const signature of wrong_signatures) expect(verified(right, signature)).equal(false)
  })
})
