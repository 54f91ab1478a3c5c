import { UINT64_MAX } from '../../../protocol/integer.ts'
import type { Database } from '../../../state/database.ts'
import { nameToString } from '../../../protocol/name.ts'
import { ensure } from '../../base/refuse.ts'
import { getAccountLimits } from './account_limits.ts'
import { usageRow } from './account_rows.ts'

/**
 * Adds to an account's RAM; the limit is checked by {@link verifyAccountRamUsage}.
 * @throws ChainError transaction_exception if it exceeds 64 bits
 */
export function addPendingRamUsage(db: Database, account: bigint, delta: number | bigint): void {
  const change = BigInt(delta)
  if (change === 0n) return
  const usage = usageRow(db, account)
  ensure(
    change <= 0n || UINT64_MAX - usage.ram_usage >= change,
    'transaction_exception',
    'Ram usage delta would overflow UINT64_MAX',
  )
  ensure(
    change >= 0n || usage.ram_usage >= -change,
    'transaction_exception',
    'Ram usage delta would underflow UINT64_MAX',
  )
  db.resource_usage.modifyHot(usage, (row) => {
    row.ram_usage += change
  })
}

/**
 * Refuses when an account holds more RAM than it may.
 * @throws ChainError ram_usage_exceeded
 */
export function verifyAccountRamUsage(db: Database, account: bigint): void {
  const { ram_bytes } = getAccountLimits(db, account)
  if (ram_bytes < 0n) return
  const { ram_usage } = usageRow(db, account)
  ensure(
    ram_usage <= ram_bytes,
    'ram_usage_exceeded',
    'account ${account} has insufficient ram; needs ${needs} bytes has ${available} bytes',
    () => ({ account: nameToString(account), needs: ram_usage, available: ram_bytes }),
  )
}

/** RAM bytes that an account holds. */
export function getAccountRamUsage(db: Database, account: bigint): bigint {
  return usageRow(db, account).ram_usage
}
