import { compareBytes } from '../../protocol/hex.ts'
import { latestQcTimestamp } from '../headers/savanna/finality_core.ts'
import type { SavannaHeaderState } from '../headers/savanna/header_state.ts'

/**
 * Positive when the branch that ends with `a` is better than that of `b`: by the time of the block of
 * its latest claim, its own time, and its id.
 * spring: libraries/chain/fork_database.cpp (by_best_branch_if_t)
 */
export function compareBranches(a: SavannaHeaderState, b: SavannaHeaderState): number {
  return (
    latestQcTimestamp(a.core) - latestQcTimestamp(b.core) ||
    a.header.timestamp - b.header.timestamp ||
    compareBytes(a.id, b.id)
  )
}
