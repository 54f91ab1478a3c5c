import { SYSTEM_ACCOUNT } from '../../protocol/constants.ts'
import { bytesEqual } from '../../protocol/hex.ts'
import type { Database } from '../../state/database.ts'
import type { Code } from '../../state/rows.ts'
import type { WasmRuntime } from '../../vm/runtime.ts'

/** Bytes of code that a start prepares; the rest is prepared when it runs. */
const MAX_BYTES = 8 * 1024 * 1024

/**
 * Prepares the codes of a loaded state for their first run: first the system contract, then those
 * of most accounts.
 */
export function prepareCodes(db: Database, runtime: WasmRuntime): void {
  const { max_call_depth } = db.global_property.single().wasm_configuration
  let bytes = 0
  for (const { code_hash, code } of byUse(db)) {
    if ((bytes += code.length) > MAX_BYTES) return
    runtime.prepareAhead(code_hash, code, max_call_depth)
  }
}

function byUse(db: Database): Code[] {
  const system = db.account_metadata.find('by_name', SYSTEM_ACCOUNT)?.code_hash
  const accountsOf = ({ code_hash, code_ref_count }: Code): bigint =>
    system !== undefined && bytesEqual(code_hash, system) ? 1n << 64n : code_ref_count
  const counted = Array.from(db.code.all(), (code) => ({ code, accounts: accountsOf(code) }))
  counted.sort((a, b) => (a.accounts < b.accounts ? 1 : a.accounts > b.accounts ? -1 : 0))
  return counted.map(({ code }) => code)
}
