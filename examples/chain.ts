/**
 * What examples and guides do to a development chain before they show something, with unmodified
 * wharfkit packages: accounts and contracts.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import {
  ABI,
  APIClient,
  FetchProvider,
  PrivateKey,
  Serializer,
  type PrivateKeyType,
} from '@wharfkit/antelope'
import { ContractKit } from '@wharfkit/contract'
import { Session } from '@wharfkit/session'
import { WalletPluginPrivateKey } from '@wharfkit/wallet-plugin-privatekey'

/** The well-known development key: never use it for anything of value. */
export const DEVELOPMENT_KEY = '5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3'

/** A compiled contract. */
export interface ContractFiles {
  wasm: Uint8Array
  /** The ABI as JSON text. */
  abi: string
}

/** A contract that the npm package proton-tsc carries: `eosio.token`, `atomicassets`, … */
export function shippedContract(name: string): ContractFiles {
  const shipped = createRequire(import.meta.url).resolve('proton-tsc/package.json')
  const file = (extension: string) =>
    join(dirname(shipped), 'external', name, `${name}.${extension}`)
  return { wasm: readFileSync(file('wasm')), abi: readFileSync(file('abi'), 'utf8') }
}

/** A client of a node, and what needs the key of an account. */
export async function connect(url = 'http://127.0.0.1:8888') {
  const client = new APIClient({ provider: new FetchProvider(url) })
  const { chain_id } = await client.v1.chain.get_info()
  const kit = new ContractKit({ client })

  /** Signs and sends for an account. */
  const session = (actor: string, key: PrivateKeyType = DEVELOPMENT_KEY, permission = 'active') =>
    new Session({
      chain: { id: chain_id, url },
      actor,
      permission,
      walletPlugin: new WalletPluginPrivateKey(PrivateKey.from(key)),
    })

  /** Makes accounts that one key owns. */
  async function createAccounts(names: string[], key: PrivateKeyType = DEVELOPMENT_KEY) {
    const system = await kit.load('eosio')
    const keys = [{ key: PrivateKey.from(key).toPublic(), weight: 1 }]
    const owner = { threshold: 1, keys, accounts: [], waits: [] }
    const actions = names.map((name) =>
      system.action('newaccount', { creator: 'eosio', name, owner, active: owner }),
    )
    await session('eosio').transact({ actions })
  }

  /** Puts a contract on an account, signed with the development key. */
  async function deploy(account: string, { wasm, abi }: ContractFiles) {
    const system = await kit.load('eosio')
    const code = Buffer.from(wasm).toString('hex')
    const actions = [
      system.action('setcode', { account, vmtype: 0, vmversion: 0, code }),
      system.action('setabi', { account, abi: Serializer.encode({ object: ABI.from(abi) }) }),
    ]
    await session(account).transact({ actions })
  }

  return { url, client, kit, session, createAccounts, deploy }
}
