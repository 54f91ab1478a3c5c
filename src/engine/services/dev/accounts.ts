/** The actions that create accounts and set their authorities. */
import type { AbiDef } from '../../abi/abi_def.ts'
import { unpackAbi } from '../../abi/abi_binary.ts'
import { encodeAction } from '../../json/signed_transaction.ts'
import { toHex } from '../../protocol/hex.ts'
import { N } from '../../protocol/name.ts'
import type { Action } from '../../protocol/transaction.ts'
import type { Database } from '../../state/database.ts'

/** An account to create; names are text. */
export interface NewAccount {
  name: string
  creator: string
  /** JSON, as an ABI has it. */
  owner: unknown
  active: unknown
  code: Uint8Array | undefined
  /** Packed. */
  abi: Uint8Array | undefined
  /** Bought where the contract of eosio sells RAM. */
  ram_bytes: number | undefined
}

/** An authority to set; names are text. */
export interface NewAuthority {
  account: string
  permission: string
  parent: string
  /** JSON, as an ABI has it. */
  auth: unknown
}

/** RAM for an account without a contract, and so many times the size of a code. */
const ACCOUNT_RAM_BYTES = 8192
const CODE_RAM_FACTOR = 10

/** The actions that create an account with its keys and RAM. */
export function createAccountActions(db: Database, account: NewAccount): Action[] {
  const { name, creator, owner, active, code, abi } = account
  const actions = [actionOfEosio(db, 'newaccount', creator, { creator, name, owner, active })]
  if (!sellsRam(db)) return actions
  const size = (code?.length ?? 0) * CODE_RAM_FACTOR + (abi?.length ?? 0)
  const bytes = account.ram_bytes ?? ACCOUNT_RAM_BYTES + size
  const purchase = { payer: creator, receiver: name, bytes }
  return [...actions, actionOfEosio(db, 'buyrambytes', creator, purchase)]
}

/** The actions that give an account a contract; none without code and ABI. */
export function deployActions(
  db: Database,
  name: string,
  { code, abi }: Pick<NewAccount, 'code' | 'abi'>,
): Action[] {
  const actions: Action[] = []
  if (code) {
    const fields = { account: name, vmtype: 0, vmversion: 0, code: toHex(code) }
    actions.push(actionOfEosio(db, 'setcode', name, fields))
  }
  if (abi) actions.push(actionOfEosio(db, 'setabi', name, { account: name, abi: toHex(abi) }))
  return actions
}

/** The action that sets an authority, in the name of the account's owner.
 *  @throws ChainError if the authority cannot be read */
export function setAuthorityAction({ account, ...fields }: NewAuthority): Action {
  const authorization = [{ actor: account, permission: 'owner' }]
  const data = { account, ...fields }
  const action = { account: 'eosio', name: 'updateauth', authorization, data }
  return encodeAction(action, new Uint8Array(0))
}

function actionOfEosio(db: Database, name: string, actor: string, data: object): Action {
  const authorization = [{ actor, permission: 'active' }]
  return encodeAction({ account: 'eosio', name, authorization, data }, abiOf(db, N('eosio')))
}

/** The packed ABI of an account; empty if it has none. */
export function abiOf(db: Database, account: bigint): Uint8Array {
  return db.account.find('by_name', account)?.abi ?? new Uint8Array(0)
}

function sellsRam(db: Database): boolean {
  const bytes = abiOf(db, N('eosio'))
  const abi: AbiDef | undefined = bytes.length === 0 ? undefined : unpackAbi(bytes)
  return abi?.actions.some(({ name }) => name === 'buyrambytes') ?? false
}
