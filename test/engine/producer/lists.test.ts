import { expect } from 'chai'
import { ChainError } from '../../../src/engine/errors.ts'
import { defaultRules } from '../../../src/engine/chain/subjective_rules.ts'
import {
  addGreylistAccounts,
  getGreylist,
  getWhitelistBlacklist,
  removeGreylistAccounts,
  setWhitelistBlacklist,
  type MutableRules,
} from '../../../src/engine/producer/lists.ts'

const KEY = 'EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV'
const EMPTY = {
  actor_whitelist: [],
  actor_blacklist: [],
  contract_whitelist: [],
  contract_blacklist: [],
  action_blacklist: [],
  key_blacklist: [],
}

describe('lists of the operator', () => {
  let rules: MutableRules
  beforeEach(() => {
    rules = defaultRules() as MutableRules
  })

  it('the greylist is a set that is answered in order', () => {
    addGreylistAccounts(rules, ['bob', 'alice'])
    addGreylistAccounts(rules, ['carol', 'bob'])
    expect(getGreylist(rules)).deep.equal(['alice', 'bob', 'carol'])
    removeGreylistAccounts(rules, ['bob', 'nobody'])
    expect(getGreylist(rules)).deep.equal(['alice', 'carol'])
  })

  it('the greylist needs at least one account', () => {
    for (const change of [addGreylistAccounts, removeGreylistAccounts]) {
      expect(() => change(rules, []))
        .throw(ChainError, 'At least one account is required')
        .with.property('errorName', 'invalid_http_request')
    }
  })

  it('lists that are given replace the old ones, others stay', () => {
    setWhitelistBlacklist(rules, { actor_blacklist: ['carol'], key_blacklist: [KEY] })
    setWhitelistBlacklist(rules, { contract_blacklist: ['atomic'], actor_whitelist: null })
    expect(getWhitelistBlacklist(rules)).deep.equal({
      ...EMPTY,
      actor_blacklist: ['carol'],
      contract_blacklist: ['atomic'],
      key_blacklist: [KEY],
    })
    setWhitelistBlacklist(rules, EMPTY)
    expect(getWhitelistBlacklist(rules)).deep.equal(EMPTY)
  })

  it('an action may be named as a pair, as contract::action, and alone for every contract', () => {
    const action_blacklist = [['other', 'run'], 'eosio.token::transfer', 'issue']
    setWhitelistBlacklist(rules, { action_blacklist })
    expect(getWhitelistBlacklist(rules).action_blacklist).deep.equal([
      ['other', 'run'],
      ['eosio.token', 'transfer'],
      ['', 'issue'],
    ])
  })

  it('changes nothing when one of the lists is wrong', () => {
    const wrong = { actor_blacklist: ['carol'], key_blacklist: ['EOS6nonsense'] }
    expect(() => setWhitelistBlacklist(rules, wrong)).throw(ChainError)
    expect(getWhitelistBlacklist(rules)).deep.equal(EMPTY)
    expect(() => setWhitelistBlacklist(rules, {})).throw(ChainError, /^At least one of actor_whi/)
  })
})
