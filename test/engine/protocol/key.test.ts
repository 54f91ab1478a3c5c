import { base58 } from '@scure/base'
import { expect } from 'chai'
import fc from 'fast-check'
import { PrivateKey, PublicKey, Signature } from '@wharfkit/antelope'
import { fromBase58, toBase58 } from '../../../src/engine/protocol/base58.ts'
import { concatBytes, fromHex, toHex, utf8ToBytes } from '../../../src/engine/protocol/hex.ts'
import {
  comparePublicKeys,
  publicKeyFromString,
  publicKeyToString,
  readPublicKey,
  readSignature,
  signatureFromString,
  signatureToString,
  typedText,
  WA,
} from '../../../src/engine/protocol/key.ts'
import { Reader } from '../../../src/engine/protocol/reader.ts'
import { Writer } from '../../../src/engine/protocol/writer.ts'
import { refusal } from '../refusal.ts'

const DEVELOPMENT_KEY = 'EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV'
const DEVELOPMENT_KEY_MODERN = 'PUB_K1_6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5BoDq63'

const bytes33 = fc.uint8Array({ minLength: 33, maxLength: 33 })
const bytes65 = fc.uint8Array({ minLength: 65, maxLength: 65 })
const anyType = fc.constantFrom(0, 1)

function webauthnKey(point: Uint8Array, presence: number, rpid: string): Uint8Array {
  const w = new Writer()
  w.u8(WA)
  w.raw(point)
  w.u8(presence)
  w.string(rpid)
  return w.bytes()
}

function webauthnSignature(compact: Uint8Array, auth: Uint8Array, json: string): Uint8Array {
  const w = new Writer()
  w.u8(WA)
  w.raw(compact)
  w.blob(auth)
  w.string(json)
  return w.bytes()
}

describe('base58: long texts', () => {
  // One digit after the other, as it is defined.
  const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  const byDefinition = (bytes: Uint8Array): string => {
    let text = ''
    for (let rest = BigInt(`0x0${toHex(bytes)}`); rest > 0n; rest /= 58n) {
      text = (digits[Number(rest % 58n)] as string) + text
    }
    return '1'.repeat(bytes.findIndex((byte) => byte !== 0)) + text
  }

  it('are what short ones are', () => {
    for (const length of [1, 2, 199, 200, 201, 204, 205, 206, 399, 400, 2000]) {
      for (const zeros of [0, 1, 7]) {
        const bytes = new Uint8Array(zeros + length)
        for (let i = 0; i < length; i++) bytes[zeros + i] = (i * 97 + length) % 255 || 1
        const text = byDefinition(bytes)
        expect(toBase58(bytes)).equal(text)
        expect(fromBase58(text)).deep.equal(bytes)
      }
    }
    for (const ones of [199, 200, 201, 279, 280, 281, 800]) {
      expect(fromBase58('1'.repeat(ones))).deep.equal(new Uint8Array(ones))
      expect(toBase58(new Uint8Array(ones))).equal('1'.repeat(ones))
    }
  })

  it('have no other digits either', () => {
    expect(() => fromBase58(`${'z'.repeat(1000)}0`)).throw('Unable to decode base58 string zz')
  })
})

describe('base58', () => {
  it('gives the bytes again', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 120 }), (bytes) => {
        expect(toHex(fromBase58(toBase58(bytes)))).to.equal(toHex(bytes))
      }),
    )
    expect(toBase58(Uint8Array.of(0, 0, 1))).to.equal('112')
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(toBase58(bytes)).to.equal(base58.encode(bytes))
      }),
    )
    for (let length = 0; length <= 200; length++) {
      const highest = new Uint8Array(length).fill(255)
      expect(toBase58(highest)).to.equal(base58.encode(highest))
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(fromBase58(base58.encode(bytes))).to.deep.equal(bytes)
      }),
    )
    for (const digit of ['2', 'z']) {
      for (let length = 0; length <= 280; length++) {
        const text = digit.repeat(length)
        expect(fromBase58(text)).to.deep.equal(base58.decode(text))
      }
    }
    expect(toBase58(utf8ToBytes('Hello World!'))).to.equal('2NEpo7TZRRrLZSi2U')
  })

  it('refuses other characters', () => {
    for (const text of ['0', 'O', 'I', 'l', 'a b', 'é', '1'.repeat(70000)]) {
      expect(
        refusal(() => fromBase58(text)),
        text.slice(0, 9),
      ).to.equal('parse_error_exception')
    }
  })
})

describe('public keys', () => {
  it('read both forms and print either', () => {
    const key = publicKeyFromString(DEVELOPMENT_KEY)
    expect(toHex(key).slice(0, 4)).to.equal('0002')
    expect(toHex(publicKeyFromString(DEVELOPMENT_KEY_MODERN))).to.equal(toHex(key))
    expect(publicKeyToString(key)).to.equal(DEVELOPMENT_KEY)
    expect(publicKeyToString(key, 'modern')).to.equal(DEVELOPMENT_KEY_MODERN)
  })

  it('print as a client library prints them', () => {
    fc.assert(
      fc.property(bytes33, anyType, (data, type) => {
        const key = concatBytes(Uint8Array.of(type), data)
        const text = publicKeyToString(key, 'modern')
        const client = PublicKey.from(text)
        expect(client.toString()).to.equal(text)
        expect(client.data.hexString).to.equal(toHex(data))
        expect(toHex(publicKeyFromString(text))).to.equal(toHex(key))
        expect(toHex(publicKeyFromString(publicKeyToString(key)))).to.equal(toHex(key))
      }),
    )
    const made = PrivateKey.generate('R1').toPublic()
    expect(publicKeyToString(publicKeyFromString(made.toString()))).to.equal(made.toString())
  })

  it('of WebAuthn keep presence and relying party', () => {
    fc.assert(
      fc.property(bytes33, fc.nat(255), fc.string({ minLength: 1 }), (point, presence, rpid) => {
        const key = webauthnKey(point, presence, rpid)
        expect(toHex(publicKeyFromString(publicKeyToString(key)))).to.equal(toHex(key))
        const r = new Reader(concatBytes(key, Uint8Array.of(9)))
        expect(toHex(readPublicKey(r))).to.equal(toHex(key))
        expect(r.remaining()).to.equal(1)
      }),
    )
    const none = webauthnKey(new Uint8Array(33), 0, '')
    expect(refusal(() => readPublicKey(new Reader(none)))).to.equal('assert_exception')
    const long = publicKeyToString(concatBytes(webauthnKey(new Uint8Array(33), 0, 'a'), none))
    expect(refusal(() => publicKeyFromString(long))).to.equal('assert_exception')
  })

  it('are refused when a character is wrong', () => {
    const wrong: [string, string][] = [
      [DEVELOPMENT_KEY.replace('6MR', '6MS'), 'assert_exception'],
      [DEVELOPMENT_KEY_MODERN.replace('6MR', '6MS'), 'assert_exception'],
      [DEVELOPMENT_KEY_MODERN.replace('K1', 'R1'), 'assert_exception'],
      [DEVELOPMENT_KEY_MODERN.replace('K1', 'K2'), 'assert_exception'],
      [DEVELOPMENT_KEY_MODERN.replace('PUB', 'PVT'), 'assert_exception'],
      [DEVELOPMENT_KEY.replace('6MR', '0MR'), 'parse_error_exception'],
      [DEVELOPMENT_KEY.slice(0, -1), 'assert_exception'],
      ['EOS', 'assert_exception'],
      ['', 'assert_exception'],
      ['PUB_', 'assert_exception'],
      ['PUB_K1', 'assert_exception'],
      ['PUB_K1_', 'assert_exception'],
      ['PUB_K1_11', 'out_of_range_exception'],
    ]
    for (const [text, name] of wrong) {
      expect(
        refusal(() => publicKeyFromString(text)),
        text,
      ).to.equal(name)
    }
  })

  it('are read from the wire with their size by type', () => {
    const k1 = publicKeyFromString(DEVELOPMENT_KEY)
    // A type in a longer varint than needed gives the usual form.
    expect(toHex(readPublicKey(new Reader(concatBytes(fromHex('8000'), k1.subarray(1)))))).to.equal(
      toHex(k1),
    )
    expect(refusal(() => readPublicKey(new Reader(new Uint8Array(33))))).to.equal(
      'out_of_range_exception',
    )
    expect(refusal(() => readPublicKey(new Reader(new Uint8Array(99).fill(3))))).to.equal(
      'assert_exception',
    )
  })

  it('sort by type, then bytes, and relying parties as text', () => {
    const point = new Uint8Array(33)
    const key = (rpid: string): Uint8Array => webauthnKey(point, 0, rpid)
    expect(comparePublicKeys(key('b'), key('aa'))).to.be.greaterThan(0)
    expect(comparePublicKeys(key('a'), key('aa'))).to.be.lessThan(0)
    expect(comparePublicKeys(key('a'), key('a'))).to.equal(0)
    const k1 = new Uint8Array(34)
    const r1 = concatBytes(Uint8Array.of(1), point)
    expect(comparePublicKeys(k1, r1)).to.be.lessThan(0)
    expect(comparePublicKeys(r1, key('a'))).to.be.lessThan(0)
  })
})

describe('signatures', () => {
  it('print as a client library prints them', () => {
    fc.assert(
      fc.property(bytes65, anyType, (data, type) => {
        const signature = concatBytes(Uint8Array.of(type), data)
        const text = signatureToString(signature)
        const client = Signature.from(text)
        expect(client.toString()).to.equal(text)
        expect(client.data.hexString).to.equal(toHex(data))
        expect(toHex(signatureFromString(text))).to.equal(toHex(signature))
      }),
    )
  })

  it('of WebAuthn keep all parts', () => {
    fc.assert(
      fc.property(bytes65, fc.uint8Array(), fc.string(), (compact, auth, json) => {
        const signature = webauthnSignature(compact, auth, json)
        expect(toHex(signatureFromString(signatureToString(signature)))).to.equal(toHex(signature))
        expect(toHex(readSignature(new Reader(signature)))).to.equal(toHex(signature))
      }),
    )
  })

  it('are refused when a character is wrong', () => {
    const text = signatureToString(new Uint8Array(66))
    expect(refusal(() => signatureFromString(text.replace('SIG', 'PUB')))).to.equal(
      'assert_exception',
    )
    expect(refusal(() => signatureFromString(`${text.slice(0, -1)}z`))).to.equal('assert_exception')
    const long = `SIG_${typedText(0, new Uint8Array(66))}`
    expect(refusal(() => signatureFromString(long))).to.equal('assert_exception')
  })
})
