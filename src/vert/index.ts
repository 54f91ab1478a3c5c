/**
 * `import ... from 'pronghorn/vert'`: the interface of `@vaulta/vert` and `@proton/vert` on the engine
 * of the node. docs/guides/from_vert.md says what differs.
 */
import { Account as AccountOf } from './account.ts'
import type { AccountArgs } from './account.ts'
import { antelope } from './antelope.ts'
import type { Antelope } from './antelope.ts'
import { Blockchain } from './blockchain.ts'
import type { AccountPermission as Permission } from './permissions.ts'

export { Blockchain }
export type { BlockchainArgs } from './blockchain.ts'
/** An account of a {@link Blockchain}. */
export type Account = AccountOf<Blockchain>
/** Creates an account of a {@link Blockchain}. */
export const Account: new (args: AccountArgs<Blockchain>) => Account = AccountOf
export type { AccountArgs, ActionCall, Authorization } from './account.ts'
export type { ActionContext, ExecutionTrace } from './action_context.ts'
export { contextToExecutionTrace } from './action_context.ts'
export * from './assert_texts.ts'
export { log, Logger } from './log.ts'
export type { LogLevel } from './log.ts'
export * from './numbers.ts'
export { addInlinePermission, generatePermissions, isAuthoritySatisfied } from './permissions.ts'
export { TableStore } from './table_store.ts'
export { TableView as Table } from './table_view.ts'
export { createDummyNfts } from './helpers/create_dummy_nfts.ts'
export { expectToThrow } from './helpers/expect_to_throw.ts'
export { mintTokens } from './helpers/mint_tokens.ts'
export { processFixtures } from './helpers/process_fixtures.ts'
export type { Fixtures } from './helpers/process_fixtures.ts'
export { wait } from './helpers/wait.ts'

/** A permission of an account. */
export type AccountPermission = Permission
/** The class of {@link AccountPermission} in the library of the tests. */
export const AccountPermission: Antelope['API']['v1']['AccountPermission'] =
  antelope.API.v1.AccountPermission
/** The weight of a key, an account or a delay in an authority. */
export const Weight: Antelope['Weight'] = antelope.Weight
/** A permission with its weight in an authority. */
export const PermissionLevelWeight: Antelope['PermissionLevelWeight'] =
  antelope.PermissionLevelWeight
