import { expect } from 'chai'
import { assetFromString } from '../../../src/engine/protocol/asset.ts'
import { fromBase58 } from '../../../src/engine/protocol/base58.ts'
import { symbolFromString } from '../../../src/engine/protocol/symbol.ts'
import { bytesToText, trim } from '../../../src/engine/protocol/text.ts'

describe('white space around texts', () => {
  it('is what C takes for it', () => {
    expect(trim(' \t\n\v\f\ra b\r\f\v\n\t ')).equal('a b')
    expect(trim(' \v')).equal('')
    expect(trim('')).equal('')
  })

  for (const space of ['\u00a0', '\ufeff', '\u2028', '\u3000', '\0']) {
    it(`is not ${JSON.stringify(space)}`, () => {
      expect(trim(`${space}a`)).equal(`${space}a`)
      expect(() => fromBase58(`${space}2g`)).throw('Unable to decode base58')
      expect(() => symbolFromString(`4,SYS${space}`)).throw('invalid character in symbol name')
      expect(() => assetFromString(`1.0000 SYS${space}`)).throw('invalid character in symbol name')
    })
  }

  it('takes no longer within the text', () => {
    const text = `a${' '.repeat(1_000_000)}b`
    expect(trim(` ${text} `)).equal(text)
  })
})

describe('packed text', () => {
  it('loses the bytes that are not UTF-8, and no others', () => {
    const cases: [number[], string][] = [
      [[0xf8, 0x80, 0x80], ''],
      [[0xf8, 0x88, 0x80, 0x80, 0x80], ''],
      [[0xf7, 0x80, 0x80, 0x80], ''],
      [[0xf0, 0x9f, 0x98, 0x80], '\u{1f600}'],
      [[0xc1, 0xbf], ''],
      [[0xc2, 0x80], '\u0080'],
      [[0xe0, 0x9f, 0xbf], ''],
      [[0xed, 0xa0, 0x80], ''],
      [[0xe2, 0x82], ''],
    ]
    for (const [bytes, text] of cases) {
      // One that is invalid beside them leaves the short way.
      const all = new Uint8Array([0x61, ...bytes, 0x62, 0xff])
      expect(bytesToText(all), bytes.map((byte) => byte.toString(16)).join(' ')).equal(`a${text}b`)
    }
  })
})
