import { expect } from 'chai'
import { fromHex } from '../../../src/engine/protocol/hex.ts'
import { refusalOf } from '../refusal.ts'
import { abi, expectError, struct } from './support.ts'

const point = struct('point', { x: 'int32', y: 'int32' })

describe('abi: reading', () => {
  it('prints numbers as the reference does', () => {
    const a = abi({})
    const read = (type: string, hex: string): unknown => a.decode(type, fromHex(hex))
    expect(read('bool', '02')).to.equal(2)
    expect(read('int8', 'ff')).to.equal(-1)
    expect(read('uint64', 'ffffffff00000000')).to.equal(0xffffffff)
    expect(read('uint64', '0000000001000000')).to.equal('4294967296')
    expect(read('uint64', 'ffffffffffffffff')).to.equal('18446744073709551615')
    expect(read('int64', '01000000ffffffff')).to.equal(-0xffffffff)
    expect(read('int64', '00000000ffffffff')).to.equal('-4294967296')
    expect(read('int128', 'ffffffffffffffffffffffffffffffff')).to.equal('-1')
    expect(read('uint128', '01000000000000000000000000000000')).to.equal('1')
    expect(read('varint32', '01')).to.equal(-1)
    expect(read('varuint32', 'ffffffff0f')).to.equal(0xffffffff)
    expect(read('float64', '9a9999999999b93f')).to.equal('0.10000000000000001')
    expect(read('float64', '000000000000f0bf')).to.equal('-1.00000000000000000')
    expect(read('float64', '000000000000f87f')).to.equal('nan')
    expect(read('float64', '000000000000f8ff')).to.equal('-nan')
    expect(read('float64', '0000000000000080')).to.equal('-0.00000000000000000')
    // 2^-18 has 18 digits: an exact tie, rounded to even.
    expect(read('float64', '000000000000d03e')).to.equal('0.00000381469726562')
    expect(read('float64', '9c7500883ce4377e')).to.match(/^1000000000000000052504760255204420248/)
    expect(read('float32', '0000803f')).to.equal('1.00000000000000000')
    expect(read('float128', '0000000000000000000000000000ff3f')).to.equal(
      '0x0000000000000000000000000000ff3f',
    )
  })

  it('prints times', () => {
    const a = abi({})
    const read = (type: string, hex: string): unknown => a.decode(type, fromHex(hex))
    expect(read('time_point', '40420f0000000000')).to.equal('1970-01-01T00:00:01.000')
    expect(read('time_point', 'ffffffffffffffff')).to.equal('-000000.000001')
    expect(read('time_point_sec', 'ffffffff')).to.equal('2106-02-07T06:28:15')
    expect(read('block_timestamp_type', '01000000')).to.equal('2000-01-01T00:00:00.500')
    const late = fromHex('ffffffffffffff7f')
    expectError(
      () => a.decode('time_point', late),
      'unpack_exception',
      /^Unable to unpack built-in/,
    )
  })

  it('omits bytes that are not text', () => {
    const a = abi({})
    expect(a.decode('string', fromHex('0561ff62c328'))).to.equal('ab(')
    expect(a.decode('string', fromHex('03efbfbd'))).to.equal('\ufffd')
    expect(a.decode('string', fromHex('07eda08061c08062'))).to.equal('ab')
    expect(a.decode('string', fromHex('04f09f9880'))).to.equal('\u{1f600}')
  })

  it('reads arrays, optionals, variants, bases, aliases and extensions', () => {
    const a = abi({
      types: [
        { new_type_name: 'maybe', type: 'uint8?' },
        { new_type_name: 'alias', type: 'point' },
      ],
      structs: [
        point,
        struct('point3', { z: 'uint8' }, 'alias'),
        struct('tail', { a: 'uint8', b: 'uint8$', c: 'string$' }),
      ],
      variants: [{ name: 'either', types: ['uint8', 'alias'] }],
    })
    const read = (type: string, hex: string): unknown => a.decode(type, fromHex(hex))
    expect(read('uint16[]', '0201000200')).to.deep.equal([1, 2])
    expect(read('maybe[]', '0301050001ff')).to.deep.equal([5, null, 255])
    expect(read('alias[]', '010100000002000000')).to.deep.equal([{ x: 1, y: 2 }])
    expect(read('uint8?', '00')).to.equal(null)
    expect(read('point?', '020100000002000000')).to.deep.equal({ x: 1, y: 2 })
    expect(read('either', '0007')).to.deep.equal(['uint8', 7])
    expect(read('either', '01010000000200000001')).to.deep.equal(['alias', { x: 1, y: 2 }])
    expect(JSON.stringify(read('point3', '010000000200000003'))).to.equal('{"x":1,"y":2,"z":3}')
    expect(read('tail', '01')).to.deep.equal({ a: 1 })
    expect(read('tail', '0102')).to.deep.equal({ a: 1, b: 2 })
    expect(read('tail', '01020161')).to.deep.equal({ a: 1, b: 2, c: 'a' })
    // The reference takes a sized array for a single value.
    expect(read('uint8[4]', '0708')).to.equal(7)
  })

  it('keeps a field named __proto__', () => {
    const a = abi({ structs: [struct('s', { ['__proto__']: 'uint8', b: 'uint8' })] })
    expect(JSON.stringify(a.decode('s', fromHex('0102')))).to.equal('{"__proto__":1,"b":2}')
  })

  it('says what failed, with the type or with the path', () => {
    const a = abi({
      structs: [point, struct('list', { points: 'point[]', n: 'uint8' }), struct('empty', {})],
      variants: [{ name: 'either', types: ['uint8', 'point'] }],
    })
    const read =
      (type: string, hex: string, full_path = false) =>
      () =>
        a.decode(type, fromHex(hex), { full_path })
    expectError(
      read('list', '0201000000020000000300'),
      'unpack_exception',
      "Unable to unpack built-in type 'int32' while processing 'int32'",
    )
    expectError(
      read('list', '0201000000020000000300', true),
      'unpack_exception',
      "Unable to unpack built-in type 'int32' while processing 'list.points[1].x'",
    )
    expectError(
      read('list', '0101000000020000', true),
      'unpack_exception',
      "Unable to unpack built-in type 'int32' while processing 'list.points[0].y'",
    )
    expectError(
      read('list', '010100000002000000'),
      'unpack_exception',
      "Stream unexpectedly ended; unable to unpack field 'n' of struct 'list'",
    )
    expectError(
      read('either', '05'),
      'unpack_exception',
      "Unpacked invalid tag (5) for variant 'either'",
    )
    expectError(read('either', ''), 'unpack_exception', "Unable to unpack tag of variant 'either'")
    expectError(read('point[]', ''), 'unpack_exception', "Unable to unpack size of array 'ARRAY'")
    expectError(read('empty', '00'), 'unpack_exception', "Unable to unpack 'empty' from stream")
    expectError(read('nope', '00'), 'invalid_type_inside_abi', 'Unknown type nope')
    expectError(read('uint8?', '02'), 'unpack_exception', /^Unable to unpack optional of built-in/)
    expectError(read('symbol', '0453595300000061'), 'symbol_type_exception')
  })

  it('refuses a broken symbol as the reference does, wherever it is', () => {
    const read = (type: string, hex: string) => () => abi({}).decode(type, fromHex(hex))
    const PRECISION = 'precision 219 should be <= 18'
    const broken = '0100000000000000db454f5300000000'
    const right = '01000000000000000453595300000000'
    const cases: [type: string, hex: string, text: string][] = [
      ['asset', broken, PRECISION],
      ['asset[]', `02${right}${broken}`, PRECISION],
      ['asset?', `01${broken}`, PRECISION],
      ['extended_asset', `${broken}0000000000ea3055`, PRECISION],
      ['symbol', broken.slice(16), PRECISION],
      ['symbol[]', `01${broken.slice(16)}`, PRECISION],
      ['asset', '01000000000000000453797300000000', 'invalid symbol: Sys'],
      ['asset', '01000000000000000453005300000000', 'invalid symbol: S\0S'],
      // Bytes that are not UTF-8 are left out of the text, and are not letters.
      ['asset', '010000000000000004530053ff000000', 'invalid symbol: S\0S'],
      ['asset', '010000000000000004ff595300000000', 'invalid symbol: YS'],
      ['symbol_code', '5379730000000000', 'invalid symbol: Sys'],
      // The symbol is looked at before the amount.
      ['asset', `${'ff'.repeat(7)}7fdb454f5300000000`, PRECISION],
    ]
    for (const [type, hex, text] of cases) {
      const error = refusalOf(read(type, hex))
      expect([error.code, error.errorName], `${type} ${hex}`).deep.equal([
        3010014,
        'symbol_type_exception',
      ])
      expect(error.details[0]!.message, `${type} ${hex}`).equal(text)
      expect(error.details[1]!.message).match(/^Unable to unpack (array of |optional of )?built-in/)
    }
    const large = read('asset', `${'ff'.repeat(7)}7f0453595300000000`)
    expectError(large, 'asset_type_exception', 'magnitude of asset amount must be less than 2^62')
  })

  it('prints times that are none as the reference does, and says which it cannot print', () => {
    const a = abi({})
    expect(a.decode('time_point', fromHex('0000000000000080'))).equal('-infinity')
    expectError(
      () => a.decode('time_point', fromHex('ffffffffffffff7f')),
      'unpack_exception',
      "Unable to unpack built-in type 'time_point' while processing '' (Year is out of valid range: 1400..9999)",
    )
    const wide = a.encode('time_point', `2026-01-01T00:00:00.${'0'.repeat(18)}`)
    const us = 1767225600000000n + (10n ** 18n - 1000n) * 1000n
    expect(Buffer.from(wide).readBigInt64LE()).equal(BigInt.asIntN(64, us))
  })
})
