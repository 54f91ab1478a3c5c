/** The state of a chain before its first transaction (spring: controller.cpp, initialize_database). */
import { chainId } from '../../crypto/digests.ts'
import { keyAuthority } from '../../protocol/authority.ts'
import type { Authority, PermissionLevel } from '../../protocol/authority.ts'
import { DEFAULT_CHAIN_CONFIG, DEFAULT_WASM_CONFIG } from '../../protocol/config.ts'
import {
  ACTIVE_PERMISSION,
  GENESIS_NUM_SUPPORTED_KEY_TYPES,
  MAJORITY_PRODUCERS_PERMISSION,
  MINORITY_PRODUCERS_PERMISSION,
  NULL_ACCOUNT,
  OWNER_PERMISSION,
  PRODUCERS_ACCOUNT,
  SYSTEM_ACCOUNT,
} from '../../protocol/constants.ts'
import type { GenesisState } from '../../protocol/genesis.ts'
import type { Database } from '../../state/database.ts'
import { ACCOUNT_FLAG_PRIVILEGED } from '../../state/rows.ts'
import { SYSTEM_ABI_BYTES } from '../../abi/system_abi.ts'
import { createAccount } from './accounts.ts'
import {
  billablePermissionSize,
  createPermission,
  getPermission,
  initializeAuthorization,
} from './authorization.ts'
import { validateChainConfigV0 } from './parameters.ts'
import { OVERHEAD_PER_ACCOUNT_RAM_BYTES } from '../base/constants.ts'
import { GENESIS_INTRINSICS } from './features/genesis_intrinsics.ts'
import {
  addPendingRamUsage,
  initializeAccountResources,
  initializeResourceLimits,
  verifyAccountRamUsage,
} from './resource_limits.ts'

/** Block summaries: as many as ref_block_num has values. */
const BLOCK_SUMMARIES = 0x10000
const NO_ID = new Uint8Array(32)
const NOBODY: Authority = { threshold: 1, keys: [], accounts: [], waits: [] }
const SYSTEM_ACTIVE: PermissionLevel = { actor: SYSTEM_ACCOUNT, permission: ACTIVE_PERMISSION }
/** Until the first block starts, eosio.prods is satisfied by the authority of `eosio`. */
const PRODUCERS: Authority = {
  ...NOBODY,
  accounts: [{ permission: SYSTEM_ACTIVE, weight: 1 }],
}

/**
 * Fills an empty database. `head_id` is the id of block 1, whose header the genesis alone decides.
 * The order of creation decides row ids, which snapshots and authority parents show.
 * @param block_summaries fewer serve a chain that has fewer blocks
 */
export function initializeDatabase(
  db: Database,
  genesis: GenesisState,
  head_id: Uint8Array,
  block_summaries = BLOCK_SUMMARIES,
): void {
  db.database_header.create({ version: DATABASE_VERSION })
  db.block_summary.create({ block_id: NO_ID })
  db.block_summary.create({ block_id: head_id })
  db.block_summary.createEqual({ block_id: NO_ID }, block_summaries - 2)
  initializeRules(db, genesis)
}

/** Fills an empty database with all that transactions need but references to blocks. */
export function initializeRules(db: Database, genesis: GenesisState): void {
  validateChainConfigV0(genesis.initial_configuration)
  db.global_property.create({
    proposed_schedule_block_num: undefined,
    proposed_schedule: { version: 0, producers: [] },
    configuration: {
      ...genesis.initial_configuration,
      max_action_return_value_size: DEFAULT_CHAIN_CONFIG.max_action_return_value_size,
    },
    chain_id: chainId(genesis),
    wasm_configuration: { ...DEFAULT_WASM_CONFIG },
  })
  db.protocol_state.create({
    activated_protocol_features: [],
    preactivated_protocol_features: [],
    whitelisted_intrinsics: new Set(GENESIS_INTRINSICS),
    num_supported_key_types: GENESIS_NUM_SUPPORTED_KEY_TYPES,
  })
  db.dynamic_global_property.create({ global_action_sequence: 0n })
  initializeAuthorization(db)
  initializeResourceLimits(db)
  createNativeAccounts(db, genesis)
}

/** spring: database_header_object.hpp */
export const DATABASE_VERSION = 3

function createNativeAccounts(db: Database, genesis: GenesisState): void {
  const time_us = genesis.initial_timestamp
  const system = keyAuthority(genesis.initial_key)
  createNativeAccount(db, SYSTEM_ACCOUNT, system, system, time_us)
  createNativeAccount(db, NULL_ACCOUNT, NOBODY, NOBODY, time_us)
  createNativeAccount(db, PRODUCERS_ACCOUNT, NOBODY, PRODUCERS, time_us)
  const active = getPermission(db, { actor: PRODUCERS_ACCOUNT, permission: ACTIVE_PERMISSION })
  const producers = { account: PRODUCERS_ACCOUNT, auth: PRODUCERS, time_us }
  const name = MAJORITY_PRODUCERS_PERMISSION
  const majority = createPermission(db, { ...producers, name, parent: active.id })
  // These two are billed to no account.
  createPermission(db, {
    ...producers,
    name: MINORITY_PRODUCERS_PERMISSION,
    parent: majority.id,
  })
}

/** spring: controller.cpp, create_native_account. The system account's first ABI is not billed. */
function createNativeAccount(
  db: Database,
  account: bigint,
  owner: Authority,
  active: Authority,
  time_us: number,
): void {
  const is_system = account === SYSTEM_ACCOUNT
  createAccount(
    db,
    account,
    time_us,
    is_system ? { abi: SYSTEM_ABI_BYTES, flags: ACCOUNT_FLAG_PRIVILEGED } : {},
  )
  const permission = { account, time_us }
  const name = OWNER_PERMISSION
  const parent = createPermission(db, { ...permission, name, auth: owner, parent: 0 }).id
  createPermission(db, { ...permission, name: ACTIVE_PERMISSION, auth: active, parent })
  initializeAccountResources(db, account)
  const permissions = billablePermissionSize(owner) + billablePermissionSize(active)
  addPendingRamUsage(db, account, OVERHEAD_PER_ACCOUNT_RAM_BYTES + permissions)
  verifyAccountRamUsage(db, account)
}
