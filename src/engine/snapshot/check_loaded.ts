/**
 * Checks that rows exist which every state has. A snapshot without them would fail much later and
 * without a reason.
 */
import { check } from '../errors.ts'
import { toHex } from '../protocol/hex.ts'
import { nameToString } from '../protocol/name.ts'
import type { Database } from '../state/database.ts'

const SINGLE_ROWS = [
  'global_property',
  'protocol_state',
  'dynamic_global_property',
  'resource_limits_state',
  'resource_limits_config',
] as const

/** As many as ref_block_num has values. */
const BLOCK_SUMMARIES = 0x10000
const TRIM_ROWS = 10_000

/** @throws ChainError `snapshot_exception` */
export function checkLoaded(db: Database): void {
  for (const table of SINGLE_ROWS) checkRows(table, db[table].size, 1)
  checkRows('block_summary', db.block_summary.size, BLOCK_SUMMARIES)
  const accounts = db.account.size
  checkRows('account_metadata', db.account_metadata.size, accounts)
  checkRows('resource_limits', db.resource_limits.size, accounts)
  checkRows('resource_usage', db.resource_usage.size, accounts)
  check(db.permission.size > 0, 'snapshot_exception', 'there are no permissions')
  checkAccounts(db)
}

function checkRows(table: string, rows: number, expected: number): void {
  check(
    rows === expected,
    'snapshot_exception',
    `${table} has ${rows} rows, ${expected} are expected`,
  )
}

/** Checks that each account has its other rows, and that the code that it names exists. */
function checkAccounts(db: Database): void {
  let rows = 0
  for (const { name, code_hash, vm_type, vm_version } of db.account_metadata.all()) {
    const is_whole =
      db.account.findId('by_name', name) !== undefined &&
      db.resource_usage.findId('by_owner', name) !== undefined &&
      db.resource_limits.findId('by_owner', false, name) !== undefined
    check(is_whole, 'snapshot_exception', () => `account ${nameToString(name)} lacks rows`)
    const has_code = code_hash.some((byte) => byte !== 0)
    check(
      !has_code || db.code.findId('by_code_hash', code_hash, vm_type, vm_version) !== undefined,
      'snapshot_exception',
      () => `code ${toHex(code_hash)} of account ${nameToString(name)} is missing`,
    )
    if (++rows % TRIM_ROWS === 0) db.trimCaches()
  }
}
