/**
 * `import { Chain } from 'pronghorn'`: a chain in the process that imports it, for tests of
 * contracts. Only what is exported here is public.
 */
export { ChainError } from '../engine/index.ts'
export { Account } from './account.ts'
export type { ActionData, ContractActions, ContractTables } from './account.ts'
export { ActionCall } from './action_call.ts'
export { Chain } from './chain.ts'
export type { AccountOptions, ChainOptions } from './chain.ts'
export type { ChainTime, Duration, Moment } from './chain_time.ts'
export { Checkpoint } from './checkpoint.ts'
export type { ContractAbi, ContractCode } from './contract_files.ts'
export type { PermissionText } from './permission.ts'
export type { Listening } from './listening.ts'
export type { ChainOperations } from './operations.ts'
export { Profile } from './profile.ts'
export type { ActionCost, FunctionCost } from './profile.ts'
export type { RawAction, RawTransaction } from './raw_transaction.ts'
export { Table } from './table.ts'
export type { RowQuery, TableKey } from './table.ts'
export { TransactionError } from './transaction_error.ts'
export { TransactionResult } from './transaction_result.ts'
export type { RamDelta } from './transaction_result.ts'
