import { expect } from 'chai'
import { ConversionBudget } from '../../../../src/engine/abi/conversion_budget.ts'
import { transactionTraceJson } from '../../../../src/engine/json/trace.ts'
import { N, nameToString } from '../../../../src/engine/protocol/name.ts'
import { WasmRuntime } from '../../../../src/engine/vm/runtime.ts'
import { Harness } from '../support/harness.ts'
import { Token } from '../support/token.ts'

describe('the token contract', () => {
  const token = new Token()
  const chain = new Harness({ runtime: new WasmRuntime(), features: ['PREACTIVATE_FEATURE'] })

  before(() => {
    token.deploy(chain)
    chain.createAccount('alice', 'bob')
    chain.ok([token.transfer('token', 'alice', '100.0000 TOK')])
  })

  it('moves tokens, notifies both sides, and bills RAM to the payer of the row', () => {
    const trace = chain.ok([token.transfer('alice', 'bob', '1.5000 TOK', 'hi')])
    expect(trace.action_traces.map((act) => nameToString(act.receiver))).to.deep.equal([
      'token',
      'alice',
      'bob',
    ])
    const deltas = trace.action_traces[0]!.account_ram_deltas
    // A table (112) and a row (128) for bob, and alice takes her own row over from the issuer.
    expect(deltas).to.deep.equal([
      { account: N('alice'), delta: 368 },
      { account: N('token'), delta: -128 },
    ])
    const json = transactionTraceJson(trace, {
      abiOf: () => token.abi,
      budget: new ConversionBudget(),
      now_us: 0,
    })
    expect(json).to.have.nested.property('action_traces[0].act.data.quantity', '1.5000 TOK')
    expect(json).to.have.nested.property('receipt.status', 'executed')
  })

  it('numbers receipts', () => {
    const before = chain.db.dynamic_global_property.single().global_action_sequence
    const [first, second, third] = chain.ok([
      token.transfer('alice', 'bob', '0.0001 TOK'),
    ]).action_traces
    expect(first!.receipt!.global_sequence).to.equal(before + 1n)
    expect(second!.receipt!.global_sequence).to.equal(before + 2n)
    expect(third!.receipt!.recv_sequence > 0n).to.equal(true)
    expect(first!.receipt!.act_digest).to.equal(second!.receipt!.act_digest)
    expect(third!.receipt!.code_sequence).to.equal(1)
    expect(third!.receipt!.abi_sequence).to.equal(1)
  })

  it('takes a failed transfer back', () => {
    const usage = chain.db.resource_usage.get('by_owner', N('alice')).ram_usage
    const { except, action_traces } = chain.fails(
      [
        token.transfer('alice', 'bob', '0.0001 TOK'),
        token.transfer('bob', 'alice', '999.0000 TOK'),
      ],
      'eosio_assert_message_exception',
    )
    expect(except!.message).to.equal('assertion failure with message: overdrawn balance')
    expect(action_traces[0]!.receipt).to.not.equal(undefined)
    expect(action_traces[1]!.except).to.equal(except)
    expect(chain.db.resource_usage.get('by_owner', N('alice')).ram_usage).to.equal(usage)
  })
})
