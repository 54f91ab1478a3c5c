import { expect } from 'chai'
import { N, nameToString } from '../../../../../src/engine/protocol/name.ts'
import type { Authority } from '../../../../../src/engine/protocol/authority.ts'
import { refusalOf } from '../../../refusal.ts'
import { expectRefused, type RunArguments } from './refusals.ts'
import { authorityOf, RuleChain, testKey } from '../../support/rule_chain.ts'

/** RAM of an account with one K1 key in each of its two permissions. */
const NEW_ACCOUNT_RAM = 2724

const wait = (wait_sec: number): Authority => ({
  threshold: 1,
  keys: [],
  accounts: [],
  waits: [{ wait_sec, weight: 1 }],
})

let chain: RuleChain

const refuses = (error: string, message: string, name: string, ...rest: RunArguments) =>
  expectRefused(chain, error, message, name, ...rest)

describe('native actions on permissions', () => {
  beforeEach(() => {
    chain = new RuleChain()
    chain.newAccount('alice')
  })

  describe('updateauth and deleteauth', () => {
    const trade = authorityOf(testKey(2))

    it('create, change and remove a permission, and bill it', () => {
      chain.run('updateauth', 'alice@active', 'alice', 'trade', 'active', trade)
      expect(chain.ram('alice')).to.equal(NEW_ACCOUNT_RAM + 288 + 50)
      chain.block_time_us += 500_000
      chain.run(
        'updateauth',
        'alice@active',
        'alice',
        'trade',
        'active',
        authorityOf('alice@active'),
      )
      expect(chain.ram('alice')).to.equal(NEW_ACCOUNT_RAM + 288 + 32)
      const row = chain.db.permission.get('by_owner', N('alice'), N('trade'))
      expect(row.last_updated).to.equal(chain.block_time_us)
      expect(chain.db.permission_usage.getById(row.usage_id).last_used).to.equal(
        chain.block_time_us - 500_000,
      )
      chain.run('deleteauth', 'alice@active', 'alice', 'trade')
      expect(chain.ram('alice')).to.equal(NEW_ACCOUNT_RAM)
      expect(chain.db.permission_usage.byId(row.usage_id)).to.equal(undefined)
    })

    it('refuse what the reference refuses', () => {
      const validate = 'action_validate_exception'
      const update = (message: string, permission: string, parent: string, auth = trade) =>
        refuses(validate, message, 'updateauth', 'alice@owner', 'alice', permission, parent, auth)
      update('Cannot create authority with empty name', '', 'active')
      update("Permission names that start with 'eosio.' are reserved", 'eosio.x', 'active')
      update('Cannot set an authority as its own parent', 'trade', 'trade')
      update("Cannot change active authority's parent from owner", 'active', 'trade')
      update("Cannot change owner authority's parent", 'owner', 'active')
      update('Only owner permission can have empty parent', 'trade', '')
      update(
        'Invalid authority: {"threshold":0,"keys":[],"accounts":[],"waits":[]}',
        'trade',
        'active',
        {
          ...authorityOf(),
          threshold: 0,
        },
      )
      update(
        'Cannot set delay longer than max_transacton_delay, which is 3888000 seconds',
        'trade',
        'active',
        wait(3_888_001),
      )
      chain.run('updateauth', 'alice@active', 'alice', 'trade', 'active', wait(3_888_000))
      update('Changing parent authority is not currently supported', 'trade', 'owner')
      chain.run('updateauth', 'alice@active', 'alice', 'low', 'trade', trade)

      const remove = (message: string, permission: string) =>
        refuses(validate, message, 'deleteauth', 'alice@owner', 'alice', permission)
      remove('Cannot delete active authority', 'active')
      remove('Cannot delete owner authority', 'owner')
      remove('Cannot remove a permission which has children. Remove the children first.', 'trade')
      chain.run('linkauth', 'alice@active', 'alice', 'eosio', 'setcode', 'low')
      remove(
        'Cannot delete a linked authority. Unlink the authority first. This authority is linked to eosio::setcode.',
        'low',
      )
      const missing = refusalOf(() => chain.run('deleteauth', 'alice@owner', 'alice', 'nope'))
      expect(missing.errorName).to.equal('permission_query_exception')
      expect(missing.message).to.match(
        /^Failed to retrieve permission: \{"actor":"alice","permission":"nope"\} \(unknown key \(boost::.*\): \(alice nope\)\)$/,
      )
    })
  })

  describe('linkauth and unlinkauth', () => {
    it('create, change and remove a link, and bill it', () => {
      chain.run('updateauth', 'alice@active', 'alice', 'trade', 'active', authorityOf(testKey(2)))
      const before = chain.ram('alice')
      chain.run('linkauth', 'alice@active', 'alice', 'eosio', '', 'trade')
      chain.run('linkauth', 'alice@active', 'alice', 'eosio', '', 'eosio.any')
      expect(chain.ram('alice')).to.equal(before + 144)
      const link = chain.db.permission_link.get('by_action_name', N('alice'), N('eosio'), 0n)
      expect(nameToString(link.required_permission)).to.equal('eosio.any')
      chain.run('unlinkauth', 'alice@active', 'alice', 'eosio', '')
      expect(chain.ram('alice')).to.equal(before)
      expect(chain.db.permission_link.size).to.equal(0)
    })

    it('refuse what the reference refuses', () => {
      const link = (error: string, message: string, code: string, requirement: string) =>
        refuses(error, message, 'linkauth', 'alice@active', 'alice', code, 'run', requirement)
      link('action_validate_exception', 'Required permission cannot be empty', 'eosio', '')
      link(
        'account_query_exception',
        'Failed to retrieve code for account: nobody',
        'nobody',
        'active',
      )
      link('permission_query_exception', 'Failed to retrieve permission: nope', 'eosio', 'nope')
      chain.run('linkauth', 'alice@active', 'alice', 'eosio', 'run', 'active')
      link(
        'action_validate_exception',
        'Attempting to update required authority, but new requirement is same as old',
        'eosio',
        'active',
      )
      refuses(
        'action_validate_exception',
        'Attempting to unlink authority, but no link found',
        'unlinkauth',
        'alice@active',
        'alice',
        'eosio',
        'other',
      )
    })

    it("accept another account's permission before the feature, the account's own since", () => {
      // prod.minor is a permission of eosio.prods.
      chain.run('linkauth', 'alice@active', 'alice', 'eosio', 'a', 'prod.minor')
      chain.features.add('ONLY_LINK_TO_EXISTING_PERMISSION')
      refuses(
        'permission_query_exception',
        'Failed to retrieve permission: prod.minor',
        'linkauth',
        'alice@active',
        'alice',
        'eosio',
        'b',
        'prod.minor',
      )
      chain.run('linkauth', 'alice@active', 'alice', 'eosio', 'b', 'eosio.any')
    })
  })
})
