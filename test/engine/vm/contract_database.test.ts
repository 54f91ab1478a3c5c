import { expect } from 'chai'
import { N } from '../../../src/engine/protocol/name.ts'
import { ContractDatabase } from '../../../src/engine/vm/contract_database.ts'
import { FakeContext } from './fake_context.ts'
import { HostCaller } from './host_caller.ts'
import { expectError } from './support.ts'

type Id = bigint | number

const SELF = N('contract')
const KEY = 512
const PRIMARY = 600

class Tables extends HostCaller {
  store(id: Id, value: number[] = [], scope = 's', payer = 'contract'): number {
    this.put(0, value)
    return Number(this.call('db_store_i64', scope, 't', payer, BigInt(id), 0, value.length))
  }
  find(id: Id, scope = 's', code = 'contract'): number {
    return Number(this.call('db_find_i64', code, scope, 't', BigInt(id)))
  }
  end(scope = 's'): number {
    return Number(this.call('db_end_i64', 'contract', scope, 't'))
  }
  /** Iterator, and the key that it wrote. */
  move(name: string, iterator: number): [number, bigint] {
    this.vm.setU64(PRIMARY, 99n)
    const moved = Number(this.call(name, iterator, PRIMARY))
    return [moved, this.vm.getU64(PRIMARY)]
  }
  get(iterator: number): number[] {
    const n = Number(this.call('db_get_i64', iterator, 100, 50))
    return this.bytes(100, n)
  }
  /** The next action on the same database. */
  renew(): this {
    this.ctx.contract_db = new ContractDatabase(this.ctx)
    return this
  }
}

describe('the primary index', () => {
  it('numbers rows from 0 and end iterators from -2', () => {
    const t = new Tables()
    expect(t.end()).equal(-1)
    expect(t.find(1)).equal(-1)
    expect([5, 1, 9].map((id) => t.store(id, [id]))).deep.equal([0, 1, 2])
    expect(t.store(5, [], 'other')).equal(3)
    expect(t.end()).equal(-2)
    expect(t.end('other')).equal(-3)
    expect(t.find(9)).equal(2)
    expect(t.find(7)).equal(-2)
    t.renew()
    expect(t.find(7, 'other')).equal(-2)
    expect(t.find(9)).equal(0)
    expect(t.get(0)).deep.equal([9])
  })

  it('walks forward and backward', () => {
    const t = new Tables()
    for (const id of [5, 1, 9]) t.store(id)
    expect(t.move('db_next_i64', 1)).deep.equal([0, 5n])
    expect(t.move('db_next_i64', 2)).deep.equal([-2, 99n])
    expect(t.move('db_next_i64', -2)).deep.equal([-1, 99n])
    expect(t.move('db_previous_i64', -2)).deep.equal([2, 9n])
    expect(t.move('db_previous_i64', 1)).deep.equal([-1, 99n])
    const bound = (name: string, id: Id): unknown => t.call(name, 'contract', 's', 't', BigInt(id))
    expect(bound('db_lowerbound_i64', 5)).equal(0)
    expect(bound('db_upperbound_i64', 5)).equal(2)
    expect(bound('db_lowerbound_i64', 10)).equal(-2)
  })

  it('orders keys as unsigned numbers', () => {
    const t = new Tables()
    t.store(2n ** 64n - 1n)
    t.store(0)
    expect(t.move('db_previous_i64', t.end())).deep.equal([0, 2n ** 64n - 1n])
  })

  it('bills tables, rows and bytes, and refunds them', () => {
    const t = new Tables()
    const used = (payer: string): number | undefined => t.ctx.usage.get(N(payer))
    t.store(1, [1, 2, 3])
    expect(used('contract')).equal(112 + 112 + 3)
    t.store(2, [1], 's', 'alice')
    expect(used('alice')).equal(112 + 1)
    t.put(0, [1, 2, 3, 4, 5])
    t.call('db_update_i64', 1, 0n, 0, 5)
    expect(used('alice')).equal(112 + 5)
    t.call('db_update_i64', 1, 'contract', 0, 2)
    expect(used('alice')).equal(0)
    expect(used('contract')).equal(112 + 112 + 3 + 112 + 2)
    t.call('db_remove_i64', 0)
    t.call('db_remove_i64', 1)
    expect(used('contract')).equal(0)
    expect(t.ctx.db.table_id.find('by_code_scope_table', SELF, N('s'), N('t'))).equal(undefined)
  })

  it('refuses iterators that are none', () => {
    const t = new Tables()
    t.store(1)
    const get =
      (iterator: number): (() => unknown) =>
      () =>
        t.get(iterator)
    expectError(get(-1), 'invalid_table_iterator', 'invalid iterator')
    expectError(get(-2), 'table_operation_not_permitted', 'dereference of end iterator')
    expectError(get(1), 'invalid_table_iterator', 'iterator out of range')
    t.call('db_remove_i64', 0)
    expectError(get(0), 'table_operation_not_permitted', 'dereference of deleted object')
    const previous = (): unknown => t.move('db_previous_i64', -9)
    expectError(previous, 'invalid_table_iterator', 'not a valid end iterator')
    // The end iterator of a table that is gone has nothing before it.
    expect(t.move('db_previous_i64', -2)).deep.equal([-1, 99n])
    expect(t.store(1)).equal(1)
    expect(t.end()).equal(-3)
  })

  it('refuses other tables, missing payers, double keys and read-only transactions', () => {
    const t = new Tables()
    t.store(1)
    const none = 'must specify a valid account to pay for new record'
    expectError(() => t.call('db_store_i64', 's', 't', 0n, 2n, 0, 0), 'invalid_table_payer', none)
    expectError(() => t.store(1), 'std_exception', 'could not insert object')
    const other = new Tables(new FakeContext('other'))
    other.ctx.db = t.ctx.db
    other.renew()
    const iterator = other.find(1)
    expect(iterator).equal(0)
    const violation = 'db access violation'
    expectError(() => other.call('db_remove_i64', 0), 'table_access_violation', violation)
    const update = (): unknown => other.call('db_update_i64', 0, 0n, 0, 0)
    expectError(update, 'table_access_violation', violation)
    t.ctx.read_only = true
    const text = 'a db record when executing a readonly transaction'
    expectError(() => t.store(3), 'table_operation_not_permitted', `cannot store ${text}`)
    const remove = (): unknown => t.call('db_remove_i64', 0)
    expectError(remove, 'table_operation_not_permitted', `cannot remove ${text}`)
    expect(t.get(0)).deep.equal([])
  })

  it('gives values as far as there is room', () => {
    const t = new Tables()
    t.store(1, [1, 2, 3])
    expect(t.call('db_get_i64', 0, 0, 0)).equal(3)
    expect(t.call('db_get_i64', 0, 40, 2)).equal(2)
    expect(t.bytes(40, 3)).deep.equal([1, 2, 0])
  })
})

/** Test keys of each kind, in ascending order. */
const KINDS: Record<string, { keys: number[][]; count: number[] }> = {
  idx64: { keys: [pad([1], 8), pad([2], 8), Array<number>(8).fill(255)], count: [] },
  idx128: { keys: [pad([1], 16), [...pad([0], 8), ...pad([1], 8)], Array<number>(16).fill(255)], count: [] }, // oxfmt-ignore
  idx256: { keys: [pad([], 32), [...pad([], 16), ...pad([1], 16)], [...pad([1], 32)]], count: [2] },
  idx_double: { keys: [double(-1), double(0), double(2.5)], count: [] },
  idx_long_double: { keys: [pad([], 14).concat(0xff, 0xbf), pad([], 16), pad([], 14).concat(0xff, 0x3f)], count: [] }, // oxfmt-ignore
}

function pad(bytes: number[], size: number): number[] {
  return [...bytes, ...Array<number>(size - bytes.length).fill(0)]
}

function double(value: number): number[] {
  return [...new Uint8Array(new Float64Array([value]).buffer)]
}

describe('secondary indices', () => {
  for (const [kind, { keys, count }] of Object.entries(KINDS)) {
    const call = (t: Tables, name: string, ...args: (number | bigint | string)[]): number =>
      Number(t.call(`db_${kind}_${name}`, ...args))
    const TABLE = ['contract', 's', 't'] as const
    const filled = (): Tables => {
      const t = new Tables()
      // Stored in another order than that of the keys.
      for (const i of [2, 0, 1]) {
        t.put(KEY, keys[i]!)
        call(t, 'store', 's', 't', 'contract', BigInt(i * 10), KEY, ...count)
      }
      return t
    }

    it(`${kind}: finds, bounds and walks in the order of keys`, () => {
      const t = filled()
      expect(call(t, 'end', ...TABLE)).equal(-2)
      t.put(KEY, keys[1]!)
      expect(call(t, 'find_secondary', ...TABLE, KEY, ...count, PRIMARY)).equal(2)
      expect(t.vm.getU64(PRIMARY)).equal(10n)
      expect(call(t, 'upperbound', ...TABLE, KEY, ...count, PRIMARY)).equal(0)
      expect(t.bytes(KEY, keys[2]!.length)).deep.equal(keys[2])
      t.put(KEY, keys[0]!)
      expect(call(t, 'lowerbound', ...TABLE, KEY, ...count, PRIMARY)).equal(1)
      expect(t.vm.getU64(PRIMARY)).equal(0n)
      const next = (iterator: number): number => call(t, 'next', iterator, PRIMARY)
      expect([1, 2, 0, -2].map(next)).deep.equal([2, 0, -2, -1])
      const previous = (iterator: number): number => call(t, 'previous', iterator, PRIMARY)
      expect([-2, 0, 2, 1].map(previous)).deep.equal([0, 2, 1, -1])
      expect(call(t, 'find_primary', ...TABLE, KEY, ...count, 10n)).equal(2)
      expect(t.bytes(KEY, keys[1]!.length)).deep.equal(keys[1])
      expect(call(t, 'find_primary', ...TABLE, KEY, ...count, 20n)).equal(0)
      expect(t.bytes(KEY, keys[2]!.length)).deep.equal(keys[2])
      expect(call(t, 'find_primary', ...TABLE, KEY, ...count, 11n)).equal(-2)
    })

    it(`${kind}: bills, updates and removes`, () => {
      const t = filled()
      const size = { idx64: 128, idx128: 144, idx256: 160, idx_double: 128, idx_long_double: 144 }[kind]! // oxfmt-ignore
      expect(t.ctx.usage.get(SELF)).equal(112 + 3 * size)
      t.put(KEY, keys[2]!)
      call(t, 'update', 1, 'alice', KEY, ...count)
      expect(t.ctx.usage.get(N('alice'))).equal(size)
      // Now 0 and 20 have the same key: ordered by primary key.
      t.put(KEY, keys[2]!)
      expect(call(t, 'lowerbound', ...TABLE, KEY, ...count, PRIMARY)).equal(1)
      expect(call(t, 'next', 1, PRIMARY)).equal(0)
      for (const iterator of [0, 1, 2]) call(t, 'remove', iterator)
      expect([...t.ctx.usage.values()]).deep.equal([0, 0])
      const deleted = 'dereference of deleted object'
      expectError(() => call(t, 'next', 0, PRIMARY), 'table_operation_not_permitted', deleted)
      expect(call(t, 'end', ...TABLE)).equal(-1)
    })
  }

  it('refuse NaN', () => {
    const t = new Tables()
    t.put(KEY, [0, 0, 0, 0, 0, 0, 0xf8, 0x7f])
    const text = 'NaN is not an allowed value for a secondary key'
    const store = (kind: string): (() => unknown) => {
      return () => t.call(`db_${kind}_store`, 's', 't', 'contract', 1n, KEY)
    }
    expectError(store('idx_double'), 'transaction_exception', text)
    t.put(KEY, [...pad([1], 14), 0xff, 0xff])
    expectError(store('idx_long_double'), 'transaction_exception', text)
  })

  it('of 256 bits want two words', () => {
    const t = new Tables()
    const store = (): unknown => t.call('db_idx256_store', 's', 't', 'contract', 1n, KEY, 3)
    expectError(store, 'db_api_exception', 'given 3 bytes but expected 2 bytes')
  })

  it('share their table with the primary index', () => {
    const t = new Tables()
    t.store(1)
    t.put(KEY, pad([1], 8))
    expect(t.call('db_idx64_store', 's', 't', 'contract', 1n, KEY)).equal(0)
    expect(t.ctx.usage.get(SELF)).equal(112 + 112 + 128)
    t.call('db_remove_i64', 0)
    expect(t.end()).equal(-2)
    t.call('db_idx64_remove', 0)
    expect(t.end()).equal(-1)
  })
})
