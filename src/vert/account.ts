import type {
  ABI,
  ABIDef,
  Name,
  TimePoint,
  Transaction as LibraryTransaction,
} from '@wharfkit/antelope'
import type { Action, PermissionLevel, Transaction } from '../engine/protocol/transaction.ts'
import type { Database } from '../engine/state/database.ts'
import { encodeAction } from './action_data.ts'
import type { ActionFields } from './action_data.ts'
import { antelope } from './antelope.ts'
import { ensureAccount, replacePermissions, setCode, setPrivileged } from './machine/accounts.ts'
import { nameToBigInt } from './numbers.ts'
import type { Key, NameLike } from './numbers.ts'
import { permissionRows } from './permission_rows.ts'
import { addInlinePermission, generatePermissions } from './permissions.ts'
import type { AccountPermission } from './permissions.ts'
import { TableView } from './table_view.ts'
import { libraryTransaction, transactionOf } from './transaction_input.ts'

/** What an account needs of its blockchain. */
export interface AccountHost {
  timestamp: TimePoint
  /** @internal */
  readonly db: Database
  /** @internal */
  now(): { time_us: number; block_num: number }
  /** @internal */
  execute(
    transaction: Transaction,
    decodedData: unknown,
    readonly?: boolean,
    given?: LibraryTransaction,
    // oxlint-disable-next-line typescript/no-explicit-any -- return values have any type, as in VeRT
  ): any
}

/** Who authorizes an action: `alice`, `alice@active`, or several. */
export type Authorization = Level | Level[]
type Level = string | { actor: NameLike; permission: NameLike }

/** Fields of a transaction besides its actions, such as `expiration`. */
export type HeaderFields = object

/** An action with its data. */
export interface ActionCall {
  /**
   * Executes the action in a transaction of its own. Without an authorization the contract itself
   * authorizes it.
   * @returns the return values of all actions that have some
   */
  // oxlint-disable-next-line typescript/no-explicit-any -- return values have any type, as in VeRT
  send(authorization?: Authorization, options?: HeaderFields): Promise<any>
  /** The same, by the contract itself.
   *  @returns the first return value, or null */
  // oxlint-disable-next-line typescript/no-explicit-any -- return values have any type, as in VeRT
  read(options?: HeaderFields): Promise<any>
}

/** An ABI: its JSON, its text, or a value of any copy of the library. */
export type AbiDocument = string | object

/** The parameters of a new account. */
export interface AccountArgs<B = unknown> {
  name: NameLike
  bc: B
  /** The ABI, or a promise of it. */
  abi?: AbiDocument | Promise<AbiDocument>
  wasm?: Uint8Array | Promise<Uint8Array>
  /** Adds `name@eosio.code` to the permission `active`. */
  enableInline?: boolean
  privileged?: boolean
  permissions?: AccountPermission[]
}

/** An account of a test's blockchain, and its contract if it has one. */
export class Account<B extends AccountHost> {
  readonly name: Name
  readonly bc: B
  readonly creationTime: TimePoint
  /** The actions of the ABI: `account.actions.transfer(['alice', 'bob', …]).send('alice')`. */
  readonly actions: { [key: string]: (actionData?: ActionFields) => ActionCall } = {}
  /** The tables of the ABI by scope, which is the contract's name by default. */
  readonly tables: { [key: string]: (scope?: Key) => TableView } = {}
  abi?: ABI | undefined
  wasm?: Uint8Array | undefined
  /** How often a contract was set. */
  codeSequence = 0
  /** @internal Resolves when a contract that was given as a promise is set. */
  ready: Promise<void> | undefined
  private readonly id: bigint
  private own_permissions: AccountPermission[]
  /** Whether the test may have changed the permissions. */
  private permissions_are_shown = false
  private is_privileged: boolean

  constructor(args: AccountArgs<B>) {
    this.name = antelope.Name.from(String(args.name))
    this.id = nameToBigInt(this.name)
    this.bc = args.bc
    this.creationTime = this.bc.timestamp
    ensureAccount(this.bc.db, this.id, this.bc.now().time_us)
    this.is_privileged = args.privileged ?? false
    setPrivileged(this.bc.db, this.id, this.is_privileged)
    this.own_permissions = args.permissions ?? generatePermissions(this.name)
    if (args.enableInline) addInlinePermission(this.name, this.own_permissions)
    this.permissions_are_shown = args.permissions !== undefined
    this.writePermissions()
    this.writeCode()
    this.setGivenContract(args)
  }

  private setGivenContract({ abi, wasm }: AccountArgs<B>): void {
    if (!abi || !wasm) return
    if (isPromise(abi) || isPromise(wasm)) {
      this.ready = Promise.all([abi, wasm]).then(([document, code]) => {
        this.setContract(document, code)
        this.ready = undefined
      })
    } else this.setContract(abi, wasm)
  }

  /** Whether the account has a code and an ABI. */
  get isContract(): boolean {
    return this.abi !== undefined && this.wasm !== undefined
  }

  /** The number of the name. */
  toBigInt(): bigint {
    return this.id
  }

  /** Whether authorities are not asked for the inline actions of the contract. */
  get privileged(): boolean {
    return this.is_privileged
  }

  set privileged(privileged: boolean) {
    this.is_privileged = privileged
    setPrivileged(this.bc.db, this.id, privileged)
  }

  /** The permissions of the account. Changes of the returned array apply to later transactions. */
  get permissions(): AccountPermission[] {
    this.permissions_are_shown = true
    return this.own_permissions
  }

  set permissions(permissions: AccountPermission[]) {
    this.own_permissions = permissions
    this.permissions_are_shown = true
  }

  /** Replaces all permissions. */
  setPermissions(permissions: AccountPermission[]): void {
    this.permissions = permissions
  }

  /** Sets another contract. */
  setContract(abi: AbiDocument, wasm: Uint8Array): void {
    this.abi = antelope.ABI.from(abi as ABIDef)
    this.wasm = wasm
    this.codeSequence++
    this.writeCode()
    this.buildActions()
    this.buildTables()
  }

  /** Waits for the contract. Each action begins with the initial memory of the contract anyway. */
  async recreateVm(): Promise<void> {
    await this.ready
  }

  /** @internal The engine gets permissions that the test may have changed. */
  updatePermissions(): void {
    if (this.permissions_are_shown) this.writePermissions()
  }

  private writeCode(): void {
    const { bc, codeSequence: code_sequence, wasm: code } = this
    setCode(bc.db, this.id, { code, code_sequence }, bc.now())
  }

  private writePermissions(): void {
    const rows = permissionRows(this.own_permissions)
    replacePermissions(this.bc.db, this.id, rows, this.bc.now().time_us)
  }

  /** Makes {@link actions} from the ABI. */
  buildActions(): void {
    const abi = this.abi!
    for (const action of abi.actions) {
      this.actions[String(action.name)] = (given) => {
        const { fields, data } = encodeAction(abi, action, given)
        const act = { account: this.id, name: nameToBigInt(action.name), data }
        return {
          send: async (authorization, options) => this.send(act, fields, authorization, options),
          read: async (options) => this.send(act, fields, undefined, options, true),
        }
      }
    }
  }

  private send(
    act: Omit<Action, 'authorization'>,
    fields: unknown,
    authorization: Authorization | undefined,
    options?: HeaderFields,
    readonly?: boolean,
  ): unknown {
    const action = { ...act, authorization: levelsOf(authorization || String(this.name)) }
    const transaction = transactionOf(action)
    if (options === undefined || options === null)
      return this.bc.execute(transaction, fields, readonly)
    const given = antelope.Transaction.from({ ...libraryTransaction(transaction), ...options })
    return this.bc.execute(transaction, fields, readonly, given)
  }

  /** Makes {@link tables} from the ABI. */
  buildTables(): void {
    const abi = this.abi!
    const owner = { db: this.bc.db, code: this.id, abi }
    for (const table of abi.tables) {
      this.tables[String(table.name)] = (scope = this.id) => new TableView(owner, table, scope)
    }
  }
}

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof (value as Promise<T>).then === 'function'
}

function levelsOf(authorization: Authorization): PermissionLevel[] {
  const levels = Array.isArray(authorization) ? authorization : [authorization]
  return levels.map((level) => {
    const { actor, permission } = typeof level === 'string' ? levelOf(level) : level
    return { actor: nameToBigInt(actor), permission: nameToBigInt(permission) }
  })
}

/** Reads `actor@permission`; `active` is the permission of an actor alone. */
function levelOf(text: string): { actor: string; permission: string } {
  const [actor, permission = 'active', ...rest] = text.split('@')
  if (!actor || !permission || rest.length > 0)
    throw new Error(
      `Invalid permission level string, should be in the format "actor@permission": ${text}`,
    )
  return { actor, permission }
}
