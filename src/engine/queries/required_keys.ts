import type { Body } from '../contract.ts'
import { asArray, asString } from '../abi/lenient_json.ts'
import { getRequiredKeys as requiredKeysOf } from '../chain/rules/authorization.ts'
import { comparePublicKeys, publicKeyFromString, publicKeyToString } from '../protocol/key.ts'
import { parseParams } from './params.ts'
import type { QueryChain, QueryOptions } from './query.ts'
import { defaultOptions } from './query.ts'
import { transactionFromRequest } from './transaction_input.ts'

/**
 * `{transaction, available_keys}` -> the keys among `available_keys` that suffice to authorize the
 * transaction.
 * @throws ChainError unsatisfied_authorization if they do not suffice. spring:
 *   read_only::get_required_keys
 */
export function getRequiredKeys(
  chain: QueryChain,
  params: Body<'get_required_keys'>,
  options: QueryOptions = defaultOptions(),
): { required_keys: string[] } {
  const { transaction, keys } = parseParams(params, (p) => ({
    transaction: p.raw('transaction') ?? null,
    keys: p.has('available_keys')
      ? asArray(p.raw('available_keys')).map((key) => publicKeyFromString(asString(key)))
      : [],
  }))
  const trx = transactionFromRequest(chain, transaction, options)
  const sorted = keys.sort(comparePublicKeys)
  const required = requiredKeysOf(chain.db, trx.actions, sorted, trx.delay_sec * 1e6)
  return {
    required_keys: [...required].sort(comparePublicKeys).map((key) => publicKeyToString(key)),
  }
}
