import { expect } from 'chai'
import { N } from '../../../../src/engine/protocol/name.ts'
import type { Action } from '../../../../src/engine/protocol/transaction.ts'
import type { BuiltinFeatureName } from '../../../../src/engine/protocol/features.ts'
import { action, Harness } from '../support/harness.ts'

const go = [action('contract', 'go', 'alice@active')]

/** A chain whose `contract` sends what `send` holds when `go` is called. */
function chainWithSender(...features: BuiltinFeatureName[]) {
  const chain = new Harness({ features })
  chain.createAccount('contract', 'alice', 'bob')
  const state: { send: Action[] } = { send: [] }
  chain.setScript('contract', (ctx) => {
    if (ctx.act.name === N('go')) for (const act of state.send) ctx.executeInline(act)
  })
  return { chain, state }
}

const message = (chain: Harness, name: string) => chain.fails(go, name).except!.message

describe('inline actions', () => {
  it('may do what contract@eosio.code may', () => {
    const { chain, state } = chainWithSender()
    state.send = [action('bob', 'x', 'contract@active')]
    const trace = chain.ok(go)
    expect(trace.action_traces[1]!.receipt!.auth_sequence).to.deep.equal([
      [N('contract'), chain.db.account_metadata.get('by_name', N('contract')).auth_sequence],
    ])
    state.send = [action('bob', 'x', 'bob@active')]
    expect(message(chain, 'unsatisfied_authorization')).to.match(
      /^transaction declares authority '{"actor":"bob","permission":"active"}', but does not have signatures for it under a provided delay of 0 ms/,
    )
    chain.setPrivileged('contract')
    chain.ok(go)
  })

  it('name accounts and permissions that exist', () => {
    const { chain, state } = chainWithSender()
    state.send = [action('nobody', 'x', 'contract@active')]
    expect(message(chain, 'action_validate_exception')).to.equal(
      "inline action's code account nobody does not exist",
    )
    state.send = [action('bob', 'x', 'nobody@active')]
    expect(message(chain, 'action_validate_exception')).to.equal(
      "inline action's authorizing actor nobody does not exist",
    )
    state.send = [action('bob', 'x', 'contract@nope')]
    expect(message(chain, 'action_validate_exception')).to.equal(
      'inline action\'s authorizations include a non-existent permission: {"actor":"contract","permission":"nope"}',
    )
  })

  it('to oneself passed on the own authorizations before RESTRICT_ACTION_TO_SELF', () => {
    const self = [action('contract', 'x', 'alice@active')]
    const before = chainWithSender('PREACTIVATE_FEATURE')
    before.state.send = self
    before.chain.ok(go)
    before.state.send = [action('contract', 'x', 'bob@active')]
    before.chain.fails(go, 'subjective_block_production_exception')
    before.chain.nextBlock({ status: 'complete' })
    const limits = { explicit_billed_cpu_time: true, billed_cpu_time_us: 100 }
    before.chain.ok(go, { limits })

    const after = chainWithSender('PREACTIVATE_FEATURE', 'RESTRICT_ACTION_TO_SELF')
    after.state.send = self
    after.chain.fails(go, 'unsatisfied_authorization')
  })

  it('nest to a depth', () => {
    const { chain } = chainWithSender()
    let depth = 0
    chain.setScript('contract', (ctx) => {
      depth++
      ctx.executeInline(action('contract', 'go', 'contract@active'))
    })
    const trace = chain.fails(
      [action('contract', 'go', 'contract@active')],
      'transaction_exception',
    )
    expect(trace.except!.message).to.equal('max inline action depth per transaction reached')
    expect(depth).to.equal(5)
    expect(trace.action_traces).to.have.length(6)
    expect(trace.action_traces[5]!.receipt).to.equal(undefined)
    // The failure is between actions, and none of them has it.
    expect(trace.action_traces.every((act) => act.except === undefined)).to.equal(true)
  })

  it('that are context free have no authorization', () => {
    const { chain } = chainWithSender()
    chain.setScript('contract', (ctx) =>
      ctx.executeContextFreeInline(action('bob', 'x', 'contract@active')),
    )
    expect(message(chain, 'action_validate_exception')).to.equal(
      'context-free actions cannot have authorizations',
    )
  })
})

describe('context-free actions', () => {
  it('run first, see their data, and may not be authorized', () => {
    const { chain } = chainWithSender()
    const seen: unknown[] = []
    chain.setScript('bob', (ctx) => seen.push(ctx.context_free, ctx.contextFreeData(0)))
    chain.setScript('contract', (ctx) => seen.push(ctx.context_free))
    const trx = chain.transaction(go, { context_free_actions: [action('bob', 'free', '')] })
    const trace = chain.ok(trx, { context_free_data: [Uint8Array.of(5, 6)] })
    expect(seen).to.deep.equal(
      [true, Buffer.from([5, 6]), false].map((v) => (v instanceof Buffer ? new Uint8Array(v) : v)),
    )
    expect(trace.action_traces[0]!.context_free).to.equal(true)
    const wrong = chain.transaction(go, {
      context_free_actions: [action('bob', 'x', 'bob@active')],
    })
    expect(chain.fails(wrong, 'transaction_exception').except!.message).to.equal(
      'context-free actions cannot have authorizations',
    )
  })
})

describe('RAM that actions bill', () => {
  it('is verified at the end, for the first account in order that has too little', () => {
    const { chain } = chainWithSender()
    chain.setScript('eosio', (ctx) => {
      for (const name of ['alice', 'contract'])
        ctx.privileged_api.setResourceLimits(N(name), 5000n, -1n, -1n)
    })
    chain.ok([action('eosio', 'limit', 'eosio@active')])
    chain.setScript('contract', (ctx) => {
      ctx.updateDbUsage(N('contract'), 100_000)
      ctx.updateDbUsage(N('alice'), 100_000)
    })
    const trace = chain.fails(go, 'ram_usage_exceeded')
    expect(trace.except!.message).to.match(
      /^account alice has insufficient ram; needs \d+ bytes has 5000 bytes$/,
    )
    expect(trace.action_traces[0]!.receipt).to.not.equal(undefined)
  })

  it('is refused to others without their authority, before and since RAM_RESTRICTIONS', () => {
    const before = chainWithSender('PREACTIVATE_FEATURE')
    before.chain.setScript('contract', (ctx) => ctx.updateDbUsage(N('bob'), 10))
    before.chain.fails(go, 'missing_auth_exception')
    const after = chainWithSender('PREACTIVATE_FEATURE', 'RAM_RESTRICTIONS')
    after.chain.setScript('contract', (ctx) => ctx.updateDbUsage(N('bob'), 10))
    expect(message(after.chain, 'unauthorized_ram_usage_increase')).to.equal(
      'unprivileged contract cannot increase RAM usage of another account that has not authorized the action: bob',
    )
    after.chain.setPrivileged('contract')
    after.chain.ok(go)
  })

  it('is refused to others while being notified', () => {
    for (const features of [[], ['PREACTIVATE_FEATURE', 'RAM_RESTRICTIONS']] as const) {
      const { chain } = chainWithSender(...features)
      chain.setScript('contract', (ctx) => ctx.requireRecipient(N('bob')))
      chain.setScript('bob', (ctx) => ctx.updateDbUsage(N('alice'), 10))
      const restricted = features.length > 0
      chain.fails(
        go,
        restricted ? 'unauthorized_ram_usage_increase' : 'subjective_block_production_exception',
      )
    }
  })

  it('may be moved freely if no account is charged more since RAM_RESTRICTIONS', () => {
    const { chain } = chainWithSender('PREACTIVATE_FEATURE', 'RAM_RESTRICTIONS')
    chain.setScript('contract', (ctx) => {
      ctx.updateDbUsage(N('bob'), 10)
      ctx.updateDbUsage(N('bob'), -10)
    })
    expect(chain.ok(go).action_traces[0]!.account_ram_deltas).to.deep.equal([
      { account: N('bob'), delta: 0 },
    ])
  })
})

describe('failures of actions', () => {
  it('name the receiver, the action and its console', () => {
    const { chain } = chainWithSender()
    chain.setScript('contract', (ctx) => {
      ctx.consoleAppend('so far')
      ctx.requireAuth2(N('bob'), N('active'))
    })
    const { except, action_traces } = chain.fails(go, 'missing_auth_exception')
    expect(except!.details.map((detail) => detail.message)).to.deep.equal([
      'missing authority of bob/active',
      'contract <= contract::go pending console output: so far',
    ])
    expect(action_traces[0]!.except).to.equal(except)
    expect(action_traces[0]!.console).to.equal('so far')
  })

  it('have the console as UTF-8 text, without bytes that are none', () => {
    const { chain } = chainWithSender()
    chain.setScript('contract', (ctx) => {
      ctx.consoleAppend(Buffer.from('ä€').toString('latin1') + 'A\xc3B')
      ctx.requireAuth2(N('bob'), N('active'))
    })
    const { except } = chain.fails(go, 'missing_auth_exception')
    expect(except!.details[1]!.message).match(/console output: ä€AB$/)
  })

  it('of a notified account that does not exist are those of the reference', () => {
    const { chain } = chainWithSender()
    chain.setScript('contract', (ctx) => ctx.requireRecipient(N('nobody')))
    const trace = chain.fails(go, 'std_exception')
    expect(trace.except!.message).to.equal('unknown key (eosio::chain::name): nobody')
    expect(trace.error_code).to.equal(undefined)
    expect(trace.action_traces[0]!.receipt).to.not.equal(undefined)
    expect(trace.action_traces[1]!.except).to.equal(trace.except)
  })
})
