import { expect } from 'chai'
import {
  diffFinalizerPolicy,
  diffProposerPolicy,
} from '../../../../../src/engine/chain/headers/savanna/policies.ts'
import {
  lastProposedFinalizerPolicy,
  lastProposedProposerPolicy,
  policiesOf,
  producerAt,
  proposerPolicyAt,
  refOnBranch,
} from '../../../../../src/engine/chain/headers/savanna/header_state.ts'
import type { SavannaHeaderState } from '../../../../../src/engine/chain/headers/savanna/header_state.ts'
import {
  packSavannaState,
  unpackSavannaState,
} from '../../../../../src/engine/chain/headers/savanna/pack_header_state.ts'
import { ChainError } from '../../../../../src/engine/errors.ts'
import type { FinalizerPolicy } from '../../../../../src/engine/protocol/finality.ts'
import { N } from '../../../../../src/engine/protocol/name.ts'
import { Reader } from '../../../../../src/engine/protocol/reader.ts'
import { packOne } from '../../../../../src/engine/protocol/writer.ts'
import type { NextOptions } from '../../voting/support.ts'
import {
  comparable,
  genesisState,
  nextState,
  policyOf,
  producer,
  strong,
  weak,
} from '../../voting/support.ts'

/** Blocks that each claim a strong certificate for the one before; what some of them propose. */
function chainOf(
  count: number,
  proposals: Record<number, (prev: SavannaHeaderState) => NextOptions> = {},
): SavannaHeaderState[] {
  const states = [genesisState(policyOf(1, [0]), 96)]
  for (let num = 2; num <= count; num++) {
    const prev = states.at(-1)!
    const claim = num === 2 ? weak(1) : strong(num - 1)
    states.push(nextState(prev, claim, proposals[num]?.(prev)))
  }
  return states
}

const propose =
  (policy: FinalizerPolicy) =>
  (prev: SavannaHeaderState): NextOptions => ({
    new_finalizer_policy_diff: diffFinalizerPolicy(lastProposedFinalizerPolicy(prev), policy),
  })

const proposeProducers =
  (version: number, ...names: string[]) =>
  (prev: SavannaHeaderState): NextOptions => ({
    new_proposer_policy_diff: diffProposerPolicy(lastProposedProposerPolicy(prev), {
      proposal_time: prev.header.timestamp + 1,
      proposer_schedule: { version, producers: names.map(producer) },
    }),
  })

const summary = (state: SavannaHeaderState): string =>
  [
    state.active_finalizer_policy.generation,
    state.pending_finalizer_policy?.[1].generation ?? '-',
    state.proposed_finalizer_policies.map(([num, p]) => `${p.generation}@${num}`).join(',') || '-',
  ].join(' ')

describe('finalizer policies', () => {
  it('become pending when their block is final, and active when that block is', () => {
    const states = chainOf(10, { 4: propose(policyOf(2, [0, 1])) })
    expect(states.slice(3).map(summary)).to.deep.equal([
      '1 - 2@4', // 4: proposed
      '1 - 2@4', // 5
      '1 2 -', // 6 makes 4 final
      '1 2 -',
      '2 - -', // 8 makes 6 final
      '2 - -',
      '2 - -',
    ])
    expect(states[5]!.last_pending_finalizer_policy_start_timestamp).to.equal(96 + 5)
    expect(states[9]!.last_pending_finalizer_policy_start_timestamp).to.equal(96 + 5)
    expect(states.at(-1)!.active_finalizer_policy.finalizers).to.have.length(2)
  })

  it('wait for the pending one; only the last of those that are final is kept', () => {
    const states = chainOf(14, {
      4: propose(policyOf(2, [0, 1])),
      5: propose(policyOf(3, [0, 1, 2])),
      6: propose(policyOf(4, [3])),
    })
    expect(states.slice(3).map(summary)).to.deep.equal([
      '1 - 2@4',
      '1 - 2@4,3@5',
      '1 2 3@5,4@6', // 6 makes 4 final
      '1 2 3@5,4@6', // 7 makes 5 final: the slot is taken
      '2 4 -', // 8 makes 6 final: 2 is active, 4 overtakes 3
      '2 4 -',
      '4 - -',
      '4 - -',
      '4 - -',
      '4 - -',
      '4 - -',
    ])
    expect(states.at(-1)!.finalizer_policy_generation).to.equal(4)
  })

  it('can be told for every block that a claim may be about', () => {
    const states = chainOf(9, { 4: propose(policyOf(2, [0, 1])) })
    for (const [i, state] of states.entries()) {
      if (i === 0) continue
      const claimed = states[i - 1]!
      const policies = policiesOf(state, refOnBranch(state, i))
      expect(policies.active.generation).to.equal(claimed.active_finalizer_policy.generation)
      expect(policies.pending?.generation).to.equal(
        claimed.pending_finalizer_policy?.[1].generation,
      )
      expect(policies.finality_digest).to.equal(claimed.finality_digest)
    }
    // The certificate of block 7 comes with block 8, in which another policy became active.
    expect(states[7]!.latest_qc_claim_block_active_finalizer_policy!.generation).to.equal(1)
    expect(states[8]!.latest_qc_claim_block_active_finalizer_policy).to.equal(undefined)
  })

  it('must have a greater generation', () => {
    expect(() => chainOf(4, { 4: propose(policyOf(1, [0, 1])) }))
      .to.throw(ChainError, 'new finalizer policy generation 1 not greater than previous 1')
      .with.property('errorName', 'invalid_block_header_extension')
  })

  it('are packed with everything else, and change the finality digest', () => {
    const states = chainOf(10, { 4: propose(policyOf(2, [0, 1])), 5: proposeProducers(2, 'alice') })
    const digests = new Set(
      states.map((state) => Buffer.from(state.finality_digest).toString('hex')),
    )
    expect(digests.size).to.equal(states.length)
    for (const savanna of states) {
      const packed = packOne(packSavannaState, { savanna, valid: undefined })
      const unpacked = unpackSavannaState(new Reader(packed))
      expect(unpacked.valid).to.equal(undefined)
      expect({ ...unpacked.savanna, core: comparable(unpacked.savanna.core) }).to.deep.equal({
        ...savanna,
        core: comparable(savanna.core),
      })
    }
  })
})

describe('proposer policies', () => {
  const version = (state: SavannaHeaderState): number =>
    state.active_proposer_policy.proposer_schedule.version

  it('become active two rounds after their proposal', () => {
    // Slots 96 to 107 are one round. Block n has slot 95 + n.
    const states = chainOf(40, { 4: proposeProducers(2, 'alice') })
    const at = (slot: number): SavannaHeaderState => states[slot - 96]!
    expect(at(107).latest_proposed_proposer_policy!.proposer_schedule.version).to.equal(2)
    expect(at(108).latest_proposed_proposer_policy).to.equal(undefined)
    expect(at(108).latest_pending_proposer_policy!.proposer_schedule.version).to.equal(2)
    expect(version(at(119))).to.equal(1)
    expect(version(at(120))).to.equal(2)
    expect(at(120).latest_pending_proposer_policy).to.equal(undefined)
    expect(producerAt(at(119), 120).producer_name).to.equal(N('alice'))
    expect(producerAt(at(118), 119).producer_name).to.equal(N('eosio'))
  })

  it('replace each other while they are proposed; the later one wins a round after the first', () => {
    const states = chainOf(50, {
      4: proposeProducers(2, 'alice'),
      5: proposeProducers(3, 'bob'),
      16: proposeProducers(4, 'carol'),
    })
    const at = (slot: number): SavannaHeaderState => states[slot - 96]!
    expect(at(108).latest_pending_proposer_policy!.proposer_schedule.version).to.equal(3)
    expect(at(112).latest_proposed_proposer_policy!.proposer_schedule.version).to.equal(4)
    expect(version(at(120))).to.equal(3)
    expect(at(120).latest_pending_proposer_policy!.proposer_schedule.version).to.equal(4)
    expect(version(at(132))).to.equal(4)
  })

  it('wait for their block to be final', () => {
    let state = genesisState(policyOf(1, [0]), 96)
    state = nextState(state, weak(1), proposeProducers(2, 'alice')(state))
    while (state.header.timestamp < 150) state = nextState(state, weak(1))
    expect(version(state)).to.equal(1)
    expect(state.latest_pending_proposer_policy).to.not.equal(undefined)
  })

  it('overtake the pending one when they are old enough after missed rounds', () => {
    let states = chainOf(14, { 4: proposeProducers(2, 'alice') })
    const prev = states.at(-1)!
    states = [...states, nextState(prev, strong(14), proposeProducers(3, 'bob')(prev))]
    let state = states.at(-1)!
    for (let i = 0; i < 2; i++) state = nextState(state, strong(15 + i))
    // Pending: version 2 of slot 99. Proposed: version 3 of slot 110, final by now.
    const late = proposerPolicyAt(state, 112 + 36)
    expect(late.proposer_schedule.version).to.equal(2)
    state = nextState(state, strong(17), { slot: 148 })
    expect(version(state)).to.equal(2)
    expect(state.latest_pending_proposer_policy!.proposer_schedule.version).to.equal(3)
    expect(proposerPolicyAt(state, 156).proposer_schedule.version).to.equal(3)
  })

  it('are asked for later slots only', () => {
    const [state] = chainOf(1)
    expect(() => proposerPolicyAt(state!, 96))
      .to.throw(ChainError, 'must be greater than current timestamp')
      .with.property('errorName', 'block_too_old_exception')
  })
})
