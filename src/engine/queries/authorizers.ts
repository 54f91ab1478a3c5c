import { fail } from '../errors.ts'
import type { QueryChain } from './query.ts'

/** Accounts by who may authorize them. The index for it is not kept yet. */
export function getAccountsByAuthorizers(_chain: QueryChain, _params: unknown): never {
  return fail('unsupported_feature', 'Account queries are not supported by this node yet')
}
