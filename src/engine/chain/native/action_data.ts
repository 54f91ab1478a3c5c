/** Data of the native actions (spring: contract_types.hpp). Trailing bytes are ignored, as there. */
import { unpackAuthority } from '../../protocol/authority.ts'
import type { Authority, PermissionLevel } from '../../protocol/authority.ts'
import { Reader } from '../../protocol/reader.ts'

export interface NewAccount {
  creator: bigint
  name: bigint
  owner: Authority
  active: Authority
}

export interface SetCode {
  account: bigint
  vmtype: number
  vmversion: number
  /** A view of the action's data. */
  code: Uint8Array
}

export interface SetAbi {
  account: bigint
  /** A view of the action's data. */
  abi: Uint8Array
}

export interface UpdateAuth {
  account: bigint
  permission: bigint
  parent: bigint
  auth: Authority
}

export interface DeleteAuth {
  account: bigint
  permission: bigint
}

export interface UnlinkAuth {
  account: bigint
  code: bigint
  type: bigint
}

export interface LinkAuth extends UnlinkAuth {
  requirement: bigint
}

export interface CancelDelay {
  canceling_auth: PermissionLevel
  /** A view of the action's data. */
  trx_id: Uint8Array
}

export function unpackNewAccount(data: Uint8Array): NewAccount {
  const r = new Reader(data)
  return {
    creator: r.name(),
    name: r.name(),
    owner: unpackAuthority(r),
    active: unpackAuthority(r),
  }
}

export function unpackSetCode(data: Uint8Array): SetCode {
  const r = new Reader(data)
  return { account: r.name(), vmtype: r.u8(), vmversion: r.u8(), code: r.blob() }
}

export function unpackSetAbi(data: Uint8Array): SetAbi {
  const r = new Reader(data)
  return { account: r.name(), abi: r.blob() }
}

export function unpackUpdateAuth(data: Uint8Array): UpdateAuth {
  const r = new Reader(data)
  return {
    account: r.name(),
    permission: r.name(),
    parent: r.name(),
    auth: unpackAuthority(r),
  }
}

export function unpackDeleteAuth(data: Uint8Array): DeleteAuth {
  const r = new Reader(data)
  return { account: r.name(), permission: r.name() }
}

export function unpackLinkAuth(data: Uint8Array): LinkAuth {
  const r = new Reader(data)
  return { account: r.name(), code: r.name(), type: r.name(), requirement: r.name() }
}

export function unpackUnlinkAuth(data: Uint8Array): UnlinkAuth {
  const r = new Reader(data)
  return { account: r.name(), code: r.name(), type: r.name() }
}

export function unpackCancelDelay(data: Uint8Array): CancelDelay {
  const r = new Reader(data)
  return {
    canceling_auth: { actor: r.name(), permission: r.name() },
    trx_id: r.checksum256(),
  }
}
