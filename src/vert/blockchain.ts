import { BLOCK_INTERVAL_MS } from '../engine/protocol/constants.ts'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { TimePoint, Transaction as LibraryTransaction } from '@wharfkit/antelope'
import type { Transaction } from '../engine/protocol/transaction.ts'
import type { Database } from '../engine/state/database.ts'
import { Account } from './account.ts'
import type { AccountArgs } from './account.ts'
import { contextToExecutionTrace } from './action_context.ts'
import type { ActionContext, ExecutionTrace } from './action_context.ts'
import { actionContexts } from './action_contexts.ts'
import { ACTIVATED_PROTOCOL_FEATURES } from './activated_features.ts'
import { antelope } from './antelope.ts'
import { EmulatedBlock } from './machine/emulated_block.ts'
import { runTransaction } from './machine/emulated_transaction.ts'
import type { TransactionRun } from './machine/emulated_transaction.ts'
import { bigIntToName } from './numbers.ts'
import type { NameLike } from './numbers.ts'
import { returnValues } from './return_values.ts'
import { storageOf } from './storage.ts'
import type { Storage } from './storage.ts'
import { storageDeltas, textOfValue } from './storage_deltas.ts'
import type { StorageDeltas } from './storage_deltas.ts'
import { TableStore } from './table_store.ts'
import { libraryTransaction, unpackLibraryTransaction } from './transaction_input.ts'
import { TransactionFailure } from './transaction_failure.ts'

type OwnAccount = Account<Blockchain>

/** A contract that prints this prints the rows of all contracts to the console of the test. */
const PRINT_STORAGE = '$vertPrintStorage'

/** A time or a duration: `TimePoint` or `TimePointSec` of any copy of the library. */
export interface Moment {
  toMilliseconds(): number
}

/** A `Transaction` of any copy of the library. */
export interface TransactionLike {
  actions: unknown[]
}

/** The parameters of a new blockchain. */
export interface BlockchainArgs {
  accounts?: { [key: string]: OwnAccount }
  timestamp?: Moment
  blockNum?: number
  store?: TableStore
}

/**
 * A blockchain for tests with the interface of VeRT. Contracts run in the engine of the node, in one
 * block that is never finished, so its time and number are what the test sets. Transactions need no
 * signatures: the accounts that they name authorize them.
 */
export class Blockchain {
  accounts: { [key: string]: OwnAccount }
  /** The time that contracts see. At first 1970. */
  timestamp: TimePoint
  /** The number of the block that contracts see, rounded down. At first 0. */
  blockNum: number
  /** What the contracts of the last transaction printed. */
  console = ''
  /** Digests of the features that contracts see as active. */
  protocolFeatures: string[] = [...ACTIVATED_PROTOCOL_FEATURES]
  isStorageDeltasEnabled = false
  preStorage: Storage | undefined
  postStorage: Storage | undefined
  private readonly block: EmulatedBlock
  private tables: TableStore
  /** Whether the test has the store, and may use it again. */
  private store_is_shown: boolean
  private deltas: StorageDeltas
  /** Makes the contexts of the last transaction, which few tests look at. */
  private makeContexts: () => ActionContext<OwnAccount>[] = () => []
  private contexts: ActionContext<OwnAccount>[] | undefined
  private traces: ExecutionTrace[] | undefined

  constructor({ accounts, timestamp, blockNum, store }: BlockchainArgs = {}) {
    this.accounts = accounts ?? {}
    this.timestamp = antelope.TimePoint.fromMilliseconds(timestamp?.toMilliseconds() ?? 0)
    this.blockNum = blockNum ?? 0
    this.block = new EmulatedBlock(blockSettings(this))
    this.tables = store ?? new TableStore()
    this.store_is_shown = store !== undefined
    this.tables.attach(this.db)
  }

  /** @internal */
  get db(): Database {
    return this.block.db
  }

  /** @internal */
  now(): { time_us: number; block_num: number } {
    return { time_us: this.timestamp.toMilliseconds() * 1000, block_num: Math.floor(this.blockNum) }
  }

  /** The runs of contracts in the last transaction. */
  get actionTraces(): ActionContext<OwnAccount>[] {
    return (this.contexts ??= this.makeContexts())
  }

  set actionTraces(contexts: ActionContext<OwnAccount>[]) {
    this.contexts = contexts
  }

  /** The same in the form of VeRT's log. */
  get executionTraces(): ExecutionTrace[] {
    return (this.traces ??= this.actionTraces.map(contextToExecutionTrace))
  }

  set executionTraces(traces: ExecutionTrace[]) {
    this.traces = traces
  }

  /** The rows of the contracts. */
  get store(): TableStore {
    this.store_is_shown = true
    return this.tables
  }

  set store(store: TableStore) {
    this.resetTables(store)
  }

  /**
   * Executes a transaction; if it fails nothing of it stays.
   * @param decodedData the fields of its actions, for the traces
   * @returns the return values of all actions that have some, or with `readonly` the first one
   * @throws Error with the text of the assertion, or of another failure
   */
  async applyTransaction(
    transaction: TransactionLike,
    decodedData?: unknown,
    readonly?: boolean,
    // oxlint-disable-next-line typescript/no-explicit-any -- return values have any type, as in VeRT
  ): Promise<any> {
    const given = transaction as LibraryTransaction
    return this.execute(unpackLibraryTransaction(given), decodedData, readonly, given)
  }

  /**
   * @internal
   * @throws Error with the text of the assertion, or of another failure
   */
  execute(
    transaction: Transaction,
    decodedData: unknown,
    readonly?: boolean,
    given?: LibraryTransaction,
    // oxlint-disable-next-line typescript/no-explicit-any -- return values have any type, as in VeRT
  ): any {
    const waiting = Object.values(this.accounts).flatMap(({ ready }) => ready ?? [])
    if (waiting.length > 0)
      return Promise.all(waiting).then(() =>
        this.execute(transaction, decodedData, readonly, given),
      )
    this.resetTransaction()
    for (const account of Object.values(this.accounts)) account.updatePermissions()
    if (this.isStorageDeltasEnabled) this.preStorage = this.getStorage()
    const sent = given === undefined ? transaction : unpackLibraryTransaction(given)
    const run = this.run(sent)
    this.note(run, decodedData, given)
    if (run.failure !== undefined) throw new TransactionFailure(run.failure)
    if (this.preStorage !== undefined) {
      this.postStorage = this.getStorage()
      this.deltas = storageDeltas(this.preStorage, this.postStorage)
    }
    const returns = run.runs.some(({ return_value }) => return_value.length > 0)
    const values = returns ? returnValues(this.actionTraces) : []
    return readonly ? (values[0]?.returnValue ?? null) : values
  }

  private run(transaction: Transaction): TransactionRun {
    let printed = ''
    const run = runTransaction(this.block, transaction, {
      creationTime: (name) => {
        const account = this.accountOf(name)
        return account && account.creationTime.toMilliseconds() * 1000
      },
      knowsAction: ({ account, name }) => {
        const actions = this.accountOf(account)?.actions
        return actions === undefined || Object.hasOwn(actions, String(bigIntToName(name)))
      },
      print: (text) => {
        if (text === PRINT_STORAGE) console.log(textOfValue(this.getStorage(), 4))
        printed += text
      },
    })
    this.console = Buffer.from(printed, 'latin1').toString('utf8')
    return run
  }

  private note(run: TransactionRun, decodedData: unknown, given?: LibraryTransaction): void {
    let transaction = given
    const { accounts } = this
    this.makeContexts = () =>
      actionContexts(run, {
        transaction: () => (transaction ??= libraryTransaction(run.transaction)),
        decodedData,
        account: (name) => accounts[String(bigIntToName(name))],
      })
  }

  private accountOf(name: bigint): OwnAccount | undefined {
    return this.accounts[String(bigIntToName(name))]
  }

  /** The account of a name, if it was created. */
  getAccount(name: NameLike): OwnAccount | undefined {
    return this.accounts[String(name)]
  }

  /** Creates an account, or replaces what was known of it; its rows stay. */
  createAccount(args: string | Omit<AccountArgs, 'bc'>): OwnAccount {
    const given = typeof args === 'string' ? { name: args } : args
    const account = new Account<Blockchain>({ ...given, bc: this })
    this.accounts[String(account.name)] = account
    return account
  }

  /** Creates accounts without contracts. */
  createAccounts(...accounts: string[]): OwnAccount[] {
    return accounts.map((name) => this.createAccount(name))
  }

  /** Reads the code of a contract. */
  async readWasm(fileName: string): Promise<Uint8Array> {
    return readFile(fileName)
  }

  /** Reads the ABI of a contract. */
  async readAbi(fileName: string): Promise<string> {
    return readFile(fileName, 'utf8')
  }

  /**
   * Creates an account with a contract.
   * @param folder the path of its files without `.wasm` and `.abi`
   * @param enableInline adds `name@eosio.code` to the permission `active`
   */
  createContract(
    name: NameLike,
    folder: string,
    enableInline = true,
    accountArgs: Partial<AccountArgs> = {},
  ): OwnAccount {
    const wasm = readFileSync(`${folder}.wasm`)
    const abi = readFileSync(`${folder}.abi`, 'utf8')
    return this.createAccount({ name, wasm, abi, enableInline, ...accountArgs })
  }

  /** Sets the time, also to an earlier one. The number of the block stays. */
  setTime(time: Moment): void {
    this.timestamp = antelope.TimePoint.fromMilliseconds(time.toMilliseconds())
  }

  /** Adds to the time, and as many blocks as fit in it. */
  addTime(time: Moment): void {
    this.moveBy(time.toMilliseconds())
  }

  /**
   * Takes from the time, and as many blocks as fit in it.
   * @throws Error the time would be before 1970
   */
  subtractTime(time: Moment): void {
    const ms = time.toMilliseconds()
    if (this.timestamp.toMilliseconds() < ms)
      throw new Error('Blockchain time must not go negative')
    this.moveBy(-ms)
  }

  /** Adds blocks, and half a second for each. */
  addBlocks(numberOfBlocks: number): void {
    this.moveBy(numberOfBlocks * BLOCK_INTERVAL_MS)
  }

  private moveBy(ms: number): void {
    this.blockNum += ms / BLOCK_INTERVAL_MS
    this.timestamp = antelope.TimePoint.fromMilliseconds(this.timestamp.toMilliseconds() + ms)
  }

  /** Forgets the last transaction. */
  resetTransaction(): void {
    this.resetVm()
    this.clearConsole()
  }

  /** Forgets the traces of the last transaction. */
  resetVm(): void {
    this.preStorage = undefined
    this.postStorage = undefined
    this.deltas = undefined
    this.makeContexts = () => []
    this.contexts = undefined
    this.traces = undefined
  }

  /** Forgets what contracts have printed. */
  clearConsole(): void {
    this.console = ''
  }

  /** Removes all rows of contracts, or replaces them by those of a store. */
  resetTables(store?: TableStore): void {
    this.tables.detach(this.store_is_shown)
    this.tables = store ?? new TableStore()
    this.store_is_shown = store !== undefined
    this.tables.attach(this.db)
  }

  /**
   * What the last transaction changed in the rows of contracts.
   * @throws Error this is not enabled
   */
  get storageDeltas(): StorageDeltas {
    if (!this.isStorageDeltasEnabled)
      throw new Error('Storage deltas are not enabled (use enableStorageDeltas)')
    return this.deltas
  }

  /** From the next transaction on, {@link storageDeltas} are recorded. */
  enableStorageDeltas(): void {
    this.isStorageDeltasEnabled = true
  }

  /** Ends what {@link enableStorageDeltas} began. */
  disableStorageDeltas(): void {
    this.isStorageDeltasEnabled = false
  }

  /**
   * Prints {@link storageDeltas} to the standard output.
   * @throws Error this is not enabled
   */
  printStorageDeltas(): void {
    console.log(textOfValue(this.storageDeltas, 4))
  }

  /** The rows of all contracts. */
  getStorage(): Storage {
    return storageOf(this.db, this.accounts)
  }
}

/** What the block reads of its blockchain, at the time when it reads. */
function blockSettings(blockchain: Blockchain) {
  return {
    get time_us() {
      return blockchain.now().time_us
    },
    get block_num() {
      return blockchain.now().block_num
    },
    get protocolFeatures() {
      return blockchain.protocolFeatures
    },
  }
}
