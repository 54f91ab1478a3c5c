/** Actions. spring: libraries/chain/include/eosio/chain/action.hpp */
import type { PermissionLevel } from './authority.ts'
import { packPermissionLevel, unpackPermissionLevel } from './authority.ts'
import type { Reader } from './reader.ts'
import type { Writer } from './writer.ts'

/** An action: contract, name, authorizations and packed data. */
export interface Action {
  account: bigint
  name: bigint
  authorization: PermissionLevel[]
  data: Uint8Array
}

/** Everything but the data: the first half of the action digest since ACTION_RETURN_VALUE. */
export function packActionBase(w: Writer, action: Omit<Action, 'data'>): void {
  w.u64(action.account)
  w.u64(action.name)
  w.array(action.authorization, packPermissionLevel)
}

/** Writes an action in the wire format. spring: libraries/chain/include/eosio/chain/action.hpp */
export function packAction(w: Writer, action: Action): void {
  packActionBase(w, action)
  w.blob(action.data)
}

/** Reads an action in the wire format. */
export function unpackAction(r: Reader): Action {
  return {
    account: r.u64(),
    name: r.u64(),
    authorization: r.array(unpackPermissionLevel),
    data: r.blob(),
  }
}
