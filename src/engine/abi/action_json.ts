import { ChainError } from '../errors.ts'
import type { Action, PermissionLevel } from '../protocol/transaction.ts'
import { toHex } from '../protocol/hex.ts'
import { nameToString } from '../protocol/name.ts'
import type { CompiledAbi } from './compiled_abi.ts'
import type { ConversionBudget } from './conversion_budget.ts'
import type { Json } from './json.ts'

/** The ABI of an account, or undefined if it has no usable ABI. */
export type AbiResolver = (account: bigint) => CompiledAbi | undefined

/** The options for decoding action data inside a larger answer. */
export interface ActionJsonOptions {
  /** Nesting of the action in the whole value; it counts against the limit of nesting. */
  depth: number
  /** The budget; a new one by default. */
  budget?: ConversionBudget
}

/** `alice@active` in JSON. */
export type PermissionLevelJson = {
  actor: string
  permission: string
}

/** An action in JSON; `data` is what the ABI makes of `hex_data`. */
export type ActionJson = {
  account: string
  name: string
  authorization: PermissionLevelJson[]
  data: Json
  hex_data: string
}

/** JSON of a permission level: `{actor, permission}`. */
export function permissionLevelToJson(level: PermissionLevel): PermissionLevelJson {
  return { actor: nameToString(level.actor), permission: nameToString(level.permission) }
}

/**
 * JSON of an action: `data` as the contract's ABI says, and the same as `hex_data`. Data that the
 * ABI cannot read stays hex. spring: abi_serializer.hpp abi_to_variant::add of action
 */
export function actionToJson(
  action: Action,
  resolve: AbiResolver,
  options: ActionJsonOptions,
): ActionJson {
  const hex_data = toHex(action.data)
  const abi = resolve(action.account)
  const type = abi?.actionType(action.name)
  const decoded = abi && type ? decodeOrUndefined(abi, type, action.data, options) : undefined
  return {
    account: nameToString(action.account),
    name: nameToString(action.name),
    authorization: action.authorization.map(permissionLevelToJson),
    data: decoded === undefined ? hex_data : decoded,
    hex_data,
  }
}

/**
 * JSON of an action's return value as the contract's ABI says; undefined when it says nothing or
 * cannot read it.
 */
export function returnValueToJson(
  action: Action,
  return_value: Uint8Array,
  resolve: AbiResolver,
  options: ActionJsonOptions,
): Json | undefined {
  const abi = resolve(action.account)
  const type = abi?.actionResultType(action.name)
  return abi && type ? decodeOrUndefined(abi, type, return_value, options) : undefined
}

function decodeOrUndefined(
  abi: CompiledAbi,
  type: string,
  bytes: Uint8Array,
  options: ActionJsonOptions,
): Json | undefined {
  try {
    return abi.decode(type, bytes, options)
  } catch (error) {
    // Data that does not match its ABI is not an error of the request; hexadecimal text is shown
    // instead.
    if (error instanceof ChainError) return undefined
    throw error
  }
}
