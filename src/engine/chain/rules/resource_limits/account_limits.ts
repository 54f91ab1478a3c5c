import type { Database } from '../../../state/database.ts'
import { limitsRow } from './account_rows.ts'

/**
 * The resources that an account may use; -1 means unlimited. Weights are shares of the chain's
 * capacity.
 */
export interface AccountLimits {
  ram_bytes: bigint
  net_weight: bigint
  cpu_weight: bigint
}

/** The limits of an account, with changes that wait for the block's end. The account must exist. */
export function getAccountLimits(db: Database, account: bigint): AccountLimits {
  const pending = hasPending(db) ? db.resource_limits.find('by_owner', true, account) : undefined
  return pending ?? limitsRow(db, account)
}

/** Whether any account's limits change at the block's end: such rows are the last ones. */
function hasPending(db: Database): boolean {
  return db.resource_limits.last('by_owner')?.pending === true
}

/** Whether an account's CPU is unlimited at the last block's end; false where it does not exist. */
export function isUnlimitedCpu(db: Database, account: bigint): boolean {
  return db.resource_limits.find('by_owner', false, account)?.cpu_weight === -1n
}

/**
 * Changes an account's limits at the end of the block (each -1 or more). The account must exist.
 *
 * @returns whether the RAM limit got tighter, so that its RAM must be verified after the transaction
 */
export function setAccountLimits(db: Database, account: bigint, limits: AccountLimits): boolean {
  const { ram_bytes, net_weight, cpu_weight } = limits
  const pending = db.resource_limits.find('by_owner', true, account)
  const before = pending ?? limitsRow(db, account)
  const tighter = ram_bytes >= 0n && (before.ram_bytes < 0n || ram_bytes < before.ram_bytes)
  if (pending) {
    db.resource_limits.modify(pending, (row) => {
      row.ram_bytes = ram_bytes
      row.net_weight = net_weight
      row.cpu_weight = cpu_weight
    })
  } else {
    db.resource_limits.create({ owner: account, pending: true, net_weight, cpu_weight, ram_bytes })
  }
  return tighter
}
