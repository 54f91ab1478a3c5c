import { expect } from 'chai'
import { toHex } from '../../../src/engine/protocol/hex.ts'
import { abi, expectError, struct } from './support.ts'

const point = struct('point', { x: 'int32', y: 'int32' })

describe('abi: writing', () => {
  it('takes what the reference takes for numbers', () => {
    const a = abi({})
    const write = (type: string, value: unknown): string => toHex(a.encode(type, value))
    expect(write('uint8', '7')).to.equal('07')
    expect(write('uint8', 300)).to.equal('2c')
    expect(write('bool', true)).to.equal('01')
    expect(write('uint64', null)).to.equal('0000000000000000')
    expect(write('uint64', '-1')).to.equal('ffffffffffffffff')
    expect(write('uint64', 18446744073709551615n)).to.equal('ffffffffffffffff')
    expect(write('int64', '-9223372036854775808')).to.equal('0000000000000080')
    expect(write('int32', -1)).to.equal('ffffffff')
    expect(write('uint32', 1.9)).to.equal('01000000')
    expect(write('float64', '1.5')).to.equal('000000000000f83f')
    expect(write('float64', 'inf')).to.equal('000000000000f07f')
    expect(write('uint128', '0x10')).to.equal('10000000000000000000000000000000')
    expect(write('int128', '-2')).to.equal('feffffffffffffffffffffffffffffff')
    expect(write('varuint32', 300)).to.equal('ac02')
    expect(write('checksum256', 'ff')).to.equal(`ff${'00'.repeat(31)}`)
    expect(write('checksum160', 'ff'.repeat(32))).to.equal('ff'.repeat(20))
    expect(write('string', 5)).to.equal('0135')
    expect(write('string', null)).to.equal('00')
    expect(write('extended_asset', ['1.0000 SYS', 'token'])).to.equal(
      write('extended_asset', { contract: 'token', quantity: '1.0000 SYS' }),
    )
    for (const bad of ['', ' 1', '1.0', '0x1', '18446744073709551616', 'x']) {
      expectError(() => write('uint64', bad), 'parse_error_exception', "Couldn't parse uint64_t")
    }
    for (const bad of [18446744073709551616n, 2 ** 53, 1e400, -9223372036854775809n]) {
      expectError(() => write('uint64', bad), 'parse_error_exception', /^Couldn't parse uint64_t/)
      expectError(() => write('int64', bad), 'parse_error_exception', /^Couldn't parse int64_t/)
    }
    expectError(() => write('uint64', {}), 'bad_cast_exception')
    expectError(() => write('bytes', 'abc'), 'assert_exception')
    expectError(() => write('name', 5), 'bad_cast_exception')
    expectError(() => write('name', 'Bad'), 'name_type_exception')
    expectError(() => write('uint128', '-1'), 'std_exception')
  })

  it('takes objects and tuples, and ignores extra fields', () => {
    const a = abi({ structs: [point, struct('point3', { z: 'uint8' }, 'point')] })
    expect(toHex(a.encode('point', { y: 2, x: 1, w: 9 }))).to.equal('0100000002000000')
    expect(toHex(a.encode('point', [1, 2, 3]))).to.equal('0100000002000000')
    expect(toHex(a.encode('point3', { x: 1, y: 2, z: 3 }))).to.equal('010000000200000003')
    expectError(
      () => a.encode('point', { x: 1 }),
      'pack_exception',
      "Missing field 'y' in input object while processing struct 'point'",
    )
    expectError(
      () => a.encode('point', [1]),
      'pack_exception',
      "Early end to input array specifying the fields of struct 'point'; require input for field 'y'",
    )
    expectError(
      () => a.encode('point', 'x'),
      'pack_exception',
      "Unexpected input encountered while processing struct 'point'",
    )
    expectError(() => a.encode('point3', [1, 2, 3]), 'invalid_type_inside_abi', /derived struct/)
    expectError(() => a.encode('point', Object.create({ x: 1, y: 2 })), 'pack_exception')
  })

  it('leaves out optionals anywhere and extensions at the very end only', () => {
    const tail = struct('tail', { a: 'uint8', b: 'uint8$', c: 'uint8$' })
    const a = abi({
      structs: [
        struct('opt', { a: 'uint8?', b: 'uint8' }),
        tail,
        struct('inner', { t: 'tail', z: 'uint8' }),
        struct('last', { z: 'uint8', t: 'tail' }),
      ],
    })
    expect(toHex(a.encode('opt', { b: 1 }))).to.equal('0001')
    expect(toHex(a.encode('tail', { a: 1 }))).to.equal('01')
    expect(toHex(a.encode('tail', { a: 1, b: 2 }))).to.equal('0102')
    expect(toHex(a.encode('last', { z: 1, t: { a: 2 } }))).to.equal('0102')
    expectError(
      () => a.encode('tail', { a: 1, c: 2 }),
      'pack_exception',
      "Unexpected field 'c' found in input object while processing struct 'tail'",
    )
    expectError(
      () => a.encode('inner', { t: { a: 1 }, z: 1 }),
      'pack_exception',
      /Missing field 'b'/,
    )
    expectError(() => a.encode('tail[]', [{ a: 1 }]), 'pack_exception', /Missing field 'b'/)
  })

  it('takes variants as pairs', () => {
    const a = abi({ structs: [point], variants: [{ name: 'either', types: ['uint8', 'point'] }] })
    expect(toHex(a.encode('either', ['point', { x: 1, y: 2 }]))).to.equal('010100000002000000')
    expectError(
      () => a.encode('either', ['int8', 1]),
      'pack_exception',
      "Specified type 'int8' in input array is not valid within the variant 'either'",
    )
    expectError(() => a.encode('either', [1, 1]), 'pack_exception', /non-string/)
    expectError(() => a.encode('either', ['uint8']), 'pack_exception', /array of two items/)
    expectError(() => a.encode('either', { uint8: 1 }), 'pack_exception', /array of two items/)
  })

  it('takes hex for a type that the ABI does not know', () => {
    expect(toHex(abi({}).encode('nope', '0102'))).to.equal('0102')
  })
})
