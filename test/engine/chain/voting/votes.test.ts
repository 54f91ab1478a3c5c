import { expect } from 'chai'
import {
  isStrong,
  verifyQcBasic,
  verifyQcSignatures,
} from '../../../../src/engine/chain/headers/savanna/quorum_certificate.ts'
import { weakDigest } from '../../../../src/engine/chain/headers/savanna/finality_digest.ts'
import type { VotingPolicies } from '../../../../src/engine/chain/headers/savanna/header_state.ts'
import { packVote, unpackVote } from '../../../../src/engine/protocol/vote.ts'
import type { Vote } from '../../../../src/engine/protocol/vote.ts'
import { VoteAggregator } from '../../../../src/engine/chain/headers/savanna/vote_aggregator.ts'
import { blsAggregateVerify, blsSign } from '../../../../src/engine/crypto/bls.ts'
import { ChainError } from '../../../../src/engine/errors.ts'
import type { QcSignature, QuorumCertificate } from '../../../../src/engine/protocol/finality.ts'
import { packQuorumCertificate } from '../../../../src/engine/protocol/finality.ts'
import { Reader } from '../../../../src/engine/protocol/reader.ts'
import { packOne } from '../../../../src/engine/protocol/writer.ts'
import { blsKey, blsSecret, policyOf } from './support.ts'

const digest = new Uint8Array(32).fill(3)
const verify = ({ signers, signature }: Parameters<Parameters<typeof verifyQcSignatures>[2]>[0]) =>
  blsAggregateVerify(signers, signature)

const signatures = new Map<string, Uint8Array>()

/** A vote by the key of a number; the same signature each time. */
function voteOf(seed: number, strong: boolean): Vote {
  const key = `${seed} ${strong}`
  const message = strong ? digest : weakDigest(digest)
  const signature = signatures.get(key) ?? blsSign(blsSecret(seed), message)
  signatures.set(key, signature)
  return { block_id: new Uint8Array(32), strong, finalizer_key: blsKey(seed), signature }
}

/** What votes make: the best certificate after each of them. S0 is a strong vote of finalizer 0. */
function run(votes: string, policy = policyOf(1, [0, 1, 2, 3])): (QuorumCertificate | undefined)[] {
  const aggregator = new VoteAggregator(policy, undefined)
  return votes.split(' ').map((vote) => {
    expect(aggregator.add(voteOf(Number(vote[1]), vote[0] === 'S'))).to.equal('success')
    return aggregator.best(7)
  })
}

const kind = (qc: QuorumCertificate | undefined): string =>
  qc === undefined ? 'none' : isStrong(qc) ? 'strong' : 'weak'

function refusal(f: () => void): [string, string] {
  try {
    f()
  } catch (error) {
    expect(error).to.be.instanceOf(ChainError)
    const { errorName, message } = error as ChainError
    return [errorName, message]
  }
  return ['taken', '']
}

describe('aggregation of votes', function () {
  for (const [votes, kinds] of [
    ['S0 S1 S2 S3', 'none none strong strong'],
    ['S0 W1 S2 S3', 'none none weak strong'],
    ['W0 W1 S2 S3', 'none none weak weak'],
    ['W0 W1 W2 W3', 'none none weak weak'],
    ['S0 S1 W2 S3', 'none none weak strong'],
    ['S0 S1 W2 W3', 'none none weak weak'],
  ] as const) {
    it(`of ${votes} with a threshold of 3 of 4: ${kinds}`, () => {
      const certificates = run(votes)
      expect(certificates.map(kind).join(' ')).to.equal(kinds)
      const policies = {
        finality_digest: digest,
        active: policyOf(1, [0, 1, 2, 3]),
        pending: undefined,
      }
      for (const qc of certificates.filter((qc) => qc !== undefined)) verifyQcBasic(qc, policies)
      verifyQcSignatures(certificates.at(-1)!, policies, verify)
    })
  }

  it('counts weights, not finalizers', () => {
    const policy = policyOf(1, [0, 1, 2], 4n, [1n, 1n, 3n])
    expect(run('S0 S1 S2', policy).map(kind)).to.deep.equal(['none', 'none', 'strong'])
    expect(run('S2 S0', policy).map(kind)).to.deep.equal(['none', 'strong'])
  })

  it('takes each finalizer once, and no others', () => {
    const aggregator = new VoteAggregator(policyOf(1, [0, 1]), policyOf(2, [1, 2]))
    expect(aggregator.add(voteOf(0, true))).to.equal('success')
    expect(aggregator.add(voteOf(0, false))).to.equal('duplicate')
    expect(aggregator.precheck(blsKey(1))).to.equal('success')
    expect(aggregator.add(voteOf(3, true))).to.equal('unknown_public_key')
  })

  it('needs both policies where one is pending; a finalizer of both votes in both', () => {
    const [active, pending] = [policyOf(1, [0, 1]), policyOf(2, [1, 2])]
    const aggregator = new VoteAggregator(active, pending)
    aggregator.add(voteOf(0, true))
    aggregator.add(voteOf(1, true))
    expect(aggregator.best(7)).to.equal(undefined)
    aggregator.add(voteOf(2, true))
    const qc = aggregator.best(7)!
    const policies = { finality_digest: digest, active, pending }
    verifyQcBasic(qc, policies)
    verifyQcSignatures(qc, policies, verify)
  })

  it('prefers what came in a block, unless the own votes are stronger', () => {
    const policy = policyOf(1, [0, 1, 2, 3])
    const [weak, strong] = [run('W0 W1 S2')[2]!, run('S0 S1 S2')[2]!]
    const aggregator = new VoteAggregator(policy, undefined)
    expect(aggregator.receive(weak)).to.equal(true)
    expect(aggregator.receive(weak)).to.equal(false)
    expect(aggregator.best(7)!.active_policy_sig).to.equal(weak.active_policy_sig)
    for (const vote of ['S0', 'S1', 'S3']) aggregator.add(voteOf(Number(vote[1]), true))
    expect(kind(aggregator.best(7))).to.equal('strong')
    expect(aggregator.receive(strong)).to.equal(true)
    expect(aggregator.best(7)!.active_policy_sig).to.equal(strong.active_policy_sig)
    expect(aggregator.receive(weak)).to.equal(false)
  })

  it('has votes with a wire form', () => {
    const vote = voteOf(0, true)
    expect(unpackVote(new Reader(packOne(packVote, vote)))).to.deep.equal(vote)
    const short = packOne(packVote, { ...vote, signature: new Uint8Array(96) })
    expect(() => unpackVote(new Reader(short))).to.throw(ChainError)
  })
})

describe('a certificate is refused that', function () {
  const active = policyOf(1, [0, 1, 2, 3])
  const only: VotingPolicies = { finality_digest: digest, active, pending: undefined }
  const bits = (...set: number[]) => ({
    size: 4,
    blocks: Uint8Array.of(set.reduce((sum, bit) => sum | (1 << bit), 0)),
  })
  const certificate = (sig: Partial<QcSignature>, pending?: Partial<QcSignature>) => ({
    block_num: 7,
    active_policy_sig: { sig: new Uint8Array(192), ...sig },
    ...(pending && { pending_policy_sig: { sig: new Uint8Array(192), ...pending } }),
  })
  const three = { strong_votes: bits(0, 1, 2) }

  for (const [what, qc, policies, message] of [
    ['has no votes', certificate({}), only, 'Neither strong_votes nor weak_votes present'],
    [
      'has too few strong votes',
      certificate({ strong_votes: bits(0, 1) }),
      only,
      'strong quorum is not met, strong_weights: 2, threshold: 3',
    ],
    [
      'has too few votes',
      certificate({ strong_votes: bits(0), weak_votes: bits(1) }),
      only,
      'weak quorum is not met, strong_weights: 1, weak_weights: 1, threshold: 3',
    ],
    [
      'has votes of the wrong size',
      certificate({ strong_votes: { size: 5, blocks: Uint8Array.of(7) } }),
      only,
      'vote bitset size is not the same as the number of finalizers',
    ],
    [
      'has a finalizer vote both ways',
      certificate({ strong_votes: bits(0, 1, 2), weak_votes: bits(2, 3) }),
      only,
      'finalizer (bit index 2) voted both strong and weak',
    ],
    [
      'has votes of a pending policy where there is none',
      certificate(three, three),
      only,
      'nonexistent pending finalizer policy',
    ],
    [
      'lacks the votes of the pending policy',
      certificate(three),
      { ...only, pending: policyOf(2, [4, 5, 6, 7]) },
      'does not contain pending policy signature',
    ],
    [
      'has too few votes of the pending policy',
      certificate(three, { strong_votes: bits(0, 1) }),
      { ...only, pending: policyOf(2, [4, 5, 6, 7]) },
      'strong quorum is not met',
    ],
    [
      'has a finalizer of both policies vote in one alone',
      certificate(three, { strong_votes: bits(1, 2, 3) }),
      { ...only, pending: policyOf(2, [0, 5, 6, 7]) },
      'does not vote the same on active and pending policies',
    ],
  ] as [string, QuorumCertificate, VotingPolicies, string][]) {
    it(what, () => {
      const [name, text] = refusal(() => verifyQcBasic(qc, policies))
      expect(name).to.equal('invalid_qc')
      expect(text).to.include(message)
    })
  }

  it('is not signed by those that it names', () => {
    const [, , strong, all] = run('S0 S1 S2 S3')
    const forged = [
      {
        ...strong!,
        active_policy_sig: { ...strong!.active_policy_sig, strong_votes: bits(0, 1, 3) },
      },
      { ...strong!, active_policy_sig: { ...all!.active_policy_sig, strong_votes: bits(0, 1, 2) } },
      { ...strong!, active_policy_sig: { ...strong!.active_policy_sig, sig: new Uint8Array(192) } },
    ]
    for (const qc of forged) {
      const [name, text] = refusal(() => verifyQcSignatures(qc, only, verify))
      expect(name).to.equal('invalid_qc_signature')
      expect(text).to.equal('qc signature validation failed')
    }
    const other = { ...only, finality_digest: new Uint8Array(32) }
    expect(refusal(() => verifyQcSignatures(strong!, other, verify))[0]).to.equal(
      'invalid_qc_signature',
    )
  })

  it('calls weak votes strong', () => {
    const weak = run('W0 W1 W2')[2]!
    const { weak_votes, sig } = weak.active_policy_sig
    const forged = { block_num: 7, active_policy_sig: { strong_votes: weak_votes!, sig } }
    expect(refusal(() => verifyQcSignatures(forged, only, verify))[0]).to.equal(
      'invalid_qc_signature',
    )
    expect(packOne(packQuorumCertificate, forged).length).to.be.above(192)
  })
})
