/** Rows of accounts: created, given permissions and contracts without transactions. */
import { sha256 } from '../../engine/crypto/hash.ts'
import { createAccount } from '../../engine/chain/rules/accounts.ts'
import { createPermission } from '../../engine/chain/rules/authorization.ts'
import {
  addCodeReference,
  getCode,
  hasCode,
  removeCodeReference,
} from '../../engine/chain/rules/codes.ts'
import { initializeAccountResources } from '../../engine/chain/rules/resource_limits.ts'
import type { Authority } from '../../engine/protocol/authority.ts'
import { SYSTEM_ACCOUNT } from '../../engine/protocol/constants.ts'
import type { Database } from '../../engine/state/database.ts'
import { ACCOUNT_FLAG_PRIVILEGED } from '../../engine/state/rows.ts'

const NO_CODE = new Uint8Array(32)

/** A permission with the name of its parent; 0 means none. */
export interface PermissionRow {
  name: bigint
  parent: bigint
  auth: Authority
}

/** Creates the rows of an account, unless it exists. */
export function ensureAccount(db: Database, name: bigint, time_us: number): void {
  if (db.account.find('by_name', name) !== undefined) return
  createAccount(db, name, time_us)
  initializeAccountResources(db, name)
}

/** Makes an account privileged or not; `eosio` always is, as the chain's own rules need it. */
export function setPrivileged(db: Database, name: bigint, privileged: boolean): void {
  db.account_metadata.modify(db.account_metadata.get('by_name', name), (row) => {
    if (privileged || name === SYSTEM_ACCOUNT) row.flags |= ACCOUNT_FLAG_PRIVILEGED
    else row.flags &= ~ACCOUNT_FLAG_PRIVILEGED
  })
}

/** Replaces the permissions of an account; parents may be anywhere in the list. */
export function replacePermissions(
  db: Database,
  account: bigint,
  permissions: readonly PermissionRow[],
  time_us: number,
): void {
  for (const row of [...db.permission.range('by_owner', [account], [account])]) {
    db.permission_usage.remove(db.permission_usage.getById(row.usage_id))
    db.permission.remove(row)
  }
  const ids = new Map([[0n, 0]])
  let waiting = [...permissions]
  while (waiting.length > 0) {
    const ready = waiting.filter(({ parent }) => ids.has(parent))
    // Parents that do not exist: such permissions stand alone.
    for (const { name, parent, auth } of ready.length > 0 ? ready : waiting) {
      const fields = { account, name, parent: ids.get(parent) ?? 0, auth, time_us }
      ids.set(name, createPermission(db, fields).id)
    }
    waiting = ready.length > 0 ? waiting.filter((row) => !ready.includes(row)) : []
  }
}

/**
 * Sets an account's contract, or removes it. The code is not validated: what cannot run fails when
 * it runs.
 * @param code_sequence how often the contract was set
 */
export function setCode(
  db: Database,
  account: bigint,
  { code, code_sequence }: { code: Uint8Array | undefined; code_sequence: number },
  now: { time_us: number; block_num: number },
): void {
  const metadata = db.account_metadata.get('by_name', account)
  if (hasCode(metadata)) removeCodeReference(db, getCode(db, metadata))
  const code_hash = code === undefined ? NO_CODE : sha256(code)
  if (code !== undefined)
    addCodeReference(db, { code_hash, vm_type: 0, vm_version: 0 }, code, now.block_num)
  db.account_metadata.modify(metadata, (row) => {
    row.code_sequence = BigInt(code_sequence)
    row.code_hash = code_hash
    row.vm_type = 0
    row.vm_version = 0
    row.last_code_update = now.time_us
  })
}
