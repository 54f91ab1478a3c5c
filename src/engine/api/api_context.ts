import type { Chain } from '../chain/chain.ts'
import type { EngineDependencies, EngineOptions } from '../engine_options.ts'
import type { QueryOptions } from '../queries/query.ts'
import { ConversionBudget } from '../abi/conversion_budget.ts'
import type { Services } from '../services/list.ts'

/** What the operations of all groups work on. */
export interface ApiContext {
  readonly chain: Chain
  readonly services: Services
  readonly options: EngineOptions
  readonly deps: EngineDependencies
}

/** The limits of one request. */
export function queryOptions({
  options,
}: {
  options: Pick<EngineOptions, 'abi_serializer_max_time_us'>
}): QueryOptions {
  return { budget: new ConversionBudget(options.abi_serializer_max_time_us) }
}
