import { ChainError, DEVELOPMENT_KEY, nameFromString, toHex } from '../engine/index.ts'
import { Account } from './account.ts'
import { ActionCall } from './action_call.ts'
import { BlockMaker } from './block_maker.ts'
import { Checkpoint } from './checkpoint.ts'
import { ChainTime, momentMs } from './chain_time.ts'
import type { Moment } from './chain_time.ts'
import type { ContractAbi, ContractCode } from './contract_files.ts'
import { TransactionError } from './transaction_error.ts'
import { TransactionResult } from './transaction_result.ts'

/** How a chain is made. */
export interface ChainOptions {
  /** The time of the first block in which actions run. Default: now. */
  time?: Moment
  /**
   * The CPU time that each transaction is billed, in microseconds, however long it takes: a busy
   * machine makes no test fail. Default 100, the least that the chain bills.
   */
  bill_cpu_us?: number
  /** The time after which a transaction that does not end fails; milliseconds. Default 10000. */
  time_limit_ms?: number
}

/** How an account is made. */
export interface AccountOptions {
  /** The public key of both permissions. Default: the development key. */
  key?: string
}

/** More blocks than these in one call are a mistake. */
const MAX_MINED = 10_000_000

/**
 * A chain in memory: the engine of the node, without HTTP, threads or disk. All features of the
 * protocol are active, there is no system contract, and every account may act without signatures.
 *
 * Actions run in a pending block. It ends when it is full, when blocks are mined, and when time
 * moves, so all actions until then see the same time.
 */
export class Chain {
  /** The time of the chain. */
  readonly time: ChainTime
  private readonly maker: BlockMaker

  private constructor(maker: BlockMaker) {
    this.maker = maker
    this.time = new ChainTime(maker)
  }

  /**
   * Makes a new chain.
   * @throws RangeError an option is out of range
   */
  static create(options: ChainOptions = {}): Chain {
    const { time = Date.now(), bill_cpu_us = 100, time_limit_ms = 10_000 } = options
    const start_us = momentMs(time) * 1000
    if (!Number.isSafeInteger(bill_cpu_us) || bill_cpu_us < 100 || bill_cpu_us > 150_000) {
      throw new RangeError(`bill_cpu_us is a whole number from 100 to 150000, not ${bill_cpu_us}`)
    }
    if (!(time_limit_ms > 0)) throw new RangeError('time_limit_ms is a number above 0')
    if (!(start_us >= FIRST_TIME_MS * 1000 && start_us < LAST_TIME_MS * 1000)) {
      throw new RangeError(`time is from 2018-06-02 to 2067, not ${String(time)}`)
    }
    return new Chain(new BlockMaker({ start_us, bill_cpu_us, time_limit_ms }))
  }

  /** The id of the chain, hexadecimal. */
  get chain_id(): string {
    return toHex(this.maker.chain.chain_id)
  }

  /** The number of the block in which the next action runs. */
  get block_num(): number {
    return this.maker.block_num
  }

  /**
   * Creates an account. Its permission `active` includes `eosio.code`, so that a contract on it may
   * send inline actions in its name.
   * @throws TransactionError the name is taken or malformed
   */
  createAccount(name: string, { key = DEVELOPMENT_KEY }: AccountOptions = {}): Account {
    const keys = [{ key, weight: 1 }]
    const code = { permission: { actor: name, permission: 'eosio.code' }, weight: 1 }
    this.account('eosio')
      .action('newaccount', {
        creator: 'eosio',
        name,
        owner: { threshold: 1, keys, accounts: [], waits: [] },
        active: { threshold: 1, keys, accounts: [code], waits: [] },
      })
      .send()
    return this.account(name)
  }

  /** Creates accounts with the development key; see {@link createAccount}. */
  createAccounts<Names extends readonly string[]>(
    ...names: Names
  ): { [I in keyof Names]: Account } {
    return names.map((name) => this.createAccount(name)) as { [I in keyof Names]: Account }
  }

  /**
   * An account that exists.
   * @throws ChainError account_query_exception there is none of this name
   */
  account(name: string): Account {
    if (!this.hasAccount(name)) {
      throw new ChainError('account_query_exception', `there is no account ${name}: create it`)
    }
    return new Account(name, {
      chain: this.maker.chain,
      transact: (calls) => this.transact(calls),
    })
  }

  /** Whether there is an account of this name. */
  hasAccount(name: string): boolean {
    return this.maker.chain.db.account.find('by_name', nameFromString(name)) !== undefined
  }

  /**
   * Deploys a contract, on a new account if there is none of this name.
   * @param code the path of the `.wasm` file, or the code
   * @param abi default: the `.abi` file beside the code
   * @throws TransactionError the code is refused
   */
  deploy(name: string, code: ContractCode, abi?: ContractAbi): Account {
    const account = this.hasAccount(name) ? this.account(name) : this.createAccount(name)
    return account.deploy(code, abi)
  }

  /**
   * Sends actions as one transaction: all of them happen, or none.
   * @throws TransactionError the transaction failed; nothing has changed
   */
  transact(calls: readonly ActionCall[]): TransactionResult {
    const trace = this.maker.push(calls.map(({ action }) => action))
    if (trace.except) throw new TransactionError(trace.except, trace)
    return new TransactionResult(this.maker.chain, trace)
  }

  /**
   * Makes blocks: the first has the transactions since the last one, the others are empty.
   * @param count default 1
   */
  mine(count = 1): void {
    if (!Number.isSafeInteger(count) || count < 0 || count > MAX_MINED) {
      throw new RangeError(`the number of blocks is from 0 to ${MAX_MINED}, not ${count}`)
    }
    this.maker.mine(count)
  }

  /**
   * Takes a checkpoint, to which the chain can go back any number of times. The block in which
   * transactions ran ends first. While there is a checkpoint, no block becomes irreversible.
   */
  checkpoint(): Checkpoint {
    return new Checkpoint(this.maker)
  }
}

/** The genesis and its first blocks are before it. */
const FIRST_TIME_MS = Date.UTC(2018, 5, 2)
const LAST_TIME_MS = Date.UTC(2068, 0, 1)
