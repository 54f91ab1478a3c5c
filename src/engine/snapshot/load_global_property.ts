import { chainId } from '../crypto/digests.ts'
import { DEFAULT_CHAIN_CONFIG, DEFAULT_WASM_CONFIG } from '../protocol/config.ts'
import { unpackChainConfig, unpackChainConfigV0, unpackWasmConfig } from '../protocol/config.ts'
import { unpackGenesis } from '../protocol/genesis.ts'
import type { Reader } from '../protocol/reader.ts'
import {
  unpackProducerAuthoritySchedule,
  unpackProducerScheduleLegacy,
  upgradeSchedule,
} from '../protocol/schedule.ts'
import type { Database } from '../state/database.ts'
import type { GlobalProperty } from '../state/rows.ts'
import { GENESIS_SECTION, GLOBAL_PROPERTY_SECTION } from './format.ts'
import type { SnapshotReader } from './snapshot_reader.ts'

/** Limits of a key-value database that chains no longer have: three u32. */
const KV_CONFIGURATION_SIZE = 12

/**
 * Loads the global properties.
 * @throws ChainError `snapshot_exception`
 */
export function loadGlobalProperty(snapshot: SnapshotReader, version: number, db: Database): void {
  db.global_property.create(readGlobalProperty(snapshot, version))
}

/**
 * Reads the global properties, whose form changed most; fields that a version lacks get the
 * defaults of the reference.
 * @throws ChainError `snapshot_exception`
 * spring: libraries/chain/include/eosio/chain/global_property_object.hpp (legacy)
 */
export function readGlobalProperty(snapshot: SnapshotReader, version: number): GlobalProperty {
  const chain_id = version <= 2 ? genesisChainId(snapshot) : undefined
  const rows = snapshot.section(GLOBAL_PROPERTY_SECTION)
  const row = rows.row((r) => unpackRow(r, version, chain_id))
  rows.finish()
  return row
}

function unpackRow(r: Reader, version: number, genesis_id: Uint8Array | undefined): GlobalProperty {
  const proposed_schedule_block_num = r.optional((from) => from.u32())
  const proposed_schedule =
    version <= 2
      ? upgradeSchedule(unpackProducerScheduleLegacy(r))
      : unpackProducerAuthoritySchedule(r)
  const configuration =
    version <= 4
      ? {
          ...unpackChainConfigV0(r),
          max_action_return_value_size: DEFAULT_CHAIN_CONFIG.max_action_return_value_size,
        }
      : unpackChainConfig(r)
  const chain_id = genesis_id ?? r.checksum256()
  if (version >= 4 && version <= 6) r.bytes(KV_CONFIGURATION_SIZE)
  const wasm_configuration = version <= 3 ? { ...DEFAULT_WASM_CONFIG } : unpackWasmConfig(r)
  return {
    proposed_schedule_block_num,
    proposed_schedule,
    configuration,
    chain_id,
    wasm_configuration,
  }
}

/** Old snapshots have the genesis instead of the id that it gives. */
function genesisChainId(snapshot: SnapshotReader): Uint8Array {
  const rows = snapshot.section(GENESIS_SECTION)
  const genesis = rows.row(unpackGenesis)
  rows.finish()
  return chainId(genesis)
}
