/**
 * A token from nothing: accounts, a contract, tokens created, issued, moved and read back, with
 * unmodified wharfkit packages.
 *
 *   npx pronghorn            # in one terminal
 *   node --import tsx examples/token.ts [http://127.0.0.1:8888]
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  ABI,
  APIClient,
  Action,
  Authority,
  Blob,
  FetchProvider,
  PrivateKey,
  Serializer,
} from '@wharfkit/antelope'
import { Session } from '@wharfkit/session'
import { WalletPluginPrivateKey } from '@wharfkit/wallet-plugin-privatekey'

/** The well-known development key: never use it for anything of value. */
const DEVELOPMENT_KEY = '5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3'

const require = createRequire(import.meta.url)
const contracts = join(dirname(require.resolve('proton-tsc/package.json')), 'external')

/** Runs the whole story against a node and answers what it saw. */
export async function tokenExample(url: string, log: (line: string) => void = () => {}) {
  const client = new APIClient({ provider: new FetchProvider(url) })
  const info = await client.v1.chain.get_info()
  const key = PrivateKey.from(DEVELOPMENT_KEY)
  const sessionOf = (actor: string) =>
    new Session({
      chain: { id: info.chain_id, url },
      actor,
      permission: 'active',
      walletPlugin: new WalletPluginPrivateKey(key),
    })

  log('accounts: eosio.token, alice, bob')
  const creator = sessionOf('eosio')
  for (const name of ['eosio.token', 'alice', 'bob']) {
    await creator.transact({ action: newAccount(name, key) })
  }

  log('contract: eosio.token')
  const token = sessionOf('eosio.token')
  await token.transact({ actions: deploy('eosio.token', 'eosio.token') })
  const { abi } = await client.v1.chain.get_abi('eosio.token')
  const call = (name: string, actor: string, data: Record<string, string>) =>
    Action.from(
      { account: 'eosio.token', name, authorization: [{ actor, permission: 'active' }], data },
      abi,
    )

  log('create, issue, transfer')
  await token.transact({
    action: call('create', 'eosio.token', { issuer: 'alice', maximum_supply: '1000000.0000 SYS' }),
  })
  const alice = sessionOf('alice')
  await alice.transact({
    action: call('issue', 'alice', { to: 'alice', quantity: '1000.0000 SYS', memo: 'all of it' }),
  })
  const transfer = { from: 'alice', to: 'bob', quantity: '25.0000 SYS', memo: 'lunch' }
  const sent = await alice.transact({ action: call('transfer', 'alice', transfer) })
  const transaction_id = String(sent.response?.transaction_id)
  const block_num = Number(sent.response?.processed.block_num)

  log('read it back')
  const balances = await client.v1.chain.get_currency_balance('eosio.token', 'bob', 'SYS')
  const table = await client.v1.chain.get_table_rows({
    code: 'eosio.token',
    scope: 'bob',
    table: 'accounts',
  })
  const block = await blockWith(client, block_num, transaction_id)

  log('a transfer of more than there is')
  const overdrawn = call('transfer', 'bob', {
    ...transfer,
    from: 'bob',
    to: 'alice',
    quantity: '99.0000 SYS',
  })
  const error = await sessionOf('bob')
    .transact({ action: overdrawn })
    .then(
      () => 'it went through',
      (failure: Error) => failure.message,
    )

  return {
    transaction_id,
    balance: String(balances[0]),
    row: table.rows[0] as { balance: string },
    block_num: Number(block.block_num),
    overdrawn: error,
  }
}

/** Waits until the block is there and shows the transaction; it may be in the one after. */
async function blockWith(client: APIClient, block_num: number, transaction_id: string) {
  for (let number = block_num; number < block_num + 10; number++) {
    await reached(client, number)
    const block = await client.v1.chain.get_block(number)
    if (block.transactions.some((receipt) => String(receipt.id) === transaction_id)) return block
  }
  throw new Error(`transaction ${transaction_id} is in no block from ${block_num} on`)
}

async function reached(client: APIClient, block_num: number): Promise<void> {
  while (Number((await client.v1.chain.get_info()).head_block_num) < block_num) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

function newAccount(name: string, key: PrivateKey): Action {
  const authority = Authority.from({
    threshold: 1,
    keys: [{ key: key.toPublic(), weight: 1 }],
    accounts: [],
    waits: [],
  })
  const data = { creator: 'eosio', name, owner: authority, active: authority }
  return systemAction('newaccount', 'eosio', data, {
    structs: [
      {
        name: 'newaccount',
        base: '',
        fields: [
          { name: 'creator', type: 'name' },
          { name: 'name', type: 'name' },
          { name: 'owner', type: 'authority' },
          { name: 'active', type: 'authority' },
        ],
      },
    ],
    customTypes: [Authority],
  })
}

/** setcode and setabi with the files of one of the shipped contracts. */
export function deploy(account: string, contract: string): Action[] {
  const file = (extension: string) =>
    readFileSync(join(contracts, contract, `${contract}.${extension}`))
  const abi = ABI.from(JSON.parse(file('abi').toString()))
  const code = Blob.from(file('wasm').toString('base64'))
  return [
    systemAction(
      'setcode',
      account,
      { account, vmtype: 0, vmversion: 0, code: code.array },
      SETCODE,
    ),
    systemAction('setabi', account, { account, abi: Serializer.encode({ object: abi }) }, SETABI),
  ]
}

const SETCODE = {
  structs: [
    {
      name: 'setcode',
      base: '',
      fields: [
        { name: 'account', type: 'name' },
        { name: 'vmtype', type: 'uint8' },
        { name: 'vmversion', type: 'uint8' },
        { name: 'code', type: 'bytes' },
      ],
    },
  ],
}

const SETABI = {
  structs: [
    {
      name: 'setabi',
      base: '',
      fields: [
        { name: 'account', type: 'name' },
        { name: 'abi', type: 'bytes' },
      ],
    },
  ],
}

interface ActionStruct {
  structs: { name: string; base: string; fields: { name: string; type: string }[] }[]
  customTypes?: (typeof Authority)[]
}

function systemAction(name: string, actor: string, data: object, types: ActionStruct): Action {
  return Action.from({
    account: 'eosio',
    name,
    authorization: [{ actor, permission: 'active' }],
    data: Serializer.encode({
      object: data,
      type: name,
      abi: ABI.from({ structs: types.structs }),
      customTypes: types.customTypes ?? [],
    }),
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const url = process.argv[2] ?? 'http://127.0.0.1:8888'
  const seen = await tokenExample(url, (line) => console.log(line))
  console.log(seen)
}
