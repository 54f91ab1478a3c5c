import { expect } from 'chai'
import fc from 'fast-check'
import {
  bytesEqual,
  compareBytes,
  concatBytes,
  fromBase64,
  fromHex,
  latin1FromBytes,
  latin1ToBytes,
  printableUtf8,
  toBase64,
  toHex,
  utf8FromBytes,
  utf8ToBytes,
} from '../../../src/engine/protocol/hex.ts'
import { refusal, refusalOf } from '../refusal.ts'

describe('bytes as text', () => {
  it('give the same bytes again', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string({ unit: 'grapheme' }), (bytes, text) => {
        expect(fromHex(toHex(bytes))).to.deep.equal(bytes)
        expect(fromHex(toHex(bytes).toUpperCase())).to.deep.equal(bytes)
        expect(fromBase64(toBase64(bytes))).to.deep.equal(bytes)
        expect(fromBase64(toBase64(bytes).replace(/=/g, ''))).to.deep.equal(bytes)
        const url = Buffer.from(bytes).toString('base64url')
        expect(fromBase64(url, true)).to.deep.equal(bytes)
        expect(utf8FromBytes(utf8ToBytes(text))).to.equal(text)
      }),
    )
  })

  it('take an odd last digit as a high half', () => {
    expect(toHex(fromHex('abc'))).to.equal('abc0')
  })

  it('are refused for other characters', () => {
    expect(refusalOf(() => fromHex('0g'))).to.include({
      errorName: 'exception',
      message: "Invalid hex character 'g'",
    })
    expect(refusal(() => fromHex('abcdefx'))).to.equal('exception')
    expect(refusal(() => fromBase64('ab-d'))).to.equal('assert_exception')
    expect(refusal(() => fromBase64('ab+d', true))).to.equal('assert_exception')
    expect(refusal(() => fromBase64('abcd\n'))).to.equal('std_exception')
    expect(refusal(() => fromBase64('abcd\nabc'))).to.equal('assert_exception')
  })

  it('end at padding where a group would begin', () => {
    expect(toHex(fromBase64('AAAA====@@@@'))).to.equal('000000')
    expect(toHex(fromBase64('AA=='))).to.equal('00')
  })
})

describe('byte strings', () => {
  it('keep every byte, and show those that are UTF-8', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
    expect(latin1ToBytes(latin1FromBytes(bytes))).to.deep.equal(bytes)
    expect(printableUtf8(Uint8Array.of(0x61, 0xff, 0xe2, 0x82, 0x62))).to.equal('ab')
    expect(printableUtf8(Buffer.from('\ufffd é'))).to.equal('\ufffd é')
  })

  it('compare as memory, shorter first', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (a, b) => {
        expect(Math.sign(compareBytes(a, b))).to.equal(Buffer.compare(a, b))
        expect(bytesEqual(a, b)).to.equal(Buffer.compare(a, b) === 0)
        expect(bytesEqual(a, a.slice())).to.equal(true)
      }),
    )
  })

  it('are joined in their order', () => {
    expect(toHex(concatBytes(fromHex('01'), fromHex(''), fromHex('0203')))).to.equal('010203')
  })
})
