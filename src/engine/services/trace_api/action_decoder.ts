import type { CompiledAbi } from '../../abi/compiled_abi.ts'
import type { ConversionBudget } from '../../abi/conversion_budget.ts'
import type { Json } from '../../abi/json.ts'
import { ChainError } from '../../errors.ts'
import type { TracedAction } from './trace_format.ts'
import type { DecodedAction } from './trace_json.ts'

/** ABIs by which traces are decoded. */
export interface TraceAbis {
  /** By the operator: data that does not fit is an error. */
  readonly given: ReadonlyMap<bigint, CompiledAbi>
  /** The present ABI of an account on the chain, where none is given: data that does not fit is left out. */
  onChain(account: bigint): CompiledAbi | undefined
}

/**
 * What an ABI makes of an action. spring: plugins/trace_api_plugin/abi_data_handler.cpp
 * @throws ChainError if the data do not fit a given ABI, or abi_serialization_deadline_exception
 */
export function decodeAction(
  { account, action, data, return_value }: TracedAction,
  abis: TraceAbis,
  budget: ConversionBudget,
): DecodedAction {
  const given = abis.given.get(account)
  const abi = given ?? abis.onChain(account)
  const type = abi?.actionType(action)
  if (!abi || !type) return {}
  const decode = (of: string, bytes: Uint8Array): Json =>
    abi.decode(of, bytes, { budget, depth: 0 })
  try {
    const params = decode(type, data)
    const result = return_value?.length ? abi.actionResultType(action) : undefined
    const return_data = result && decode(result, return_value!)
    return {
      // The reference takes null for nothing.
      ...(params === null ? {} : { params }),
      ...(return_data === undefined ? {} : { return_data }),
    }
  } catch (error) {
    // An account may have changed its ABI since.
    const is_misfit =
      error instanceof ChainError && !error.is('abi_serialization_deadline_exception')
    if (given || !is_misfit) throw error
    return {}
  }
}
