import {
  ChainError,
  ConversionBudget,
  abisOf,
  bytesEqual,
  nameFromString,
  nameToString,
  sha256,
} from '../engine/index.ts'
import type { Action, CompiledAbi, EngineChain, Json } from '../engine/index.ts'
import { ActionCall } from './action_call.ts'
import type { Transact } from './action_call.ts'
import { contractFiles } from './contract_files.ts'
import type { ContractAbi, ContractCode } from './contract_files.ts'
import { nativeAction } from './native_action.ts'
import { plainValue } from './plain_value.ts'
import { Table } from './table.ts'
import type { TableKey } from './table.ts'

/** The data of an action: an object by the ABI, or its fields in order. Fields may be bigint. */
export type ActionData = object | readonly unknown[]

/** The actions of a contract, by name. */
export type ContractActions = { readonly [action: string]: (data?: ActionData) => ActionCall }
/** The tables of a contract, by name; the scope is the contract's name if it is not given. */
export type ContractTables = { readonly [table: string]: (scope?: TableKey) => Table }

/** What an account is made from. */
interface Surroundings {
  chain: EngineChain
  transact: Transact
}

/** What the ABI that an account has offers. */
interface Offers {
  abi: Uint8Array
  actions: ContractActions
  tables: ContractTables
}

/** An account, and the contract on it. */
export class Account {
  readonly name: string
  private readonly surroundings: Surroundings
  private readonly value: bigint
  private offers: Offers | undefined

  /** @internal */
  constructor(name: string, surroundings: Surroundings) {
    this.name = name
    this.value = nameFromString(name)
    this.surroundings = surroundings
  }

  /** One function for each action of the contract: `actions.transfer({...}).send('alice@active')`. */
  get actions(): ContractActions {
    return this.offer().actions
  }

  /** One function for each table of the contract: `tables.accounts('alice').get('EOS')`. */
  get tables(): ContractTables {
    return this.offer().tables
  }

  /**
   * An action of the contract.
   * @param data by the ABI; or packed bytes, which may be of an action that the ABI does not have
   * @throws ChainError the ABI has no such action, or the data is not of its type
   */
  action(name: string, data: ActionData = {}): ActionCall {
    const action: Action = {
      account: this.value,
      name: nameFromString(name),
      authorization: [{ actor: this.value, permission: nameFromString('active') }],
      data: isBytes(data) ? data : this.pack(name, data),
    }
    return new ActionCall(action, this.surroundings.transact)
  }

  /** A table of the contract. @param scope default: the contract's name */
  table<Row = Record<string, Json>>(name: string, scope: TableKey = this.name): Table<Row> {
    const place = { code: this.name, scope: String(scope), table: name }
    return new Table(this.surroundings.chain, place)
  }

  /**
   * Sets code and ABI. What the account has already is not set again.
   * @param code the path of the `.wasm` file, an npm package that has it, or the code; see {@link ContractCode}
   * @param abi default: the `.abi` file beside the code
   * @throws Error there is no such contract; it says where it was looked for
   * @throws TransactionError the code is refused
   */
  deploy(code: ContractCode, abi?: ContractAbi): this {
    const files = contractFiles(this.name, code, abi)
    const calls = [
      ...(this.hasCode(files.wasm) ? [] : [this.setCode(files.wasm)]),
      ...(bytesEqual(this.abi, files.abi) ? [] : [this.setAbi(files.abi)]),
    ]
    if (calls.length > 0) this.surroundings.transact(calls)
    return this
  }

  /** Whether the contract may use the functions of privileged contracts. */
  get privileged(): boolean {
    const { db } = this.surroundings.chain
    return ((db.account_metadata.find('by_name', this.value)?.flags ?? 0) & 1) !== 0
  }

  private get abi(): Uint8Array {
    const row = this.surroundings.chain.db.account.find('by_name', this.value)
    if (row !== undefined) return row.abi
    throw new ChainError('account_query_exception', `there is no account ${this.name}`)
  }

  private compiledAbi(abi: Uint8Array): CompiledAbi {
    const compiled = abisOf(this.surroundings.chain).get(abi)
    if (compiled !== undefined) return compiled
    throw new ChainError(
      'abi_not_found_exception',
      `${this.name} has no ABI: deploy a contract on it`,
    )
  }

  private pack(name: string, data: ActionData): Uint8Array {
    const abi = this.compiledAbi(this.abi)
    const type = abi.actionType(nameFromString(name))
    if (type === undefined) {
      const known = [...abi.types.actions.keys()].map(nameToString).join(', ')
      throw new ChainError(
        'action_validate_exception',
        `the contract of ${this.name} has no action ${name}; it has ${known}`,
      )
    }
    return abi.encode(type, plainValue(data), { budget: new ConversionBudget(Infinity) })
  }

  private offer(): Offers {
    const { abi } = this
    if (this.offers?.abi === abi) return this.offers
    if (this.offers && bytesEqual(this.offers.abi, abi)) return this.offers
    const { types } = this.compiledAbi(abi)
    const names = (list: Iterable<bigint>): string[] => [...list].map(nameToString)
    this.offers = {
      abi,
      actions: Object.fromEntries(
        names(types.actions.keys()).map((name) => [
          name,
          (data?: ActionData) => this.action(name, data),
        ]),
      ),
      tables: Object.fromEntries(
        names(types.tables.keys()).map((name) => [
          name,
          (scope?: TableKey) => this.table(name, scope),
        ]),
      ),
    }
    return this.offers
  }

  private hasCode(wasm: Uint8Array): boolean {
    const { db } = this.surroundings.chain
    const row = db.account_metadata.find('by_name', this.value)
    return row !== undefined && bytesEqual(row.code_hash, sha256(wasm))
  }

  private setCode(code: Uint8Array): ActionCall {
    return this.native('setcode', { account: this.name, vmtype: 0, vmversion: 0, code })
  }

  private setAbi(abi: Uint8Array): ActionCall {
    return this.native('setabi', { account: this.name, abi })
  }

  /** An action of the system, which this account authorizes. */
  private native(name: string, data: object): ActionCall {
    const action = nativeAction(name, data, `${this.name}@active`)
    return new ActionCall(action, this.surroundings.transact)
  }
}

/** Test runners have contexts of their own, whose bytes are not of this one's class. */
function isBytes(data: ActionData): data is Uint8Array {
  return ArrayBuffer.isView(data)
}
