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
  type ABIDef,
  APIClient,
  Action,
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

  const { abi: system_abi } = await client.v1.chain.get_abi('eosio')
  const system = ABI.from(system_abi!)
  const authority = {
    threshold: 1,
    keys: [{ key: key.toPublic(), weight: 1 }],
    accounts: [],
    waits: [],
  }

  log('accounts: eosio.token, alice, bob')
  const creator = sessionOf('eosio')
  for (const name of ['eosio.token', 'alice', 'bob']) {
    const data = { creator: 'eosio', name, owner: authority, active: authority }
    const authorization = [{ actor: 'eosio', permission: 'active' }]
    await creator.transact({
      action: Action.from({ account: 'eosio', name: 'newaccount', authorization, data }, system),
    })
  }

  log('contract: eosio.token')
  const token = sessionOf('eosio.token')
  await token.transact({ actions: deploy('eosio.token', 'eosio.token', system) })
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

/** setcode and setabi with the files of one of the contracts that proton-tsc ships. */
function deploy(account: string, contract: string, system: ABI): Action[] {
  const file = (extension: string) =>
    readFileSync(join(contracts, contract, `${contract}.${extension}`))
  const abi = ABI.from(JSON.parse(file('abi').toString()) as ABIDef)
  const authorization = [{ actor: account, permission: 'active' }]
  const code = { account, vmtype: 0, vmversion: 0, code: file('wasm').toString('hex') }
  const document = { account, abi: Serializer.encode({ object: abi }) }
  return [
    Action.from({ account: 'eosio', name: 'setcode', authorization, data: code }, system),
    Action.from({ account: 'eosio', name: 'setabi', authorization, data: document }, system),
  ]
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const url = process.argv[2] ?? 'http://127.0.0.1:8888'
  const seen = await tokenExample(url, (line) => console.log(line))
  console.log(seen)
}
