import { expect } from 'chai'
import { publicKeyOf } from '../../../../src/engine/crypto/keys.ts'
import { publicKeyToString } from '../../../../src/engine/protocol/key.ts'
import { N } from '../../../../src/engine/protocol/name.ts'
import type { Action } from '../../../../src/engine/protocol/transaction.ts'
import {
  parseLists,
  setWhitelistBlacklist,
  type WhitelistBlacklist,
} from '../../../../src/engine/services/production/lists.ts'
import { newaccount, secretOf } from '../../chain/support/test_chain.ts'
import { IDLE } from '../support/programs.ts'
import { TestProducer, call, createAccount, nothing, setCode } from '../support/test_producer.ts'

describe('lists are enforced on submissions', () => {
  let test: TestProducer
  beforeEach(async () => {
    test = await TestProducer.start()
    await test.produce()
    await test.submit([createAccount('alice'), createAccount('bob'), createAccount('game')])
    await test.submit([setCode('game', IDLE), setCode('alice', IDLE)])
    await test.produce(2)
  })
  afterEach(() => test.stop())

  /** Changes lists and submits; the error's name, or undefined when it went well. */
  async function tried(lists: WhitelistBlacklist, ...actions: Action[]) {
    setWhitelistBlacklist(test.rules, parseLists(lists))
    const { error } = await test.submit(actions)
    return error?.errorName
  }

  it('an actor blacklist refuses its actors', async () => {
    const lists = { actor_blacklist: ['bob'] }
    expect(await tried(lists, nothing('bob'))).equal('actor_blacklist_exception')
    expect(await tried(lists, nothing('alice'), nothing('bob'))).equal('actor_blacklist_exception')
    expect(await tried(lists, nothing('alice'))).equal(undefined)
    expect(await tried({ actor_blacklist: [] }, nothing('bob'))).equal(undefined)
  })

  it('an actor whitelist refuses all other actors', async () => {
    const lists = { actor_whitelist: ['bob'] }
    expect(await tried(lists, nothing('bob'))).equal(undefined)
    expect(await tried(lists, nothing('alice'))).equal('actor_whitelist_exception')
    expect(await tried(lists, nothing('alice'), nothing('bob'))).equal('actor_whitelist_exception')
  })

  it('a contract blacklist refuses its contracts', async () => {
    const lists = { contract_blacklist: ['game'] }
    expect(await tried(lists, call('game', 'bob'))).equal('contract_blacklist_exception')
    expect(await tried(lists, nothing('bob'))).equal(undefined)
  })

  it('a contract whitelist refuses all other contracts', async () => {
    const lists = { contract_whitelist: ['game'] }
    expect(await tried(lists, call('game', 'bob'))).equal(undefined)
    expect(await tried(lists, call('alice', 'bob'))).equal('contract_whitelist_exception')
  })

  it('an action blacklist refuses actions of one contract or of all', async () => {
    const one = { action_blacklist: [['game', 'run']] }
    expect(await tried(one, call('game', 'bob'))).equal('action_blacklist_exception')
    expect(await tried(one, call('game', 'bob', 'other'))).equal(undefined)
    expect(await tried({ action_blacklist: ['run'] }, call('game', 'bob'))).equal(
      'action_blacklist_exception',
    )
  })

  it('key blacklist: keys that may not become part of an authority', async () => {
    const key = publicKeyOf(secretOf(7))
    const lists = { key_blacklist: [publicKeyToString(key)] }
    expect(await tried(lists, newaccount('carol', key))).equal('key_blacklist_exception')
    expect(await tried(lists, createAccount('carol'))).equal(undefined)
  })

  it('the lists take effect on transactions that wait', async () => {
    await test.pause()
    const submission = await test.submit([nothing('bob')])
    expect(submission.trace).not.equal(undefined)
    test.rules.actor_blacklist.add(N('bob'))
    test.producer.loop.resume()
    await test.produce(3)
    expect(test.chain.isKnownTransaction(submission.id)).equal(false)
    expect(test.producer.processor.queue.size).equal(0)
  })

  it('dry runs are listed too, as what they foretell is', async () => {
    test.rules.actor_blacklist.add(N('bob'))
    const trace = await test.producer.compute(test.sign([nothing('bob')]))
    expect(trace.except?.errorName).equal('actor_blacklist_exception')
  })
})
