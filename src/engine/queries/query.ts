import { AbiCache } from '../abi/abi_cache.ts'
import { ConversionBudget } from '../abi/conversion_budget.ts'
import type { Chain } from '../chain/chain.ts'
import type { SharedHead } from '../chain/sharing/shared_facts.ts'

/** The parts of a chain that queries read; they change nothing. */
export type QueryChain = Pick<
  Chain,
  | 'chain_id'
  | 'db'
  | 'features'
  | 'rules'
  | 'head'
  | 'last_irreversible'
  | 'fork_head'
  | 'pending'
  | 'earliest_available_block_num'
  | 'blockByNumber'
  | 'blockById'
  | 'lastVote'
>

/** The parts of a chain that other threads have too. */
export interface StateChain extends Pick<
  QueryChain,
  'db' | 'chain_id' | 'earliest_available_block_num' | 'blockByNumber' | 'blockById'
> {
  readonly head: SharedHead
  readonly last_irreversible: SharedHead
  readonly fork_head: SharedHead
  readonly rules: Pick<QueryChain['rules'], 'resource_greylist'>
}

/** The arguments of every query in addition to its parameters. */
export interface QueryOptions {
  /** The limit for all ABI conversions of the request together. */
  budget: ConversionBudget
}

/** For a request without another limit. */
export const defaultOptions = (): QueryOptions => ({ budget: new ConversionBudget() })

/** Most rows of one answer, whatever the request's limit (spring: api_base::max_return_items). */
export const MAX_ROWS = 1000

/** Bytes of rows after which a page ends, so that no answer outgrows memory. */
export const MAX_PAGE_BYTES = 16 * 1024 * 1024

/** Maximum number of rows that one request may read while it searches. */
export const MAX_WALKED_ROWS = 100_000

const caches = new WeakMap<object, AbiCache>()

/** The compiled ABIs of a chain's accounts, cached as long as the chain's state exists. */
export function abisOf(chain: Pick<QueryChain, 'db'>): AbiCache {
  let cache = caches.get(chain.db)
  if (!cache) caches.set(chain.db, (cache = new AbiCache()))
  return cache
}
