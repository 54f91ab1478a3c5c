import { expect } from 'chai'
import { FAIL } from '../../../src/engine/warm_up/example_contracts.ts'
import { chainSteps } from '../../../src/engine/warm_up/chain_steps.ts'
import { N } from '../../../src/engine/protocol/name.ts'

describe('warming up the execution of transactions', () => {
  const ROUNDS = 3
  let now_us = Date.UTC(2026, 0, 1) * 1000
  const traces = [...chainSteps({ now: () => (now_us += 100) }, ROUNDS)].filter(
    (trace) => trace !== undefined,
  )

  it('executes each transaction but those that shall fail', () => {
    for (const { receipt, except, action_traces } of traces) {
      const [first] = action_traces
      if (first!.act.name === FAIL)
        expect(except?.errorName).equal('eosio_assert_message_exception')
      else expect([except?.message, receipt?.status]).deep.equal([undefined, 0])
    }
  })

  it('creates accounts, deploys contracts, and sends inline actions and notifications', () => {
    const counts = new Map<bigint, number>()
    for (const { action_traces } of traces) {
      for (const { act } of action_traces) counts.set(act.name, (counts.get(act.name) ?? 0) + 1)
    }
    const counted = ['newaccount', 'setcode', 'setabi', 'fail'].map((name) => counts.get(N(name)))
    // Of three that fail, one has a notification.
    expect(counted).deep.equal([ROUNDS, 4 * ROUNDS, 4 * ROUNDS, 4 * ROUNDS])
    const created = traces.filter(({ action_traces }) =>
      action_traces.some(({ creator_action_ordinal }) => creator_action_ordinal === 1),
    )
    // Three with a notification, and one with an inline action.
    expect(created.length).equal(4 * ROUNDS)
  })

  it('can be left at any step', () => {
    const steps = chainSteps({ now: () => now_us }, ROUNDS)
    for (let i = 0; i < 5; i++) expect(steps.next().done).equal(false)
    expect(steps.return(undefined).done).equal(true)
  })
})
