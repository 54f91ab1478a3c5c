import type { Body } from '../contract.ts'
import { asArray, isObject } from '../abi/lenient_json.ts'
import { transactionId } from '../crypto/digests.ts'
import { check, fail, rethrowAs } from '../errors.ts'
import { bytesEqual, toHex } from '../protocol/hex.ts'
import { plainActionFromJson, transactionFromJson } from './transaction_input.ts'

/** The fields that the specification requires of a transaction and of an action. */
const REQUIRED = ['expiration', 'ref_block_num', 'ref_block_prefix']
const REQUIRED_OF_ACTION = ['account', 'name', 'authorization']

/**
 * The id of a transaction given as JSON. Action data must be hexadecimal; `hex_data` takes
 * precedence over `data`. The reference uses `hex_data` only if `data` is present, and otherwise
 * answers the id of a transaction without these data. spring:
 * plugins/chain_api_plugin/chain_api_plugin.cpp
 */
export function getTransactionId(params: Body<'get_transaction_id'>): string {
  return rethrowAs('invalid_http_request', 'Invalid transaction', () => {
    check(isObject(params), 'invalid_http_request', 'Transaction object is missing or invalid')
    const { actions, ...rest } = params
    check(
      Array.isArray(actions),
      'invalid_http_request',
      'Transaction actions are missing or invalid',
    )
    const trx = transactionFromJson(
      { ...rest, actions: asArray(actions).map(withHexData) },
      plainActionFromJson,
    )
    const id = transactionId(trx)
    const empty = transactionId(transactionFromJson({}, plainActionFromJson))
    check(!bytesEqual(id, empty), 'invalid_http_request', 'Invalid transaction object')
    for (const field of REQUIRED) {
      check(Object.hasOwn(rest, field), 'invalid_http_request', `Transaction has no ${field}`)
    }
    return toHex(id)
  })
}

function hasAll(value: unknown, fields: readonly string[]): value is Record<string, unknown> {
  return isObject(value) && fields.every((field) => Object.hasOwn(value, field))
}

function hasLevels(authorization: unknown): boolean {
  if (!Array.isArray(authorization)) return false
  return authorization.every((level) => hasAll(level, ['actor', 'permission']))
}

function withHexData(action: unknown): Record<string, unknown> {
  if (!hasAll(action, REQUIRED_OF_ACTION) || !hasLevels(action['authorization'])) {
    return fail('invalid_http_request', 'Transaction contains invalid or empty action')
  }
  const { data, hex_data } = action
  if (hex_data !== undefined && hex_data !== null) return { ...action, data: hex_data }
  if (data === undefined) return action
  check(
    typeof data === 'string',
    'invalid_http_request',
    "Request supports only un-exploded 'data' (hex form)",
  )
  return action
}
