/** Verifies received votes and certificates on another thread, so that they do not delay blocks. */
import { ChainError } from '../../errors.ts'
import { unpackSignedBlock } from '../../protocol/block.ts'
import type { SignedBlock } from '../../protocol/block.ts'
import { extractBlockExtensions } from '../../protocol/block_extension.ts'
import { Reader } from '../../protocol/reader.ts'
import type { VotingChain } from './finality_parts.ts'
import { currentBlockNum, latestQcClaim } from '../headers/savanna/finality_core.ts'
import { weakDigest } from '../headers/savanna/finality_digest.ts'
import type { SignatureClaim } from '../headers/savanna/quorum_certificate.ts'
import { signatureClaims, verifyQcBasic } from '../headers/savanna/quorum_certificate.ts'
import { policiesOf, refOnBranch } from '../headers/savanna/header_state.ts'
import type { Vote, VoteResult } from '../../protocol/vote.ts'

/** spring: libraries/chain/qc.cpp (aggregate_vote) */
export async function receiveVote(chain: VotingChain, vote: Vote): Promise<VoteResult> {
  const block = chain.forks.get(vote.block_id)
  if (block?.savanna === undefined) return 'unknown_block'
  const expected = block.votes.precheck(vote.finalizer_key)
  if (expected !== 'success') return expected
  const { finality_digest } = block.savanna
  const message = vote.strong ? finality_digest : weakDigest(finality_digest)
  const { bls } = chain.finality
  const right = await bls.verify([{ keys: [vote.finalizer_key], message }], vote.signature)
  return right ? chain.forks.votesOn(block).add(vote) : 'invalid_signature'
}

/** Verifies the certificate that a block carries, if what it needs is known already. */
export async function prepareBlock(
  chain: VotingChain,
  given: SignedBlock | Uint8Array,
): Promise<void> {
  await chain.finality.verifier.verifyAhead(certificateClaims(chain, given))
}

function certificateClaims(chain: VotingChain, given: SignedBlock | Uint8Array): SignatureClaim[] {
  try {
    const block = given instanceof Uint8Array ? unpackSignedBlock(new Reader(given)) : given
    const { quorum_certificate: qc } = extractBlockExtensions(block.block_extensions)
    const prev = chain.forks.get(block.previous)?.savanna
    if (qc === undefined || prev === undefined) return []
    const { core } = prev
    if (qc.block_num < latestQcClaim(core).block_num) return []
    if (qc.block_num > currentBlockNum(core)) return []
    const policies = policiesOf(prev, refOnBranch(prev, qc.block_num))
    verifyQcBasic(qc, policies)
    return signatureClaims(qc, policies)
  } catch (error) {
    // The push of the block reports its errors.
    if (error instanceof ChainError) return []
    throw error
  }
}
