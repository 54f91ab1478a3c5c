/** Work accounts for what it costs: the deadline is asked in proportion, never counted by time. */
import { expect } from 'chai'
import { sha256 } from '../../../src/engine/crypto/hash.ts'
import { HOST_FUNCTIONS } from '../../../src/engine/vm/host/table.ts'
import { N } from '../../../src/engine/protocol/name.ts'
import type { Action } from '../../../src/engine/protocol/transaction.ts'
import { WasmRuntime } from '../../../src/engine/vm/runtime.ts'
import { F32, F64, I32, assemble, i32, u32 } from './assembler.ts'
import { Deadline, FakeContext } from './fake_context.ts'
import { HostCaller } from './host_caller.ts'
import { APPLY } from './modules.ts'
import { run } from './support.ts'

const MIB = 1024 * 1024
/** The most bytes that anything may go through between two looks at the clock: about 0.3 ms. */
const BYTES_BETWEEN_LOOKS = MIB
const SIZE = 4 * MIB
/** Behind everything that is written. */
const FAR = 20 * MIB

function caller(): HostCaller {
  const ctx = new FakeContext('contract').authorizedBy('contract')
  ctx.privileged = true
  ctx.max_inline_action_size = Infinity
  return new HostCaller(ctx, 528)
}

const bytes = (length: number) => new Uint8Array(length).fill(65)
const action = (data: Uint8Array): Action => ({ ...new FakeContext('contract').act, data })

/** A list of as many elements as fit in `size` bytes, each of them `element`, at address 0. */
function list(c: HostCaller, size: number, element: readonly number[]): number {
  const count = Math.floor((size - 5) / element.length)
  let at = c.put(0, u32(count)) + u32(count).length
  for (let i = 0; i < count; i++, at += element.length) c.put(at, [...element])
  return at
}

/** Calls that cost more the larger `size` is. */
const CALLS: Record<string, (c: HostCaller, size: number) => void> = {
  memcpy: (c, size) => void c.call('memcpy', 0, FAR, Math.min(size, 12 * MIB)),
  'memmove down': (c, size) => void c.call('memmove', 0, 8, size),
  'memmove up': (c, size) => void c.call('memmove', 8, 0, size),
  memcmp: (c, size) => void c.call('memcmp', 0, 8, size),
  memset: (c, size) => void c.call('memset', 0, 1, size),
  sha1: (c, size) => void c.call('sha1', 64, size, 8),
  sha256: (c, size) => void c.call('sha256', 64, size, 8),
  sha512: (c, size) => void c.call('sha512', 128, size, 8),
  ripemd160: (c, size) => void c.call('ripemd160', 64, size, 8),
  sha3: (c, size) => void c.call('sha3', 64, size, 0, 32, 0),
  prints: (c, size) => {
    c.put(0, bytes(size))
    c.call('prints', 0)
  },
  prints_l: (c, size) => void c.call('prints_l', 0, size),
  printhex: (c, size) => void c.call('printhex', 0, size),
  'eosio_assert: where its text ends': (c, size) => {
    c.put(c.vm.size - size, bytes(size - 1))
    c.vm.u8[c.vm.size - 1] = 1
    c.vm.u8[c.vm.size - 2] = 0
    c.call('eosio_assert', 1, c.vm.size - size)
  },
  read_action_data: (c, size) => {
    c.ctx.act = action(bytes(size))
    c.call('read_action_data', 0, size)
  },
  read_transaction: (c, size) => {
    c.ctx.packed_transaction = bytes(size)
    c.call('read_transaction', 0, size)
  },
  get_action: (c, size) => {
    c.ctx.trx = { ...c.ctx.trx, actions: [action(bytes(size))] }
    c.call('get_action', 1, 0, 0, size + 100)
  },
  get_context_free_data: (c, size) => {
    c.ctx.context_free = true
    c.ctx.context_free_data = [bytes(size)]
    c.call('get_context_free_data', 0, 0, size)
  },
  set_action_return_value: (c, size) => {
    c.ctx.read_only = true
    c.call('set_action_return_value', 0, size)
  },
  db_store_i64: (c, size) => void c.call('db_store_i64', 1n, 1n, 'contract', 1n, 0, size),
  db_update_i64: (c, size) => {
    const row = c.call('db_store_i64', 1n, 1n, 'contract', 1n, 0, 1) as number
    c.call('db_update_i64', row, 'contract', 0, size)
  },
  db_get_i64: (c, size) => {
    const row = c.call('db_store_i64', 1n, 1n, 'contract', 1n, 0, size) as number
    c.ctx.checks = 0
    c.call('db_get_i64', row, 0, size)
  },
  'send_inline: data': (c, size) => {
    const { length } = u32(size)
    c.put(17, u32(size))
    c.call('send_inline', 0, 17 + length + size)
  },
  send_deferred: (c, size) => void c.call('send_deferred', FAR, 'contract', 0, size, 0),
  'check_transaction_authorization: actions': (c, size) => {
    const end = list(c, size, Array(18).fill(0))
    // Header, no context-free actions, the actions, no extensions.
    c.vm.u8.copyWithin(14, 0, end)
    c.vm.u8.fill(0, 0, 14)
    c.call('check_transaction_authorization', 0, 14 + end + 1, 0, 0, 0, 0)
  },
  'check_permission_authorization: keys': (c, size) => {
    const end = list(c, size, [0, ...Array(33).fill(2)])
    c.call('check_permission_authorization', 'a', 'b', 0, end, 0, 0, 0n)
  },
  'check_permission_authorization: permissions': (c, size) => {
    const end = list(c, size, Array(16).fill(1))
    c.call('check_permission_authorization', 'a', 'b', 0, 0, 0, end, 0n)
  },
}

describe('work of host functions and of memory', function () {
  this.timeout(240_000)

  for (const [name, call] of Object.entries(CALLS)) {
    it(`asks for the deadline in proportion: ${name}`, () => {
      const c = caller()
      call(c, SIZE)
      expect(c.ctx.checks).gte(SIZE / BYTES_BETWEEN_LOOKS)
      const late = caller()
      late.ctx.budget = Math.floor(SIZE / BYTES_BETWEEN_LOOKS / 2)
      expect(() => call(late, SIZE)).throw(Deadline)
    })
  }

  it('counts at least a unit for each call of each function', () => {
    const c = caller()
    let units = 0
    c.vm.spend = (n) => void (units += n)
    const silent: string[] = []
    const refused: string[] = []
    for (const [name, f] of HOST_FUNCTIONS) {
      const args = f.type.params.map((type, i) => argument(type, i))
      units = 0
      try {
        ;(f.link(c.vm) as (...args: unknown[]) => unknown)(...args)
      } catch {
        refused.push(name)
        continue
      }
      if (units < 1) silent.push(name)
    }
    expect(silent).deep.equal([])
    // Those that fail with such arguments end the action.
    expect(refused.length).lessThan(HOST_FUNCTIONS.size / 3)
  })

  it('counts what a number far from one takes to print', () => {
    const c = caller()
    for (let i = 0; i < 3; i++) {
      c.vm.setU128(64, (0x7ffen << 112n) | 5n)
      c.call('printqf', 64)
    }
    expect(c.ctx.checks).gte(3)
  })

  const pages = 528
  const grow = (delta: number): number[] => [0x41, ...i32(delta), 0x40, 0, 0x1a]

  it('asks in proportion while memory shrinks and grows', () => {
    const code = assemble({
      memory: { initial: 1 },
      functions: [
        { type: 0, code: Array.from({ length: 10 }, () => [...grow(500), ...grow(-500)]).flat() },
      ],
    })
    const ctx = run(code)
    expect(ctx.checks).gte((10 * 500 * 65536) / BYTES_BETWEEN_LOOKS)
    const late = new FakeContext('contract')
    late.budget = 40
    expect(() => run(code, late)).throw(Deadline)
  })

  it('asks in proportion while memory is prepared for each of many actions', () => {
    const code = assemble({ memory: { initial: pages }, functions: [{ type: 0, code: [] }] })
    const runtime = new WasmRuntime()
    const ctx = new FakeContext('contract')
    for (let i = 0; i < 5; i++) run(code, ctx, runtime)
    expect(ctx.checks).gte((5 * pages * 65536) / BYTES_BETWEEN_LOOKS)
  })

  it('does not count the first use of a small memory, which the first instance begins', () => {
    const code = assemble({ memory: { initial: 1 }, functions: [{ type: 0, code: [] }] })
    const runtime = new WasmRuntime()
    const checks = [1, 2].map(() => {
      const ctx = new FakeContext('contract')
      runtime.apply(sha256(code), () => code, ctx)
      return ctx.checks
    })
    expect(checks).deep.equal([0, 0])
  })

  it('prepares all of memory again where the deadline came in between', () => {
    // Fails unless its last byte is zero, and sets it.
    const last = pages * 65536 - 1
    const code = assemble({
      types: [APPLY],
      memory: { initial: pages },
      functions: [
        {
          type: 0,
          code: [
            0x41, ...i32(last), 0x2d, 0, 0, 0x04, 0x40, 0x00, 0x0b,
            0x41, ...i32(last), 0x41, 1, 0x3a, 0, 0,
          ],
        },
      ],
    }) // oxfmt-ignore
    const runtime = new WasmRuntime()
    run(code, new FakeContext('contract'), runtime)
    const late = new FakeContext('contract')
    late.budget = 2
    expect(() => run(code, late, runtime)).throw(Deadline)
    run(code, new FakeContext('contract'), runtime)
  })
})

/** A name, a number or a pointer that most functions take. */
function argument(type: number, index: number): number | bigint {
  if (type === I32) return 64 * (index + 1)
  if (type === F32) return 0x3f800000
  return type === F64 ? 0x3ff0000000000000n : N('contract')
}
