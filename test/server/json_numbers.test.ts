import { expect } from 'chai'
import fc from 'fast-check'
import { withNumbersAsRead } from '../../src/server/json_numbers.ts'

const read = (json: string): unknown => JSON.parse(withNumbersAsRead(json) ?? json)

describe('server: numbers of JSON', () => {
  it('integers beyond 2^53 become texts, at any depth', () => {
    expect(
      read('{"a":18446744073709551615,"b":[9007199254740993,-9223372036854775808]}'),
    ).deep.equal({ a: '18446744073709551615', b: ['9007199254740993', '-9223372036854775808'] })
    expect(read(' 9007199254740993')).equal('9007199254740993')
  })

  it('with an exponent become texts, as the reference reads them', () => {
    expect(read('{"a":1e2,"b":[1E18,-1.5e-3, 1e+400],"c":"2e2","d":12}')).deep.equal({
      a: '1e2',
      b: ['1E18', '-1.5e-3', '1e+400'],
      c: '2e2',
      d: 12,
    })
    expect(read('1e5')).equal('1e5')
  })

  it('a negative zero is zero where it is an integer', () => {
    expect(read('{"a":-0,"b":[-0,-0.0, -0]}')).deep.equal({ a: 0, b: [0, -0, 0] })
  })

  it('fractions that a double does not hold are refused', () => {
    expect(() => read(`[${'9'.repeat(400)}.5]`)).throw('Unable to parse')
    expect(read(`[${'9'.repeat(300)}.5]`)).deep.equal([Number('9'.repeat(300))])
  })

  it('texts, smaller integers and fractions stay', () => {
    const json = `{"a":9007199254740991,"b":"x:9007199254740993,\\"9007199254740993","9007199254740993":1,
      "c":1234567890123456.5,"d":": 1e5, -0","e":[0, 1]}`
    expect(read(json)).deep.equal(JSON.parse(json))
  })

  it('a body without them is not looked through', () => {
    expect(withNumbersAsRead(`{"packed_trx":"${'0'.repeat(1000)}","limit":10}`)).equal(undefined)
  })

  it('integers that 64 bits do not hold are refused', () => {
    for (const json of ['18446744073709551616', '-9223372036854775809', '1'.repeat(100_000)]) {
      expect(() => withNumbersAsRead(`{"a":${json}}`)).throw('Unable to parse')
    }
  })

  it('nothing else changes', () => {
    const safe = (_key: string, part: unknown) => {
      if (typeof part !== 'number') return part
      return /e/.test(String(part)) || Math.abs(part) > Number.MAX_SAFE_INTEGER ? 0 : part
    }
    fc.assert(
      fc.property(fc.jsonValue(), fc.bigInt(2n ** 60n, 2n ** 63n), (value, long) => {
        const json = JSON.stringify(value, safe)
        const expected: unknown = JSON.parse(json)
        expect(read(`{"a":${json},"b":${long}}`)).deep.equal({ a: expected, b: String(long) })
      }),
    )
  })
})
