import { rename } from 'node:fs/promises'
import {
  ChainError,
  ConversionBudget,
  DEVELOPMENT_KEY,
  nameFromString,
  packedTransactionFromRequest,
  toHex,
  writeSnapshot,
} from '../engine/index.ts'
import type { ServedEngine, TransactionTrace } from '../engine/index.ts'
import { Account } from './account.ts'
import { BlockMaker } from './block_maker.ts'
import type { BlockMakerOptions } from './block_maker.ts'
import { Checkpoint } from './checkpoint.ts'
import { ChainTime, momentMs } from './chain_time.ts'
import type { Moment } from './chain_time.ts'
import { contractFiles } from './contract_files.ts'
import type { ContractAbi, ContractCode } from './contract_files.ts'
import type { Listening } from './listening.ts'
import { loadListening } from './load_listening.ts'
import { nativeAction } from './native_action.ts'
import { chainApiOf, operationsOf } from './operations.ts'
import type { ChainOperations } from './operations.ts'
import { plainValue } from './plain_value.ts'
import { actionsOf } from './raw_transaction.ts'
import type { RawTransaction } from './raw_transaction.ts'
import { Profile } from './profile.ts'
import { LocalSubmitter } from './submitter.ts'
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
  /**
   * Whether every account may act without signatures. If not, transactions are signed with the
   * development key alone, and others must be signed by their senders. Default true.
   */
  any_account?: boolean
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
  /**
   * The operations of the HTTP API, by name: `api.get_table_rows({ code, scope, table })`. Reads answer
   * at once, with what the pending block changed.
   */
  readonly api: ChainOperations
  private readonly maker: BlockMaker

  private constructor(maker: BlockMaker) {
    // In JavaScript, it can be called.
    if (!(maker instanceof BlockMaker)) {
      throw new TypeError('Chain.create() makes a chain, and Chain.fromSnapshot(path) loads one')
    }
    this.maker = maker
    this.time = new ChainTime(maker)
    this.api = operationsOf(chainApiOf(maker))
  }

  /**
   * Makes a new chain.
   * @throws RangeError an option is out of range
   * @throws TypeError an option has an unknown name
   */
  static create(options: ChainOptions = {}): Chain {
    return new Chain(
      new BlockMaker({ ...limitsOf(options), ...startOf(options.time ?? Date.now()) }),
    )
  }

  /**
   * Makes a chain that continues that of a snapshot, of any Antelope chain and any version of the
   * format, with its contracts, tables and chain id. The development key produces from its head on.
   * @param path of a binary snapshot; a file `<path>.sha256` is compared if there is one
   * @param options `time` is by default right after the head
   * @throws ChainError the snapshot cannot be read, or has no account `eosio`
   * @throws RangeError an option is out of range
   * @throws TypeError an option has an unknown name
   */
  static fromSnapshot(path: string, options: ChainOptions = {}): Chain {
    const start = options.time === undefined ? { start_us: undefined } : startOf(options.time)
    const maker = new BlockMaker({ ...limitsOf(options), ...start, snapshot: path })
    if (options.time !== undefined && maker.time_us > momentMs(options.time) * 1000 + 499_999) {
      throw new RangeError(
        `the chain of the snapshot continues at ${new Date(maker.time_us / 1000).toISOString()}, after the time that is given`,
      )
    }
    return new Chain(maker)
  }

  /**
   * Writes the chain to a file, from which {@link Chain.fromSnapshot} continues it: a snapshot in the reference's
   * format, which `--fork` takes too. The block in which transactions ran ends first. The file has what there is when
   * this is called, also if the chain continues before it is complete. Options of the chain are not part of it.
   * @throws Error the file cannot be written
   */
  async save(path: string): Promise<void> {
    const source = this.maker.snapshotSource()
    try {
      const unfinished = `${path}.new`
      await writeSnapshot(source, unfinished)
      await rename(unfinished, path)
    } finally {
      source.view.release()
    }
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
    const data = {
      creator: 'eosio',
      name,
      owner: { threshold: 1, keys, accounts: [], waits: [] },
      active: { threshold: 1, keys, accounts: [code], waits: [] },
    }
    this.result(this.maker.push([nativeAction('newaccount', data, 'eosio@active')]))
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
   * @param code the path of the `.wasm` file, an npm package that has it, or the code; see {@link ContractCode}
   * @param abi default: the `.abi` file beside the code
   * @throws Error there is no such contract; it says where it was looked for, and nothing has changed
   * @throws TransactionError the code is refused
   */
  deploy(name: string, code: ContractCode, abi?: ContractAbi): Account {
    const files = contractFiles(name, code, abi)
    const account = this.hasAccount(name) ? this.account(name) : this.createAccount(name)
    return account.deploy(files.wasm, files.abi)
  }

  /**
   * Sends actions as one transaction: all of them happen, or none.
   * @throws TransactionError the transaction failed; nothing has changed
   * @throws ChainError an action cannot be read
   */
  transact(what: RawTransaction | RawTransaction['actions']): TransactionResult {
    const { actions, context_free_actions } = actionsOf(this.maker.chain, what)
    return this.result(this.maker.push(actions, context_free_actions))
  }

  /**
   * Sends a transaction that a client made and signed.
   * @param transaction as the HTTP API takes it: `{ signatures, packed_trx, ... }`, or an object of a
   *   client library that becomes this as JSON
   * @throws TransactionError the transaction failed; nothing has changed
   * @throws ChainError it cannot be read, or a signature is invalid
   */
  pushTransaction(transaction: object): TransactionResult {
    const request = { compression: 'none', ...(plainValue(transaction) as object) }
    const options = { budget: new ConversionBudget(Infinity) }
    const { packed } = packedTransactionFromRequest(this.maker.chain, request, options)
    return this.result(new LocalSubmitter(this.maker).push(packed))
  }

  /**
   * Serves the chain by HTTP on this machine, for wallets and explorers: the groups of operations that
   * read the chain and send transactions. A transaction that is sent so ends its block; nothing else
   * moves the chain meanwhile, unless the test does.
   * @param port default 0: one that is free
   * @throws Error the port is in use
   */
  listen(port = 0): Promise<Listening> {
    const { chain } = this.maker
    // The other groups are not served.
    const api = { chain: chainApiOf(this.maker, true) } as ServedEngine['api']
    const served = { api, chain, pages: new Map(), addMetrics: () => undefined }
    return loadListening().listen(served, port)
  }

  /**
   * Begins to count what contracts cost: CPU, RAM and host calls by action, and instructions by function.
   * Until it is stopped, contracts run slower, with the same results. One profile is made at a time.
   * @throws Error another profile is being made
   */
  profile(): Profile {
    if (this.maker.runtime.profiled) throw new Error('a profile is being made: stop it first')
    return new Profile(this.maker.chain, this.maker.runtime)
  }

  private result(trace: TransactionTrace): TransactionResult {
    if (trace.except) throw new TransactionError(trace.except, trace)
    return new TransactionResult(this.maker.chain, trace)
  }

  /**
   * Makes blocks: the first has the transactions since the last one, the others are empty.
   * @param count default 1
   * @throws RangeError for a number that is not whole, below 0 or too large
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

const OPTION_NAMES: readonly string[] = [
  'time',
  'bill_cpu_us',
  'time_limit_ms',
  'any_account',
] satisfies (keyof ChainOptions)[]

/** The limits of transactions. @throws RangeError, or TypeError for an option of an unknown name */
function limitsOf(options: ChainOptions): Omit<BlockMakerOptions, 'start_us'> {
  const unknown = Object.keys(options).find((name) => !OPTION_NAMES.includes(name))
  if (unknown !== undefined) {
    throw new TypeError(`${unknown} is not an option of a chain: ${OPTION_NAMES.join(', ')}`)
  }
  const { bill_cpu_us = 100, time_limit_ms = 10_000, any_account = true } = options
  if (!Number.isSafeInteger(bill_cpu_us) || bill_cpu_us < 100 || bill_cpu_us > 150_000) {
    throw new RangeError(`bill_cpu_us is a whole number from 100 to 150000, not ${bill_cpu_us}`)
  }
  if (!(time_limit_ms > 0)) throw new RangeError('time_limit_ms is a number above 0')
  return { bill_cpu_us, time_limit_ms, any_account }
}

/** The time of the first block. @throws RangeError */
function startOf(time: Moment): { start_us: number } {
  const ms = momentMs(time)
  if (ms >= FIRST_TIME_MS && ms < LAST_TIME_MS) return { start_us: ms * 1000 }
  throw new RangeError(`time is from 2018-06-02 to 2067, not ${String(time)}`)
}

/** The genesis and its first blocks are before it. */
const FIRST_TIME_MS = Date.UTC(2018, 5, 2)
const LAST_TIME_MS = Date.UTC(2068, 0, 1)
