import { fail } from '../../errors.ts'
import { nameToString } from '../../protocol/name.ts'

/*
 * What the reference answers where its database is trusted to hold or to take a row: these are
 * failures of the C++ library, with texts that clients know.
 */

/** An account that the code relies on is not there. */
export function failUnknownAccount(account: bigint): never {
  fail('std_exception', `unknown key (eosio::chain::name): ${nameToString(account)}`)
}
