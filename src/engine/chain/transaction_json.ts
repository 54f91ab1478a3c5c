import type { CompiledAbi } from '../abi/compiled_abi.ts'
import type { Json, JsonObject } from '../abi/json.ts'
import type { PermissionLevel } from '../protocol/authority.ts'
import type { Action, Transaction } from '../protocol/transaction.ts'
import { ChainError } from '../errors.ts'
import { toHex } from '../protocol/hex.ts'
import { nameToString } from '../protocol/name.ts'
import { timePointSecToString } from '../protocol/time.ts'
import { extractTransactionExtensions } from '../protocol/transaction.ts'

/** The ABI of an account; undefined where it has none that works. */
export type AbiLookup = (account: bigint) => CompiledAbi | undefined

/** An action with its data decoded, as far as the ABI goes (spring: abi_serializer.hpp). */
export function actionJson(act: Action, abiOf: AbiLookup): JsonObject {
  const hex_data = toHex(act.data)
  return {
    account: nameToString(act.account),
    name: nameToString(act.name),
    authorization: act.authorization.map(levelJson),
    data: actionDataJson(act, abiOf) ?? hex_data,
    hex_data,
  }
}

function actionDataJson(act: Action, abiOf: AbiLookup): Json | undefined {
  return decodeOrNothing(() => {
    const abi = abiOf(act.account)
    const type = abi?.actionType(act.name)
    return type === undefined ? undefined : abi?.decode(type, act.data)
  })
}

/** What an action returned, decoded; undefined where the ABI names no type for it. */
export function returnValueJson(
  act: Action,
  return_value: Uint8Array,
  abiOf: AbiLookup,
): Json | undefined {
  return decodeOrNothing(() => {
    const abi = abiOf(act.account)
    const type = abi?.actionResultType(act.name)
    return type === undefined ? undefined : abi?.decode(type, return_value)
  })
}

/** Whatever an ABI cannot do leaves the bytes as they are. */
function decodeOrNothing(decode: () => Json | undefined): Json | undefined {
  try {
    return decode()
  } catch (error) {
    if (error instanceof ChainError) return undefined
    throw error
  }
}

/** A transaction with decoded actions, and the extension of deferred ones by its name. */
export function transactionJson(trx: Transaction, abiOf: AbiLookup): JsonObject {
  const json = headerJson(trx)
  json.context_free_actions = trx.context_free_actions.map((act) => actionJson(act, abiOf))
  json.actions = trx.actions.map((act) => actionJson(act, abiOf))
  const generation = extractTransactionExtensions(trx).deferred_generation_context
  if (generation)
    json.deferred_transaction_generation = {
      sender_trx_id: toHex(generation.sender_trx_id),
      sender_id: generation.sender_id.toString(),
      sender: nameToString(generation.sender),
    }
  return json
}

function headerJson(trx: Transaction): JsonObject {
  return {
    expiration: timePointSecToString(trx.expiration),
    ref_block_num: trx.ref_block_num,
    ref_block_prefix: trx.ref_block_prefix,
    max_net_usage_words: trx.max_net_usage_words,
    max_cpu_usage_ms: trx.max_cpu_usage_ms,
    delay_sec: trx.delay_sec,
  }
}

function levelJson({ actor, permission }: PermissionLevel): JsonObject {
  return { actor: nameToString(actor), permission: nameToString(permission) }
}
