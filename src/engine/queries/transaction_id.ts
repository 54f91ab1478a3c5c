import { asArray, isObject } from '../abi/variant.ts'
import { transactionId } from '../crypto/digests.ts'
import { check, fail, rethrowAs } from '../errors.ts'
import { bytesEqual, toHex } from '../protocol/hex.ts'
import { plainActionFromJson, transactionFromJson } from './transaction_input.ts'

/**
 * The id of a transaction given as JSON. Action data must be hex; with both `data` and `hex_data`
 * the latter counts. spring: plugins/chain_api_plugin/chain_api_plugin.cpp
 */
export function getTransactionId(params: unknown): string {
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
    return toHex(id)
  })
}

function withHexData(action: unknown): Record<string, unknown> {
  if (!isObject(action)) {
    return fail('invalid_http_request', 'Transaction contains invalid or empty action')
  }
  const { data, hex_data } = action
  if (data === undefined) return action
  if (hex_data !== undefined) return { ...action, data: hex_data }
  check(
    typeof data === 'string',
    'invalid_http_request',
    "Request supports only un-exploded 'data' (hex form)",
  )
  return action
}
