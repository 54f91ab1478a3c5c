import { usToSlot } from '../../protocol/time.ts'
import type { Database } from '../../state/database.ts'
import { NO_BYTES } from '../../protocol/hex.ts'

const NO_HASH = new Uint8Array(32)

/** The initial data of an account; only its name is required. */
export interface AccountOptions {
  abi?: Uint8Array
  flags?: number
}

/** Creates the two rows of an account: no code, no ABI, every sequence at 0. Microseconds. */
export function createAccount(
  db: Database,
  name: bigint,
  creation_time_us: number,
  options: AccountOptions = {},
): void {
  db.account.create({
    name,
    creation_date: usToSlot(creation_time_us),
    abi: options.abi ?? NO_BYTES,
  })
  db.account_metadata.create({
    name,
    recv_sequence: 0n,
    auth_sequence: 0n,
    code_sequence: 0n,
    abi_sequence: 0n,
    code_hash: NO_HASH,
    last_code_update: 0,
    flags: options.flags ?? 0,
    vm_type: 0,
    vm_version: 0,
  })
}
