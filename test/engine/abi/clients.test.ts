import { ABI, Serializer } from '@wharfkit/antelope'
import { expect } from 'chai'
import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { packAbi, unpackAbi } from '../../../src/engine/abi/abi_binary.ts'
import { abiFromJson } from '../../../src/engine/abi/abi_json.ts'
import { compileAbi } from '../../../src/engine/abi/compiled_abi.ts'
import { toHex } from '../../../src/engine/protocol/hex.ts'
import { nameToString } from '../../../src/engine/protocol/name.ts'
import { abi } from './support.ts'

function contractAbi(name: string): unknown {
  const path = `../../../node_modules/proton-tsc/external/${name}/${name}.abi`
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
}

const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const name = u64.map(nameToString)
const hex = (bytes: number): fc.Arbitrary<string> =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(toHex)
const integer = (bits: bigint, signed: boolean): fc.Arbitrary<string> =>
  fc
    .bigInt(
      signed
        ? { min: -(2n ** (bits - 1n)), max: 2n ** (bits - 1n) - 1n }
        : { min: 0n, max: 2n ** bits - 1n },
    )
    .map(String)
const code = fc.stringMatching(/^[A-Z]{1,7}$/)
const asset = fc
  .tuple(fc.bigInt({ min: -(2n ** 62n) + 1n, max: 2n ** 62n - 1n }), fc.nat(18), code)
  .map(([amount, decimals, code]) => {
    const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
    const at = digits.length - decimals
    const text = decimals ? `${digits.slice(0, at)}.${digits.slice(at)}` : digits
    // "-0" is not a number that the reference would print.
    return `${amount < 0n ? '-' : ''}${text} ${code}`
  })

/** Values as JSON prints them, for types whose text is the value. */
const VALUES: Record<string, fc.Arbitrary<unknown>> = {
  name,
  string: fc.string({ unit: 'grapheme' }),
  bytes: fc.uint8Array({ maxLength: 50 }).map(toHex),
  checksum160: hex(20),
  checksum256: hex(32),
  checksum512: hex(64),
  int8: fc.integer({ min: -128, max: 127 }),
  uint8: fc.integer({ min: 0, max: 255 }),
  int16: fc.integer({ min: -32768, max: 32767 }),
  uint16: fc.integer({ min: 0, max: 65535 }),
  int32: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  uint32: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  varint32: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  varuint32: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  int64: integer(64n, true),
  uint64: integer(64n, false),
  int128: integer(128n, true),
  uint128: integer(128n, false),
  symbol_code: code,
  symbol: fc.tuple(fc.nat(18), code).map(([p, c]) => `${p},${c}`),
  asset,
}

describe('abi: agreement with a client library', () => {
  for (const [type, values] of Object.entries(VALUES)) {
    it(`${type}: same bytes, and the same value back`, () => {
      const ours = abi({})
      fc.assert(
        fc.property(values, (value) => {
          const bytes = ours.encode(type, value)
          expect(String(ours.decode(type, bytes))).to.equal(String(value))
          const theirs = Serializer.encode({ object: value, type } as never)
          expect(toHex(bytes)).to.equal(theirs.hexString)
        }),
      )
    })
  }

  it('doubles: the printed text reads back as the same bits', () => {
    const ours = abi({})
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (value) => {
        const bytes = ours.encode('float64', value)
        const text = ours.decode('float64', bytes) as string
        // 17 digits after the point tell large numbers apart, not tiny ones.
        if (Math.abs(value) >= 1) expect(toHex(ours.encode('float64', text))).to.equal(toHex(bytes))
        if (Math.abs(value) < 1e21 && Number.isInteger(value)) {
          expect(text).to.equal(Object.is(value, -0) ? '-0.00000000000000000' : value.toFixed(17))
        }
      }),
    )
  })
})

describe('abi: published contracts', () => {
  for (const contract of ['eosio.token', 'atomicassets']) {
    it(`${contract}: packs as the client library packs it, and unpacks to itself`, () => {
      const json = contractAbi(contract)
      const def = abiFromJson(json)
      const packed = packAbi(def)
      expect(unpackAbi(packed)).to.deep.equal(def)
      const theirs = Serializer.encode({ object: ABI.from(json as never) }).hexString
      // The library leaves out an empty list of action results.
      expect(toHex(packed).startsWith(theirs)).to.equal(true)
      expect(packed.length - theirs.length / 2).to.be.oneOf([0, 1, 2])
    })
  }

  it('packs a transfer and a nested atomic attribute map', () => {
    const token = compileAbi(abiFromJson(contractAbi('eosio.token')))
    const transfer = { from: 'alice', to: 'bob', quantity: '1.0000 SYS', memo: 'hi' }
    const bytes = token.encode('transfer', transfer)
    expect(toHex(bytes)).to.equal(
      '0000000000855c340000000000000e3d10270000000000000453595300000000026869',
    )
    expect(token.decode('transfer', bytes)).to.deep.equal(transfer)

    const atomic = compileAbi(abiFromJson(contractAbi('atomicassets')))
    const type = atomic.actionType(0n) ?? 'createtempl'
    const template = {
      authorized_creator: 'alice',
      collection_name: 'coll',
      schema_name: 'schema',
      transferable: 1,
      burnable: 0,
      max_supply: 5,
      immutable_data: [
        { key: 'name', value: ['string', 'x'] },
        { key: 'rates', value: ['FLOAT_VEC', ['1.50000000000000000']] },
        { key: 'id', value: ['uint64', '18446744073709551615'] },
      ],
    }
    expect(atomic.decode(type, atomic.encode(type, template))).to.deep.equal(template)
  })

  it('never fails but with an error of the table, whatever the bytes', () => {
    const atomic = compileAbi(abiFromJson(contractAbi('atomicassets')))
    const types = [...atomic.types.structs.keys()]
    fc.assert(
      fc.property(fc.constantFrom(...types), fc.uint8Array({ maxLength: 300 }), (type, bytes) => {
        try {
          JSON.stringify(atomic.decode(type, bytes))
        } catch (error) {
          expect((error as Error).name).to.equal('ChainError')
        }
      }),
    )
  })
})
