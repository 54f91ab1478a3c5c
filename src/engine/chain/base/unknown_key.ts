/**
 * The error of the reference for a missing row that its database is trusted to hold: a failure of
 * the C++ library, with a text that clients know. The text has the C++ type of the key.
 */
import { ChainError } from '../../errors.ts'
import type { PermissionLevel } from '../../protocol/authority.ts'
import { nameToString } from '../../protocol/name.ts'

/** The unused elements of a tuple. */
const NO_ELEMENTS = ', boost::tuples::null_type'.repeat(8)
const LIMITS_KEY = `boost::tuples::tuple<bool, eosio::chain::name${NO_ELEMENTS}>`
const PERMISSION_KEY = `boost::tuples::tuple<eosio::chain::name, eosio::chain::name${NO_ELEMENTS}>`

/** A row that is relied on is missing; C++: std::out_of_range. */
export class UnknownKeyError extends ChainError {
  /** @param text one of the texts below */
  constructor(text: string) {
    super('std_exception', text)
    this.std_type = 'N5boost10wrapexceptISt12out_of_rangeEE'
  }
}

/** An account is missing, or a row that is found by the account alone. */
export function unknownAccount(account: bigint): string {
  return `unknown key (eosio::chain::name): ${nameToString(account)}`
}

/** The resource limits of an account are missing. */
export function unknownLimits(account: bigint): string {
  return `unknown key (${LIMITS_KEY}): (0 ${nameToString(account)})`
}

/** A permission is missing. */
export function unknownPermission({ actor, permission }: PermissionLevel): string {
  return `unknown key (${PERMISSION_KEY}): (${nameToString(actor)} ${nameToString(permission)})`
}

/** @throws UnknownKeyError for an account that is missing */
export function failUnknownAccount(account: bigint): never {
  throw new UnknownKeyError(unknownAccount(account))
}
