import {
  genesisCore,
  reversibleBlocksRoot,
  type FinalityCore,
} from '../../../../src/engine/chain/headers/savanna/finality_core.ts'
import {
  nextSavannaState,
  withFinalityDigest,
} from '../../../../src/engine/chain/headers/savanna/next_header_state.ts'
import type { SavannaHeaderState } from '../../../../src/engine/chain/headers/savanna/header_state.ts'
import { PROPER_SAVANNA_VERSION } from '../../../../src/engine/chain/headers/savanna/header_state.ts'
import { finalizerPolicyDigest } from '../../../../src/engine/chain/headers/savanna/policies.ts'
import { blsPublicKeyOf, blsSecretOf } from '../../../../src/engine/crypto/bls.ts'
import { blockId } from '../../../../src/engine/crypto/digests.ts'
import type { BlockHeader } from '../../../../src/engine/protocol/block.ts'
import type { FinalityExtension } from '../../../../src/engine/protocol/block_extension.ts'
import type { FinalizerPolicy, QcClaim } from '../../../../src/engine/protocol/finality.ts'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import { N } from '../../../../src/engine/protocol/name.ts'
import type { ProducerAuthority } from '../../../../src/engine/protocol/schedule.ts'

/** A secret number of its own for each number. */
export const blsSecret = (seed: number): Uint8Array =>
  blsSecretOf(new Uint8Array(48).fill(seed + 1))

const keys = new Map<number, Uint8Array>()

/** The public key of {@link blsSecret}; the same bytes each time. */
export function blsKey(seed: number): Uint8Array {
  const key = keys.get(seed) ?? blsPublicKeyOf(blsSecret(seed))
  keys.set(seed, key)
  return key
}

/** A policy whose finalizers have the keys of these numbers. */
export function policyOf(
  generation: number,
  seeds: readonly number[],
  threshold = BigInt(Math.floor((seeds.length * 2) / 3) + 1),
  weights: readonly bigint[] = seeds.map(() => 1n),
): FinalizerPolicy {
  const finalizers = seeds.map((seed, i) => ({
    description: `finalizer ${seed}`,
    weight: weights[i]!,
    public_key: blsKey(seed),
  }))
  return { generation, threshold, finalizers }
}

export function producer(name: string): ProducerAuthority {
  const key = new Uint8Array(34)
  return { producer_name: N(name), authority: [0, { threshold: 1, keys: [{ key, weight: 1 }] }] }
}

function header(previous: Uint8Array, timestamp: number, mark: number): BlockHeader {
  return {
    timestamp,
    producer: N('eosio'),
    confirmed: 0,
    previous,
    transaction_mroot: new Uint8Array(32).fill(mark),
    action_mroot: new Uint8Array(32),
    schedule_version: PROPER_SAVANNA_VERSION,
    header_extensions: [],
  }
}

/** The state of a block at which Savanna begins: number 1, slot 100. */
export function genesisState(policy: FinalizerPolicy, slot = 100): SavannaHeaderState {
  const first = header(new Uint8Array(32), slot, 0)
  const id = blockId(first)
  return withFinalityDigest({
    id,
    header: first,
    activated_protocol_features: [],
    core: genesisCore(id, slot),
    active_finalizer_policy: policy,
    active_proposer_policy: {
      proposal_time: 0,
      proposer_schedule: { version: 1, producers: [producer('eosio')] },
    },
    latest_proposed_proposer_policy: undefined,
    latest_pending_proposer_policy: undefined,
    proposed_finalizer_policies: [],
    pending_finalizer_policy: undefined,
    latest_qc_claim_block_active_finalizer_policy: undefined,
    finalizer_policy_generation: policy.generation,
    last_pending_finalizer_policy_digest: finalizerPolicyDigest(policy),
    last_pending_finalizer_policy_start_timestamp: slot,
  })
}

/** The state of a block on top of another one; `mark` makes blocks of the same slot differ. */
export function nextState(
  prev: SavannaHeaderState,
  qc_claim: QcClaim,
  { slot = prev.header.timestamp + 1, mark = 0, ...finality }: NextOptions = {},
): SavannaHeaderState {
  return nextSavannaState(prev, header(prev.id, slot, mark), {
    finality: { qc_claim, ...finality },
    features: [],
  })
}

export interface NextOptions extends Omit<FinalityExtension, 'qc_claim'> {
  slot?: number
  mark?: number
}

/** A core in a form in which two can be compared: lists are arrays, and what follows from them is bytes. */
export function comparable(core: FinalityCore): object {
  const { packed_links, packed_refs } = core.derived
  const derived = [packed_links.bytes, packed_refs.bytes, reversibleBlocksRoot(core)].map(toHex)
  return { ...core, links: core.links.toArray(), refs: core.refs.toArray(), derived }
}

export const strong = (block_num: number): QcClaim => ({ block_num, is_strong_qc: true })
export const weak = (block_num: number): QcClaim => ({ block_num, is_strong_qc: false })
