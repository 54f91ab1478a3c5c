/** A node whose every answer is the same each time: its clock, its keys and its blocks are given. */
import {
  ABI,
  Action,
  Bytes,
  KeyType,
  PrivateKey,
  Serializer,
  SignedTransaction,
  Transaction,
  type ABIDef,
} from '@wharfkit/antelope'
import { DEVELOPMENT_PRIVATE_KEY } from '../../../src/node/development.ts'
import { slotToUs } from '../../../src/engine/protocol/time.ts'
import type { ContractFiles } from '../../support/contracts.ts'
import { ManualClock } from '../../support/manual_clock.ts'
import { TestNode } from '../../support/test_node.ts'
import { until } from '../../support/wait.ts'

/** When the chains of the examples begin. */
const BEGIN_US = Date.UTC(2026, 0, 1) * 1000
/** Looks at the clock are about all that takes time in them. */
const LOOK_US = 10

interface Header {
  lasts_sec?: number
  delay_sec?: number
  ref_block_prefix?: number
}

export class ExampleNode {
  readonly node: TestNode
  private readonly clock: ManualClock
  private readonly abis = new Map<string, ABI>()

  private constructor(node: TestNode, clock: ManualClock) {
    this.node = node
    this.clock = clock
  }

  static async start(folder: string, argv: readonly string[]): Promise<ExampleNode> {
    const clock = new ManualClock(BEGIN_US, LOOK_US)
    // Keys are recovered on another thread, which has the time of the machine.
    argv = [...argv, '--signature-cpu-billable-pct=0']
    const example = new ExampleNode(await TestNode.start({ argv, clock, folder }), clock)
    await example.produce(2)
    return example
  }

  /** Lets the node make so many blocks and begin the next; it is the time of the last one then. */
  async produce(count = 1): Promise<void> {
    const { chain } = this.node.engine
    for (let i = 0; i < count; i++) {
      const block_num = chain.head.block_num + 1
      await until(`block ${block_num}`, () => {
        if (chain.head.block_num === block_num) return true
        this.clock.fire()
        return undefined
      })
      // The next block tells of the vote on this one.
      await chain.voted()
      // The clock of the chain may be ahead.
      const ahead_us = slotToUs(chain.head.timestamp) - this.node.engine.services.dev.ahead_us
      const time_us = Math.max(ahead_us, this.clock.now())
      await until('the next block is begun', () => {
        if (chain.pending) return true
        this.clock.fire(time_us)
        return undefined
      })
      this.clock.set(time_us)
    }
  }

  /** Lets time pass without anything happening. */
  pass(seconds: number): void {
    this.clock.set(this.clock.now() + seconds * 1e6)
  }

  /** What the chain answers; everything must be right. */
  async get<T>(operation: string, body: unknown): Promise<T> {
    const { status, body: answer, text } = await this.node.chain(operation, body)
    if (status >= 300) throw new Error(`${operation}: ${text}`)
    return answer as T
  }

  /** A transaction that these accounts signed, packed, as the operations take it. */
  async signed(actors: readonly string[], actions: Action[], rest: Header = {}): Promise<object> {
    const unsigned = await this.transaction(actions, rest)
    const { chain_id } = await this.get<{ chain_id: string }>('get_info', {})
    const digest = unsigned.signingDigest(chain_id)
    const signatures = actors.map((actor) => keyOf(actor).signDigest(digest))
    return packed(SignedTransaction.from({ ...unsigned, signatures }))
  }

  /** A transaction that refers to the head. */
  async transaction(actions: Action[], rest: Header = {}): Promise<Transaction> {
    const { lasts_sec = 60, delay_sec = 0 } = rest
    const { head_block_num } = this.node
    const block = await this.get<{ ref_block_prefix: number; timestamp: string }>(
      'get_block_info',
      { block_num: head_block_num },
    )
    const expiration = new Date(Date.parse(`${block.timestamp}Z`) + lasts_sec * 1000)
    const { ref_block_prefix = block.ref_block_prefix } = rest
    const header = { expiration, ref_block_num: head_block_num & 0xffff, ref_block_prefix }
    return Transaction.from({ ...header, delay_sec, actions })
  }

  /** An action by the ABI that the chain has for its contract. */
  async action(account: string, name: string, actor: string, data: object): Promise<Action> {
    if (!this.abis.has(account)) {
      const { abi } = await this.get<{ abi: ABIDef }>('get_abi', { account_name: account })
      this.abis.set(account, ABI.from(abi))
    }
    const authorization = actor === '' ? [] : [{ actor, permission: 'active' }]
    return Action.from(
      { account, name, authorization, data: data as never },
      this.abis.get(account),
    )
  }

  /** Sends one action, signed by its actor. */
  async act(account: string, name: string, actor: string, data: object): Promise<void> {
    await this.send([actor], [await this.action(account, name, actor, data)])
  }

  async send(actors: readonly string[], actions: Action[]): Promise<void> {
    await this.get('send_transaction', await this.signed(actors, actions))
  }

  /** An account that its own key owns. */
  async createAccount(name: string): Promise<void> {
    const owner = authorityOf(name)
    await this.act('eosio', 'newaccount', 'eosio', { creator: 'eosio', name, owner, active: owner })
  }

  async deploy(account: string, { wasm, abi }: ContractFiles): Promise<void> {
    const code = { account, vmtype: 0, vmversion: 0, code: wasm.toString('hex') }
    const document = { account, abi: Serializer.encode({ object: ABI.from(JSON.parse(abi)) }) }
    const setcode = await this.action('eosio', 'setcode', account, code)
    await this.send([account], [setcode, await this.action('eosio', 'setabi', account, document)])
  }
}

/** Packed and uncompressed, as clients send it. */
export function packed(transaction: SignedTransaction): object {
  return {
    signatures: transaction.signatures.map(String),
    compression: 'none',
    packed_context_free_data: '',
    packed_trx: String(Serializer.encode({ object: Transaction.from(transaction) })),
  }
}

/** The private key of an account: its name is all that it is made from. */
export function keyOf(account: string): PrivateKey {
  if (account === 'eosio') return PrivateKey.from(DEVELOPMENT_PRIVATE_KEY)
  return new PrivateKey(KeyType.K1, Bytes.from(Buffer.alloc(32, account)))
}

export function authorityOf(account: string) {
  const keys = [{ key: String(keyOf(account).toPublic()), weight: 1 }]
  return { threshold: 1, keys, accounts: [], waits: [] }
}
