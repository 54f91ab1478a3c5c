import { expect } from 'chai'
import { assetFromString } from '../../../src/engine/protocol/asset.ts'
import { fromBase58 } from '../../../src/engine/protocol/base58.ts'
import { symbolFromString } from '../../../src/engine/protocol/symbol.ts'
import { trim } from '../../../src/engine/protocol/text.ts'

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
