import { expect } from 'chai'
import { packAbi, unpackAbi } from '../../../src/engine/abi/abi_binary.ts'
import { AbiCache } from '../../../src/engine/abi/abi_cache.ts'
import { abiFromJson } from '../../../src/engine/abi/abi_json.ts'
import { ConversionBudget } from '../../../src/engine/abi/conversion_budget.ts'
import { SYSTEM_ABI_BYTES } from '../../../src/engine/abi/system_abi.ts'
import { fromHex } from '../../../src/engine/protocol/hex.ts'
import { abi, expectError, struct } from './support.ts'

const alias = (new_type_name: string, type: string): unknown => ({ new_type_name, type })

describe('abi: validation', () => {
  it('refuses other versions, duplicates and names of existing types', () => {
    expectError(() => abi({ version: 'eosio::abi/2.0' }), 'unsupported_abi_version_exception')
    const s = struct('s', { a: 'uint8' })
    expectError(() => abi({ structs: [s, s] }), 'duplicate_abi_struct_def_exception')
    expectError(
      () => abi({ types: [alias('uint8', 'uint16')] }),
      'duplicate_abi_type_def_exception',
      'type already exists',
    )
    const action = { name: 'a', type: 'uint8' }
    expectError(() => abi({ actions: [action, action] }), 'duplicate_abi_action_def_exception')
    const table = { name: 'a', type: 'uint8' }
    expectError(() => abi({ tables: [table, table] }), 'duplicate_abi_table_def_exception')
    const variant = { name: 'v', types: ['uint8'] }
    expectError(() => abi({ variants: [variant, variant] }), 'duplicate_abi_variant_def_exception')
    const message = { error_code: 1, error_msg: '' }
    expectError(
      () => abi({ error_messages: [message, message] }),
      'duplicate_abi_err_msg_def_exception',
    )
    const result = { name: 'a', result_type: 'uint8' }
    expectError(
      () => abi({ action_results: [result, result] }),
      'duplicate_abi_action_results_def_exception',
    )
  })

  it('refuses unknown types at any place', () => {
    const bad = 'invalid_type_inside_abi'
    expectError(() => abi({ types: [alias('a', 'nope')] }), bad, 'nope')
    expectError(() => abi({ structs: [struct('s', { a: 'nope$' })] }), bad, 'nope$')
    expectError(() => abi({ structs: [struct('s', {}, 'nope')] }), bad, 'Unknown struct nope')
    expectError(() => abi({ structs: [struct('s', {}, 'uint8')] }), bad, 'Unknown struct uint8')
    expectError(() => abi({ variants: [{ name: 'v', types: ['nope'] }] }), bad, 'nope')
    expectError(() => abi({ actions: [{ name: 'a', type: 'nope' }] }), bad, 'nope')
    expectError(() => abi({ tables: [{ name: 'a', type: '' }] }), bad, '')
    expectError(() => abi({ action_results: [{ name: 'a', result_type: 'nope' }] }), bad, 'nope')
    // One suffix at a time: containers of containers need an alias between.
    expectError(() => abi({ structs: [struct('s', { a: 'string?[]' })] }), bad, 'string?[]')
    expect(() => abi({ types: [alias('o', 'string?'), alias('l', 'o[]')] })).not.to.throw()
  })

  it('refuses circles and deep chains', () => {
    expectError(
      () => abi({ types: [alias('a', 'b'), alias('b', 'c'), alias('c', 'a')] }),
      'abi_circular_def_exception',
      'Circular reference in type a',
    )
    expectError(
      () => abi({ types: [alias('a', 'a')] }),
      'abi_circular_def_exception',
      'Circular reference in type a',
    )
    expectError(
      () => abi({ structs: [struct('a', {}, 'b'), struct('b', {}, 'a')] }),
      'abi_circular_def_exception',
      'Circular reference in struct a',
    )
    const chain = Array.from({ length: 32 }, (_, i) => alias(`t${i}`, i ? `t${i - 1}` : 'uint8'))
    expectError(
      () => abi({ types: chain }),
      'abi_recursion_depth_exception',
      'recursive definition, max_recursion_depth 32 ',
    )
    expect(() => abi({ types: chain.slice(0, 29) })).not.to.throw()
  })

  it('stops reading and writing values that nest too deep', () => {
    const a = abi({ structs: [struct('node', { next: 'node[]' })] })
    const bytes = new Uint8Array(100).fill(1)
    expectError(() => a.decode('node', bytes), 'abi_recursion_depth_exception')
    let value: unknown = { next: [] }
    for (let i = 0; i < 40; i++) value = { next: [value] }
    expectError(() => a.encode('node', value), 'abi_recursion_depth_exception')
    expectError(() => a.decode('uint8', bytes, { depth: 31 }), 'abi_recursion_depth_exception')
  })
})

describe('abi: hostile documents', () => {
  it('refuses truncated ones at every length', () => {
    for (let n = 5; n < SYSTEM_ABI_BYTES.length - 1; n += 7) {
      expectError(() => unpackAbi(SYSTEM_ABI_BYTES.subarray(0, n)), 'out_of_range_exception')
    }
  })

  it('does not believe counts', () => {
    // Version '', then 2^32-1 types, or a million of them without content.
    expectError(() => unpackAbi(fromHex('00ffffffff0f')), 'assert_exception')
    expectError(() => unpackAbi(fromHex('00808040')), 'out_of_range_exception')
    const a = abi({ structs: [struct('s', { x: 'uint8' })] })
    expectError(() => a.decode('s[]', fromHex('ffffffff0f0102')), 'unpack_exception')
    expectError(() => a.decode('uint8[]', fromHex('ffffffff0f0102')), 'unpack_exception')
  })

  it('bounds what long names can become', () => {
    const name = 'x'.repeat(300_000)
    const a = abi({ structs: [struct('s', { [name]: 'uint8' })] })
    const bytes = new Uint8Array(1000)
    bytes.set([0xe5, 0x07])
    expectError(() => a.decode('s[]', bytes), 'abi_serialization_deadline_exception')
  })

  it('bounds what long names cost where they are looked up', () => {
    const long = 'x'.repeat(300_000)
    const a = abi({ structs: [struct(long, {})], types: [alias('short', long)] })
    for (const type of [long, 'short']) {
      const budget = new ConversionBudget()
      expectError(
        () => {
          for (let i = 0; i < 1000; i++) a.encode(type, {}, { budget })
        },
        'abi_serialization_deadline_exception',
        'serialization time limit 15000us exceeded',
      )
    }
  })

  it('bounds what aliases with long names cost while the document is looked at', () => {
    const name = (i: number): string => `${'x'.repeat(8000)}${i}`
    const chain = Array.from({ length: 28 }, (_, i) => alias(name(i), i ? name(i - 1) : 'uint8'))
    const types = [...chain, alias('a', name(27))]
    const fields = Array.from({ length: 5000 }, () => ({ name: '', type: 'a' }))
    const bases = Array.from({ length: 5000 }, (_, i) => struct(`s${i}`, {}, 'b'))
    const error = 'abi_serialization_deadline_exception'
    expectError(() => abi({ types, structs: [{ name: 's', base: '', fields }] }), error)
    const root = [alias(name(0), 'root'), ...chain.slice(1), alias('b', name(27))]
    expectError(() => abi({ types: root, structs: [struct('root', {}), ...bases] }), error)
    expect(() => abi({ types, structs: [struct('s', { x: 'a' })] })).not.to.throw()
  })

  it('bounds what long keys and signatures cost', () => {
    const a = abi({})
    const rpid = new Uint8Array(100_000).fill(0x61)
    const key = Uint8Array.from([2, ...new Uint8Array(34), 0xa0, 0x8d, 0x06, ...rpid])
    const signature = Uint8Array.from([2, ...new Uint8Array(66), 0xa0, 0x8d, 0x06, ...rpid])
    const error = 'abi_serialization_deadline_exception'
    expectError(() => a.decode('public_key', key), error)
    expectError(() => a.decode('signature[]', Uint8Array.from([1, ...signature])), error)
    expectError(() => a.encode('public_key', `PUB_WA_${'z'.repeat(65_000)}`), error)
    expectError(() => a.encode('signature?', `SIG_WA_${'z'.repeat(65_000)}`), error)
    // As long as max-signature-length lets one be.
    const usual = signature.slice(0, 1 + 66 + 3 + 16_000)
    usual.set([0x80, 0xfd, 0x00], 67)
    const text = a.decode('signature', usual)
    expect(a.decode('signature', a.encode('signature', text))).equal(text)
  })

  it('takes the first of equal alternatives', () => {
    const a = abi({ variants: [{ name: 'v', types: ['uint8', 'string', 'uint8'] }] })
    expect([...a.encode('v', ['uint8', 7])]).to.deep.equal([0, 7])
    expect([...a.encode('v', ['string', ''])]).to.deep.equal([1, 0])
  })

  it('refuses more than a mebibyte of packed data', () => {
    const value = 'ab'.repeat(1024 * 1024)
    expectError(() => abi({}).encode('bytes', value), 'out_of_range_exception')
  })

  it('bounds work by what is converted, both ways and over several conversions', () => {
    const lists: [type: string, item: unknown][] = [
      ['uint8', 1],
      ['float64', '1.00000000000000000'],
      ['name', 'alice'],
      ['string', ''],
      ['s', { x: 1 }],
      ['v', ['s', { x: 1 }]],
      ['s?', null],
      ['public_key', 'EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV'],
    ]
    for (const [type, item] of lists) {
      const a = abi({
        structs: [struct('s', { x: 'uint8' })],
        variants: [{ name: 'v', types: ['uint8', 's'] }],
        types: [alias('item', type)],
      })
      const value = Array.from({ length: 300 }, () => item)
      const bytes = a.encode('item[]', value)
      const both = [
        (budget: ConversionBudget) => a.encode('item[]', value, { budget }),
        (budget: ConversionBudget) => a.decode('item[]', bytes, { budget }),
      ]
      for (const convert of both) {
        const over = 'serialization time limit 1us exceeded'
        const error = 'abi_serialization_deadline_exception'
        expectError(() => convert(new ConversionBudget(1)), error, over)
        const enough = new ConversionBudget(1000)
        convert(enough)
        expectError(
          () => {
            for (let i = 0; i < 1000; i++) convert(enough)
          },
          error,
          'serialization time limit 1000us exceeded',
        )
      }
    }
    // As much as a page of a thousand rows with two kilobytes each may have.
    const row = new Uint8Array(2002)
    row.set([0xd0, 0x0f])
    const page = new ConversionBudget()
    for (let i = 0; i < 1000; i++) abi({}).decode('uint8[]', row, { budget: page })
  })

  it('has room for a page of a thousand wide rows, and for a block full of transfers', () => {
    const key = 'EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV'
    const parts: [type: string, value: unknown][] = [
      ['public_key', key],
      ...Array.from({ length: 5 }, (): [string, unknown] => ['asset', '1.0000 SYS']),
      ...Array.from({ length: 5 }, (): [string, unknown] => ['float64', '0.1']),
      ...Array.from({ length: 5 }, (): [string, unknown] => [
        'time_point_sec',
        '2020-01-01T00:00:00',
      ]),
      ...Array.from({ length: 20 }, (): [string, unknown] => ['uint64', 1]),
    ]
    const row = Object.fromEntries(parts.map(([type], i) => [`some_field_of_a_row_${i}`, type]))
    const values = parts.map(([, value]) => value)
    const transfer = { from: 'name', to: 'name', quantity: 'asset', memo: 'string' }
    const a = abi({ structs: [struct('row', row), struct('transfer', transfer)] })
    const work: [type: string, count: number, value: unknown][] = [
      ['row', 1000, values],
      ['transfer', 3000, ['alice', 'bob', '1.0000 SYS', 'm'.repeat(256)]],
    ]
    for (const [type, count, value] of work) {
      const bytes = a.encode(type, value)
      const budget = new ConversionBudget()
      for (let i = 0; i < count; i++) a.decode(type, bytes, { budget })
    }
  })
})

describe('abi: cache', () => {
  it('compiles equal bytes once and forgets the oldest', () => {
    // Memory for one of them, by what it may take at most, and not for two.
    const cache = new AbiCache(30 * (SYSTEM_ABI_BYTES.length + 500))
    const first = cache.get(SYSTEM_ABI_BYTES)
    expect(first).not.to.equal(undefined)
    expect(cache.get(SYSTEM_ABI_BYTES.slice())).to.equal(first)
    cache.get(Uint8Array.from([...SYSTEM_ABI_BYTES, 0]))
    expect(cache.get(SYSTEM_ABI_BYTES)).not.to.equal(first)
    expect(cache.get(new Uint8Array(4))).to.equal(undefined)
  })

  it('counts what an ABI takes when it is unpacked, however small it is', () => {
    const cache = new AbiCache(1_000_000)
    const first = cache.get(SYSTEM_ABI_BYTES)
    for (let i = 0; i < 1000; i++) {
      cache.get(
        packAbi(
          abiFromJson({
            version: 'eosio::abi/1.1',
            types: [],
            error_messages: [{ error_code: i, error_msg: '' }],
          }),
        ),
      )
    }
    expect(cache.get(SYSTEM_ABI_BYTES)).not.to.equal(first)
  })
})
