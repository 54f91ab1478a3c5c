import { expect } from 'chai'
import fc from 'fast-check'
import { Checksum256, PrivateKey as ClientKey, Signature } from '@wharfkit/antelope'
import { sha256 } from '../../../src/engine/crypto/hash.ts'
import type { PrivateKey } from '../../../src/engine/crypto/keys.ts'
import {
  privateKeyFromString,
  privateKeyToString,
  publicKeyOf,
  recoverK1,
  recoverKey,
  signDigest,
} from '../../../src/engine/crypto/keys.ts'
import { recoverP256 } from '../../../src/engine/crypto/p256.ts'
import { loadNative, native_failure, noble } from '../../../src/engine/crypto/secp256k1.ts'
import { concatBytes, fromHex, toHex } from '../../../src/engine/protocol/hex.ts'
import type { KeyType } from '../../../src/engine/protocol/key.ts'
import {
  K1,
  publicKeyToString,
  R1,
  signatureFromString,
  signatureToString,
  WA,
} from '../../../src/engine/protocol/key.ts'
import { refusal, refusalOf } from '../refusal.ts'

const DEVELOPMENT_WIF = '5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3'
const DEVELOPMENT_PVT = 'PVT_K1_2bfGi9rYsXQSXXTvJbDAPhHLQUojjaNLomdm3cEJ1XTzMqUt3V'
const DIGEST = sha256(Uint8Array.of(1, 2, 3))

const secret = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((b) => {
  // In 1..order-1 of both curves.
  const copy = b.slice()
  copy[0] = (copy[0] as number) & 0x7f
  copy[31] = (copy[31] as number) | 1
  return copy
})
const digest = fc.uint8Array({ minLength: 32, maxLength: 32 })
const key = (type: KeyType, data: Uint8Array): PrivateKey => ({ type, data })

describe('private keys', () => {
  it('read and print in both forms', () => {
    const read = privateKeyFromString(DEVELOPMENT_WIF)
    expect(privateKeyFromString(DEVELOPMENT_PVT)).to.deep.equal(read)
    expect(privateKeyToString(read)).to.equal(DEVELOPMENT_WIF)
    expect(privateKeyToString(read, 'modern')).to.equal(DEVELOPMENT_PVT)
    expect(publicKeyToString(publicKeyOf(read))).to.equal(
      'EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV',
    )
  })

  it('are a client library’s', () => {
    for (const type of ['K1', 'R1'] as const) {
      const client = ClientKey.generate(type)
      const read = privateKeyFromString(client.toString())
      expect(privateKeyToString(read, 'modern')).to.equal(client.toString())
      expect(publicKeyToString(publicKeyOf(read), 'modern')).to.equal(client.toPublic().toString())
    }
  })

  it('are refused without being repeated', () => {
    const wrong = [
      DEVELOPMENT_WIF.replace('KQw', 'KQx'),
      DEVELOPMENT_PVT.replace('bfG', 'bfH'),
      DEVELOPMENT_PVT.replace('K1', 'WA'),
      DEVELOPMENT_PVT.replace('PVT', 'PUB'),
      '5',
      'PVT_K1_',
    ]
    for (const text of wrong) {
      const error = refusalOf(() => privateKeyFromString(text))
      expect(error.errorName, text).to.equal('assert_exception')
    }
    expect(refusalOf(() => privateKeyFromString(wrong[1] as string)).message).not.to.contain('bfH')
    const zero = key(K1, new Uint8Array(32))
    expect(refusal(() => publicKeyOf(zero))).to.equal('assert_exception')
    expect(refusal(() => signDigest(zero, DIGEST))).to.equal('assert_exception')
    const webauthn = key(WA, new Uint8Array(32).fill(1))
    expect(refusal(() => signDigest(webauthn, DIGEST))).to.equal('unsupported_key_type_exception')
  })
})

describe('signatures', () => {
  for (const type of [K1, R1] as const) {
    it(`of type ${type} give their key`, () => {
      fc.assert(
        fc.property(secret, digest, (data, d) => {
          const signature = signDigest(key(type, data), d)
          expect(toHex(recoverKey(signature, d))).to.equal(toHex(publicKeyOf(key(type, data))))
        }),
        { numRuns: 20 },
      )
    })

    it(`of type ${type} are understood by a client library, and the reverse`, () => {
      const client = ClientKey.generate(type === K1 ? 'K1' : 'R1')
      const ours = privateKeyFromString(client.toString())
      const checksum = Checksum256.from(DIGEST)
      const made = Signature.from(signatureToString(signDigest(ours, DIGEST)))
      expect(made.recoverDigest(checksum).toString()).to.equal(client.toPublic().toString())
      const theirs = signatureFromString(client.signDigest(checksum).toString())
      expect(toHex(recoverKey(theirs, DIGEST))).to.equal(toHex(publicKeyOf(ours)))
    })
  }

  it('are refused when not canonical, high, damaged or of an unknown type', () => {
    const good = signDigest(key(K1, new Uint8Array(32).fill(7)), DIGEST)
    const change = (at: number, value: number): Uint8Array => {
      const copy = good.slice()
      copy[at] = value
      return copy
    }
    expect(refusalOf(() => recoverKey(change(2, 0x80), DIGEST)).message).to.contain(
      'signature is not canonical',
    )
    expect(refusal(() => recoverKey(change(34, 0x80), DIGEST))).to.equal('assert_exception')
    expect(refusal(() => recoverKey(change(1, 26), DIGEST))).to.equal('exception')
    expect(refusal(() => recoverKey(change(1, 35), DIGEST))).to.equal('exception')
    expect(refusal(() => recoverKey(change(0, 3), DIGEST))).to.equal('assert_exception')
    expect(refusal(() => recoverKey(good.subarray(1), DIGEST))).to.equal('assert_exception')
    const high = signDigest(key(R1, new Uint8Array(32).fill(7)), DIGEST).slice()
    high.fill(0xff, 34, 50)
    expect(refusalOf(() => recoverKey(high, DIGEST))).to.include({
      errorName: 'exception',
      message: 'invalid high s-value encountered in r1 signature',
    })
    const noPoint = concatBytes(Uint8Array.of(R1, 31), new Uint8Array(64))
    expect(refusal(() => recoverKey(noPoint, DIGEST))).to.equal('exception')
  })

  it("that are not signatures of K1 have the reference's errors", () => {
    const order = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'
    const one = '01'.padStart(64, '0')
    const message = (rs: string): string => {
      const signature = concatBytes(Uint8Array.of(K1, 31), fromHex(rs))
      return refusalOf(() => recoverKey(signature, DIGEST, false)).message
    }
    const parse =
      'secp256k1_ecdsa_recoverable_signature_parse_compact( detail::_get_context(), &secp_sig, ' +
      '(unsigned char*)c.begin() + 1, (*c.begin() - 27) & 3): '
    const recover =
      'secp256k1_ecdsa_recover( detail::_get_context(), &secp_pub, &secp_sig, ' +
      '(unsigned char*) digest.data() ): '
    expect(message(order + one)).to.equal(parse)
    expect(message(one + order)).to.equal(parse)
    expect(message('00'.repeat(64))).to.equal(recover)
    // No point of the curve has this coordinate.
    expect(message('05'.padStart(64, '0') + one)).to.equal(recover)
  })

  it('may have any of the eight first bytes', () => {
    const good = signDigest(key(K1, new Uint8Array(32).fill(7)), DIGEST)
    const other = good.slice()
    other[1] = (other[1] as number) - 4
    expect(toHex(recoverKey(other, DIGEST))).to.equal(toHex(recoverKey(good, DIGEST)))
  })
})

describe('implementations of secp256k1', () => {
  const native = native_failure === undefined ? loadNative() : undefined

  it('agree on keys, signatures and recovery', function () {
    if (native === undefined) return this.skip()
    fc.assert(
      fc.property(secret, digest, (data, d) => {
        expect(toHex(noble.publicKey(data))).to.equal(toHex(native.publicKey(data)))
        const a = signDigest(key(K1, data), d, native)
        const b = signDigest(key(K1, data), d, noble)
        expect(toHex(a)).to.equal(toHex(b))
        expect(toHex(recoverK1(noble, a, d))).to.equal(toHex(recoverK1(native, a, d)))
      }),
      { numRuns: 25 },
    )
  })

  it('agree on what is refused', function () {
    if (native === undefined) return this.skip()
    const outcome = (f: () => Uint8Array): string => {
      try {
        return toHex(f())
      } catch (error) {
        return String(error)
      }
    }
    const both = (signature: Uint8Array, d: Uint8Array): void => {
      expect(
        outcome(() => recoverK1(noble, signature, d, false)),
        toHex(signature),
      ).to.equal(outcome(() => recoverK1(native, signature, d, false)))
    }
    const rs = fc.uint8Array({ minLength: 64, maxLength: 64 })
    fc.assert(
      fc.property(rs, fc.integer({ min: 27, max: 34 }), digest, (data, first, d) => {
        both(concatBytes(Uint8Array.of(K1, first), data), d)
      }),
      { numRuns: 60 },
    )
    // Numbers at the edges of the order.
    const order = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'
    const ones = '7f'.repeat(32)
    for (const hex of [order + ones, ones + order, '00'.repeat(64), ones + ones]) {
      for (let first = 27; first < 35; first++) {
        both(concatBytes(Uint8Array.of(K1, first), fromHex(hex)), DIGEST)
        both(concatBytes(Uint8Array.of(K1, first), fromHex(hex)), new Uint8Array(32))
      }
    }
  })
})

describe('recovery on P-256', () => {
  it('gives no key where there is none', () => {
    const rs = (r: string, s: string): Uint8Array =>
      fromHex(r.padStart(64, '0') + s.padStart(64, '0'))
    const order = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551'
    expect(recoverP256(rs('0', '1'), 0, DIGEST)).to.equal(undefined)
    expect(recoverP256(rs(order, '1'), 0, DIGEST)).to.equal(undefined)
    // r + order is not an x of the curve's field.
    expect(recoverP256(rs('7f'.repeat(32), '1'), 2, DIGEST)).to.equal(undefined)
    // x = 5 has a point, x = 1 has none.
    expect(recoverP256(rs('5', '1'), 0, DIGEST)).to.be.instanceOf(Uint8Array)
    expect(recoverP256(rs('1', '1'), 0, DIGEST)).to.equal(undefined)
    // s = 0 is not refused by the reference, but the point at infinity is.
    expect(recoverP256(rs('5', '0'), 0, DIGEST)).to.be.instanceOf(Uint8Array)
    expect(recoverP256(rs('5', '0'), 0, new Uint8Array(32))).to.equal(undefined)
  })
})
