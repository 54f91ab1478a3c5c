/** Rows of accounts that may not exist: contracts and clients can name any account. */
import { fail } from '../../../errors.ts'
import { nameToString } from '../../../protocol/name.ts'
import type { Database } from '../../../state/database.ts'
import type { Row } from '../../../state/object_table.ts'
import type { ResourceLimits, ResourceUsage } from '../../../state/rows.ts'
import { failUnknownAccount } from '../../base/unknown_account.ts'

/** What an account used; an unknown account is refused. */
export function usageRow(db: Database, account: bigint): Row<ResourceUsage> {
  return db.resource_usage.find('by_owner', account) ?? failUnknownAccount(account)
}

/** The limits of an account at the last block's end; an unknown account is refused. */
export function limitsRow(db: Database, account: bigint): Row<ResourceLimits> {
  const row = db.resource_limits.find('by_owner', false, account)
  if (row !== undefined) return row
  return fail('std_exception', `unknown key (${KEY_TYPE}): (0 ${nameToString(account)})`)
}

// The text names the reference's key type; clients see it in answers of get_account.
const KEY_TYPE = `boost::tuples::tuple<bool, eosio::chain::name${', boost::tuples::null_type'.repeat(8)}>`
