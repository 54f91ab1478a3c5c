import { expect } from 'chai'
import { N, nameToString } from '../../../../src/engine/protocol/name.ts'
import { action, Harness } from '../support/harness.ts'

describe('dispatch of actions', () => {
  it('runs notified receivers, then context-free inline actions, then inline ones', () => {
    const chain = new Harness()
    chain.createAccount('main', 'alice', 'bob', 'other')
    const log: string[] = []
    const note = (ctx: { receiver: bigint; act: { account: bigint; name: bigint } }) =>
      log.push(
        `${nameToString(ctx.receiver)}<${nameToString(ctx.act.account)}:${nameToString(ctx.act.name)}`,
      )
    chain.setScript('main', (ctx) => {
      note(ctx)
      if (ctx.act.name !== N('go')) return
      ctx.executeInline(action('other', 'inline', 'main@active'))
      ctx.executeContextFreeInline(action('other', 'free', ''))
      ctx.requireRecipient(N('alice'))
      ctx.requireRecipient(N('bob'))
      ctx.requireRecipient(N('alice'))
    })
    chain.setScript('alice', (ctx) => {
      note(ctx)
      ctx.requireRecipient(N('other'))
      ctx.executeInline(action('bob', 'fromalice', 'alice@active'))
    })
    chain.setScript('bob', note)
    chain.setScript('other', note)
    const trace = chain.ok([action('main', 'go', 'main@active')])
    expect(log).to.deep.equal([
      'main<main:go',
      'alice<main:go',
      'bob<main:go',
      'other<main:go',
      'other<other:free',
      'other<other:inline',
      'bob<bob:fromalice',
    ])
    const ordinals = trace.action_traces.map((act) => [
      act.action_ordinal,
      act.creator_action_ordinal,
      act.closest_unnotified_ancestor_action_ordinal,
      nameToString(act.receiver),
    ])
    expect(ordinals).to.deep.equal([
      [1, 0, 0, 'main'],
      [2, 1, 1, 'other'],
      [3, 1, 1, 'other'],
      [4, 1, 1, 'alice'],
      [5, 1, 1, 'bob'],
      [6, 4, 1, 'other'],
      [7, 4, 1, 'bob'],
    ])
  })
})
