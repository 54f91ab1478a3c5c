import { integerToJson } from '../abi/number_text.ts'
import type { IntegerJson } from '../abi/number_text.ts'
import type { TrackedVote } from '../chain/voting/finality_parts.ts'
import { blockNumFromId } from '../protocol/block.ts'
import { blsPublicKeyToString } from '../protocol/bls_text.ts'
import type { FinalizerPolicy } from '../protocol/finality.ts'
import { compareBytes, latin1ToBytes, toHex } from '../protocol/hex.ts'
import { slotToString } from '../protocol/time.ts'
import type { FinalizerAuthorityJson } from '../json/finality.ts'
import { finalizerAuthorityToJson, finalizerDescription } from '../json/finality.ts'
import type { QueryChain } from './query.ts'

/** A finalizer policy in the answer of get_finalizer_info. */
export interface FinalizerPolicyJson {
  generation: number
  threshold: IntegerJson
  finalizers: FinalizerAuthorityJson[]
}

/** A finalizer's last vote, from a certificate. */
export interface TrackedVoteJson {
  description: string
  public_key: string
  is_vote_strong: boolean
  finalizer_policy_generation: number
  voted_for_block_id: string
  voted_for_block_num: number
  voted_for_block_timestamp: string
}

/** Finalizer policies and votes; empty before Savanna. spring: read_only::get_finalizer_info */
export function getFinalizerInfo(chain: QueryChain) {
  const { head } = chain
  const state = head.leads_to_savanna ? head.savanna : undefined
  const active = state?.active_finalizer_policy
  const pending = state?.pending_finalizer_policy?.[1]
  return {
    active_finalizer_policy: active ? policyToJson(active) : null,
    pending_finalizer_policy: pending ? policyToJson(pending) : null,
    last_tracked_votes: lastVotes(chain, [active, pending]),
  }
}

function policyToJson({ generation, threshold, finalizers }: FinalizerPolicy): FinalizerPolicyJson {
  return {
    generation,
    threshold: integerToJson(threshold),
    finalizers: finalizers.map(finalizerAuthorityToJson),
  }
}

/** Votes by the finalizers of these policies, by description, then by key. */
function lastVotes(
  chain: QueryChain,
  policies: readonly (FinalizerPolicy | undefined)[],
): TrackedVoteJson[] {
  const votes = new Map<string, TrackedVote>()
  for (const policy of policies) {
    for (const { public_key } of policy?.finalizers ?? []) {
      const vote = chain.lastVote(public_key)
      if (vote) votes.set(toHex(public_key), vote)
    }
  }
  return [...votes.values()].sort(byDescription).map(voteToJson)
}

function byDescription({ finalizer: a }: TrackedVote, { finalizer: b }: TrackedVote): number {
  const order = compareBytes(latin1ToBytes(a.description), latin1ToBytes(b.description))
  return order === 0 ? compareBytes(a.public_key, b.public_key) : order
}

function voteToJson(vote: TrackedVote): TrackedVoteJson {
  return {
    description: finalizerDescription(vote.finalizer),
    public_key: blsPublicKeyToString(vote.finalizer.public_key),
    is_vote_strong: vote.is_vote_strong,
    finalizer_policy_generation: vote.finalizer_policy_generation,
    voted_for_block_id: toHex(vote.voted_for_block_id),
    voted_for_block_num: blockNumFromId(vote.voted_for_block_id),
    voted_for_block_timestamp: slotToString(vote.voted_for_block_timestamp),
  }
}
