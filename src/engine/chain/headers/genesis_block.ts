import { IncrementalMerkleLegacy } from '../../crypto/merkle.ts'
import { blockId, chainId, scheduleDigestLegacy } from '../../crypto/digests.ts'
import { packSignedBlock } from '../../protocol/block.ts'
import type { SignedBlock } from '../../protocol/block.ts'
import { SYSTEM_ACCOUNT } from '../../protocol/constants.ts'
import type { GenesisState } from '../../protocol/genesis.ts'
import { upgradeSchedule } from '../../protocol/schedule.ts'
import { usToSlot } from '../../protocol/time.ts'
import { packOne } from '../../protocol/writer.ts'
import { BlockState } from './block_state.ts'

/** A K1 signature of zeros, because block 1 has no signature. */
const NO_SIGNATURE = new Uint8Array(66)
const NO_DIGEST = new Uint8Array(32)

/**
 * Block 1, which has no producer. Its action root is the chain id, and eosio with the genesis key
 * is the first schedule. Its other header fields are those of a default-constructed header of the
 * reference.
 * spring: libraries/chain/controller.cpp (initialize_blockchain_state)
 */
export function genesisBlockState(genesis: GenesisState): BlockState {
  const legacy = {
    version: 0,
    producers: [{ producer_name: SYSTEM_ACCOUNT, block_signing_key: genesis.initial_key }],
  }
  const schedule = upgradeSchedule(legacy)
  const block: SignedBlock = {
    timestamp: usToSlot(genesis.initial_timestamp),
    producer: 0n,
    confirmed: 1,
    previous: NO_DIGEST,
    transaction_mroot: NO_DIGEST,
    action_mroot: chainId(genesis),
    schedule_version: 0,
    header_extensions: [],
    producer_signature: NO_SIGNATURE,
    transactions: [],
    block_extensions: [],
  }
  return new BlockState(
    {
      legacy: {
        block_num: 1,
        dpos_proposed_irreversible_blocknum: 0,
        dpos_irreversible_blocknum: 0,
        active_schedule: schedule,
        blockroot_merkle: new IncrementalMerkleLegacy(),
        producer_to_last_produced: new Map(),
        producer_to_last_implied_irb: new Map(),
        valid_block_signing_authority: [0, { threshold: 0, keys: [] }],
        confirm_count: new Uint8Array(0),
        id: blockId(block),
        header: block,
        pending_schedule: {
          schedule_lib_num: 0,
          schedule_hash: scheduleDigestLegacy(legacy),
          schedule,
        },
        activated_protocol_features: [],
        additional_signatures: [],
      },
    },
    block,
    packOne(packSignedBlock, block),
  )
}
