import { expect } from 'chai'
import { publicKeyOf, signDigest } from '../../../../src/engine/crypto/keys.ts'
import type { PrivateKey } from '../../../../src/engine/crypto/keys.ts'
import { K1, publicKeyToString } from '../../../../src/engine/protocol/key.ts'
import {
  createMetadata,
  metadataSigningDigest,
  recoverMetadataKeys,
} from '../../../../src/engine/chain/base/transaction_metadata.ts'
import { N } from '../../../../src/engine/protocol/name.ts'
import { pushTransaction } from '../../../../src/engine/chain/execution/push_transaction.ts'
import { action, Harness, pushLimits } from '../support/harness.ts'

const OTHER_KEY = Uint8Array.from([0, 2, ...new Array<number>(31).fill(0), 9])
const hello = [action('alice', 'hello', 'alice@active')]

function chainWithAlice(): Harness {
  const chain = new Harness()
  chain.createAccount('alice')
  return chain
}

describe('checks of input transactions', () => {
  it('refuses the same transaction again, until it has expired', () => {
    const chain = chainWithAlice()
    const trx = chain.transaction(hello)
    chain.ok(trx)
    const { except } = chain.fails(trx, 'tx_duplicate')
    expect(except!.message).to.match(/^duplicate transaction [0-9a-f]{64}$/)
    chain.nextBlock()
    chain.fails(trx, 'tx_duplicate')
  })

  it('takes a failed transaction again', () => {
    const chain = chainWithAlice()
    let fail = true
    chain.setScript('alice', (ctx) => {
      if (fail) ctx.requireAuth(N('eosio'))
    })
    const trx = chain.transaction(hello)
    chain.fails(trx, 'missing_auth_exception')
    fail = false
    chain.ok(trx)
  })

  it('refuses expired ones and those that expire too late', () => {
    const chain = chainWithAlice()
    const now = chain.block.block_time_us / 1_000_000
    const expired = chain.transaction(hello, { expiration: Math.ceil(now) - 1 })
    const { except } = chain.fails(expired, 'expired_tx_exception')
    expect(except!.details).to.have.length(2)
    chain.ok(chain.transaction(hello, { expiration: Math.ceil(now) }))
    chain.ok(chain.transaction(hello, { expiration: Math.floor(now) + 3600 }))
    const late = chain.transaction(hello, { expiration: Math.floor(now) + 3601 })
    chain.fails(late, 'tx_exp_too_far_exception')
  })

  it('refuses a reference to a block of another fork', () => {
    const chain = chainWithAlice()
    const trx = chain.transaction(hello)
    chain.fails(
      { ...trx, ref_block_prefix: trx.ref_block_prefix ^ 1 },
      'invalid_ref_block_exception',
    )
    chain.fails({ ...trx, ref_block_num: 77 }, 'invalid_ref_block_exception')
    chain.ok(trx)
  })

  it('refuses unknown accounts and permissions, and a missing authorization', () => {
    const chain = chainWithAlice()
    const message = (name: string, ...args: Parameters<typeof action>) =>
      chain.fails([action(...args)], name).except!.message
    expect(message('transaction_exception', 'nobody', 'x', 'alice@active')).to.equal(
      "action's code account 'nobody' does not exist",
    )
    expect(message('transaction_exception', 'alice', 'x', 'nobody@active')).to.equal(
      "action's authorizing actor 'nobody' does not exist",
    )
    expect(message('transaction_exception', 'alice', 'x', 'alice@nope')).to.equal(
      'action\'s authorizations include a non-existent permission: {"actor":"alice","permission":"nope"}',
    )
    expect(message('tx_no_auths', 'alice', 'x', '')).to.equal(
      'transaction must have at least one authorization',
    )
  })

  it('wants the keys, all of them, and no others', () => {
    const chain = chainWithAlice()
    chain.fails(hello, 'unsatisfied_authorization', { keys: [] })
    chain.fails(hello, 'unsatisfied_authorization', { keys: [OTHER_KEY] })
    chain.fails(hello, 'tx_irrelevant_sig', { keys: [chain.key, OTHER_KEY] })
    chain.ok(hello)
  })

  it('refuses transaction extensions', () => {
    const chain = chainWithAlice()
    const trx = chain.transaction(hello, { transaction_extensions: [[0, new Uint8Array(56)]] })
    chain.fails(trx, 'subjective_block_production_exception')
    chain.nextBlock({ status: 'complete' })
    const limits = pushLimits({ explicit_billed_cpu_time: true, billed_cpu_time_us: 100 })
    const meta = chain.metadata({
      ...trx,
      ...chain.transaction(hello),
      transaction_extensions: trx.transaction_extensions,
    })
    expect(() => pushTransaction(chain.block, meta, limits))
      .to.throw()
      .with.property('errorName', 'disallowed_transaction_extensions_bad_block_exception')
    expect(chain.db.depth).to.equal(1)
  })

  it('asks the lists of the node while speculating, and not of blocks', () => {
    const chain = chainWithAlice()
    chain.setScript('alice', () => {})
    chain.rules.actor_blacklist = new Set([N('alice')])
    const { except } = chain.fails(hello, 'actor_blacklist_exception')
    expect(except!.message).to.equal(
      'authorizing actor(s) in transaction are on the actor blacklist: ["alice"]',
    )
    chain.rules.actor_blacklist = new Set()
    chain.rules.actor_whitelist = new Set([N('eosio')])
    chain.fails(hello, 'actor_whitelist_exception')
    chain.rules.actor_whitelist = new Set([N('alice')])
    chain.rules.contract_blacklist = new Set([N('alice')])
    chain.fails(hello, 'contract_blacklist_exception')
    chain.rules.contract_blacklist = new Set()
    chain.rules.action_blacklist = new Set(['alice::hello'])
    chain.fails(hello, 'action_blacklist_exception')
    chain.nextBlock({ status: 'complete' })
    chain.ok(hello, { limits: { explicit_billed_cpu_time: true, billed_cpu_time_us: 100 } })
  })

  it('skips what light validation leaves out', () => {
    const chain = chainWithAlice()
    chain.nextBlock({ status: 'complete' })
    chain.block.light_validation = true
    const limits = { explicit_billed_cpu_time: true, billed_cpu_time_us: 7 }
    chain.ok(chain.transaction(hello, { expiration: 5 }), { keys: [], limits })
    chain.block.checks_required = true
    chain.fails(chain.transaction(hello, { expiration: 5 }), 'expired_tx_exception', { limits })
  })

  it('hashes the shortest form of a transaction, and bills the one that came', () => {
    const chain = chainWithAlice()
    const { packed, id } = chain.metadata(chain.transaction(hello))
    // max_net_usage_words 0 as the two bytes 0x80 0x00.
    const bytes = packed.packed_trx
    const longer = Uint8Array.from([
      ...bytes.subarray(0, 10),
      0x80,
      0x00,
      ...bytes.subarray(11),
      1,
      2,
    ])
    const meta = createMetadata({ ...packed, packed_trx: longer }, 'input', {
      keys: [chain.key],
      cpu_usage_us: 0,
    })
    expect(meta.id).to.deep.equal(id)
    expect(meta.packed_trx).to.deep.equal(bytes)
    expect(meta.unprunable_size).to.equal(16 + longer.length)
  })

  it('refuses two signatures of one key, and names the first repeated one', () => {
    const chain = chainWithAlice()
    const { packed } = chain.metadata(chain.transaction(hello))
    const [first, second] = [1, 2].map((seed): PrivateKey => ({
      type: K1,
      data: new Uint8Array(32).fill(seed),
    }))
    const chain_id = new Uint8Array(32)
    const digest = metadataSigningDigest(createMetadata(packed, 'input'), chain_id)
    const by = (key: PrivateKey): Uint8Array => signDigest(key, digest)
    const broken = new Uint8Array(66)
    const signatures = [by(first!), by(second!), by(second!), by(first!), broken]
    const meta = createMetadata({ ...packed, signatures }, 'input')
    expect(() => recoverMetadataKeys(meta, chain_id))
      .to.throw(
        'transaction includes more than one signature signed using the same key associated with ' +
          `public key: ${publicKeyToString(publicKeyOf(second!))}`,
      )
      .with.property('errorName', 'tx_duplicate_sig')
  })
})
