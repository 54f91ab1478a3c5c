import { expect } from 'chai'
import { activateFeature, FeatureSet } from '../../../../src/engine/chain/rules/features.ts'
import { initializeDatabase } from '../../../../src/engine/chain/rules/genesis.ts'
import { SYSTEM_ABI_BYTES } from '../../../../src/engine/abi/system_abi.ts'
import { sha256 } from '../../../../src/engine/crypto/hash.ts'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import { defaultGenesis, genesisFromJson } from '../../../../src/engine/protocol/genesis.ts'
import { publicKeyToString } from '../../../../src/engine/protocol/key.ts'
import { N, nameToString } from '../../../../src/engine/protocol/name.ts'
import { slotToString, timePointToString } from '../../../../src/engine/protocol/time.ts'
import { createDatabase } from '../../../../src/engine/state/database.ts'
import type { Database } from '../../../../src/engine/state/database.ts'
import { recordedGenesis, recordedRows } from '../support/recorded_rows.ts'
import { GENESIS_ID, RuleChain } from '../support/rule_chain.ts'

describe('genesis', () => {
  const { db, genesis } = new RuleChain(defaultGenesis())

  it('creates the three native accounts', () => {
    const names = [...db.account.all('by_id')].map((row) => nameToString(row.name))
    expect(names).to.deep.equal(['eosio', 'eosio.null', 'eosio.prods'])
    const system = db.account.get('by_name', N('eosio'))
    expect(system.abi).to.deep.equal(SYSTEM_ABI_BYTES)
    expect(toHex(sha256(system.abi))).to.equal(INITIAL_ABI_HASH)
    expect(db.account.get('by_name', N('eosio.null')).abi).to.have.lengthOf(0)
    expect([...db.account_metadata.all('by_id')].map((row) => row.flags)).to.deep.equal([1, 0, 0])
  })

  it('bills them as the reference does', () => {
    const usage = [...db.resource_usage.all('by_id')].map((row) => Number(row.ram_usage))
    expect(usage).to.deep.equal([2724, 2624, 2656])
  })

  it('creates their permissions in order, parents by row id, row 0 reserved', () => {
    const rows = [...db.permission.all('by_id')]
    expect(
      rows.map(({ id, usage_id, parent, owner, name }) => [
        id,
        usage_id,
        parent,
        `${nameToString(owner)}@${nameToString(name)}`,
      ]),
    ).to.deep.equal([
      [0, 0, 0, '@'],
      [1, 0, 0, 'eosio@owner'],
      [2, 1, 1, 'eosio@active'],
      [3, 2, 0, 'eosio.null@owner'],
      [4, 3, 3, 'eosio.null@active'],
      [5, 4, 0, 'eosio.prods@owner'],
      [6, 5, 5, 'eosio.prods@active'],
      [7, 6, 6, 'eosio.prods@prod.major'],
      [8, 7, 7, 'eosio.prods@prod.minor'],
    ])
    expect(db.permission_usage.size).to.equal(8)
    expect(rows[1]?.auth.keys[0]?.key).to.deep.equal(genesis.initial_key)
  })

  it('fills the TaPoS table with block 1 in its place', () => {
    expect(db.block_summary.size).to.equal(65_536)
    expect(db.block_summary.getById(1).block_id).to.deep.equal(GENESIS_ID)
    expect(db.block_summary.getById(0).block_id).to.deep.equal(new Uint8Array(32))
    expect(db.block_summary.getById(65_535).block_id).to.deep.equal(new Uint8Array(32))
  })

  it('refuses parameters that could not work', () => {
    const initial_configuration = { ...genesis.initial_configuration, max_authority_depth: 0 }
    expect(() => new RuleChain({ ...genesis, initial_configuration })).to.throw(
      'max authority depth should be at least 1',
    )
  })

  it('whitelists what contracts may import', () => {
    const { whitelisted_intrinsics } = db.protocol_state.single()
    expect(whitelisted_intrinsics.size).to.equal(168)
    expect([...whitelisted_intrinsics]).to.include.members(['memcpy', 'db_store_i64'])
    expect([...whitelisted_intrinsics]).to.not.include('get_sender')
  })
})

/** sha256 of the ABI that every chain starts with (spring: eosio_contract_abi_bin.cpp). */
const INITIAL_ABI_HASH = 'ae67fd3b82d11a374330c96910014c0873af19696df619c669748f2173098e5d'

describe('genesis against the recorded chain', () => {
  const db = createDatabase()
  initializeDatabase(db, genesisFromJson(recordedGenesis), GENESIS_ID)

  it('has the accounts and permissions that blocks did not touch', () => {
    const accounts = [...db.account.all('by_id')].map((row) => ({
      name: nameToString(row.name),
      creation_date: slotToString(row.creation_date),
      abi: Buffer.from(row.abi).toString('base64'),
    }))
    expect(accounts.slice(1)).to.deep.equal(recordedRows.account_object)
    const permissions = recordedRows.permission_object
    const ours = [...db.permission.all('by_id')].map((row) => permissionJson(db, row))
    // eosio signed blocks' transactions since.
    expect(ours.map((row, i) => ({ ...row, last_used: permissions[i]?.last_used }))).to.deep.equal(
      permissions,
    )
  })

  it('bills RAM as recorded', () => {
    const usage = recordedRows.resource_usage_object
    for (const row of usage) {
      const ours = db.resource_usage.get('by_owner', N(row.owner as string))
      expect(Number(ours.ram_usage)).to.equal(row.ram_usage)
    }
    expect(usage).to.have.lengthOf(2)
  })

  it('has the recorded intrinsics once every feature is active', () => {
    const features = new FeatureSet()
    for (const feature of features.features) activateFeature({ db }, feature)
    const [state] = recordedRows.protocol_state_object
    const ours = db.protocol_state.single()
    expect([...ours.whitelisted_intrinsics].sort()).to.deep.equal(state?.whitelisted_intrinsics)
    expect(ours.num_supported_key_types).to.equal(state?.num_supported_key_types)
    const activated = state?.activated_protocol_features as { feature_digest: string }[]
    expect(features.features.map((f) => f.digest_hex)).to.have.members(
      activated.map((f) => f.feature_digest),
    )
  })

  it('starts with the recorded limits', () => {
    const config = db.resource_limits_config.single()
    const [row] = recordedRows.resource_limits_config_object
    const text = JSON.stringify(config, (key, value: unknown) =>
      key === 'id' ? undefined : typeof value === 'bigint' ? Number(value) : value,
    )
    expect(JSON.parse(text)).to.deep.equal(row)
  })
})

function permissionJson(db: Database, row: ReturnType<Database['permission']['getById']>) {
  const { threshold, keys, accounts, waits } = row.auth
  return {
    parent: nameToString(db.permission.getById(row.parent).name),
    owner: nameToString(row.owner),
    name: nameToString(row.name),
    last_updated: timePointToString(row.last_updated),
    last_used: timePointToString(db.permission_usage.getById(row.usage_id).last_used),
    auth: {
      threshold,
      keys: keys.map(({ key, weight }) => ({ key: publicKeyToString(key), weight })),
      accounts: accounts.map(({ permission, weight }) => ({
        permission: {
          actor: nameToString(permission.actor),
          permission: nameToString(permission.permission),
        },
        weight,
      })),
      waits,
    },
  }
}
