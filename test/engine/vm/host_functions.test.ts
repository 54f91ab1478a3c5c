import { expect } from 'chai'
import { N } from '../../../src/engine/protocol/name.ts'
import { Writer } from '../../../src/engine/protocol/writer.ts'
import { packAction } from '../../../src/engine/protocol/transaction.ts'
import { AssertCodeError } from '../../../src/engine/vm/assert_code_error.ts'
import { FakeContext } from './fake_context.ts'
import { HostCaller } from './host_caller.ts'
import { expectError } from './support.ts'

const END = 65536
const VIOLATION = 'access violation: wasm memory out-of-bounds'

describe('pointers', () => {
  const h = new HostCaller()

  it('are checked by their last byte', () => {
    h.call('prints_l', END - 1, 1)
    h.call('prints_l', END, 0)
    expectError(() => h.call('prints_l', END, 1), 'wasm_execution_error', VIOLATION)
    expectError(() => h.call('prints_l', END + 1, 0), 'wasm_execution_error', VIOLATION)
    expectError(() => h.call('prints_l', -1, 2), 'wasm_execution_error', VIOLATION)
    expectError(() => h.call('prints_l', 0, -1), 'wasm_execution_error', VIOLATION)
    h.call('printi128', END - 16)
    expectError(() => h.call('printi128', END - 15), 'wasm_execution_error', VIOLATION)
  })

  it('of single values are not null', () => {
    const text = 'references cannot be created for null pointers'
    expectError(() => h.call('printi128', 0), 'wasm_execution_error', text)
    h.call('prints_l', 0, 1)
  })

  it('of arrays do not overflow', () => {
    const text = 'eos-vm system failure: length will overflow'
    expectError(() => h.call('get_active_producers', 0, 1 << 30), 'wasm_execution_error', text)
    const over = (): unknown => h.call('get_active_producers', 8, END / 8)
    expectError(over, 'wasm_execution_error', VIOLATION)
  })
})

describe('console functions', () => {
  it('print as the reference does', () => {
    const h = new HostCaller()
    h.text(16, 'text')
    h.call('prints', 16)
    h.call('prints_l', 16, 2)
    expect(h.console).equal('textte')
    h.call('printi', -5n)
    h.call('printui', -5n)
    expect(h.console).equal('-518446744073709551611')
    h.put(32, new Uint8Array(16).fill(255))
    h.call('printi128', 32)
    h.call('printui128', 32)
    expect(h.console).equal('-1340282366920938463463374607431768211455')
    h.call('printn', 'eosio.token')
    h.call('printhex', 30, 4)
    expect(h.console).equal('eosio.token0000ffff')
    h.call('printsf', 0x3fc00000)
    h.call('printdf', 0x3ff8000000000000n)
    expect(h.console).equal('1.500000e+001.500000000000000e+00')
    h.put(48, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0x3f])
    h.call('printqf', 48)
    expect(h.console).equal('1.000000000000000000e+00')
    h.put(64, [0xff, 0])
    h.call('prints', 64)
    expect(h.console).equal('\xff')
  })

  it('do nothing if console output is off', () => {
    const h = new HostCaller()
    h.ctx.console_enabled = false
    h.call('printi', 1n)
    expect(h.console).equal('')
    expectError(() => h.call('prints', END), 'wasm_execution_error', VIOLATION)
  })

  it('want their string to end in memory', () => {
    const h = new HostCaller()
    h.vm.u8.fill(65)
    expectError(() => h.call('prints', END - 4), 'wasm_execution_error', VIOLATION)
    expectError(() => h.call('eosio_assert', 1, END - 4), 'wasm_execution_error', VIOLATION)
  })
})

describe('assertions', () => {
  const h = new HostCaller()

  it('pass, or fail with their message, cut at 1024 bytes', () => {
    h.text(16, 'because')
    h.call('eosio_assert', 1, 16)
    const text = 'assertion failure with message: because'
    const name = 'eosio_assert_message_exception'
    expectError(() => h.call('eosio_assert', 0, 16), name, text)
    expectError(() => h.call('eosio_assert_message', 0, 16, 3), name, 'message: bec')
    h.put(40, [0x61, 0xff, 0xc3, 0xa9, 0xc3])
    expectError(() => h.call('eosio_assert_message', 0, 40, 5), name, 'message: aé')
    h.text(100, 'x'.repeat(2000))
    try {
      h.call('eosio_assert', 0, 100)
      expect.fail('passed')
    } catch (error) {
      expect((error as Error).message.length).equal(
        'assertion failure with message: '.length + 1024,
      )
    }
  })

  it('with codes report the code', () => {
    const codeOf = (code: bigint): [string, bigint] => {
      try {
        h.call('eosio_assert_code', 0, code)
      } catch (error) {
        if (error instanceof AssertCodeError) return [error.errorName, error.error_code]
        throw error
      }
      return expect.fail('passed')
    }
    h.call('eosio_assert_code', 1, 5n)
    expect(codeOf(5n)).deep.equal(['eosio_assert_code_exception', 5n])
    expect(codeOf(-1n)).deep.equal(['restricted_error_code_exception', 10000000000000000001n])
  })

  it('abort ends the action with its error', () => {
    expectError(() => h.call('abort'), 'abort_called', 'abort() called')
  })
})

describe('memory functions', () => {
  it('copy, compare and fill', () => {
    const h = new HostCaller()
    h.put(0, [1, 2, 3, 4, 5])
    expect(h.call('memcpy', 100, 0, 5)).equal(100)
    expect(h.bytes(100, 5)).deep.equal([1, 2, 3, 4, 5])
    expect(h.call('memmove', 1, 0, 4)).equal(1)
    expect(h.bytes(0, 5)).deep.equal([1, 1, 2, 3, 4])
    expect(h.call('memcmp', 0, 100, 1)).equal(0)
    expect(h.call('memcmp', 0, 100, 2)).equal(-1)
    expect(h.call('memcmp', 100, 0, 2)).equal(1)
    expect(h.call('memset', 10, 0x1ff, 3)).equal(10)
    expect(h.bytes(9, 5)).deep.equal([0, 255, 255, 255, 0])
  })

  it('refuse to copy onto themselves', () => {
    const h = new HostCaller()
    const text = 'memcpy can only accept non-aliasing pointers'
    expectError(() => h.call('memcpy', 0, 3, 4), 'overlapping_memory_error', text)
    expectError(() => h.call('memcpy', 3, 0, 4), 'overlapping_memory_error', text)
    h.call('memcpy', 4, 0, 4)
    h.call('memcpy', 4, 4, 0)
    // An empty copy wants a place for one byte.
    expectError(() => h.call('memcpy', END, 0, 0), 'wasm_execution_error', VIOLATION)
  })
})

describe('action functions', () => {
  it('read data as far as there is room', () => {
    const h = new HostCaller(new FakeContext('contract', 'run', new Uint8Array([9, 8, 7])))
    expect(h.call('action_data_size')).equal(3)
    expect(h.call('read_action_data', 0, 0)).equal(3)
    expect(h.call('read_action_data', 10, 2)).equal(2)
    expect(h.bytes(9, 4)).deep.equal([0, 9, 8, 0])
    expect(h.call('read_action_data', 10, 9)).equal(3)
    expect(h.call('current_receiver')).equal(N('contract'))
  })

  it('return a value within the limit', () => {
    const h = new HostCaller()
    h.put(5, [1, 2])
    h.call('set_action_return_value', 5, 2)
    expect([...h.ctx.return_value!]).deep.equal([1, 2])
    const text = 'action return value size must be less or equal to 256 bytes'
    const name = 'action_return_value_exception'
    expectError(() => h.call('set_action_return_value', 0, 257), name, text)
    h.ctx.read_only = true
    h.call('set_action_return_value', 0, 257)
  })

  it('send inline actions, copied', () => {
    const h = new HostCaller()
    const w = new Writer()
    const action = {
      account: N('token'),
      name: N('transfer'),
      authorization: [{ actor: N('alice'), permission: N('active') }],
      data: new Uint8Array([1, 2, 3]),
    }
    packAction(w, action)
    h.put(8, w.view())
    h.call('send_inline', 8, w.length)
    h.vm.u8.fill(0)
    expect(h.ctx.inline[0]!.account).equal(action.account)
    expect([...h.ctx.inline[0]!.data]).deep.equal([1, 2, 3])
    expectError(
      () => h.call('send_inline', 0, 4096),
      'inline_action_too_big',
      'inline action too big',
    )
  })

  it('schedule and cancel deferred transactions', () => {
    const h = new HostCaller()
    h.put(16, [7])
    h.put(40, [1, 2, 3])
    h.call('send_deferred', 16, 'alice', 40, 3, 1)
    expect(h.ctx.deferred[0]).deep.include({ sender_id: 7n, payer: N('alice'), replace: true })
    expect(h.call('cancel_deferred', 16)).equal(1)
    expect(h.call('cancel_deferred', 16)).equal(0)
  })
})

describe('transaction and system functions', () => {
  it('give data of the transaction', () => {
    const h = new HostCaller()
    expect(h.call('transaction_size')).equal(3)
    expect(h.call('read_transaction', 0, 0)).equal(3)
    expect(h.call('read_transaction', 5, 2)).equal(2)
    expect(h.bytes(5, 3)).deep.equal([1, 2, 0])
    expect(h.call('expiration')).equal(1700000000)
    expect(h.call('tapos_block_num')).equal(7)
    expect(h.call('tapos_block_prefix')).equal(0xfedcba98 | 0)
  })

  it('give an action of the transaction', () => {
    const h = new HostCaller()
    const action = { ...h.ctx.act, data: new Uint8Array([5]) }
    h.ctx.trx = { ...h.ctx.trx, actions: [action] }
    const w = new Writer()
    packAction(w, action)
    expect(h.call('get_action', 1, 0, 0, 5)).equal(w.length)
    expect(h.bytes(0, 5)).deep.equal([0, 0, 0, 0, 0])
    expect(h.call('get_action', 1, 0, 0, 100)).equal(w.length)
    expect(h.bytes(0, w.length)).deep.equal([...w.view()])
    expect(h.call('get_action', 1, 1, 0, 0)).equal(-1)
    expect(h.call('get_action', 0, 0, 0, 0)).equal(-1)
    const name = 'action_not_found_exception'
    expectError(() => h.call('get_action', 2, 0, 0, 0), name, 'action is not found')
  })

  it('give data of the chain', () => {
    const h = new HostCaller()
    expect(h.call('current_time')).equal(1_600_000_000_000_000n)
    expect(h.call('publication_time')).equal(1_500_000_000_000_000n)
    expect(h.call('get_sender')).equal(N('sender'))
    expect(h.call('get_block_num')).equal(77)
    expect(h.call('get_active_producers', 8, 0)).equal(16)
    expect(h.call('get_active_producers', 8, 10)).equal(10)
    expect(h.vm.getU64(8)).equal(N('eosio'))
    h.put(64, [1])
    expect(h.call('is_feature_activated', 64)).equal(1)
    expect(h.call('is_feature_activated', 65)).equal(0)
    expect(h.call('get_code_hash', 'alice', 0, 0, 5)).equal(43)
    expect(h.call('get_code_hash', 'alice', 9, 0, 43)).equal(43)
    expect(h.bytes(0, 12)).deep.equal([0, 3, 0, 0, 0, 0, 0, 0, 0, 9, 9, 9])
  })

  it('ask about authority', () => {
    const h = new HostCaller(new FakeContext('contract').authorizedBy('alice'))
    h.call('require_auth', 'alice')
    expectError(() => h.call('require_auth', 'bob'), 'missing_auth_exception', 'authority of bob')
    expect(h.call('has_auth', 'alice')).equal(1)
    expect(h.call('is_account', 'nobody')).equal(0)
    expect(h.call('get_permission_last_used', 'alice', 'active')).equal(5n)
    // A packed transaction of nothing: all zeros.
    expect(h.call('check_transaction_authorization', 512, 16, 0, 0, 0, 0)).equal(1)
    // Of several arguments that cannot be read the transaction is the first.
    const broken = (): unknown => h.call('check_transaction_authorization', 512, 1, 512, 33, 0, 0)
    h.put(512, [9])
    expectError(broken, 'out_of_range_exception', 'datastream of length 1 over by')
    expect(h.call('check_permission_authorization', 'a', 'active', 0, 0, 0, 0, 0n)).equal(0)
    const late = (): unknown =>
      h.call('check_permission_authorization', 'a', 'active', 0, 0, 0, 0, -1n)
    expectError(late, 'action_validate_exception', 'provided delay is too large')
  })
})

describe('privileged functions', () => {
  it('want the privilege, and no read-only transaction', () => {
    const h = new HostCaller()
    const text = 'contract does not have permission to call this API'
    for (const [name, ...args] of [
      ['set_privileged', 'alice', 1],
      ['is_feature_active', 1n],
      ['set_resource_limits', 'alice', 1n, 1n, 1n],
      ['set_proposed_producers', 0, 0],
    ] as [string, ...(number | bigint | string)[]][]) {
      expectError(() => h.call(name, ...args), 'unaccessible_api', text)
    }
    h.ctx.privileged = true
    h.ctx.read_only = true
    const name = 'wasm_execution_error'
    const readonly = 'set_privileged not allowed in a readonly transaction'
    expectError(() => h.call('set_privileged', 'alice', 1), name, readonly)
  })

  it('pass their arguments on', () => {
    const h = new HostCaller()
    h.ctx.privileged = true
    h.put(0, [1, 2, 3])
    h.call('set_privileged', 'alice', 7)
    h.call('set_resource_limits', 'alice', -1n, 2n, 3n)
    h.call('set_blockchain_parameters_packed', 0, 3)
    h.call('set_finalizers', 1n, 0, 2)
    expect(h.call('set_proposed_producers', 0, 1)).equal(4n)
    expect(h.call('set_proposed_producers_ex', 1n, 0, 1)).equal(4n)
    expect(h.ctx.privileged_calls).deep.equal([
      ['setPrivileged', N('alice'), true],
      ['setResourceLimits', N('alice'), -1n, 2n, 3n],
      ['setBlockchainParameters', [1, 2, 3]],
      ['setFinalizers', 1n, [1, 2]],
      ['setProposedProducers', [1], 0n],
      ['setProposedProducers', [1], 1n],
    ])
    const limit = (): unknown => h.call('set_resource_limits', 'alice', 1n, -2n, 1n)
    expectError(limit, 'wasm_execution_error', 'invalid value for net resource weight')
    const hard = (): unknown => h.call('activate_feature', 1n)
    expectError(hard, 'unsupported_feature', 'Unsupported Hardfork Detected')
  })

  it('read parameters into room enough', () => {
    const h = new HostCaller()
    h.ctx.privileged = true
    expect(h.call('get_blockchain_parameters_packed', 0, 0)).equal(5)
    expect(h.call('get_blockchain_parameters_packed', 0, 4)).equal(0)
    expect(h.call('get_blockchain_parameters_packed', 0, 5)).equal(5)
    expect(h.call('get_wasm_parameters_packed', 8, 48, 9)).equal(48)
    expect(h.bytes(8, 6)).deep.equal([0, 0, 0, 0, 1, 1])
    h.call('get_resource_limits', 'alice', 8, 16, 24)
    expect(h.vm.getU64(16)).equal(2n ** 64n - 1n)
    // Of places that overlap, the one that is not aligned is written last.
    h.call('get_resource_limits', 'alice', 41, 48, 64)
    expect(h.bytes(41, 15)).deep.equal([1, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255])
    expect(h.call('get_parameters_packed', 0, 2, 100, 0)).equal(2)
    const small = (): unknown => h.call('get_parameters_packed', 0, 2, 100, 1)
    const text = 'get_parameters_packed: buffer size is smaller than 2'
    expectError(small, 'config_parse_error', text)
    const alias = (): unknown => h.call('get_parameters_packed', 0, 2, 1, 9)
    expectError(alias, 'wasm_exception', 'pointers not allowed to alias')
  })
})

describe('printing', () => {
  it('looks at the clock as often as its length asks for', () => {
    const h = new HostCaller()
    for (let i = 0; i < 10; i++) h.call('prints_l', 0, 65536)
    expect(h.ctx.checks).least(4)
    expect(h.ctx.console).length(10 * 65536)
  })
})
