/** A contract of 175 KB with secondary indices and inline actions, with unmodified wharfkit. */
import { expect } from 'chai'
import { TestNode } from '../support/test_node.ts'
import { WharfkitChain } from '../support/wharfkit_chain.ts'

const CONTRACT = 'atomicassets'
/** The first id that the contract gives. */
const FIRST_ASSET = 1099511627776

describe('clients: atomicassets with wharfkit', () => {
  let node: TestNode
  let chain: WharfkitChain
  const act = (name: string, actor: string, data: object) => chain.act(CONTRACT, name, actor, data)
  const rows = async (scope: string, table: string, more: object = {}) =>
    (await chain.client.v1.chain.get_table_rows({ code: CONTRACT, scope, table, ...more })).rows

  before(async () => {
    node = await TestNode.start()
    chain = new WharfkitChain(node.url)
    await chain.createAccounts(CONTRACT, 'alice', 'bob', 'carol')
    await chain.deploy(CONTRACT, CONTRACT)
    await allowInlineActions(CONTRACT)
    await act('init', CONTRACT, {})
  })
  after(async () => {
    await node.stop()
    expect(node.faults).deep.equal([])
  })

  /** Its log actions carry its own authority. */
  async function allowInlineActions(account: string): Promise<void> {
    const auth = {
      threshold: 1,
      keys: [{ key: String(chain.key.toPublic()), weight: 1 }],
      accounts: [{ permission: { actor: account, permission: 'eosio.code' }, weight: 1 }],
      waits: [],
    }
    const data = { account, permission: 'active', parent: 'owner', auth }
    await chain.act('eosio', 'updateauth', account, data)
  }

  it('creates a collection and a schema', async () => {
    await act('createcol', 'alice', {
      author: 'alice',
      collection_name: 'testcollect1',
      allow_notify: true,
      authorized_accounts: ['alice'],
      notify_accounts: ['carol'],
      market_fee: 0.05,
      data: [],
    })
    const format = [
      { name: 'name', type: 'string' },
      { name: 'power', type: 'uint32' },
    ]
    await act('createschema', 'alice', {
      authorized_creator: 'alice',
      collection_name: 'testcollect1',
      schema_name: 'schema1',
      schema_format: format,
    })
    const [collection] = await rows(CONTRACT, 'collections')
    expect(collection).deep.include({ author: 'alice', market_fee: '0.05000000000000000' })
    expect(await rows('testcollect1', 'schemas')).deep.equal([{ schema_name: 'schema1', format }])
  })

  it("mints; an inline action logs it, and the collection's accounts are notified", async () => {
    for (let i = 0; i < 3; i++) {
      const { response } = await act('mintasset', 'alice', {
        authorized_minter: 'alice',
        collection_name: 'testcollect1',
        schema_name: 'schema1',
        template_id: -1,
        new_asset_owner: 'alice',
        immutable_data: [
          { key: 'name', value: ['string', `asset ${i}`] },
          { key: 'power', value: ['uint32', i * 7] },
        ],
        mutable_data: [],
        tokens_to_back: [],
      })
      const traces = response!.processed.action_traces as {
        receiver: string
        act: { name: string; data: { asset_id: string } }
        creator_action_ordinal: number
      }[]
      expect(traces.map(({ receiver, act }) => [receiver, act.name])).deep.equal([
        [CONTRACT, 'mintasset'],
        [CONTRACT, 'logmint'],
        ['alice', 'logmint'],
        ['carol', 'logmint'],
      ])
      expect(traces[1]!.act.data.asset_id).equal(String(FIRST_ASSET + i))
    }
    const assets = (await rows('alice', 'assets')) as object[]
    expect(assets).length(3)
    expect(assets[1]).deep.include({
      asset_id: String(FIRST_ASSET + 1),
      ram_payer: 'alice',
      immutable_serialized_data: Buffer.from([4, 7, ...Buffer.from('asset 1'), 5, 7]).toString(
        'hex',
      ),
    })
  })

  it('transfers, and reads by the primary key', async () => {
    const asset_ids = [FIRST_ASSET, FIRST_ASSET + 2]
    await act('transfer', 'alice', { from: 'alice', to: 'bob', asset_ids, memo: 'two of them' })
    const key = { lower_bound: String(FIRST_ASSET + 2), upper_bound: String(FIRST_ASSET + 2) }
    expect(await rows('alice', 'assets', key)).deep.equal([])
    const [moved] = (await rows('bob', 'assets', key)) as object[]
    expect(moved).deep.include({ asset_id: String(FIRST_ASSET + 2), ram_payer: 'alice' })
    expect(await rows('bob', 'assets', { limit: 1, reverse: true })).deep.equal([moved])
  })

  it('an offer is found by its secondary indices, and accepted by inline transfers', async () => {
    const offer = {
      sender: 'bob',
      recipient: 'alice',
      sender_asset_ids: [String(FIRST_ASSET)],
      recipient_asset_ids: [String(FIRST_ASSET + 1)],
      memo: 'one for one',
    }
    await act('createoffer', 'bob', offer)
    const by = (index_position: 'secondary' | 'tertiary', name: string) =>
      rows(CONTRACT, 'offers', {
        index_position,
        key_type: 'name',
        lower_bound: name,
        upper_bound: name,
      }) as Promise<{ offer_id: string }[]>
    const [found] = await by('secondary', 'bob')
    expect(found).deep.include(offer)
    expect(await by('tertiary', 'alice')).deep.equal([found])
    expect(await by('secondary', 'alice')).deep.equal([])

    const { response } = await act('acceptoffer', 'alice', { offer_id: found!.offer_id })
    const traces = response!.processed.action_traces as { act: { name: string } }[]
    expect(traces.filter(({ act }) => act.name === 'logtransfer').length).greaterThan(1)
    expect(await by('secondary', 'bob')).deep.equal([])
    const ids = async (owner: string) =>
      ((await rows(owner, 'assets')) as { asset_id: string }[]).map(({ asset_id }) => asset_id)
    expect(await ids('alice')).deep.equal([String(FIRST_ASSET)])
    expect(await ids('bob')).deep.equal([String(FIRST_ASSET + 1), String(FIRST_ASSET + 2)])
  })
})
