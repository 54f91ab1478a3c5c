import type { QueryChain } from './query.ts'

/**
 * Finalizer policies and votes. A chain that is not on Savanna has none: the answer is the
 * reference's for such a chain. spring: read_only::get_finalizer_info
 */
export function getFinalizerInfo(_chain: QueryChain) {
  return { active_finalizer_policy: null, pending_finalizer_policy: null, last_tracked_votes: [] }
}
