import type { AbiResolver } from '../abi/action_json.ts'
import type { AbiDef } from '../abi/abi_def.ts'
import type { CompiledAbi } from '../abi/compiled_abi.ts'
import { ChainError, fail } from '../errors.ts'
import { nameToString } from '../protocol/name.ts'
import type { QueryChain } from './query.ts'
import { abisOf } from './query.ts'

/** Errors that the reference does not distinguish from an incomplete ABI. */
const NO_CONTRACT = 'the account exists, but has no ABI with tables: it has no contract'

/**
 * The packed ABI of a contract account.
 * @throws ChainError account_query_exception when there is no such account
 */
export function packedAbiOf(chain: Pick<QueryChain, 'db'>, account: bigint): Uint8Array {
  const row = chain.db.account.find('by_name', account)
  if (row) return row.abi
  return fail('account_query_exception', `Fail to retrieve account for ${nameToString(account)}`)
}

/**
 * The index type of a table in an ABI.
 * @throws ChainError contract_table_query_exception when it has no such table
 */
export function tableIndexType(abi: AbiDef | undefined, table: bigint): string {
  const name = nameToString(table)
  const found = abi?.tables.find((t) => t.name === name)
  if (found) return found.index_type
  const error = new ChainError(
    'contract_table_query_exception',
    `Table ${name} is not specified in the ABI`,
  )
  throw error.append(
    abi?.tables.length ? `the ABI has ${abi.tables.length} tables, none of this name` : NO_CONTRACT,
  )
}

/**
 * The contract's ABI, ready for use.
 * @throws ChainError unsupported_abi_version_exception, also for an account without an ABI
 */
export function requiredAbi(chain: Pick<QueryChain, 'db'>, packed: Uint8Array): CompiledAbi {
  const abi = abisOf(chain).get(packed)
  if (abi) return abi
  const error = new ChainError(
    'unsupported_abi_version_exception',
    'ABI has an unsupported version',
  )
  throw packed.length === 0 ? error.append(NO_CONTRACT) : error
}

/**
 * Finds the ABI of an account, at most once for each account during the life of the resolver.
 * Accounts without a valid ABI count as accounts without an ABI (spring: chain_plugin.hpp
 * make_resolver).
 */
export function abiResolver(chain: Pick<QueryChain, 'db'>): AbiResolver {
  return cachedResolver((account) => {
    const row = chain.db.account.find('by_name', account)
    return row && abisOf(chain).tryGet(row.abi)
  })
}

/** The same, but an invalid ABI is an error: for reading data of clients. */
export function strictAbiResolver(chain: Pick<QueryChain, 'db'>): AbiResolver {
  return cachedResolver((account) => {
    const row = chain.db.account.find('by_name', account)
    return row && abisOf(chain).get(row.abi)
  })
}

function cachedResolver(resolve: AbiResolver): AbiResolver {
  const found = new Map<bigint, CompiledAbi | undefined>()
  return (account) => {
    if (!found.has(account)) found.set(account, resolve(account))
    return found.get(account)
  }
}
