import { expect } from 'chai'
import { ChainError } from '../../../../src/engine/errors.ts'
import {
  defaultRules,
  type MutableRules,
} from '../../../../src/engine/chain/execution/subjective_rules.ts'
import { N } from '../../../../src/engine/protocol/name.ts'
import {
  addGreylistAccounts,
  getGreylist,
  getWhitelistBlacklist,
  parseLists,
  removeGreylistAccounts,
  setWhitelistBlacklist,
  type WhitelistBlacklist,
} from '../../../../src/engine/services/production/lists.ts'
import { NO_LISTS } from '../../../support/no_lists.ts'

const KEY = 'EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV'

describe('lists of the operator', () => {
  let rules: MutableRules
  const set = (lists: WhitelistBlacklist) => setWhitelistBlacklist(rules, parseLists(lists))
  beforeEach(() => {
    rules = defaultRules() as MutableRules
  })

  it('are empty at first, and half of the time of signatures is billed', () => {
    expect(getWhitelistBlacklist(rules)).deep.equal(NO_LISTS)
    expect(getGreylist(rules)).deep.equal([])
    const sizes = { sig_cpu_bill_pct: 5_000, maximum_variable_signature_length: 16_384 }
    expect(rules).include({ ...sizes, greylist_limit: 1000 })
  })

  it('the greylist is a set that is answered in order', () => {
    addGreylistAccounts(rules, ['bob', 'alice'].map(N))
    addGreylistAccounts(rules, ['carol', 'bob'].map(N))
    expect(getGreylist(rules)).deep.equal(['alice', 'bob', 'carol'])
    removeGreylistAccounts(rules, ['bob', 'nobody'].map(N))
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
    set({ actor_blacklist: ['carol'], key_blacklist: [KEY] })
    set({ contract_blacklist: ['atomic'], actor_whitelist: null })
    expect(getWhitelistBlacklist(rules)).deep.equal({
      ...NO_LISTS,
      actor_blacklist: ['carol'],
      contract_blacklist: ['atomic'],
      key_blacklist: [KEY],
    })
    set(NO_LISTS)
    expect(getWhitelistBlacklist(rules)).deep.equal(NO_LISTS)
  })

  it('an action may be named as a pair, as contract::action, and alone for every contract', () => {
    const action_blacklist = [['other', 'run'], 'eosio.token::transfer', 'issue']
    set({ action_blacklist })
    expect(getWhitelistBlacklist(rules).action_blacklist).deep.equal([
      ['other', 'run'],
      ['eosio.token', 'transfer'],
      ['', 'issue'],
    ])
  })

  it('changes nothing when one of the lists is wrong', () => {
    const wrong = { actor_blacklist: ['carol'], key_blacklist: ['EOS6nonsense'] }
    expect(() => set(wrong)).throw(ChainError)
    expect(getWhitelistBlacklist(rules)).deep.equal(NO_LISTS)
    for (const none of [{}, { actor_whitelist: null, action_blacklist: null }])
      expect(() => set(none)).throw(ChainError, /^At least one of actor_whi/)
  })

  it('refuses names that no action can have', () => {
    for (const name of ['with_underscore', 'year1969', 'abcdefghijklmn', 'UPPER'])
      expect(() => set({ action_blacklist: [name] }), name).throw(ChainError)
    expect(getWhitelistBlacklist(rules)).deep.equal(NO_LISTS)
  })
})
