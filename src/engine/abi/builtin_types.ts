import type { Builtin } from './abi_path.ts'
import { CHAIN_TYPES } from './chain_types.ts'
import { FLOAT_TYPES } from './float_types.ts'
import { INTEGER_TYPES } from './integer_types.ts'

/**
 * The types that need no declaration
 * (spring: libraries/chain/abi_serializer.cpp configure_built_in_types).
 */
export const BUILTIN_TYPES: ReadonlyMap<string, Builtin> = new Map(
  [INTEGER_TYPES, FLOAT_TYPES, CHAIN_TYPES].flatMap((types) => Object.entries(types)),
)
