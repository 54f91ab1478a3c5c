/** Data of the native actions (spring: contract_types.hpp). Trailing bytes are ignored, as there. */
import { unpackAuthority } from '../../protocol/authority.ts'
import type { Authority, PermissionLevel } from '../../protocol/authority.ts'
import { NATIVE_ACTIONS, readWithContext } from '../../protocol/error_context.ts'

/**
 * Data of the action `newaccount`. spring: libraries/chain/include/eosio/chain/contract_types.hpp
 */
export interface NewAccount {
  creator: bigint
  name: bigint
  owner: Authority
  active: Authority
}

/** Data of the action `setcode`. */
export interface SetCode {
  account: bigint
  vmtype: number
  vmversion: number
  /** A view of the action's data. */
  code: Uint8Array
}

/** Data of the action `setabi`; `abi` is the packed ABI. */
export interface SetAbi {
  account: bigint
  /** A view of the action's data. */
  abi: Uint8Array
}

/** Data of the action `updateauth`. */
export interface UpdateAuth {
  account: bigint
  permission: bigint
  parent: bigint
  auth: Authority
}

/** Data of the action `deleteauth`. */
export interface DeleteAuth {
  account: bigint
  permission: bigint
}

/** Data of the action `unlinkauth`. */
export interface UnlinkAuth {
  account: bigint
  code: bigint
  type: bigint
}

/** Data of the action `linkauth`. */
export interface LinkAuth extends UnlinkAuth {
  requirement: bigint
}

/** Data of the action `canceldelay`. */
export interface CancelDelay {
  canceling_auth: PermissionLevel
  /** A view of the action's data. */
  trx_id: Uint8Array
}

/**
 * Reads the data of `newaccount`. spring: libraries/chain/include/eosio/chain/contract_types.hpp
 * @throws ChainError for data of another form
 */
export const unpackNewAccount = (data: Uint8Array): NewAccount =>
  readWithContext(NATIVE_ACTIONS.newaccount, data, (r) => ({
    creator: r.name(),
    name: r.name(),
    owner: unpackAuthority(r),
    active: unpackAuthority(r),
  }))

/**
 * Reads the data of `setcode`.
 * @throws ChainError for data of another form
 */
export const unpackSetCode = (data: Uint8Array): SetCode =>
  readWithContext(NATIVE_ACTIONS.setcode, data, (r) => ({
    account: r.name(),
    vmtype: r.u8(),
    vmversion: r.u8(),
    code: r.blob(),
  }))

/**
 * Reads the data of `setabi`.
 * @throws ChainError for data of another form
 */
export const unpackSetAbi = (data: Uint8Array): SetAbi =>
  readWithContext(NATIVE_ACTIONS.setabi, data, (r) => ({ account: r.name(), abi: r.blob() }))

/**
 * Reads the data of `updateauth`.
 * @throws ChainError for data of another form
 */
export const unpackUpdateAuth = (data: Uint8Array): UpdateAuth =>
  readWithContext(NATIVE_ACTIONS.updateauth, data, (r) => ({
    account: r.name(),
    permission: r.name(),
    parent: r.name(),
    auth: unpackAuthority(r),
  }))

/**
 * Reads the data of `deleteauth`.
 * @throws ChainError for data of another form
 */
export const unpackDeleteAuth = (data: Uint8Array): DeleteAuth =>
  readWithContext(NATIVE_ACTIONS.deleteauth, data, (r) => ({
    account: r.name(),
    permission: r.name(),
  }))

/**
 * Reads the data of `linkauth`.
 * @throws ChainError for data of another form
 */
export const unpackLinkAuth = (data: Uint8Array): LinkAuth =>
  readWithContext(NATIVE_ACTIONS.linkauth, data, (r) => ({
    account: r.name(),
    code: r.name(),
    type: r.name(),
    requirement: r.name(),
  }))

/**
 * Reads the data of `unlinkauth`.
 * @throws ChainError for data of another form
 */
export const unpackUnlinkAuth = (data: Uint8Array): UnlinkAuth =>
  readWithContext(NATIVE_ACTIONS.unlinkauth, data, (r) => ({
    account: r.name(),
    code: r.name(),
    type: r.name(),
  }))

/**
 * Reads the data of `canceldelay`.
 * @throws ChainError for data of another form
 */
export const unpackCancelDelay = (data: Uint8Array): CancelDelay =>
  readWithContext(NATIVE_ACTIONS.canceldelay, data, (r) => ({
    canceling_auth: { actor: r.name(), permission: r.name() },
    trx_id: r.checksum256(),
  }))
