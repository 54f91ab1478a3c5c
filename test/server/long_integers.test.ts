import { expect } from 'chai'
import fc from 'fast-check'
import { withLongIntegersAsTexts } from '../../src/server/long_integers.ts'

const read = (json: string): unknown => JSON.parse(withLongIntegersAsTexts(json) ?? json)

describe('server: integers beyond 2^53', () => {
  it('become texts, wherever they stand', () => {
    expect(
      read('{"a":18446744073709551615,"b":[9007199254740993,-9223372036854775808]}'),
    ).deep.equal({ a: '18446744073709551615', b: ['9007199254740993', '-9223372036854775808'] })
    expect(read(' 9007199254740993')).equal('9007199254740993')
  })

  it('texts, smaller integers, fractions and powers stay', () => {
    const json = `{"a":9007199254740991,"b":"x:9007199254740993,\\"9007199254740993","9007199254740993":1,
      "c":1234567890123456.5,"d":1234567890123456e3,"e":[0, 1]}`
    expect(read(json)).deep.equal(JSON.parse(json))
  })

  it('a body without them is not looked through', () => {
    expect(withLongIntegersAsTexts(`{"packed_trx":"${'0'.repeat(1000)}","limit":10}`)).equal(
      undefined,
    )
  })

  it('integers that 64 bits do not hold are refused', () => {
    for (const json of ['18446744073709551616', '-9223372036854775809', '1'.repeat(100_000)]) {
      expect(() => withLongIntegersAsTexts(`{"a":${json}}`)).throw('Unable to parse')
    }
  })

  it('nothing else changes', () => {
    const safe = (_key: string, part: unknown) =>
      Number.isInteger(part) && !Number.isSafeInteger(part) ? 0 : part
    fc.assert(
      fc.property(fc.jsonValue(), fc.bigInt(2n ** 60n, 2n ** 63n), (value, long) => {
        const json = JSON.stringify(value, safe)
        const expected: unknown = JSON.parse(json)
        expect(read(`{"a":${json},"b":${long}}`)).deep.equal({ a: expected, b: String(long) })
      }),
    )
  })
})
