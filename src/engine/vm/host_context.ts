import type { Action, Transaction } from '../protocol/transaction.ts'
import type { PermissionLevel } from '../protocol/authority.ts'
import type { BuiltinFeatureName } from '../protocol/features.ts'
import type { ContractDatabase } from './contract_database.ts'
import type { DatabaseContext } from './database/database_context.ts'

/** The result of `get_code_hash` for an account; all zero if code was never set. */
export interface CodeHashResult {
  code_sequence: bigint
  /** 32 bytes. */
  code_hash: Uint8Array
  vm_type: number
  vm_version: number
}

/**
 * Calls for privileged contracts (spring: webassembly/privileged.cpp). The host functions have
 * checked the privilege, the pointers and "not in a read-only transaction" before they call;
 * every other rule of privileged.cpp (unpacking, producer keys, config validation, ...) is the
 * implementer's. Packed producers and finalizers are copies, other packed arguments are views of
 * the contract's memory.
 */
export interface PrivilegedHost {
  /** Each limit is -1 (unlimited) or more. */
  setResourceLimits(
    account: bigint,
    ram_bytes: bigint,
    net_weight: bigint,
    cpu_weight: bigint,
  ): void
  getResourceLimits(account: bigint): { ram_bytes: bigint; net_weight: bigint; cpu_weight: bigint }
  /** Format 0: vector of {name, public key}; 1: vector of producer authorities; else fails. Version or -1. */
  setProposedProducers(packed: Uint8Array, format: bigint): bigint
  /** Packed chain_config_v0. */
  getBlockchainParameters(): Uint8Array
  setBlockchainParameters(packed: Uint8Array): void
  /** `packed_ids`: vector of varuint32 ids. The result: the packed config_range. */
  getParametersPacked(packed_ids: Uint8Array): Uint8Array
  setParametersPacked(packed: Uint8Array): void
  /** Packed wasm_config (11 u32), without version. */
  getWasmParameters(): Uint8Array
  /** u32 version, then wasm_config. */
  setWasmParameters(packed: Uint8Array): void
  isPrivileged(account: bigint): boolean
  setPrivileged(account: bigint, privileged: boolean): void
  preactivateFeature(digest: Uint8Array): void
  isFeatureActive(digest: Uint8Array): boolean
  /** Format 0 alone is known. */
  setFinalizers(format: bigint, packed_policy: Uint8Array): void
}

/**
 * The interface of the running action for host functions; the chain's ApplyContext implements it.
 */
export interface HostContext extends DatabaseContext {
  /** One for each action context, so iterators end with the action. */
  readonly contract_db: ContractDatabase
  readonly act: Action
  readonly context_free: boolean
  readonly privileged: boolean

  /** Around compilation, which is not billed. */
  pauseBillingTimer(): void
  resumeBillingTimer(): void
  /** The time for which the transaction may wait for the preparation of its code; milliseconds. */
  preparationTime(): number

  isFeatureActivated(name: BuiltinFeatureName): boolean
  /** Time of the pending block. */
  readonly block_time_us: number
  readonly publication_time_us: number
  /** Number of the pending block. */
  readonly block_num: number
  /** True while a block is built or a transaction is speculated, false while a block is applied. */
  readonly speculative_block: boolean
  /** Limit of the variable part of signatures while `speculative_block`; bytes. */
  readonly subjective_signature_length_limit: number
  /** From protocol_state: key types below this number may be used. */
  readonly num_supported_key_types: number
  /** Chain parameter, bytes. */
  readonly max_inline_action_size: number
  /** Chain parameter, bytes. */
  readonly max_action_return_value_size: number
  /** `max_call_depth` of the wasm config in force (250 unless changed). */
  readonly max_call_depth: number
  /** `max_pages` of the wasm config in force (528 unless changed). */
  readonly max_pages: number

  /** Account whose code sent this inline action, or 0. */
  sender(): bigint
  /** False: print functions do nothing (the reference's contracts-console). */
  readonly console_enabled: boolean
  /** Bytes that may still be printed; further output is omitted. */
  readonly console_room: number
  /** One char per byte (latin1): the console is bytes, decoded when a trace is rendered. */
  consoleAppend(text: string): void
  /** A copy; the size was checked. */
  setActionReturnValue(value: Uint8Array): void

  isAccount(account: bigint): boolean
  requireAuth(account: bigint): void
  requireAuth2(account: bigint, permission: bigint): void
  hasAuth(account: bigint): boolean
  requireRecipient(account: bigint): void
  executeInline(action: Action): void
  executeContextFreeInline(action: Action): void
  /** `packed_trx`: a copy of the packed transaction; not yet decoded. */
  scheduleDeferred(
    sender_id: bigint,
    payer: bigint,
    packed_trx: Uint8Array,
    replace_existing: boolean,
  ): void
  cancelDeferred(sender_id: bigint): boolean

  /** Type 0: context-free actions, 1: actions; undefined where out of range or another type. */
  getAction(type: number, index: number): Action | undefined
  /** Packed transaction, without signatures and not compressed. */
  readonly packed_transaction: Uint8Array
  readonly trx: Transaction
  contextFreeData(index: number): Uint8Array | undefined
  /** Names of the active producers in schedule order. */
  activeProducers(): bigint[]

  /** False for an authorization failure; other failures (bad bytes) throw. */
  checkTransactionAuthorization(
    trx: Transaction,
    keys: Uint8Array[],
    permissions: PermissionLevel[],
  ): boolean
  checkPermissionAuthorization(
    account: bigint,
    permission: bigint,
    keys: Uint8Array[],
    permissions: PermissionLevel[],
    delay_us: bigint,
  ): boolean
  /** Microseconds since epoch; throws where the permission does not exist. */
  permissionLastUsed(account: bigint, permission: bigint): number
  /** Microseconds since epoch; throws where the account does not exist. */
  accountCreationTime(account: bigint): number
  codeHash(account: bigint): CodeHashResult

  readonly privileged_api: PrivilegedHost
}
