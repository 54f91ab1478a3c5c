import { expect } from 'chai'
import fc from 'fast-check'
import { Name } from '@wharfkit/antelope'
import { N, looseName, nameFromString, nameToString } from '../../../src/engine/protocol/name.ts'
import { refusal, refusalOf } from '../refusal.ts'

const anyName = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n })

describe('names', () => {
  it('have the numbers of the protocol', () => {
    expect(N('eosio')).to.equal(6138663577826885632n)
    expect(N('')).to.equal(0n)
    expect(nameToString(6138663577826885632n)).to.equal('eosio')
    expect(N('zzzzzzzzzzzzj')).to.equal((1n << 64n) - 1n)
  })

  it('print to a text that gives the same number', () => {
    fc.assert(
      fc.property(anyName, (n) => {
        expect(nameFromString(nameToString(n))).to.equal(n)
      }),
    )
  })

  it('are what a client library says', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[.1-5a-z]{0,12}[.1-5a-j]?$/), (text) => {
        const trimmed = text.replace(/\.+$/, '')
        expect(nameFromString(trimmed)).to.equal(BigInt(Name.from(trimmed).value.toString()))
      }),
    )
  })

  it('are refused when too long or not their own normal form', () => {
    expect(refusalOf(() => nameFromString('abcdefghijklmn'))).to.include({
      errorName: 'name_type_exception',
      message: 'Name is longer than 13 characters (abcdefghijklmn) ',
    })
    // Seven characters of two bytes each.
    expect(refusalOf(() => nameFromString('é'.repeat(7))).message).to.equal(
      'Name is longer than 13 characters (ééééééé) ',
    )
    for (const text of ['Eosio', 'eosio6', 'abcdefghijklz', 'a b', 'eosio.', 'é', '.']) {
      expect(
        refusal(() => nameFromString(text)),
        text,
      ).to.equal('name_type_exception')
    }
    expect(refusalOf(() => nameFromString('ABC')).message).to.equal(
      'Name not properly normalized (name: ABC, normalized: ) ',
    )
  })

  it('take every other character for a dot where they are not checked', () => {
    const alphabet = 'abcdefghijklmnopqrstuvwxyz12345'
    for (let code = 0; code < 128; code++) {
      const character = String.fromCharCode(code)
      const expected = alphabet.includes(character) ? character : '.'
      const text = nameToString(looseName(`x${character}y`))
      expect(text, `character ${code}`).to.equal(`x${expected}y`)
    }
  })

  it('stay right after more names than the cache holds', () => {
    for (let i = 0n; i < 70000n; i++) nameToString(i * 7919n)
    expect(nameToString(N('eosio.token'))).to.equal('eosio.token')
  })
})
