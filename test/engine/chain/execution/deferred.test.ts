import { expect } from 'chai'
import {
  pushScheduled,
  pushScheduledById,
} from '../../../../src/engine/chain/execution/push_transaction.ts'
import type { TransactionTrace } from '../../../../src/engine/chain/base/trace.ts'
import { TransactionStatus } from '../../../../src/engine/protocol/transaction_status.ts'
import { keyAuthority, packAuthority } from '../../../../src/engine/protocol/authority.ts'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import { N } from '../../../../src/engine/protocol/name.ts'
import { Reader } from '../../../../src/engine/protocol/reader.ts'
import type { Action, Transaction } from '../../../../src/engine/protocol/transaction.ts'
import {
  extractTransactionExtensions,
  packTransaction,
  unpackTransaction,
} from '../../../../src/engine/protocol/transaction.ts'
import { packOne, Writer } from '../../../../src/engine/protocol/writer.ts'
import type { HostContext } from '../../../../src/engine/vm/host_context.ts'
import type { BuiltinFeatureName } from '../../../../src/engine/protocol/features.ts'
import { action, Harness, pushLimits } from '../support/harness.ts'
import { plainTransaction } from '../../../../src/engine/protocol/transaction.ts'

/** What a deferred transaction is billed beside its bytes. */
const ROW = 272

interface DeferredChain {
  chain: Harness
  /** What `sender` defers when it is told to; replaced by tests. */
  deferred: (ctx: HostContext) => void
  /** Called by deferred actions. */
  later: (ctx: HostContext) => void
  onerror: (ctx: HostContext) => void
}

const bytesOf = (actions: Action[], fields: Partial<Transaction> = {}): Uint8Array =>
  packOne(packTransaction, {
    expiration: 0,
    ref_block_num: 0,
    ref_block_prefix: 0,
    ...plainTransaction(actions),
    ...fields,
  })

const later = () => [action('sender', 'later', 'sender@active')]

function chainWithSender(...features: BuiltinFeatureName[]): DeferredChain {
  const chain = new Harness({ features })
  chain.createAccount('sender', 'alice')
  const it: DeferredChain = {
    chain,
    deferred: (ctx) => ctx.scheduleDeferred(7n, N('sender'), bytesOf(later()), false),
    later: () => {},
    onerror: () => {},
  }
  chain.setScript('sender', (ctx) => {
    if (ctx.act.account === N('eosio')) {
      if (ctx.act.name === N('onerror')) it.onerror(ctx)
    } else if (ctx.act.name === N('later')) it.later(ctx)
    else it.deferred(ctx)
  })
  return it
}

const go = () => [action('sender', 'go', 'sender@active')]

const rows = (chain: Harness) => [...chain.db.generated_transaction.all('by_delay')]

const retire = (chain: Harness): TransactionTrace =>
  pushScheduled(chain.block, rows(chain)[0]!, pushLimits())

describe('deferred transactions', () => {
  it('are stored, billed, and run later by the chain', () => {
    const test = chainWithSender()
    const { chain } = test
    const trace = chain.ok(go())
    const [row] = rows(chain)
    expect(row!.sender).to.equal(N('sender'))
    expect(row!.sender_id).to.equal(7n)
    expect(row!.published).to.equal(chain.block.block_time_us)
    expect(row!.expiration).to.equal(row!.delay_until + 600_000_000)
    const delta = ROW + row!.packed_trx.length
    expect(trace.action_traces[0]!.account_ram_deltas).to.deep.equal([
      { account: N('sender'), delta },
    ])
    const ran: bigint[] = []
    test.later = (ctx) => ran.push(ctx.sender())
    const done = retire(chain)
    expect(ran).to.deep.equal([0n])
    expect(done.scheduled).to.equal(true)
    expect(done.id).to.deep.equal(row!.trx_id)
    expect(done.receipt!.status).to.equal(TransactionStatus.executed)
    expect(done.account_ram_delta).to.deep.equal({ account: N('sender'), delta: -delta })
    expect(rows(chain)).to.deep.equal([])
    expect(chain.block.receipts.at(-1)!.trx).to.deep.equal({ id: row!.trx_id })
  })

  it('wait for their delay, and expire after their window', () => {
    const test = chainWithSender()
    const { chain } = test
    test.deferred = (ctx) =>
      ctx.scheduleDeferred(1n, N('sender'), bytesOf(later(), { delay_sec: 10 }), false)
    chain.ok(go())
    expect(() => retire(chain)).to.throw("this transaction isn't ready")
    expect(rows(chain)).to.have.length(1)
    chain.nextBlock({ skip: 2 * 611 })
    const trace = retire(chain)
    expect(trace.receipt).to.deep.equal({
      status: TransactionStatus.expired,
      cpu_usage_us: 0,
      net_usage_words: 0,
    })
    expect(trace.action_traces).to.deep.equal([])
    expect(rows(chain)).to.deep.equal([])
  })

  it('fail softly if the sender is notified', () => {
    const test = chainWithSender()
    const { chain } = test
    chain.ok(go())
    const [row] = rows(chain)
    test.later = (ctx) => ctx.requireAuth(N('alice'))
    let heard: bigint | undefined
    test.onerror = (ctx) => {
      heard = new Reader(ctx.act.data).u128()
    }
    const trace = retire(chain)
    expect(heard).to.equal(7n)
    expect(trace.receipt!.status).to.equal(TransactionStatus.soft_fail)
    expect(trace.except).to.equal(undefined)
    expect(trace.failed_dtrx_trace!.except!.errorName).to.equal('missing_auth_exception')
    expect(trace.failed_dtrx_trace!.id).to.deep.equal(row!.trx_id)
    expect(trace.action_traces[0]!.receiver).to.equal(N('sender'))
    expect(trace.action_traces[0]!.act.account).to.equal(N('eosio'))
    expect(rows(chain)).to.deep.equal([])
  })

  it('fail hard where that fails too, and are billed', () => {
    const test = chainWithSender()
    const { chain } = test
    chain.ok(go())
    test.later = (ctx) => {
      chain.clock.now_us += 3000
      ctx.requireAuth(N('alice'))
    }
    test.onerror = (ctx) => {
      chain.clock.now_us += 2000
      ctx.requireAuth(N('alice'))
    }
    const digests = chain.block.action_digests.legacy!.length
    const trace = retire(chain)
    expect(trace.receipt).to.deep.equal({
      status: TransactionStatus.hard_fail,
      cpu_usage_us: 5000,
      net_usage_words: 0,
    })
    expect(trace.except!.errorName).to.equal('missing_auth_exception')
    expect(chain.block.action_digests.legacy!.length).to.equal(digests)
    expect(rows(chain)).to.deep.equal([])
  })

  it('stay where they were when the failure is subjective', () => {
    const test = chainWithSender()
    const { chain } = test
    chain.ok(go())
    test.later = (ctx) => {
      chain.clock.now_us += 1_000_000
      ctx.checktime()
    }
    const before = chain.db.resource_usage.get('by_owner', N('sender')).ram_usage
    const trace = retire(chain)
    expect(trace.except!.errorName).to.equal('tx_cpu_usage_exceeded')
    expect(trace.receipt).to.equal(undefined)
    expect(rows(chain)).to.have.length(1)
    expect(chain.db.resource_usage.get('by_owner', N('sender')).ram_usage).to.equal(before)
    expect(chain.db.depth).to.equal(1)
  })

  it('are repeated by validators from their receipts', () => {
    const test = chainWithSender()
    const { chain } = test
    chain.ok(go())
    const [row] = rows(chain)
    const { trx_id } = row!
    chain.nextBlock({ status: 'complete' })
    expect(() => pushScheduledById(chain.block, trx_id, pushLimits())).to.throw(
      'validating requires explicit billing',
    )
    const limits = pushLimits({ explicit_billed_cpu_time: true, billed_cpu_time_us: 1234 })
    expect(() => pushScheduledById(chain.block, new Uint8Array(32), limits)).to.throw(
      'unknown transaction',
    )
    const trace = pushScheduledById(chain.block, trx_id, limits)
    expect(trace.receipt!.cpu_usage_us).to.equal(1234)
    expect(trace.receipt!.status).to.equal(TransactionStatus.executed)
  })

  it('are replaced and cancelled by their sender alone', () => {
    const test = chainWithSender('PREACTIVATE_FEATURE', 'REPLACE_DEFERRED')
    const { chain } = test
    chain.ok(go())
    const { except } = chain.fails(go(), 'deferred_tx_duplicate')
    expect(except!.message).to.equal(
      'deferred transaction with the same sender_id and payer already exists',
    )
    const ram = () => chain.db.resource_usage.get('by_owner', N('sender')).ram_usage
    const before = ram()
    test.deferred = (ctx) =>
      ctx.scheduleDeferred(7n, N('sender'), bytesOf([...later(), ...later()]), true)
    chain.ok(go())
    expect(rows(chain)).to.have.length(1)
    expect(ram() - before).to.equal(34n)
    test.deferred = (ctx) => {
      expect(ctx.cancelDeferred(8n)).to.equal(false)
      expect(ctx.cancelDeferred(7n)).to.equal(true)
    }
    chain.ok(go())
    expect(rows(chain)).to.deep.equal([])
  })

  it('were not replaced by producers before REPLACE_DEFERRED, and the old RAM stayed billed', () => {
    const test = chainWithSender()
    const { chain } = test
    chain.ok(go())
    const [old] = rows(chain)
    const old_id = old!.trx_id
    test.deferred = (ctx) =>
      ctx.scheduleDeferred(7n, N('sender'), bytesOf([...later(), ...later()]), true)
    chain.fails(go(), 'subjective_block_production_exception')
    chain.nextBlock({ status: 'complete' })
    const limits = { explicit_billed_cpu_time: true, billed_cpu_time_us: 100 }
    chain.ok(go(), { limits })
    expect(rows(chain)[0]!.trx_id).to.deep.equal(old_id)
    const correction = chain.db.account_ram_correction.get('by_name', N('sender'))
    expect(Number(correction.ram_correction)).to.be.greaterThan(ROW)
  })

  it('name their sender since NO_DUPLICATE_DEFERRED_ID', () => {
    const test = chainWithSender(
      'PREACTIVATE_FEATURE',
      'REPLACE_DEFERRED',
      'NO_DUPLICATE_DEFERRED_ID',
    )
    const { chain } = test
    const { id } = chain.ok(go())
    const trx = unpackTransaction(new Reader(rows(chain)[0]!.packed_trx))
    expect(trx.expiration).to.equal(0)
    expect(extractTransactionExtensions(trx).deferred_generation_context).to.deep.equal({
      sender_trx_id: id,
      sender_id: 7n,
      sender: N('sender'),
    })
    expect(retire(chain).receipt!.status).to.equal(TransactionStatus.executed)
  })

  it('may be sent for what sender@eosio.code may do', () => {
    const test = chainWithSender()
    const { chain } = test
    const foreign = [action('alice', 'x', 'alice@active')]
    test.deferred = (ctx) => ctx.scheduleDeferred(1n, N('sender'), bytesOf(foreign), false)
    chain.fails(go(), 'unsatisfied_authorization')
    test.deferred = (ctx) => ctx.scheduleDeferred(1n, N('alice'), bytesOf(later()), false)
    chain.fails(go(), 'missing_auth_exception')
    chain.setPrivileged('sender')
    test.deferred = (ctx) => ctx.scheduleDeferred(1n, N('alice'), bytesOf(foreign), false)
    chain.ok(go())
  })

  it('of input transactions wait in the state, and can be called back', () => {
    const test = chainWithSender()
    const { chain } = test
    const trx = chain.transaction(later(), { delay_sec: 5 })
    const trace = chain.ok(trx)
    expect(trace.receipt!.status).to.equal(TransactionStatus.delayed)
    expect(trace.action_traces).to.deep.equal([])
    const [row] = rows(chain)
    expect(row!.sender).to.equal(0n)
    expect(row!.trx_id).to.deep.equal(trace.id)
    expect(trace.account_ram_delta).to.deep.equal({
      account: N('sender'),
      delta: ROW + row!.packed_trx.length,
    })
    chain.nextBlock({ skip: 10 })
    const done = retire(chain)
    expect(done.receipt!.status).to.equal(TransactionStatus.executed)
    expect(done.action_traces[0]!.act.name).to.equal(N('later'))
  })

  it('pass by the lists of keys where their sender does', () => {
    const test = chainWithSender()
    const { chain } = test
    const w = new Writer()
    for (const name of ['sender', 'carol']) w.name(N(name))
    for (let i = 0; i < 2; i++) packAuthority(w, keyAuthority(chain.key))
    const newaccount = { ...action('eosio', 'newaccount', 'sender@active'), data: w.bytes() }
    test.deferred = (ctx) => ctx.scheduleDeferred(7n, N('sender'), bytesOf([newaccount]), false)
    chain.ok(go())
    Object.assign(chain.rules, { key_blacklist: new Set([toHex(chain.key)]) })
    expect(retire(chain).except!.errorName).to.equal('key_blacklist_exception')
    Object.assign(chain.rules, { sender_bypass_whiteblacklist: new Set([N('sender')]) })
    expect(retire(chain).receipt!.status).to.equal(TransactionStatus.executed)
  })

  it('end with DISABLE_DEFERRED_TRXS_STAGE_1', () => {
    const test = chainWithSender()
    const { chain } = test
    test.deferred = (ctx) =>
      ctx.scheduleDeferred(1n, N('sender'), bytesOf(later(), { delay_sec: 1000 }), false)
    chain.ok(go())
    chain.activate('DISABLE_DEFERRED_TRXS_STAGE_1')
    test.deferred = (ctx) => {
      ctx.scheduleDeferred(2n, N('sender'), bytesOf(later()), false)
      expect(ctx.cancelDeferred(1n)).to.equal(false)
    }
    chain.ok(go())
    expect(rows(chain)).to.have.length(1)
    chain.fails(chain.transaction(later(), { delay_sec: 1 }), 'transaction_exception')
    expect(retire(chain).receipt!.status).to.equal(TransactionStatus.expired)
  })
})
