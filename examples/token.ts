/**
 * A token from nothing: accounts, a contract, tokens created, issued, moved and read back, with
 * unmodified wharfkit packages.
 *
 *   npm start                # in one terminal
 *   node --import tsx examples/token.ts [http://127.0.0.1:8888]
 */
import { pathToFileURL } from 'node:url'
import type { APIClient } from '@wharfkit/antelope'
import { connect, shippedContract } from './chain.ts'

/** Runs the whole story against a node and answers what it saw. */
export async function tokenExample(url: string, log: (line: string) => void = () => {}) {
  const { client, kit, session, createAccounts, deploy } = await connect(url)

  log('accounts: eosio.token, alice, bob')
  await createAccounts(['eosio.token', 'alice', 'bob'])

  log('contract: eosio.token')
  await deploy('eosio.token', shippedContract('eosio.token'))
  const token = await kit.load('eosio.token')

  log('create, issue, transfer')
  await session('eosio.token').transact({
    action: token.action('create', { issuer: 'alice', maximum_supply: '1000000.0000 SYS' }),
  })
  await session('alice').transact({
    action: token.action('issue', { to: 'alice', quantity: '1000.0000 SYS', memo: 'all of it' }),
  })
  const transfer = { from: 'alice', to: 'bob', quantity: '25.0000 SYS', memo: 'lunch' }
  const sent = await session('alice').transact({ action: token.action('transfer', transfer) })
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
  const overdrawn = { from: 'bob', to: 'alice', quantity: '99.0000 SYS', memo: 'lunch' }
  const error = await session('bob')
    .transact({ action: token.action('transfer', overdrawn) })
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

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const url = process.argv[2] ?? 'http://127.0.0.1:8888'
  const seen = await tokenExample(url, (line) => console.log(line))
  console.log(seen)
}
