/**
 * A chain of a given size as a snapshot, from which this node and the reference start: a token that many accounts hold,
 * and a table of many rows with a secondary index. Its producer eosio has the development key.
 * `node --import tsx bench/support/growth_state.ts ROWS ACCOUNTS FILE` makes one, in a process whose memory ends with it.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packAbi } from '../../src/engine/abi/abi_binary.ts'
import { abiFromJson } from '../../src/engine/abi/abi_json.ts'
import { publicKeyOf } from '../../src/engine/crypto/keys.ts'
import type { PrivateKey } from '../../src/engine/crypto/private_key.ts'
import { defaultGenesis, type GenesisState } from '../../src/engine/protocol/genesis.ts'
import { toHex } from '../../src/engine/protocol/hex.ts'
import { N } from '../../src/engine/protocol/name.ts'
import type { Action } from '../../src/engine/protocol/transaction.ts'
import { Writer } from '../../src/engine/protocol/writer.ts'
import { writeSnapshot } from '../../src/engine/snapshot/write_snapshot.ts'
import type { Database } from '../../src/engine/state/database.ts'
import { action, setCodeAction } from '../../test/engine/chain/support/harness.ts'
import { newaccount, TestChain } from '../../test/engine/chain/support/test_chain.ts'
import { Token } from '../../test/engine/chain/support/token.ts'
import { isMain } from './main.ts'
import { signTransaction, submission } from './sign_transaction.ts'

export interface GrowthSize {
  /** Rows of the table; each has a key in the secondary index too. */
  rows: number
  /** Accounts that hold the token. */
  accounts: number
}

/** The chain of a snapshot, as transactions need it; hex digits. */
export interface GrowthChain {
  chain_id: string
  block_id: string
}

export const TOKEN = 'eosio.token'

/** The account of the table, its scope and the table. */
export const ITEMS = 'items'

const ITEMS_ABI = {
  version: 'eosio::abi/1.1',
  structs: [
    {
      name: 'item',
      base: '',
      fields: [
        { name: 'id', type: 'uint64' },
        { name: 'owner', type: 'name' },
        { name: 'rank', type: 'uint64' },
        { name: 'amount', type: 'int64' },
      ],
    },
  ],
  tables: [{ name: ITEMS, index_type: 'i64', key_names: [], key_types: [], type: 'item' }],
}

/** Names of accounts end with four letters. */
const MOST_ACCOUNTS = 26 ** 4

/** Actions of one transaction, and transactions of one block. */
const ACTIONS = 200
const TRANSACTIONS = 10

/** Where place `n` is in an order that looks random: each `n` below `count` has a place of its own. */
export function scattered(n: number, count: number): number {
  // A prime above all counts shares no factor with any of them; the product is exact below 2^53.
  return (n * 179_424_673) % count
}

/** The name of an account. Accounts that were made one after the other are far apart in the order of names. */
export function accountName(n: number): string {
  let left = scattered(n, MOST_ACCOUNTS)
  let letters = ''
  for (let i = 0; i < 4; i++, left = Math.floor(left / 26)) {
    letters = String.fromCharCode(97 + (left % 26)) + letters
  }
  return `holder${letters}`
}

function accountKey(n: number): PrivateKey {
  const data = new Uint8Array(32).fill(1)
  new DataView(data.buffer).setUint32(28, n)
  return { type: 0, data }
}

/** Makes the chain and writes its snapshot. Blocks may take any number of transactions. */
export async function writeGrowthSnapshot(size: GrowthSize, path: string): Promise<GrowthChain> {
  const chain = await TestChain.open({ genesis: genesisOfGrowth() })
  fillItems(chain.chain.db, size)
  makeAccounts(chain, size.accounts)
  const source = chain.chain.snapshotSource()
  await writeSnapshot(source, path).finally(() => source.view.release())
  const result = { chain_id: toHex(chain.chain.chain_id), block_id: toHex(chain.head.id) }
  await chain.chain.close()
  return result
}

function genesisOfGrowth(): GenesisState {
  const genesis = defaultGenesis()
  genesis.initial_configuration.max_block_cpu_usage = 2_000_000
  return genesis
}

/** Before the first block, so that no undo history has the rows. */
function fillItems(db: Database, { rows, accounts }: GrowthSize): void {
  const names = { code: N(ITEMS), scope: N(ITEMS), table: N(ITEMS), payer: N(ITEMS) }
  const { id } = db.table_id.create({ ...names, count: 2 * rows })
  const owners = Array.from({ length: Math.min(accounts, 1000) }, (_, n) => N(accountName(n)))
  const value = new Uint8Array(32)
  const view = new DataView(value.buffer)
  for (let n = 0; n < rows; n++) {
    const rank = BigInt(scattered(n, rows))
    view.setBigUint64(0, BigInt(n), true)
    view.setBigUint64(8, owners[n % owners.length]!, true)
    view.setBigUint64(16, rank, true)
    view.setBigUint64(24, BigInt(n % 1000), true)
    db.key_value.insert(id, BigInt(n), names.payer, value)
    db.index64.insert(id, BigInt(n), names.payer, rank)
  }
}

function makeAccounts(chain: TestChain, count: number): void {
  const token = new Token()
  for (const name of [TOKEN, ITEMS]) chain.createAccount(name)
  chain.push([setCodeAction(TOKEN, token.wasm), setAbi(TOKEN, token.abi_bytes)])
  chain.push([setAbi(ITEMS, packAbi(abiFromJson(ITEMS_ABI)))])
  const maximum_supply = '1000000000.0000 SYS'
  const by_token = (name: string, data: object) =>
    token.action(name, `${TOKEN}@active`, data, TOKEN)
  const issued = { to: TOKEN, quantity: maximum_supply, memo: '' }
  chain.push([by_token('create', { issuer: TOKEN, maximum_supply }), by_token('issue', issued)])
  const all = (actionOf: (n: number) => Action) => pushAll(chain, count, actionOf)
  all((n) => newaccount(accountName(n), publicKeyOf(accountKey(n))))
  const quantity = '1000.0000 SYS'
  all((n) => by_token('transfer', { from: TOKEN, to: accountName(n), quantity, memo: '' }))
}

function pushAll(chain: TestChain, count: number, actionOf: (n: number) => Action): void {
  for (let first = 0; first < count; first += ACTIONS) {
    const length = Math.min(ACTIONS, count - first)
    chain.push(Array.from({ length }, (_, i) => actionOf(first + i)))
    if (first % (ACTIONS * TRANSACTIONS) === 0) chain.produce()
  }
  chain.produce()
}

function setAbi(account: string, abi: Uint8Array): Action {
  const w = new Writer()
  w.name(N(account))
  w.blob(abi)
  return action('eosio', 'setabi', `${account}@active`, w.bytes())
}

/**
 * Writes files of signed transfers between accounts that are spread over all of them: bodies of requests, one a line,
 * which all differ. They expire in 50 minutes.
 * @param counts how many there are in each file
 * @returns the paths of the files
 */
export function writeGrowthTransfers(
  folder: string,
  { accounts }: GrowthSize,
  chain: GrowthChain,
  counts: readonly number[],
): string[] {
  const token = new Token()
  const signing = { ...chain, expiration: Math.floor(Date.now() / 1000) + 3000 }
  let sent = 0
  return counts.map((count, number) => {
    const lines = Array.from({ length: count }, () => {
      const from = scattered(sent, accounts)
      const to = (from + 1 + Math.floor(accounts / 3)) % accounts
      const data = { from: accountName(from), to: accountName(to), quantity: '0.0001 SYS' }
      const memo = `${sent++}`
      const transfer = token.action('transfer', `${data.from}@active`, { ...data, memo }, TOKEN)
      return submission(signTransaction([transfer], accountKey(from), signing))
    })
    const file = join(folder, `transfers${number}.jsonl`)
    writeFileSync(file, lines.join('\n') + '\n')
    return file
  })
}

if (isMain(import.meta.url)) {
  const [rows, accounts, path] = process.argv.slice(2)
  const size = { rows: Number(rows), accounts: Number(accounts) }
  console.log(JSON.stringify(await writeGrowthSnapshot(size, path!)))
}
