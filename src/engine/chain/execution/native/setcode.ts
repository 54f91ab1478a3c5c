import { sha256 } from '../../../crypto/hash.ts'
import { bytesEqual } from '../../../protocol/hex.ts'
import { addCodeReference, getCode, removeCodeReference } from '../../rules/codes.ts'
import { SETCODE_RAM_BYTES_MULTIPLIER } from '../../base/constants.ts'
import { ensure } from '../../base/refuse.ts'
import { unpackSetCode } from '../../base/native_action_data.ts'
import type { NativeContext } from './native_context.ts'
import { ensureNotReadOnly } from './read_only.ts'

const NO_CODE = new Uint8Array(32)

/**
 * Sets an account's contract code, or clears it with empty code.
 * @throws ChainError invalid_contract_vm_type, invalid_contract_vm_version, set_exact_code,
 *   action_validate_exception, or the reason to refuse the code
 */
export function setcode(ctx: NativeContext): void {
  ensureNotReadOnly(ctx, 'setcode')
  const { db } = ctx
  const { account, vmtype, vmversion, code } = unpackSetCode(ctx.act.data)
  ctx.requireAuth(account)
  ensure(vmtype === 0, 'invalid_contract_vm_type', 'code should be 0')
  ensure(vmversion === 0, 'invalid_contract_vm_version', 'version should be 0')
  const code_hash = code.length > 0 ? sha256(code) : NO_CODE
  if (code.length > 0) ctx.validateCode(code, code_hash)

  const metadata = db.account_metadata.get('by_name', account)
  const had_code = !bytesEqual(metadata.code_hash, NO_CODE)
  ensure(code.length > 0 || had_code, 'set_exact_code', 'contract is already cleared')
  let old_size = 0
  if (had_code) {
    const before = getCode(db, metadata)
    ensure(
      !bytesEqual(before.code_hash, code_hash),
      'set_exact_code',
      'contract is already running this version of code',
    )
    old_size = before.code.length * SETCODE_RAM_BYTES_MULTIPLIER
    removeCodeReference(db, before)
  }
  const key = { code_hash, vm_type: vmtype, vm_version: vmversion }
  if (code.length > 0) addCodeReference(db, key, code, ctx.block_num)
  db.account_metadata.modify(metadata, (row) => {
    row.code_sequence += 1n
    row.code_hash = code_hash
    row.vm_type = vmtype
    row.vm_version = vmversion
    row.last_code_update = ctx.block_time_us
  })
  const new_size = code.length * SETCODE_RAM_BYTES_MULTIPLIER
  if (new_size !== old_size) ctx.addRamUsage(account, new_size - old_size)
}
