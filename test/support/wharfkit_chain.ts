/** What tests do to a chain, with unmodified wharfkit packages. */
import {
  ABI,
  APIClient,
  Action,
  FetchProvider,
  PrivateKey,
  Serializer,
  SignedTransaction,
  Transaction,
  type ABIDef,
} from '@wharfkit/antelope'
import { Session, type TransactResult } from '@wharfkit/session'
import { WalletPluginPrivateKey } from '@wharfkit/wallet-plugin-privatekey'
import { contractFiles } from './contracts.ts'

/** How a transaction is refused whose time ran out, which on a busy machine it does for any. */
const NO_TIME = /CPU time|too long/
const TRIES = 20
const DEVELOPMENT_KEY = '5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3'

export class WharfkitChain {
  readonly url: string
  readonly client: APIClient
  readonly key = PrivateKey.from(DEVELOPMENT_KEY)
  private readonly abis = new Map<string, ABI>()
  private chain_id: string | undefined

  constructor(url: string) {
    this.url = url
    this.client = new APIClient({ provider: new FetchProvider(url) })
  }

  async session(actor: string): Promise<Session> {
    this.chain_id ??= String((await this.client.v1.chain.get_info()).chain_id)
    return new Session({
      chain: { id: this.chain_id, url: this.url },
      actor,
      permission: 'active',
      walletPlugin: new WalletPluginPrivateKey(this.key),
    })
  }

  /** An action by the ABI that the chain has for its contract. */
  async action(account: string, name: string, actor: string, data: object): Promise<Action> {
    const authorization = [{ actor, permission: 'active' }]
    return Action.from(
      { account, name, authorization, data: data as never },
      await this.abi(account),
    )
  }

  /** A transaction of these actions that the key has signed, not sent. */
  async sign(actions: Action[], key = this.key): Promise<SignedTransaction> {
    const info = await this.client.v1.chain.get_info()
    const transaction = Transaction.from({ ...info.getTransactionHeader(120), actions })
    const signatures = [key.signDigest(transaction.signingDigest(info.chain_id))]
    return SignedTransaction.from({ ...transaction, signatures })
  }

  /** One action in a transaction of its own, signed and sent. */
  async act(account: string, name: string, actor: string, data: object): Promise<TransactResult> {
    return this.transact(actor, [await this.action(account, name, actor, data)])
  }

  /** Signed and sent; again where there was no time for it. */
  private async transact(actor: string, actions: Action[]): Promise<TransactResult> {
    const session = await this.session(actor)
    for (let tries = 1; ; tries++) {
      try {
        return await session.transact({ actions }, { expireSeconds: 120 })
      } catch (error) {
        if (tries === TRIES || !NO_TIME.test(String(error))) throw error
      }
    }
  }

  async createAccounts(...names: string[]): Promise<void> {
    const keys = [{ key: String(this.key.toPublic()), weight: 1 }]
    const authority = { threshold: 1, keys, accounts: [], waits: [] }
    for (const name of names) {
      const data = { creator: 'eosio', name, owner: authority, active: authority }
      await this.act('eosio', 'newaccount', 'eosio', data)
    }
  }

  /** Accounts eosio.token, alice and bob, the token contract, and SYS tokens of which alice has some. */
  async createToken(maximum_supply: string, issued: string): Promise<void> {
    await this.createAccounts('eosio.token', 'alice', 'bob')
    await this.deploy('eosio.token', 'eosio.token')
    const token = { issuer: 'alice', maximum_supply: `${maximum_supply} SYS` }
    await this.act('eosio.token', 'create', 'eosio.token', token)
    const issue = { to: 'alice', quantity: `${issued} SYS`, memo: '' }
    await this.act('eosio.token', 'issue', 'alice', issue)
  }

  /** setcode alone: a contract whose actions have no data. */
  async setCode(account: string, code: Uint8Array): Promise<TransactResult> {
    const data = { account, vmtype: 0, vmversion: 0, code: Buffer.from(code).toString('hex') }
    return this.act('eosio', 'setcode', account, data)
  }

  /** setcode and setabi, in one transaction. */
  async deploy(account: string, contract: string): Promise<TransactResult> {
    const { wasm, abi } = contractFiles(contract)
    const document = ABI.from(JSON.parse(abi) as ABIDef)
    const actions = [
      await this.action('eosio', 'setcode', account, {
        account,
        vmtype: 0,
        vmversion: 0,
        code: wasm.toString('hex'),
      }),
      await this.action('eosio', 'setabi', account, {
        account,
        abi: Serializer.encode({ object: document }),
      }),
    ]
    const result = await this.transact(account, actions)
    this.abis.delete(account)
    return result
  }

  private async abi(account: string): Promise<ABI> {
    let abi = this.abis.get(account)
    if (!abi) {
      abi = ABI.from((await this.client.v1.chain.get_abi(account)).abi!)
      this.abis.set(account, abi)
    }
    return abi
  }
}
