import { expect } from 'chai'
import { logOf } from '../../../../../src/engine/errors.ts'
import { sha256 } from '../../../../../src/engine/crypto/hash.ts'
import { nativeActions } from '../../../../../src/engine/chain/execution/native.ts'
import { N, nameToString } from '../../../../../src/engine/protocol/name.ts'
import { refusalOf } from '../../../refusal.ts'
import { expectRefused, type RunArguments } from './refusals.ts'
import {
  authorityOf,
  packFields,
  RuleChain,
  systemAction,
  testKey,
} from '../../support/rule_chain.ts'

/** RAM of an account with one K1 key in each of its two permissions. */
const NEW_ACCOUNT_RAM = 2724

let chain: RuleChain

const refuses = (error: string, message: string, name: string, ...rest: RunArguments) =>
  expectRefused(chain, error, message, name, ...rest)

describe('native actions', () => {
  beforeEach(() => {
    chain = new RuleChain()
    chain.newAccount('alice')
  })

  describe('newaccount', () => {
    it('creates an account with two permissions, unlimited, and bills it', () => {
      const account = chain.db.account.get('by_name', N('alice'))
      expect(account.creation_date).to.equal((1_600_000_000 - 946_684_800) * 2)
      expect(chain.ram('alice')).to.equal(NEW_ACCOUNT_RAM)
      const owner = chain.db.permission.get('by_owner', N('alice'), N('owner'))
      const active = chain.db.permission.get('by_owner', N('alice'), N('active'))
      expect([owner.parent, active.parent]).to.deep.equal([0, owner.id])
      expect(chain.db.resource_limits.get('by_owner', false, N('alice')).cpu_weight).to.equal(-1n)
      expect(chain.db.account_metadata.get('by_name', N('alice')).flags).to.equal(0)
    })

    it('bills accounts and waits of authorities', () => {
      const active = { ...authorityOf('alice@active'), waits: [{ wait_sec: 1, weight: 1 }] }
      chain.run('newaccount', 'eosio@active', 'eosio', 'bob', authorityOf(testKey(1)), active)
      expect(chain.ram('bob')).to.equal(2048 + 2 * 288 + (16 + 34) + 32 + 16)
    })

    it('refuses bad names', () => {
      const auth = authorityOf(testKey(1))
      const validate = 'action_validate_exception'
      refuses(
        validate,
        'account name cannot be empty',
        'newaccount',
        'eosio@active',
        'eosio',
        '',
        auth,
        auth,
      )
      refuses(
        validate,
        'account names can only be 12 chars long',
        'newaccount',
        'eosio@active',
        'eosio',
        'abcdefghijkla',
        auth,
        auth,
      )
      refuses(
        validate,
        "only privileged accounts can have names that start with 'eosio.'",
        'newaccount',
        'alice@active',
        'alice',
        'eosio.x',
        auth,
        auth,
      )
      chain.run('newaccount', 'eosio@active', 'eosio', 'eosio.x', auth, auth)
      const taken = refuses(
        'account_name_exists_exception',
        'Cannot create account named alice, as that name is already taken',
        'newaccount',
        'eosio@active',
        'eosio',
        'alice',
        auth,
        auth,
      )
      const [cause, context] = taken.details.map(logOf)
      expect(cause).to.include({
        format: 'Cannot create account named ${name}, as that name is already taken',
      })
      expect(cause?.data).to.deep.equal({ name: 'alice' })
      expect(context?.format).to.equal('')
      expect(context?.data).to.have.nested.property('create.creator', 'eosio')
    })

    it('refuses bad authorities', () => {
      const auth = authorityOf(testKey(1))
      const weak = { ...auth, threshold: 2 }
      const validate = 'action_validate_exception'
      refuses(
        validate,
        'Invalid owner authority',
        'newaccount',
        'eosio@active',
        'eosio',
        'bob',
        weak,
        weak,
      )
      refuses(
        validate,
        'Invalid active authority',
        'newaccount',
        'eosio@active',
        'eosio',
        'bob',
        auth,
        weak,
      )
      refuses(
        validate,
        "account 'nobody' does not exist",
        'newaccount',
        'eosio@active',
        'eosio',
        'bob',
        auth,
        authorityOf('nobody@active'),
      )
      refuses(
        validate,
        'permission \'{"actor":"alice","permission":"trade"}\' does not exist',
        'newaccount',
        'eosio@active',
        'eosio',
        'bob',
        auth,
        authorityOf('alice@trade'),
      )
      const webauthn = Uint8Array.from([2, ...testKey(1).subarray(1), 1, 3, 97, 98, 99])
      refuses(
        'unactivated_key_type',
        'Unactivated key type used when creating permission',
        'newaccount',
        'eosio@active',
        'eosio',
        'bob',
        authorityOf(webauthn),
        auth,
      )
      chain.blacklisted.add(testKey(7).join())
      refuses(
        'key_blacklist_exception',
        'no',
        'newaccount',
        'eosio@active',
        'eosio',
        'bob',
        auth,
        authorityOf(testKey(7)),
      )
      expect(chain.db.account.find('by_name', N('bob'))).to.equal(undefined)
      // An account may name itself, and eosio.code, which is nowhere.
      chain.run('newaccount', 'eosio@active', 'eosio', 'bob', auth, authorityOf('bob@eosio.code'))
    })

    it('wants the creator to have authorized it', () => {
      const auth = authorityOf(testKey(1))
      refuses(
        'missing_auth_exception',
        'missing authority',
        'newaccount',
        'alice@active',
        'eosio',
        'bob',
        auth,
        auth,
      )
    })
  })

  describe('setcode', () => {
    const CODE = new Uint8Array(100).fill(7)

    it('counts references, and bills each account ten times the size', () => {
      chain.newAccount('bob')
      chain.run('setcode', 'alice@active', 'alice', 0, 0, CODE)
      chain.run('setcode', 'bob@active', 'bob', 0, 0, CODE)
      expect([...chain.db.code.all('by_id')].map((row) => row.code_ref_count)).to.deep.equal([2n])
      expect(chain.ram('alice')).to.equal(NEW_ACCOUNT_RAM + 1000)
      const metadata = chain.db.account_metadata.get('by_name', N('alice'))
      expect(metadata.code_hash).to.deep.equal(sha256(CODE))
      expect(metadata.code_sequence).to.equal(1n)
      expect(metadata.last_code_update).to.equal(chain.block_time_us)

      chain.run('setcode', 'alice@active', 'alice', 0, 0, new Uint8Array(0))
      expect(chain.ram('alice')).to.equal(NEW_ACCOUNT_RAM)
      chain.run('setcode', 'bob@active', 'bob', 0, 0, new Uint8Array(3))
      expect([...chain.db.code.all('by_id')].map((row) => row.code)).to.deep.equal([
        new Uint8Array(3),
      ])
      expect(chain.db.code.first('by_id')?.first_block_used).to.equal(chain.block_num)
      expect(chain.ram('bob')).to.equal(NEW_ACCOUNT_RAM + 30)
    })

    it('wants the account to have authorized it', () => {
      chain.newAccount('bob')
      const missing = ['missing_auth_exception', 'missing authority'] as const
      refuses(...missing, 'setcode', 'bob@active', 'alice', 0, 0, CODE)
      const { code_sequence } = chain.db.account_metadata.get('by_name', N('alice'))
      expect(code_sequence).to.equal(0n)
    })

    it('keeps the hash of a code of any length', () => {
      const code = new Uint8Array(1)
      chain.run('setcode', 'alice@active', 'alice', 0, 0, code)
      const metadata = chain.db.account_metadata.get('by_name', N('alice'))
      expect(metadata.code_hash).to.deep.equal(sha256(code))
    })

    it('refuses other machines, unchanged code, and what the runtime refuses', () => {
      refuses(
        'invalid_contract_vm_type',
        'code should be 0',
        'setcode',
        'alice@active',
        'alice',
        1,
        0,
        CODE,
      )
      refuses(
        'invalid_contract_vm_version',
        'version should be 0',
        'setcode',
        'alice@active',
        'alice',
        0,
        1,
        CODE,
      )
      refuses(
        'set_exact_code',
        'contract is already cleared',
        'setcode',
        'alice@active',
        'alice',
        0,
        0,
        new Uint8Array(0),
      )
      chain.run('setcode', 'alice@active', 'alice', 0, 0, CODE)
      refuses(
        'set_exact_code',
        'contract is already running this version of code',
        'setcode',
        'alice@active',
        'alice',
        0,
        0,
        CODE,
      )
      chain.refuse_code = 'no wasm'
      refuses(
        'wasm_serialization_error',
        'no wasm',
        'setcode',
        'alice@active',
        'alice',
        0,
        0,
        new Uint8Array(1),
      )
    })
  })

  describe('setabi', () => {
    it('keeps the bytes, counts, and bills the difference', () => {
      chain.run('setabi', 'alice@active', 'alice', new Uint8Array(50))
      chain.run('setabi', 'alice@active', 'alice', new Uint8Array(20).fill(1))
      expect(chain.db.account.get('by_name', N('alice')).abi).to.deep.equal(
        new Uint8Array(20).fill(1),
      )
      expect(chain.db.account_metadata.get('by_name', N('alice')).abi_sequence).to.equal(2n)
      expect(chain.ram('alice')).to.equal(NEW_ACCOUNT_RAM + 20)
    })

    it('wants the account to have authorized it', () => {
      chain.newAccount('bob')
      const missing = ['missing_auth_exception', 'missing authority'] as const
      refuses(...missing, 'setabi', 'bob@active', 'alice', new Uint8Array(50))
      expect(chain.db.account.get('by_name', N('alice')).abi).to.have.length(0)
    })
  })

  describe('all', () => {
    it('cancel a delayed transaction by the second half of its id', () => {
      const id = Uint8Array.from({ length: 32 }, (_, i) => i)
      const act = systemAction('canceldelay', 'alice@active')
      const data = Uint8Array.from([...packFields('alice', 'active'), ...id])
      chain.apply({ ...act, data })
      expect(chain.cancelled).to.deep.equal([0x1f1e1d1c1b1a19181716151413121110n])
    })

    it('are refused in read-only transactions', () => {
      chain.read_only = true
      for (const [name] of nativeActions) {
        const action = nameToString(name)
        const refusal = refusalOf(() => chain.run(action, 'alice@active'))
        const not = action === 'setabi' ? 'ot' : 'not'
        expect(refusal.errorName).to.equal('action_validate_exception')
        expect(refusal.message).to.equal(`${action} ${not} allowed in read-only transaction`)
      }
    })

    it('are refused with truncated data, and ignore bytes behind it', () => {
      for (const [name] of nativeActions) {
        const refusal = refusalOf(() => chain.run(nameToString(name), 'alice@active', 1))
        expect(refusal.errorName).to.equal('out_of_range_exception')
      }
      const act = systemAction('setabi', 'alice@active', 'alice', new Uint8Array(5), 'rest')
      chain.apply(act)
      expect(chain.ram('alice')).to.equal(NEW_ACCOUNT_RAM + 5)
    })
  })
})
