import { actionFunctions } from './action.ts'
import { assertionFunctions } from './assertion.ts'
import { authorizationFunctions } from './authorization.ts'
import { blsFunctions } from './bls.ts'
import { compilerBuiltins } from './compiler_builtins.ts'
import { consoleFunctions } from './console.ts'
import { contextFreeTransactionFunctions } from './context_free_transaction.ts'
import { cryptoPrimitives } from './crypto_primitives.ts'
import { databaseFunctions } from './database.ts'
import { hashFunctions } from './hashes.ts'
import type { HostFunctions } from './host_function.ts'
import { keyRecoveryFunctions } from './key_recovery.ts'
import { memoryFunctions } from './memory.ts'
import { permissionFunctions } from './permission.ts'
import { privilegedFunctions } from './privileged.ts'
import { producerFunctions } from './producer.ts'
import { secondaryDatabaseFunctions } from './secondary_database.ts'
import { systemFunctions } from './system.ts'
import { transactionFunctions } from './transaction.ts'

/**
 * All functions that contracts may import from `env`: type and implementation. The state has the
 * names that a chain permits so far: those of the genesis and of its active features.
 */
export const HOST_FUNCTIONS: ReadonlyMap<string, HostFunctions[string]> = new Map(
  Object.entries({
    ...actionFunctions,
    ...assertionFunctions,
    ...authorizationFunctions,
    ...blsFunctions,
    ...compilerBuiltins,
    ...consoleFunctions,
    ...contextFreeTransactionFunctions,
    ...cryptoPrimitives,
    ...databaseFunctions,
    ...hashFunctions,
    ...keyRecoveryFunctions,
    ...memoryFunctions,
    ...permissionFunctions,
    ...privilegedFunctions,
    ...producerFunctions,
    ...secondaryDatabaseFunctions,
    ...systemFunctions,
    ...transactionFunctions,
  }),
)
