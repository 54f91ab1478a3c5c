import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { compileAbi } from '../../src/engine/abi/compiled_abi.ts'
import { abiFromJson } from '../../src/engine/abi/abi_json.ts'
import { packAbi } from '../../src/engine/abi/abi_binary.ts'
import { SYSTEM_ABI } from '../../src/engine/abi/system_abi.ts'
import { privateKeyFromString, type PrivateKey } from '../../src/engine/crypto/private_key.ts'
import { toHex } from '../../src/engine/protocol/hex.ts'
import { N } from '../../src/engine/protocol/name.ts'
import { parseTimePointSec } from '../../src/engine/protocol/time.ts'
import type { Action } from '../../src/engine/protocol/transaction.ts'
import { DEVELOPMENT_PRIVATE_KEY, DEVELOPMENT_PUBLIC_KEY } from '../../src/node/development.ts'
import type { NodeProcess } from './node_process.ts'
import { signTransaction, submission } from './sign_transaction.ts'

const require = createRequire(import.meta.url)
const contract = join(
  dirname(require.resolve('proton-tsc/package.json')),
  'external/eosio.token/eosio.token',
)

interface Info {
  chain_id: string
  head_block_id: string
  head_block_num: number
  head_block_time: string
}

/** Tokens that one transaction creates. */
const TOKENS_AT_ONCE = 25

/** A node's chain with a token contract on it, and a way to sign transfers quickly. */
export class TokenChain {
  private readonly node: Pick<NodeProcess, 'post'>
  private readonly key: PrivateKey = privateKeyFromString(DEVELOPMENT_PRIVATE_KEY)
  private readonly token = compileAbi(
    abiFromJson(JSON.parse(readFileSync(`${contract}.abi`, 'utf8'))),
  )
  private readonly system = compileAbi(SYSTEM_ABI)
  /** Rows of bob's table. */
  private rows = 1

  constructor(node: Pick<NodeProcess, 'post'>) {
    this.node = node
  }

  /** Accounts eosio.token, alice and bob; alice has all tokens but one, which bob has. */
  async prepare(): Promise<void> {
    const authority = {
      threshold: 1,
      keys: [{ key: DEVELOPMENT_PUBLIC_KEY, weight: 1 }],
      accounts: [],
      waits: [],
    }
    for (const name of ['eosio.token', 'alice', 'bob']) {
      const data = { creator: 'eosio', name, owner: authority, active: authority }
      await this.push([this.systemAction('newaccount', 'eosio', data)])
    }
    const account = 'eosio.token'
    const code = toHex(readFileSync(`${contract}.wasm`))
    const abi = toHex(packAbi(abiFromJson(JSON.parse(readFileSync(`${contract}.abi`, 'utf8')))))
    await this.push([
      this.systemAction('setcode', account, { account, vmtype: 0, vmversion: 0, code }),
      this.systemAction('setabi', account, { account, abi }),
    ])
    const supply = { issuer: 'alice', maximum_supply: '1000000000.0000 SYS' }
    await this.push([this.action('create', account, supply)])
    const quantity = '1000000000.0000 SYS'
    await this.push([this.action('issue', 'alice', { to: 'alice', quantity, memo: '' })])
    await this.push([this.transfer('first')])
  }

  /** Gives bob balances of tokens until his table has `count` rows. */
  async fillTable(count: number): Promise<void> {
    while (this.rows < count) {
      const actions: Action[] = []
      for (; this.rows < count && actions.length < 2 * TOKENS_AT_ONCE; this.rows++) {
        const letter = (place: number) =>
          String.fromCharCode(65 + (Math.floor(this.rows / 26 ** place) % 26))
        const quantity = `1000.0000 T${letter(0)}${letter(1)}${letter(2)}`
        actions.push(
          this.action('create', 'eosio.token', { issuer: 'bob', maximum_supply: quantity }),
          this.action('issue', 'bob', { to: 'bob', quantity, memo: '' }),
        )
      }
      await this.push(actions)
    }
  }

  /** Sends transfers until one block has `count` of them; answers its number. */
  async blockOfTransfers(count: number): Promise<number> {
    for (let round = 0; round < 20; round++) {
      const info = await this.node.post<Info>('/v1/chain/get_info')
      const transfers = Array.from({ length: count }, (_, i) =>
        this.signed([this.transfer(`${round} ${i}`)], info),
      )
      // The next block is young then.
      await this.nextBlock(info.head_block_num)
      const sent = await this.node.post<{ processed: { block_num?: number } }[]>(
        '/v1/chain/push_transactions',
        transfers,
      )
      const [first] = sent
      const block_num = first?.processed.block_num
      const together = sent.every(({ processed }) => processed.block_num === block_num)
      if (block_num === undefined || !together) continue
      await this.nextBlock(block_num)
      return block_num
    }
    throw new Error(`no block took ${count} transfers`)
  }

  /** Waits until the chain has a block of this number. */
  async untilBlock(block_num: number): Promise<void> {
    await this.nextBlock(block_num - 1)
  }

  /** Waits until the head is above `block_num`. */
  private async nextBlock(block_num: number): Promise<void> {
    for (;;) {
      const { head_block_num } = await this.node.post<Info>('/v1/chain/get_info')
      if (head_block_num > block_num) return
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  /** Writes request bodies of distinct signed transfers, one a line.
   *  @param first the number of the first one: those with other numbers are distinct from it */
  async writeTransfers(file: string, count: number, first = 0): Promise<void> {
    const info = await this.node.post<Info>('/v1/chain/get_info')
    const lines: string[] = []
    for (let i = first; i < first + count; i++) {
      lines.push(submission(this.signed([this.transfer(`${i}`)], info)))
    }
    writeFileSync(file, lines.join('\n') + '\n')
  }

  async push(actions: Action[]): Promise<void> {
    const info = await this.node.post<Info>('/v1/chain/get_info')
    await this.node.post('/v1/chain/send_transaction', this.signed(actions, info))
  }

  private transfer(memo: string): Action {
    return this.action('transfer', 'alice', {
      from: 'alice',
      to: 'bob',
      quantity: '0.0001 SYS',
      memo,
    })
  }

  private action(name: string, actor: string, data: Record<string, unknown>): Action {
    const type = this.token.actionType(N(name))!
    return action('eosio.token', name, actor, this.token.encode(type, data))
  }

  private systemAction(name: string, actor: string, data: Record<string, unknown>): Action {
    return action('eosio', name, actor, this.system.encode(name, data))
  }

  private signed(actions: Action[], info: Info) {
    return signTransaction(actions, this.key, {
      chain_id: info.chain_id,
      block_id: info.head_block_id,
      expiration: parseTimePointSec(info.head_block_time.slice(0, 19)) + 3000,
    })
  }
}

function action(account: string, name: string, actor: string, data: Uint8Array): Action {
  const authorization = [{ actor: N(actor), permission: N('active') }]
  return { account: N(account), name: N(name), authorization, data }
}
