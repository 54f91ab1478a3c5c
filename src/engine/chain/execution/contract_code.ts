import type { Database } from '../../state/database.ts'
import { hasCode } from '../rules/codes.ts'
import type { CodeHashResult } from '../../vm/host_context.ts'
import type { BlockContext } from './block_context.ts'

const NO_CODE: CodeHashResult = {
  code_sequence: 0n,
  code_hash: new Uint8Array(32),
  vm_type: 0,
  vm_version: 0,
}

/** The result of get_code_hash; zeros if the account does not exist. */
export function codeHash(db: Database, account: bigint): CodeHashResult {
  const row = db.account_metadata.find('by_name', account)
  if (!row) return NO_CODE
  const { code_sequence, code_hash, vm_type, vm_version } = row
  return hasCode(row)
    ? { code_sequence, code_hash, vm_type, vm_version }
    : { ...NO_CODE, code_sequence }
}

/** Refuses code that may not be set in this block. */
export function validateCode(block: BlockContext, code: Uint8Array): void {
  const { whitelisted_intrinsics } = block.db.protocol_state.single()
  const { wasm_configuration } = block.db.global_property.single()
  const configurable = block.isActivated('CONFIGURABLE_WASM_LIMITS2')
  block.runtime.validate(
    code,
    configurable ? wasm_configuration : undefined,
    (name) => whitelisted_intrinsics.has(name),
    block.speculative,
  )
}
