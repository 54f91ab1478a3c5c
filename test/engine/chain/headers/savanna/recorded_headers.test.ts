import { expect } from 'chai'
import { blsAggregateVerify } from '../../../../../src/engine/crypto/bls.ts'
import {
  extractBlockExtensions,
  extractHeaderExtensions,
} from '../../../../../src/engine/protocol/block_extension.ts'
import { blockNumOf } from '../../../../../src/engine/protocol/block.ts'
import type { SignedBlock } from '../../../../../src/engine/protocol/block.ts'
import { nextHeaderState } from '../../../../../src/engine/chain/headers/legacy/header_state.ts'
import { FeatureSet } from '../../../../../src/engine/chain/rules/features.ts'
import { finishHeaderState } from '../../../../../src/engine/chain/headers/legacy/finish_header.ts'
import { genesisBlockState } from '../../../../../src/engine/chain/headers/genesis_block.ts'
import { headerRules } from '../../../../../src/engine/chain/headers/header_rules.ts'
import {
  lastFinalBlockNum,
  latestQcClaim,
} from '../../../../../src/engine/chain/headers/savanna/finality_core.ts'
import { nextSavannaState } from '../../../../../src/engine/chain/headers/savanna/next_header_state.ts'
import {
  claimOf,
  verifyQcBasic,
  verifyQcSignatures,
} from '../../../../../src/engine/chain/headers/savanna/quorum_certificate.ts'
import {
  genesisSavannaState,
  unsigned,
} from '../../../../../src/engine/chain/headers/savanna/genesis.ts'
import {
  policiesOf,
  producerAt,
  refOnBranch,
} from '../../../../../src/engine/chain/headers/savanna/header_state.ts'
import type { SavannaHeaderState } from '../../../../../src/engine/chain/headers/savanna/header_state.ts'
import { RECORDED_LOG, readRecordedChain, referenceLog } from '../../support/recorded_chain.ts'

/** The Savanna states of a recorded chain, computed from its headers alone. */
function savannaStates(path: string): { block: SignedBlock; state: SavannaHeaderState }[] {
  const { genesis, blocks } = readRecordedChain(path)
  const rules = headerRules(new FeatureSet())
  let legacy = genesisBlockState(genesis).legacy!
  const states: { block: SignedBlock; state: SavannaHeaderState }[] = []
  for (const { block } of blocks.slice(1)) {
    const extensions = extractHeaderExtensions(block.header_extensions)
    const { finality_extension: finality, protocol_feature_activation: features = [] } = extensions
    const prev = states.at(-1)?.state
    if (prev === undefined) {
      const pending = nextHeaderState(legacy, block.timestamp, block.confirmed)
      legacy = finishHeaderState(pending, block, [], rules)
      if (finality) states.push({ block, state: genesisSavannaState(legacy, finality) })
      continue
    }
    const state = nextSavannaState(prev, unsigned(block), { finality: finality!, features })
    states.push({ block, state })
  }
  return states
}

describe('Savanna states from recorded headers', () => {
  for (const [name, path, expected] of [
    ['recorded', RECORDED_LOG, 79],
    ['consensus_blockchain', referenceLog('consensus_blockchain'), 9],
  ] as const) {
    it(`has finality digests that the finalizers signed: ${name}`, function () {
      if (path === undefined) this.skip()
      const states = savannaStates(path)
      let verified = 0
      states.forEach(({ block, state }, i) => {
        const qc = extractBlockExtensions(block.block_extensions).quorum_certificate
        if (qc === undefined) return
        const prev = states[i - 1]!.state
        const policies = policiesOf(prev, refOnBranch(prev, qc.block_num))
        verifyQcBasic(qc, policies)
        // A few are enough to tell a wrong digest; all of those with two policies.
        const sample = qc.pending_policy_sig !== undefined || i % 16 === 0 || states.length < 20
        if (sample) {
          verifyQcSignatures(qc, policies, ({ signers, signature }) =>
            blsAggregateVerify(signers, signature),
          )
        }
        expect(latestQcClaim(state.core)).to.deep.equal(claimOf(qc))
        verified += 1
      })
      expect(verified).to.equal(expected)
    })
  }

  it('names the producers of the blocks, through a change of the schedule', () => {
    const states = savannaStates(RECORDED_LOG)
    const versions = new Map<number, number>()
    states.forEach(({ block, state }, i) => {
      const { version } = state.active_proposer_policy.proposer_schedule
      if (!versions.has(version)) versions.set(version, blockNumOf(block))
      if (i === 0) return
      expect(producerAt(states[i - 1]!.state, block.timestamp).producer_name).to.equal(
        block.producer,
      )
    })
    expect([...versions]).to.deep.equal([
      [1, 40],
      [2, 96],
    ])
  })

  it('takes a second finalizer policy from proposed through pending to active', () => {
    const seen = savannaStates(RECORDED_LOG).map(({ block, state }) => ({
      num: blockNumOf(block),
      proposed: state.proposed_finalizer_policies.length,
      pending: state.pending_finalizer_policy?.[1].generation,
      active: state.active_finalizer_policy.generation,
      final: lastFinalBlockNum(state.core),
    }))
    const first = (f: (s: (typeof seen)[number]) => boolean) => seen.find(f)!.num
    expect(first((s) => s.proposed === 1)).to.equal(66)
    expect(first((s) => s.pending === 2)).to.equal(68)
    expect(first((s) => s.active === 2)).to.equal(70)
    expect(seen.at(-1)!.final).to.equal(138)
    expect(seen.filter((s) => s.proposed > 0).map((s) => s.num)).to.deep.equal([66, 67])
  })
})
