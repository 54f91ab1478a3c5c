import { expect } from 'chai'
import { pushOnBlock } from '../../../../src/engine/chain/blocks/onblock.ts'
import { TransactionStatus } from '../../../../src/engine/protocol/transaction_status.ts'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import { N } from '../../../../src/engine/protocol/name.ts'
import type { HostContext } from '../../../../src/engine/vm/host_context.ts'
import { action, Harness } from '../support/harness.ts'

/** A chain with a contract that bills RAM to itself and returns a value. */
function chainWithContract(): Harness {
  const chain = new Harness({ features: ['PREACTIVATE_FEATURE', 'ACTION_RETURN_VALUE'] })
  chain.createAccount('contract', 'alice')
  chain.setScript('contract', (ctx: HostContext) => {
    ctx.consoleAppend('hi')
    if (!ctx.read_only) ctx.updateDbUsage(N('contract'), 128)
    ctx.setActionReturnValue(Uint8Array.of(1, 2, 3))
  })
  return chain
}

const go = (authorization = 'alice@active') => [action('contract', 'go', authorization)]

/** Everything of the state that a transaction changes. */
const fingerprint = (chain: Harness) => ({
  global: chain.db.dynamic_global_property.single().global_action_sequence,
  contract: { ...chain.db.account_metadata.get('by_name', N('contract')) },
  ram: chain.db.resource_usage.get('by_owner', N('contract')).ram_usage,
  pending: chain.db.resource_limits_state.single().pending_cpu_usage,
  remembered: chain.db.transaction.size,
  depth: chain.db.depth,
  receipts: chain.block.receipts.length,
  digests: chain.block.action_digests.legacy!.length,
  metas: chain.block.trx_metas.length,
  announced: chain.block.announced.length,
})

describe('kinds of transactions', () => {
  it('input: keeps everything, once', () => {
    const chain = chainWithContract()
    const before = fingerprint(chain)
    const trace = chain.ok(go())
    const after = fingerprint(chain)
    expect(after.global).to.equal(before.global + 1n)
    expect(after.contract.recv_sequence).to.equal(before.contract.recv_sequence + 1n)
    expect(after.ram).to.equal(before.ram + 128n)
    expect(after.receipts).to.equal(before.receipts + 1)
    expect(after.digests).to.equal(before.digests + 1)
    expect(chain.block.receipt_digests.length).to.equal(after.receipts)
    expect(after.metas).to.equal(before.metas + 1)
    expect(chain.block.announced.at(-1)).to.equal(trace)
    expect(trace.action_traces[0]!.return_value).to.deep.equal(Uint8Array.of(1, 2, 3))
    expect(trace.action_traces[0]!.console).to.equal('hi')
  })

  it('failed: keeps nothing, and the trace shows the executed actions', () => {
    const chain = chainWithContract()
    const before = fingerprint(chain)
    const trace = chain.fails(
      [...go(), action('alice', 'x', 'alice@active'), action('contract', 'go', 'contract@owner')],
      'unsatisfied_authorization',
      { keys: [] },
    )
    expect(trace.action_traces).to.deep.equal([])
    expect(trace.error_code).to.equal(10_000_000_000_000_000_000n)
    expect(fingerprint(chain)).to.deep.equal({ ...before, announced: before.announced + 1 })
  })

  it('dry run: wants no keys, answers as if it was, and keeps nothing', () => {
    const chain = chainWithContract()
    const before = fingerprint(chain)
    const trace = chain.ok(go(), { kind: 'dry_run', keys: [] })
    expect(trace.receipt!.status).to.equal(TransactionStatus.executed)
    expect(trace.receipt!.cpu_usage_us).to.equal(100)
    expect(trace.action_traces[0]!.receipt!.global_sequence).to.equal(before.global + 1n)
    expect(trace.action_traces[0]!.account_ram_deltas).to.deep.equal([
      { account: N('contract'), delta: 128 },
    ])
    expect(fingerprint(chain)).to.deep.equal(before)
    chain.fails(go(''), 'tx_no_auths', { kind: 'dry_run' })
  })

  it('read only: authorizes nothing, bills nothing, and takes no numbers', () => {
    const chain = chainWithContract()
    const before = fingerprint(chain)
    const trace = chain.ok(go(''), { kind: 'read_only', keys: [] })
    expect(trace.receipt).to.deep.equal({
      status: TransactionStatus.executed,
      cpu_usage_us: 0,
      net_usage_words: 0,
    })
    expect(trace.net_usage % 8).to.equal(0)
    const [act] = trace.action_traces
    expect(act!.receipt!.global_sequence).to.equal(0n)
    expect(act!.receipt!.recv_sequence).to.equal(0n)
    expect(act!.return_value).to.deep.equal(Uint8Array.of(1, 2, 3))
    expect(fingerprint(chain)).to.deep.equal(before)
    const { except } = chain.fails(go(), 'transaction_exception', { kind: 'read_only' })
    expect(except!.message).to.equal("read-only action 'go' cannot have authorizations")
    chain.fails([action('eosio', 'setabi', '')], 'action_validate_exception', { kind: 'read_only' })
  })

  it('read only: inline actions with an authorization fail, because they would use sequence numbers', () => {
    const chain = chainWithContract()
    const [inline] = go()
    chain.setScript('alice', (ctx) => ctx.executeInline(inline!))
    const before = fingerprint(chain)
    const trace = chain.fails([action('alice', 'go', '')], 'std_exception', {
      kind: 'read_only',
      keys: [],
    })
    expect(trace.except!.message).to.equal('attempting to modify a record in read-only mode')
    const [first, second] = trace.action_traces
    expect(first!.receipt!.auth_sequence).to.deep.equal([])
    expect(second!.receipt!.auth_sequence).to.deep.equal([])
    expect(second!.return_value).to.deep.equal(Uint8Array.of(1, 2, 3))
    expect([second!.except, second!.console]).to.deep.equal([undefined, ''])
    expect(fingerprint(chain)).to.deep.equal(before)
  })

  it('read only: ends with its window', () => {
    const chain = chainWithContract()
    chain.setScript('contract', (ctx) => {
      chain.clock.now_us += 9000
      ctx.checktime()
    })
    chain.fails(go(''), 'block_cpu_usage_exceeded', {
      kind: 'read_only',
      limits: { block_deadline_us: chain.clock.now_us + 5000 },
    })
  })

  it('ephemeral blocks keep the transaction for the queue and undo its effects', () => {
    const chain = chainWithContract()
    chain.nextBlock({ status: 'ephemeral' })
    const before = fingerprint(chain)
    chain.ok(go())
    const after = fingerprint(chain)
    expect(after.global).to.equal(before.global)
    expect(after.ram).to.equal(before.ram)
    expect(after.metas).to.equal(before.metas + 1)
    chain.block.keep_ephemeral = true
    chain.ok(go())
    expect(fingerprint(chain).ram).to.equal(before.ram + 128n)
  })

  it('onblock: is billed the minimum, leaves a digest and no receipt', () => {
    const chain = chainWithContract()
    chain.nextBlock()
    const seen: string[] = []
    chain.setScript('eosio', (ctx) => seen.push(toHex(ctx.act.data)))
    chain.rules.actor_blacklist = new Set([N('eosio')])
    chain.rules.contract_blacklist = new Set([N('eosio')])
    seen.length = 0
    const before = fingerprint(chain)
    const trace = pushOnBlock(chain.block)
    expect(trace.except).to.equal(undefined)
    expect(seen).to.deep.equal([toHex(chain.block.head_header)])
    expect(trace.receipt).to.deep.equal({
      status: TransactionStatus.executed,
      cpu_usage_us: 100,
      net_usage_words: 0,
    })
    const after = fingerprint(chain)
    expect(after.receipts).to.equal(before.receipts)
    expect(after.digests).to.equal(before.digests + 1)
    expect(after.remembered).to.equal(before.remembered)
    expect(chain.block.checks_required).to.equal(false)
  })

  it('onblock: a failure does not affect the block', () => {
    const chain = chainWithContract()
    chain.setScript('eosio', (ctx) => {
      if (ctx.act.name === N('onblock')) ctx.requireAuth(N('alice'))
    })
    const before = fingerprint(chain)
    expect(pushOnBlock(chain.block).except!.errorName).to.equal('missing_auth_exception')
    expect(fingerprint(chain)).to.deep.equal({ ...before, announced: before.announced + 1 })
  })
})
