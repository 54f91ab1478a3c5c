import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { sha256 } from '../../../src/engine/crypto/hash.ts'
import { DEFAULT_WASM_CONFIG } from '../../../src/engine/protocol/config.ts'
import { N } from '../../../src/engine/protocol/name.ts'
import { Writer } from '../../../src/engine/protocol/writer.ts'
import { ChainError } from '../../../src/engine/errors.ts'
import { WasmRuntime } from '../../../src/engine/vm/runtime.ts'
import { FakeContext } from './fake_context.ts'

const path = (name: string): string => `node_modules/proton-tsc/external/${name}/${name}.wasm`
const token = new Uint8Array(readFileSync(path('eosio.token')))
const hash = sha256(token)
const EOS = 0x534f4504n // 4,EOS

function asset(w: Writer, amount: bigint): void {
  w.i64(amount)
  w.u64(EOS)
}

function createData(issuer: string, maximum: bigint): Uint8Array {
  const w = new Writer()
  w.u64(N(issuer))
  asset(w, maximum)
  return w.bytes()
}

function transferData(from: string, to: string, amount: bigint): Uint8Array {
  const w = new Writer()
  w.u64(N(from))
  w.u64(N(to))
  asset(w, amount)
  w.string('memo')
  return w.bytes()
}

function issueData(to: string, amount: bigint): Uint8Array {
  const w = new Writer()
  w.u64(N(to))
  asset(w, amount)
  w.string('memo')
  return w.bytes()
}

function balance(ctx: FakeContext, owner: string): bigint | undefined {
  const table = ctx.db.table_id.find('by_code_scope_table', ctx.receiver, N(owner), N('accounts'))
  if (table === undefined) return undefined
  const row = ctx.db.key_value.find(table.id, EOS >> 8n)
  return new DataView(ctx.db.key_value.value(row).slice().buffer).getBigInt64(0, true)
}

describe('the token contract', () => {
  const runtime = new WasmRuntime()
  const apply = (ctx: FakeContext): void => runtime.apply(hash, () => token, ctx)

  it('is valid code', () => {
    runtime.validate(token, { config: DEFAULT_WASM_CONFIG, speculative: false }, () => true)
    runtime.validate(token, { config: undefined, speculative: false }, () => true)
  })

  it('creates, issues and transfers', () => {
    const ctx = new FakeContext('token')
    for (const name of ['alice', 'bob', 'token']) ctx.accounts.add(N(name))
    apply(ctx.next('create', createData('alice', 1_000_0000n)).authorizedBy('token'))
    apply(ctx.next('issue', issueData('alice', 100_0000n)).authorizedBy('alice'))
    expect(balance(ctx, 'alice')).equal(100_0000n)
    apply(ctx.next('transfer', transferData('alice', 'bob', 30_0000n)).authorizedBy('alice'))
    expect(balance(ctx, 'alice')).equal(70_0000n)
    expect(balance(ctx, 'bob')).equal(30_0000n)
    expect(ctx.recipients).deep.equal([N('alice'), N('bob')])
    expect(ctx.compiled).equal(1)
    expect(ctx.paused).equal(0)
    // A table and a row of 16 bytes for each balance.
    expect(ctx.usage.get(N('alice'))).equal(2 * (112 + 112 + 16))
  })

  it('refuses what it has not', () => {
    const ctx = new FakeContext('token')
    ctx.accounts.add(N('bob'))
    apply(ctx.next('create', createData('alice', 1_000_0000n)).authorizedBy('token'))
    const transfer = ctx.next('transfer', transferData('alice', 'bob', 1n)).authorizedBy('alice')
    expect(() => apply(transfer))
      .throw(ChainError)
      .with.property('message', 'assertion failure with message: no balance object found')
  })
})
