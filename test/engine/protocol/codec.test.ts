import { expect } from 'chai'
import fc from 'fast-check'
import { Reader } from '../../../src/engine/protocol/reader.ts'
import { Writer } from '../../../src/engine/protocol/writer.ts'
import { fromHex, toHex } from '../../../src/engine/protocol/hex.ts'
import { refusal, refusalOf } from '../refusal.ts'

/** What `read` gives for what `write` wrote; also that all of it was read. */
function through<T>(write: (w: Writer) => void, read: (r: Reader) => T): T {
  const w = new Writer(1)
  write(w)
  const r = new Reader(w.bytes())
  const value = read(r)
  expect(r.remaining()).to.equal(0)
  expect(r.canonical).to.equal(true)
  return value
}

const bigInRange = (bits: bigint, signed: boolean): fc.Arbitrary<bigint> =>
  signed
    ? fc.bigInt({ min: -(1n << (bits - 1n)), max: (1n << (bits - 1n)) - 1n })
    : fc.bigInt({ min: 0n, max: (1n << bits) - 1n })

describe('reader and writer', () => {
  it('agree on integers', () => {
    const small = [
      ['u8', 0, 255],
      ['u16', 0, 65535],
      ['u32', 0, 0xffffffff],
      ['i8', -128, 127],
      ['i16', -32768, 32767],
      ['i32', -0x80000000, 0x7fffffff],
      ['varuint32', 0, 0xffffffff],
      ['varint32', -0x80000000, 0x7fffffff],
    ] as const
    for (const [type, min, max] of small) {
      fc.assert(
        fc.property(fc.integer({ min, max }), (v) => {
          expect(
            through(
              (w) => w[type](v),
              (r) => r[type](),
            ),
          ).to.equal(v)
        }),
      )
    }
    const wide = [
      ['u64', 64n, false],
      ['i64', 64n, true],
      ['u128', 128n, false],
      ['i128', 128n, true],
    ] as const
    for (const [type, bits, signed] of wide) {
      fc.assert(
        fc.property(bigInRange(bits, signed), (v) => {
          expect(
            through(
              (w) => w[type](v),
              (r) => r[type](),
            ),
          ).to.equal(v)
        }),
      )
    }
  })

  it('agree on floats, strings, bytes, lists and options', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true }),
        fc.float({ noNaN: true }),
        fc.string({ unit: 'grapheme' }),
        fc.uint8Array({ maxLength: 300 }),
        fc.array(fc.integer({ min: 0, max: 65535 })),
        fc.option(fc.boolean(), { nil: undefined }),
        (f64, f32, text, blob, list, maybe) => {
          const value = through(
            (w) => {
              w.f64(f64)
              w.f32(f32)
              w.string(text)
              w.blob(blob)
              w.raw(blob)
              w.array(list, (w, v) => w.u16(v))
              w.optional(maybe, (w, v) => w.bool(v))
            },
            (r) => [
              r.f64(),
              r.f32(),
              r.string(),
              toHex(r.blob()),
              toHex(r.bytes(blob.length)),
              r.array((r) => r.u16()),
              r.optional((r) => r.bool()),
            ],
          )
          expect(value).to.deep.equal([f64, f32, text, toHex(blob), toHex(blob), list, maybe])
        },
      ),
    )
  })

  it('write little endian and varints as the wire has them', () => {
    const w = new Writer()
    w.u16(0x0102)
    w.u32(0x01020304)
    w.u64(0x0102030405060708n)
    w.varuint32(300)
    w.varuint32(0xffffffff)
    w.varint32(-1)
    w.i64(-2n)
    expect(toHex(w.view())).to.equal(
      '0201' + '04030201' + '0807060504030201' + 'ac02' + 'ffffffff0f' + '01' + 'feffffffffffffff',
    )
    expect(w.length).to.equal(30)
    w.reset()
    expect(w.length).to.equal(0)
  })

  it('write safe integers as numbers of 64 bits', () => {
    const { MAX_SAFE_INTEGER } = Number
    for (const value of [
      0,
      1,
      255,
      2 ** 31,
      2 ** 32 - 1,
      2 ** 32,
      5_000_000_001,
      MAX_SAFE_INTEGER,
    ]) {
      for (const signed of [value, -value]) {
        const [ours, theirs] = [new Writer(), new Writer()]
        ours.safeInteger(signed)
        theirs.i64(BigInt(signed))
        expect(toHex(ours.view()), `${signed}`).to.equal(toHex(theirs.view()))
      }
    }
  })

  it('keep a copy apart from a view', () => {
    const w = new Writer()
    w.u8(1)
    const copy = w.bytes()
    const view = w.view()
    w.reset()
    w.u8(2)
    expect([copy[0], view[0]]).to.deep.equal([1, 2])
  })

  it('keep their buffer when they are used again, unless it has become too large', () => {
    const w = new Writer(16, 64)
    const bufferAfter = (bytes: number): number => {
      w.raw(new Uint8Array(bytes))
      w.reset()
      w.u8(7)
      expect(toHex(w.view())).to.equal('07')
      return w.view().buffer.byteLength
    }
    expect(bufferAfter(8)).to.equal(16)
    expect(bufferAfter(60)).to.equal(64)
    expect(bufferAfter(65)).to.equal(16)
  })

  it('refuse to read past the end', () => {
    const three = new Uint8Array(3)
    expect(refusalOf(() => new Reader(three).u32())).to.include({
      errorName: 'out_of_range_exception',
      message: 'read datastream of length 3 over by -2',
    })
    for (const read of [
      (r: Reader) => r.u64(),
      (r: Reader) => r.bytes(4),
      (r: Reader) => r.f64(),
      (r: Reader) => r.checksum256(),
    ]) {
      expect(refusal(() => read(new Reader(three)))).to.equal('out_of_range_exception')
    }
    // A window of the source ends where it says.
    expect(refusal(() => new Reader(new Uint8Array(16), 4, 8).u64())).to.equal(
      'out_of_range_exception',
    )
    expect(refusal(() => new Reader(new Uint8Array(0)).varuint32())).to.equal(
      'out_of_range_exception',
    )
  })

  it('bound what lengths may say', () => {
    const reader = (hex: string): Reader => new Reader(fromHex(hex))
    expect(refusal(() => reader('ffffffff0f').blob())).to.equal('assert_exception')
    expect(refusal(() => reader('ffffffff0f').array((r) => r.u8()))).to.equal('assert_exception')
    expect(refusal(() => reader('02').bool())).to.equal('assert_exception')
    expect(refusal(() => reader('8080c00a').blob())).to.equal('assert_exception')
    expect(refusal(() => reader('8080800a').blob())).to.equal('out_of_range_exception')
  })

  it('accept long varints and know that they are long', () => {
    for (const [hex, value] of [
      ['8000', 0],
      ['ff00', 127],
      ['ffffffff7f', 0xffffffff],
    ] as const) {
      const r = new Reader(fromHex(hex))
      expect(r.varuint32()).to.equal(value)
      expect(r.canonical, hex).to.equal(false)
    }
    // The sixth byte is not a part of the number.
    const r = new Reader(fromHex('ffffffffff01'))
    r.varuint32()
    expect(r.remaining()).to.equal(1)
    expect(r.canonical).to.equal(false)
  })
})
