/** Contract code, one row per different code however many accounts set it (spring: code_object.hpp). */
import type { Database } from '../../state/database.ts'
import type { Row } from '../../state/object_table.ts'
import type { AccountMetadata, Code } from '../../state/rows.ts'

/** The key of a code. */
export interface CodeKey {
  code_hash: Uint8Array
  vm_type: number
  vm_version: number
}

/** Whether an account has a contract: its code hash is not all zero. */
export function hasCode({ code_hash }: AccountMetadata): boolean {
  for (let i = 0; i < code_hash.length; i++) if (code_hash[i] !== 0) return true
  return false
}

/** The row of a code, if any account has it. */
function findCode(db: Database, key: CodeKey): Row<Code> | undefined {
  return db.code.find('by_code_hash', key.code_hash, key.vm_type, key.vm_version)
}

/** The row of a code that some account has. */
export function getCode(db: Database, key: CodeKey): Row<Code> {
  return db.code.get('by_code_hash', key.code_hash, key.vm_type, key.vm_version)
}

/**
 * Adds a reference of an account to this code. `block_num` is the pending block's; the bytes are
 * copied.
 */
export function addCodeReference(
  db: Database,
  key: CodeKey,
  code: Uint8Array,
  block_num: number,
): void {
  const row = findCode(db, key)
  if (row) {
    db.code.modify(row, (r) => {
      r.code_ref_count += 1n
    })
    return
  }
  db.code.create({
    ...key,
    code: code.slice(),
    code_ref_count: 1n,
    first_block_used: block_num,
  })
}

/** Removes a reference of an account to this code; the last one removes the row. */
export function removeCodeReference(db: Database, row: Row<Code>): void {
  if (row.code_ref_count === 1n) {
    db.code.remove(row)
    return
  }
  db.code.modify(row, (r) => {
    r.code_ref_count -= 1n
  })
}
