import { expect } from 'chai'
import fc from 'fast-check'
import { Asset as ClientAsset } from '@wharfkit/antelope'
import {
  assetFromString,
  assetToString,
  MAX_AMOUNT,
  packAsset,
  unpackAsset,
} from '../../../src/engine/protocol/asset.ts'
import { Reader } from '../../../src/engine/protocol/reader.ts'
import {
  checkSymbol,
  isValidSymbol,
  symbolCodeFromString,
  symbolCodeToString,
  symbolFromString,
  symbolToString,
} from '../../../src/engine/protocol/symbol.ts'
import { packOne } from '../../../src/engine/protocol/writer.ts'
import { refusal, refusalOf } from '../refusal.ts'

const anySymbolText = fc
  .tuple(fc.integer({ min: 0, max: 18 }), fc.stringMatching(/^[A-Z]{1,7}$/))
  .map(([precision, name]) => `${precision},${name}`)
const anyAsset = fc.record({
  amount: fc.bigInt({ min: -MAX_AMOUNT, max: MAX_AMOUNT }),
  symbol: anySymbolText.map(symbolFromString),
})

describe('symbols', () => {
  it('read and print', () => {
    expect(symbolFromString('4,EOS')).to.equal(0x534f4504n)
    expect(symbolFromString(' 4,EOS ')).to.equal(0x534f4504n)
    expect(symbolToString(0x534f4504n)).to.equal('4,EOS')
    expect(symbolCodeFromString('EOS')).to.equal(0x534f45n)
    expect(symbolCodeToString(0x534f45n)).to.equal('EOS')
    fc.assert(
      fc.property(anySymbolText, (text) => {
        expect(symbolToString(symbolFromString(text))).to.equal(text)
        expect(checkSymbol(symbolFromString(text))).to.equal(symbolFromString(text))
      }),
    )
  })

  it('are refused as the reference refuses them', () => {
    expect(refusalOf(() => symbolFromString(''))).to.include({
      errorName: 'symbol_type_exception',
      message: 'creating symbol from empty string',
    })
    expect(refusalOf(() => symbolFromString('RND')).message).to.equal('missing comma in symbol')
    expect(refusalOf(() => symbolFromString('19,EOS')).message).to.equal(
      'precision 19 should be <= 18',
    )
    expect(refusalOf(() => symbolFromString('4,eos')).message).to.equal(
      'invalid character in symbol name',
    )
    const invalid = (f: () => unknown, name: string) =>
      expect(refusalOf(f)).to.include({
        errorName: 'symbol_type_exception',
        message: `invalid symbol: ${name}`,
      })
    invalid(() => symbolFromString('4,ABCDEFGH'), 'ABCDEFG')
    // The ninth letter falls on the first.
    invalid(() => symbolFromString('4,ABCDEFGHB'), 'CBCDEFG')
    invalid(() => symbolCodeFromString('ABCDEFGH'), 'ABCDEFGH')
    invalid(() => symbolCodeFromString('ABCDEFGHIJ'), 'ABCDEFGHIJ')
    expect(symbolToString(symbolFromString('4,ABCDEFG'))).to.equal('4,ABCDEFG')
    expect(refusal(() => symbolFromString(',EOS'))).to.equal('parse_error_exception')
    // The low byte of the number counts.
    expect(symbolToString(symbolFromString('260,EOS'))).to.equal('4,EOS')
  })

  it('are checked as numbers too', () => {
    expect(isValidSymbol(0x534f4504n)).to.equal(true)
    expect(isValidSymbol(0x534f4513n)).to.equal(false)
    expect(isValidSymbol(0x736f4504n)).to.equal(false)
    expect(refusal(() => checkSymbol(0x534f4513n))).to.equal('symbol_type_exception')
  })
})

describe('assets', () => {
  it('print to a text that gives the same asset', () => {
    fc.assert(
      fc.property(anyAsset, (asset) => {
        expect(assetFromString(assetToString(asset))).to.deep.equal(asset)
        expect(unpackAsset(new Reader(packOne(packAsset, asset)))).to.deep.equal(asset)
      }),
    )
  })

  it('print as a client library prints them', () => {
    fc.assert(
      fc.property(anyAsset, (asset) => {
        const client = ClientAsset.from(assetToString(asset))
        expect(client.toString()).to.equal(assetToString(asset))
        expect(BigInt(client.units.toString())).to.equal(asset.amount)
      }),
    )
    const symbol = symbolFromString('4,SYS')
    expect(assetToString({ amount: -1n, symbol })).to.equal('-0.0001 SYS')
    expect(assetToString({ amount: 5n, symbol: symbolFromString('0,SYS') })).to.equal('5 SYS')
  })

  it('are refused as the reference refuses them', () => {
    const cases: [string, string][] = [
      ['10.0000', 'asset_type_exception'],
      ['10. SYS', 'asset_type_exception'],
      ['10.0000 sys', 'symbol_type_exception'],
      ['.5 SYS', 'parse_error_exception'],
      ['- SYS', 'parse_error_exception'],
      ['1x SYS', 'parse_error_exception'],
      ['1.12345678901234567890 SYS', 'symbol_type_exception'],
      ['4611686018427387904 SYS', 'asset_type_exception'],
      ['9223372036854775808 SYS', 'parse_error_exception'],
      ['922337203685477580.80 SYS', 'overflow_exception'],
      ['9223372036854775807.0 SYS', 'overflow_exception'],
      ['-9223372036854775807.0 SYS', 'underflow_exception'],
    ]
    for (const [text, name] of cases) {
      expect(
        refusal(() => assetFromString(text)),
        text,
      ).to.equal(name)
    }
    expect(refusalOf(() => assetFromString('5')).message).to.equal(
      "Asset's amount and symbol should be separated with space",
    )
    expect(assetFromString('  +10.5   SYS ').amount).to.equal(105n)
    expect(assetFromString('-10.5 SYS').amount).to.equal(-105n)
  })

  it('are checked when unpacked', () => {
    const symbol = symbolFromString('4,SYS')
    const packed = (amount: bigint, s = symbol): Reader =>
      new Reader(packOne(packAsset, { amount, symbol: s }))
    expect(refusal(() => unpackAsset(packed(MAX_AMOUNT + 1n)))).to.equal('asset_type_exception')
    expect(refusal(() => unpackAsset(packed(1n, 0x13n)))).to.equal('symbol_type_exception')
  })
})
