import { expect } from 'chai'
import {
  keySet,
  levelSet,
} from '../../../../src/engine/chain/rules/authorization/authority_checker.ts'
import {
  checkAuthorization,
  checkPermission,
  getRequiredKeys,
  lookupMinimumPermission,
} from '../../../../src/engine/chain/rules/authorization.ts'
import type { ActionsCheck } from '../../../../src/engine/chain/rules/authorization.ts'
import { ChainError, logOf } from '../../../../src/engine/errors.ts'
import { refusalOf } from '../../refusal.ts'
import { publicKeyToString } from '../../../../src/engine/protocol/key.ts'
import { N, nameToString } from '../../../../src/engine/protocol/name.ts'
import { packTransaction } from '../../../../src/engine/protocol/transaction.ts'
import type { Action } from '../../../../src/engine/protocol/transaction.ts'
import { Writer } from '../../../../src/engine/protocol/writer.ts'
import {
  authorityOf,
  level,
  packFields,
  RuleChain,
  systemAction,
  testKey,
} from '../support/rule_chain.ts'

const ALICE_KEY = testKey(1)
const TRADE_KEY = testKey(2)
const LOW_KEY = testKey(3)

/** An action of a contract, authorized by some permissions. */
function act(code: string, name: string, ...authorization: string[]): Action {
  return {
    account: N(code),
    name: N(name),
    authorization: authorization.map(level),
    data: new Uint8Array(0),
  }
}

describe('authorization of actions', () => {
  let chain: RuleChain

  beforeEach(() => {
    chain = new RuleChain()
    chain.newAccount('alice', ALICE_KEY)
    chain.newAccount('bob', testKey(4))
    chain.newAccount('token', testKey(5))
    chain.run('updateauth', 'alice@active', 'alice', 'trade', 'active', authorityOf(TRADE_KEY))
    chain.run('updateauth', 'alice@active', 'alice', 'low', 'trade', authorityOf(LOW_KEY))
  })

  const check = (actions: Action[], keys: Uint8Array[], extra: Partial<ActionsCheck> = {}) =>
    checkAuthorization(chain, { actions, provided_keys: keySet(keys), ...extra })

  it('wants the keys of what actions declare, and no others', () => {
    check([act('token', 'transfer', 'alice@active')], [ALICE_KEY])
    check([act('token', 'transfer', 'alice@active', 'bob@active')], [ALICE_KEY, testKey(4)])
    const missing = refusalOf(() => check([act('token', 'transfer', 'alice@active')], []))
    expect(missing.errorName).to.equal('unsatisfied_authorization')
    expect(missing.message).to.equal(
      'transaction declares authority \'{"actor":"alice","permission":"active"}\', ' +
        'but does not have signatures for it under a provided delay of 0 ms, ' +
        'provided permissions [], provided keys [], and a delay max limit of 3888000000 ms',
    )
    const unused = refusalOf(() =>
      check([act('token', 'transfer', 'alice@active')], [testKey(9), ALICE_KEY, testKey(8)]),
    )
    expect(unused.errorName).to.equal('tx_irrelevant_sig')
    const keys = [testKey(8), testKey(9)].map((key) => publicKeyToString(key))
    expect(logOf(unused.details[0]!).data).to.deep.equal({ keys })
    expect(unused.message).to.equal(
      `transaction bears irrelevant signatures from these keys: ${JSON.stringify(keys)}`,
    )
    check([act('token', 'transfer', 'alice@active')], [ALICE_KEY, testKey(9)], {
      allow_unused_keys: true,
    })
    check([act('token', 'transfer', 'alice@active')], [testKey(9)], { check_but_dont_fail: true })
  })

  it('follows links: action, then contract, then active; eosio.any is satisfied by all', () => {
    const minimum = (code: string, name: string) => {
      const permission = lookupMinimumPermission(chain.db, N('alice'), N(code), N(name))
      return permission === undefined ? undefined : nameToString(permission)
    }
    expect(minimum('token', 'transfer')).to.equal('active')
    chain.run('linkauth', 'alice@active', 'alice', 'token', '', 'trade')
    expect(minimum('token', 'transfer')).to.equal('trade')
    chain.run('linkauth', 'alice@active', 'alice', 'token', 'transfer', 'low')
    expect(minimum('token', 'transfer')).to.equal('low')
    expect(minimum('token', 'issue')).to.equal('trade')
    chain.run('linkauth', 'alice@active', 'alice', 'token', 'open', 'eosio.any')
    expect(minimum('token', 'open')).to.equal(undefined)
    expect(() => minimum('eosio', 'updateauth')).to.throw('cannot call lookup_minimum_permission')
    expect(minimum('token', 'updateauth')).to.equal('trade')

    check([act('token', 'transfer', 'alice@low')], [LOW_KEY])
    check([act('token', 'open', 'alice@low')], [LOW_KEY])
    const weak = refusalOf(() => check([act('token', 'issue', 'alice@low')], [LOW_KEY]))
    expect(weak.errorName).to.equal('irrelevant_auth_exception')
    expect(weak.message).to.equal(
      'action declares irrelevant authority \'{"actor":"alice","permission":"low"}\'; ' +
        'minimum authority is {"actor":"alice","permission":"trade"}',
    )
    // A parent will do, far up as well.
    check([act('token', 'transfer', 'alice@owner')], [ALICE_KEY])
  })

  it('refuses permissions that are not there', () => {
    const unknown = refusalOf(() => check([act('token', 'transfer', 'alice@nope')], [ALICE_KEY]))
    expect(unknown.errorName).to.equal('permission_query_exception')
    const empty = refusalOf(() => check([act('token', 'transfer', 'alice@')], [ALICE_KEY]))
    expect(empty.errorName).to.equal('invalid_permission')
    expect(empty.details[1]?.message).to.equal(
      'Failed to retrieve permission: {"actor":"alice","permission":""}',
    )
  })

  it('takes eosio.code of a contract, and what was satisfied before', () => {
    const auth = authorityOf('token@eosio.code')
    chain.run('updateauth', 'alice@active', 'alice', 'trade', 'active', auth)
    chain.run('linkauth', 'alice@active', 'alice', 'token', '', 'trade')
    const actions = [act('token', 'transfer', 'alice@trade')]
    check(actions, [], { provided_permissions: levelSet([level('token@eosio.code')]) })
    const other = { provided_permissions: levelSet([level('bob@eosio.code')]) }
    expect(refusalOf(() => check(actions, [], other)).errorName).to.equal(
      'unsatisfied_authorization',
    )
    check(actions, [], { satisfied_authorizations: [level('alice@trade')] })
  })

  it('counts a delay up to the limit, and any beyond it as every wait', () => {
    const waits = [{ wait_sec: 3_888_000, weight: 1 }]
    const auth = { ...authorityOf(), waits }
    chain.run('updateauth', 'alice@active', 'alice', 'trade', 'active', auth)
    chain.run('linkauth', 'alice@active', 'alice', 'token', '', 'trade')
    const actions = [act('token', 'transfer', 'alice@trade')]
    const delayed = (provided_delay_us: number) => () => check(actions, [], { provided_delay_us })
    expect(refusalOf(delayed(3_887_999_999_999)).message).to.include('delay of 3887999999 ms')
    delayed(3_888_000_000_000)()
    delayed(Infinity)()
  })

  it('asks permissions in order of actor and permission', () => {
    const actions = [act('token', 'transfer', 'bob@active', 'alice@trade', 'alice@active')]
    chain.run('linkauth', 'alice@active', 'alice', 'token', '', 'trade')
    expect(refusalOf(() => check(actions, [])).message).to.include('"alice","permission":"active"')
    expect(refusalOf(() => check(actions, [ALICE_KEY])).message).to.include('"permission":"trade"')
    expect(refusalOf(() => check(actions, [ALICE_KEY, TRADE_KEY])).message).to.include('"bob"')
  })

  it('stops when the time is over', () => {
    const checktime = () => {
      throw new ChainError('tx_cpu_usage_exceeded', 'over')
    }
    const late = refusalOf(() =>
      check([act('token', 'transfer', 'alice@active')], [ALICE_KEY], { checktime }),
    )
    expect(late.errorName).to.equal('tx_cpu_usage_exceeded')
  })

  describe('of native actions', () => {
    const refused = (action: Action) => {
      const { errorName, message } = refusalOf(() =>
        check([action], [], { check_but_dont_fail: true }),
      )
      return [errorName, message]
    }
    const passes = (action: Action) => check([action], [], { check_but_dont_fail: true })

    it('updateauth wants what it changes, or the parent of what it creates', () => {
      const update = (authorization: string, permission: string, parent: string) =>
        systemAction('updateauth', authorization, 'alice', permission, parent, authorityOf(LOW_KEY))
      passes(update('alice@low', 'low', 'trade'))
      passes(update('alice@trade', 'new', 'trade'))
      expect(refused(update('alice@active', 'owner', ''))).to.deep.equal([
        'irrelevant_auth_exception',
        'updateauth action declares irrelevant authority \'{"actor":"alice","permission":"active"}\'; ' +
          'minimum authority is {"actor":"alice","permission":"owner"}',
      ])
      expect(refused(update('alice@low', 'new', 'trade'))[0]).to.equal('irrelevant_auth_exception')
      expect(refused(update('bob@owner', 'low', 'trade'))).to.deep.equal([
        'irrelevant_auth_exception',
        'the owner of the affected permission needs to be the actor of the declared authorization',
      ])
      const two = update('alice@low', 'low', 'trade')
      expect(
        refused({ ...two, authorization: [...two.authorization, level('alice@active')] }),
      ).to.deep.equal([
        'irrelevant_auth_exception',
        'updateauth action should only have one declared authorization',
      ])
    })

    it('deleteauth wants what it deletes', () => {
      const remove = (authorization: string) =>
        systemAction('deleteauth', authorization, 'alice', 'trade')
      passes(remove('alice@active'))
      expect(refused(remove('alice@low'))).to.deep.equal([
        'irrelevant_auth_exception',
        'updateauth action declares irrelevant authority \'{"actor":"alice","permission":"low"}\'; ' +
          'minimum authority is {"actor":"alice","permission":"trade"}',
      ])
    })

    it('linkauth wants what is linked now, and may not link special actions', () => {
      const link = (authorization: string, code: string, type: string) =>
        systemAction('linkauth', authorization, 'alice', code, type, 'low')
      passes(link('alice@active', 'token', 'transfer'))
      expect(refused(link('alice@low', 'token', 'transfer'))[0]).to.equal(
        'irrelevant_auth_exception',
      )
      const special = [
        'action_validate_exception',
        'Cannot link eosio::linkauth to a minimum permission',
      ]
      expect(refused(link('alice@active', 'eosio', 'linkauth'))).to.deep.equal(special)
      expect(refused(link('alice@active', 'token', 'linkauth'))).to.deep.equal(special)
      chain.features.add('FIX_LINKAUTH_RESTRICTION')
      passes(link('alice@active', 'token', 'linkauth'))
      expect(refused(link('alice@active', 'eosio', 'linkauth'))).to.deep.equal(special)
    })

    it('unlinkauth wants what is linked now', () => {
      const unlink = (authorization: string) =>
        systemAction('unlinkauth', authorization, 'alice', 'token', 'transfer')
      expect(refused(unlink('alice@active'))).to.deep.equal([
        'transaction_exception',
        "cannot unlink non-existent permission link of account 'alice' for actions matching 'token::transfer'",
      ])
      chain.run('linkauth', 'alice@active', 'alice', 'token', 'transfer', 'trade')
      passes(unlink('alice@trade'))
      expect(refused(unlink('alice@low'))[0]).to.equal('irrelevant_auth_exception')
      chain.run('linkauth', 'alice@active', 'alice', 'token', 'transfer', 'eosio.any')
      passes(unlink('alice@low'))
    })

    it('linkauth and unlinkauth look for the declared permission before the linked one', () => {
      chain.run('updateauth', 'bob@active', 'bob', 'special', 'active', authorityOf(TRADE_KEY))
      // Before ONLY_LINK_TO_EXISTING_PERMISSION anybody's permission will do.
      chain.run('linkauth', 'alice@active', 'alice', 'token', 'transfer', 'special')
      const missing = (name: string): [RegExp] => [new RegExp(`"alice","permission":"${name}"`)]
      const link = (authorization: string) =>
        systemAction('linkauth', authorization, 'alice', 'token', 'transfer', 'low')
      const unlink = (authorization: string) =>
        systemAction('unlinkauth', authorization, 'alice', 'token', 'transfer')
      for (const make of [link, unlink]) {
        expect(refused(make('alice@nope'))[1]).to.match(...missing('nope'))
        expect(refused(make('alice@active'))[1]).to.match(...missing('special'))
      }
    })

    it('canceldelay wants the delayed transaction and one of its permissions, and waits as long', () => {
      const trx_id = new Uint8Array(32).fill(9)
      const cancel: Action = {
        ...systemAction('canceldelay', 'alice@active'),
        data: Uint8Array.from([...packFields('alice', 'trade'), ...trx_id]),
      }
      expect(refused(cancel)).to.deep.equal([
        'tx_not_found',
        `cannot cancel trx_id=${'09'.repeat(32)}, there is no deferred transaction with that transaction id`,
      ])
      addDelayed(chain, trx_id, act('token', 'transfer', 'bob@active'))
      expect(refused(cancel)[1]).to.include('was not found as authorization in the original')
      chain.db.generated_transaction.remove(chain.db.generated_transaction.first('by_id')!)
      addDelayed(chain, trx_id, act('token', 'transfer', 'alice@trade'))
      passes(cancel)
      const waits = [{ wait_sec: 10, weight: 1 }]
      const active = { ...authorityOf(), waits }
      chain.run('updateauth', 'alice@owner', 'alice', 'active', 'owner', active)
      // The cancelled transaction's delay of ten seconds counts for its cancellation.
      check([cancel], [])
      expect(refused({ ...cancel, authorization: [level('alice@low')] })).to.deep.equal([
        'irrelevant_auth_exception',
        'canceldelay action declares irrelevant authority \'{"actor":"alice","permission":"low"}\'; ' +
          'specified authority to satisfy is {"actor":"alice","permission":"trade"}',
      ])
    })
  })

  it('answers whether one permission is satisfied', () => {
    const factors = { provided_keys: keySet([TRADE_KEY]) }
    checkPermission(chain.db, level('alice@trade'), factors)
    const missing = refusalOf(() => checkPermission(chain.db, level('alice@low'), factors))
    expect(missing.message).to.equal(
      'permission \'{"actor":"alice","permission":"low"}\' was not satisfied under a provided delay of 0 ms, ' +
        `provided permissions [], provided keys ["${publicKeyToString(TRADE_KEY)}"], and a delay max limit of 3888000000 ms`,
    )
    const unused = { provided_keys: keySet([TRADE_KEY, LOW_KEY]) }
    expect(
      refusalOf(() => checkPermission(chain.db, level('alice@trade'), unused)).message,
    ).to.include('irrelevant keys provided')
    checkPermission(chain.db, level('alice@trade'), { ...unused, allow_unused_keys: true })
  })

  it('finds the keys that a transaction needs', () => {
    const candidates = keySet([ALICE_KEY, TRADE_KEY, LOW_KEY, testKey(4)])
    const actions = [act('token', 'transfer', 'alice@active'), act('token', 'x', 'bob@active')]
    expect(getRequiredKeys(chain.db, actions, candidates)).to.deep.equal([ALICE_KEY, testKey(4)])
    expect(
      refusalOf(() => getRequiredKeys(chain.db, actions, keySet([TRADE_KEY]))).message,
    ).to.equal(
      'transaction declares authority \'{"actor":"alice","permission":"active"}\', but does not have signatures for it.',
    )
  })
})

/** A transaction that waits ten seconds. */
function addDelayed({ db }: RuleChain, trx_id: Uint8Array, action: Action): void {
  const writer = new Writer()
  packTransaction(writer, {
    expiration: 0,
    ref_block_num: 0,
    ref_block_prefix: 0,
    max_net_usage_words: 0,
    max_cpu_usage_ms: 0,
    delay_sec: 10,
    context_free_actions: [],
    actions: [action],
    transaction_extensions: [],
  })
  db.generated_transaction.create({
    trx_id,
    sender: 0n,
    sender_id: 1n,
    payer: N('alice'),
    delay_until: 11_000_000,
    expiration: 20_000_000,
    published: 1_000_000,
    packed_trx: writer.bytes(),
  })
}
