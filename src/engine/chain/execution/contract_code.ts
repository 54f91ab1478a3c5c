import type { Database } from '../../state/database.ts'
import { hasCode } from '../rules/codes.ts'
import { bytesEqual } from '../../protocol/hex.ts'
import type { BuiltinFeatureName } from '../../protocol/features.ts'
import type { CodeHashResult } from '../../vm/host_context.ts'
import type { CheckedCode } from '../../vm/preparation/code_checks.ts'
import { sameRules } from '../../vm/validate.ts'
import type { CodeRules } from '../../vm/validate.ts'
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

/** The rules for code that is set now, but for the whitelist of its imports. */
export function codeRules(chain: RuleSource, speculative: boolean): CodeRules {
  const { wasm_configuration } = chain.db.global_property.single()
  const configurable = chain.isActivated('CONFIGURABLE_WASM_LIMITS2')
  return { config: configurable ? wasm_configuration : undefined, speculative }
}

/** On what the rules for code depend. */
export interface RuleSource {
  readonly db: Database
  isActivated(feature: BuiltinFeatureName): boolean
}

/**
 * Refuses code that may not be set in this block.
 * @param checked codes that were checked before, by the rules of that time
 * @throws ChainError wasm_serialization_error, wasm_execution_error
 */
export function validateCode(
  block: BlockContext,
  code: Uint8Array,
  code_hash: Uint8Array,
  checked: readonly CheckedCode[],
): void {
  const { whitelisted_intrinsics } = block.db.protocol_state.single()
  const rules = codeRules(block, block.speculative)
  const same = checked.find((c) => bytesEqual(c.code_hash, code_hash) && sameRules(c.rules, rules))
  block.runtime.validate(code, rules, (name) => whitelisted_intrinsics.has(name), same?.result)
}
