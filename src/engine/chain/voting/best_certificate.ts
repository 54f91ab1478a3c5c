import type { QcClaim, QuorumCertificate } from '../../protocol/finality.ts'
import type { BlockState } from '../headers/block_state.ts'
import type { ForkDatabase } from '../forks/fork_database.ts'
import { latestQcClaim } from '../headers/savanna/finality_core.ts'
import { claimOf } from '../headers/savanna/quorum_certificate.ts'

/**
 * The claim of a block on top of `parent`: the best certificate of the last ancestor that has one,
 * if it is new, otherwise the claim of the parent.
 * spring: libraries/chain/controller.cpp (get_qc_data)
 */
export function bestCertificate(
  forks: ForkDatabase,
  parent: BlockState,
): { qc_claim: QcClaim; qc?: QuorumCertificate } {
  const latest = latestQcClaim(parent.savanna_state.core)
  // Spares walking along the branch, which is long where votes are late.
  if (forks.newest_voted < latest.block_num) return { qc_claim: latest }
  if (forks.newest_voted === latest.block_num && latest.is_strong_qc) return { qc_claim: latest }
  const last = forks.lastOnBranch(
    parent.id,
    ({ savanna, best_certificate }) => savanna === undefined || best_certificate !== undefined,
  )
  const qc = last?.best_certificate
  if (last?.savanna === undefined || qc === undefined) return { qc_claim: latest }
  const qc_claim = claimOf(qc)
  return isNews(qc_claim, latest) ? { qc_claim, qc } : { qc_claim: latest }
}

function isNews(claim: QcClaim, latest: QcClaim): boolean {
  if (claim.block_num !== latest.block_num) return claim.block_num > latest.block_num
  return claim.is_strong_qc && !latest.is_strong_qc
}
