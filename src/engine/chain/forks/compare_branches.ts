import { compareBytes } from '../../protocol/hex.ts'
import { latestQcTimestamp } from '../headers/savanna/finality_core.ts'
import type { SavannaHeaderState } from '../headers/savanna/header_state.ts'

/**
 * Positive if the branch that ends with `a` is better than that of `b`. Compares the time of the
 * block of the latest claim, the own time, and the id, in this order.
 * spring: libraries/chain/fork_database.cpp (by_best_branch_if_t)
 */
export function compareBranches(a: SavannaHeaderState, b: SavannaHeaderState): number {
  return (
    latestQcTimestamp(a.core) - latestQcTimestamp(b.core) ||
    a.header.timestamp - b.header.timestamp ||
    compareBytes(a.id, b.id)
  )
}
