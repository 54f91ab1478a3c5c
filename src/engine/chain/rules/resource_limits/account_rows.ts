/** Rows of accounts that may not exist: contracts and clients can name any account. */
import type { Database } from '../../../state/database.ts'
import type { Row } from '../../../state/object_table.ts'
import type { ResourceLimits, ResourceUsage } from '../../../state/rows.ts'
import { failUnknownAccount, UnknownKeyError, unknownLimits } from '../../base/unknown_key.ts'

/**
 * The resources that an account used.
 * @throws ChainError for an unknown account
 */
export function usageRow(db: Database, account: bigint): Row<ResourceUsage> {
  return db.resource_usage.find('by_owner', account) ?? failUnknownAccount(account)
}

/**
 * The limits of an account at the last block's end.
 * @throws UnknownKeyError for an unknown account
 */
export function limitsRow(db: Database, account: bigint): Row<ResourceLimits> {
  const row = db.resource_limits.find('by_owner', false, account)
  if (row !== undefined) return row
  throw new UnknownKeyError(unknownLimits(account))
}
