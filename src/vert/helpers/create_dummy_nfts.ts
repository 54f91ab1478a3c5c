import type { Contract } from './contract.ts'

const COLLECTION_FORMAT = [
  { name: 'name', type: 'string' },
  { name: 'img', type: 'ipfs' },
  { name: 'description', type: 'string' },
  { name: 'url', type: 'string' },
]

/**
 * Creates a collection with a schema and a template in the contract atomicassets, all named after their
 * author, and mints assets of it to each account.
 */
export async function createDummyNfts(
  atomicassetsContract: Contract,
  author: Pick<Contract, 'name'>,
  mintToEach: number,
  accountsToMintTo: Pick<Contract, 'name'>[],
): Promise<void> {
  const name = String(author.name)
  const run = (action: string, data: object, authorization?: string): Promise<unknown> =>
    atomicassetsContract.actions[action]!(data).send(authorization)
  const asAuthor = (action: string, data: object): Promise<unknown> =>
    run(action, data, `${name}@active`)
  const schema = { collection_name: name, schema_name: name }

  await run('init', [])
  await run('admincoledit', [COLLECTION_FORMAT])
  await asAuthor('createcol', {
    author: name,
    collection_name: name,
    allow_notify: true,
    authorized_accounts: [name],
    notify_accounts: [],
    market_fee: 0.01,
    data: [],
  })
  await asAuthor('createschema', {
    authorized_creator: name,
    ...schema,
    schema_format: [
      { name: 'image', type: 'string' },
      { name: 'name', type: 'string' },
    ],
  })
  await asAuthor('createtempl', {
    authorized_creator: name,
    ...schema,
    transferable: true,
    burnable: true,
    max_supply: 100000,
    immutable_data: [
      { key: 'image', value: ['string', 'abc.png'] },
      { key: 'name', value: ['string', 'BULL'] },
    ],
  })
  for (const account of accountsToMintTo)
    for (let i = 0; i < mintToEach; i++)
      await asAuthor('mintasset', {
        authorized_minter: name,
        ...schema,
        template_id: 1,
        new_asset_owner: String(account.name),
        immutable_data: [],
        mutable_data: [],
        tokens_to_back: [],
      })
}
