import type { Database } from '../../../state/database.ts'
import type { Action } from '../../../protocol/transaction.ts'
import type { BuiltinFeatureName } from '../../../protocol/features.ts'

/** The interface of the running action that native actions need; ApplyContext implements it. */
export interface NativeContext {
  readonly db: Database
  readonly act: Action
  /** Read-only transaction: every native action fails. */
  readonly read_only: boolean
  /** Number of the pending block: head + 1. */
  readonly block_num: number
  /** Time of the pending block, microseconds. */
  readonly block_time_us: number

  isFeatureActivated(feature: BuiltinFeatureName): boolean
  /** @throws missing_auth_exception unless the action declares an authorization of `account` */
  requireAuth(account: bigint): void
  /** Bills RAM bytes (the limit is checked at the transaction's end). */
  addRamUsage(account: bigint, delta: number): void
  /**
   * Refuses code that may not be set (WasmRuntime.validate under the chain's limits and whitelist),
   * and has it prepared for its first run.
   */
  validateCode(code: Uint8Array, code_hash: Uint8Array): void
  /** Refuses a key on this node's key blacklist, while this node builds a block; else does nothing. */
  checkKey(key: Uint8Array): void
  /** Removes a delayed input transaction and refunds its payer. Returns false if there is none. */
  cancelDelayed(sender_id: bigint): boolean
}
