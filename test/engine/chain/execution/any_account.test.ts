import { expect } from 'chai'
import { keyAuthority } from '../../../../src/engine/protocol/authority.ts'
import { N } from '../../../../src/engine/protocol/name.ts'
import { defaultRules } from '../../../../src/engine/chain/execution/subjective_rules.ts'
import type { SubjectiveRules } from '../../../../src/engine/chain/execution/subjective_rules.ts'
import { action, Harness } from '../support/harness.ts'
import { systemAction } from '../support/rule_chain.ts'
import { stateDigest } from '../support/state_digest.ts'
import { newaccount, secretOf, TestChain } from '../support/test_chain.ts'

const OTHER_KEY = Uint8Array.from([0, 2, ...new Array<number>(31).fill(0), 9])
const hello = [action('alice', 'hello', 'alice@active')]
const unsigned = { keys: [] }

function chainOf(any_account: SubjectiveRules['any_account']): Harness {
  const chain = new Harness()
  chain.createAccount('alice', 'bob')
  chain.rules.any_account = any_account
  return chain
}

describe('transactions of any account', () => {
  it('are refused without the rule', () => {
    chainOf(new Set()).fails(hello, 'unsatisfied_authorization', unsigned)
  })

  it('are taken unsigned, or signed by anyone, where the account is named', () => {
    const chain = chainOf(new Set([N('alice')]))
    chain.ok(hello, unsigned)
    chain.ok(hello, { keys: [OTHER_KEY] })
    chain.ok(hello)
    chain.fails([action('bob', 'hello', 'bob@active')], 'unsatisfied_authorization', unsigned)
  })

  it('are accepted of all accounts if the rule allows it', () => {
    const chain = chainOf('all')
    chain.ok([action('bob', 'hello', 'bob@active,alice@owner')], unsigned)
  })

  it('need the signatures of the accounts that are not named', () => {
    const chain = chainOf(new Set([N('alice')]))
    const both = [action('alice', 'hello', 'alice@active,bob@active')]
    chain.fails(both, 'unsatisfied_authorization', unsigned)
    chain.ok(both)
  })

  it('need no delay and no weights', () => {
    const chain = chainOf(new Set())
    const auth = {
      ...keyAuthority(chain.key),
      threshold: 9,
      waits: [{ wait_sec: 3600, weight: 8 }],
    }
    chain.ok([systemAction('updateauth', 'alice@active', 'alice', 'active', 'owner', auth)])
    chain.fails(hello, 'unsatisfied_authorization')
    chain.rules.any_account = 'all'
    chain.ok(hello, unsigned)
  })

  it('need a permission that exists and that the action requires', () => {
    const chain = chainOf('all')
    const missing = [action('bob', 'hello', 'alice@other')]
    chain.fails(missing, 'transaction_exception', unsigned)
    chain.fails([action('bob', 'hello', 'carol@active')], 'transaction_exception', unsigned)
    chain.ok(
      [
        systemAction(
          'updateauth',
          'alice@active',
          'alice',
          'low',
          'active',
          keyAuthority(chain.key),
        ),
        systemAction(
          'updateauth',
          'alice@active',
          'alice',
          'other',
          'active',
          keyAuthority(chain.key),
        ),
        systemAction('linkauth', 'alice@active', 'alice', 'bob', 'hello', 'low'),
      ],
      unsigned,
    )
    chain.ok([action('bob', 'hello', 'alice@low')], unsigned)
    chain.fails([action('bob', 'hello', 'alice@other')], 'irrelevant_auth_exception', unsigned)
  })

  it('are seen by contracts as with the right keys', () => {
    const seen: unknown[] = []
    const chain = chainOf(new Set([N('alice')]))
    chain.setScript('alice', (ctx) => {
      ctx.requireAuth(N('alice'))
      seen.push([ctx.hasAuth(N('bob')), ctx.sender()])
    })
    chain.ok(hello)
    chain.ok(hello, unsigned)
    expect(seen[1]).deep.equal(seen[0])
  })

  it('gives contracts no more than they have: inline actions need their own authority', () => {
    const chain = chainOf('all')
    chain.setScript('bob', (ctx) => {
      ctx.executeInline(action('alice', 'hello', 'alice@active'))
    })
    chain.fails([action('bob', 'go', 'bob@active')], 'unsatisfied_authorization', unsigned)
  })

  it('make blocks that light validation and a replay take, and full validation refuses', async () => {
    const rules = { ...defaultRules(), any_account: 'all' as const }
    const made = await TestChain.open({ rules })
    made.push([newaccount('alice', OTHER_KEY)], [])
    made.push(hello, [secretOf(7)])
    made.produce()
    const block = made.chain.head.block
    const light = await TestChain.open({ validation_mode: 'light' })
    light.chain.pushBlock(block)
    expect(stateDigest(light.chain.db)).equal(stateDigest(made.chain.db))
    // The rule is for blocks that this node makes.
    const full = await TestChain.open({ rules })
    expect(() => full.chain.pushBlock(block)).throw("declares authority '")
    for (const { chain } of [made, light, full]) await chain.close()
  })
})
