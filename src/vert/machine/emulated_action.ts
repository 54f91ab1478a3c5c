import { ChainError, fail } from '../../engine/errors.ts'
import { ApplyContext } from '../../engine/chain/execution/apply_context.ts'
import { nativeActions } from '../../engine/chain/execution/native.ts'
import { hasCode } from '../../engine/chain/rules/codes.ts'
import { findPermission } from '../../engine/chain/rules/authorization/permissions.ts'
import type { ActionTrace } from '../../engine/chain/base/trace.ts'
import { CODE_PERMISSION, SYSTEM_ACCOUNT } from '../../engine/protocol/constants.ts'
import { nameToString } from '../../engine/protocol/name.ts'
import type { Action, PermissionLevel } from '../../engine/protocol/transaction.ts'
import type { Database } from '../../engine/state/database.ts'
import type { RecordingTransaction } from './run_recorder.ts'

/** One action and those whom it notifies, with what VeRT does besides. */
export class EmulatedAction extends ApplyContext {
  private readonly recording: RecordingTransaction

  constructor(tx: RecordingTransaction, trace: ActionTrace, recurse_depth: number) {
    super(tx, trace, recurse_depth)
    this.recording = tx
  }

  /** A contract is about to run for the present receiver. */
  noteRun(): void {
    this.recording.runs.push(this.trace)
  }

  override consoleAppend(text: string): void {
    super.consoleAppend(text)
    this.recording.print(text)
  }

  override accountCreationTime(account: bigint): number {
    return this.recording.creationTime(account) ?? super.accountCreationTime(account)
  }

  /** Any account may pay for RAM, also one that does not exist: as in VeRT, RAM is not counted. */
  override updateDbUsage(): void {}

  override addRamUsage(): void {}

  /** @throws ChainError action_validate_exception if there is no such account */
  override requireRecipient(recipient: bigint): void {
    if (!this.isAccount(recipient))
      fail(
        'action_validate_exception',
        `Account ${nameToString(recipient)} missing for require_recipient`,
      )
    super.requireRecipient(recipient)
  }

  /**
   * Sends an inline action. As in VeRT, its account must have a contract, an action that is not in
   * the ABI of this contract is left out, and a permission that contains `receiver@eosio.code` counts
   * as linked to every action.
   */
  override executeInline(action: Action): void {
    requireContract(this.db, action, 'Contract %s is missing for inline action')
    if (!isNative(action) && !this.recording.knowsAction(action)) return
    for (const level of action.authorization) requirePermission(this.db, level)
    try {
      super.executeInline(action)
    } catch (error) {
      if (!(error instanceof ChainError) || !error.is('authorization_exception')) throw error
      this.sendWithCodePermission(action)
    }
  }

  private sendWithCodePermission(action: Action): void {
    const sender = { actor: this.receiver, permission: CODE_PERMISSION }
    for (const level of action.authorization) {
      if (satisfies(this.db, level, sender)) continue
      const { actor, permission } = textOf(level)
      fail(
        'unsatisfied_authorization',
        `Permission ${actor}@${permission} is not satisfied by ${nameToString(action.account)}@eosio.code`,
      )
    }
    this.privileged = true
    try {
      super.executeInline(action)
    } finally {
      this.privileged = false
    }
  }
}

function isNative({ account, name }: Action): boolean {
  return account === SYSTEM_ACCOUNT && nativeActions.has(name)
}

/** @throws ChainError with this text unless the action's account has a contract, or the action is native */
export function requireContract(db: Database, action: Action, text: string): void {
  if (isNative(action)) return
  const { account } = action
  const row = db.account_metadata.find('by_name', account)
  if (row === undefined || !hasCode(row))
    fail('action_validate_exception', text.replace('%s', nameToString(account)))
}

/** @throws ChainError unless the account and its permission exist */
export function requirePermission(db: Database, level: PermissionLevel): void {
  const { actor, permission } = textOf(level)
  if (db.account.find('by_name', level.actor) === undefined)
    fail('action_validate_exception', `Account ${actor} is missing for inline action`)
  if (db.permission.find('by_owner', level.actor, level.permission) === undefined)
    fail('action_validate_exception', `Account ${actor} has no permission ${permission}`)
}

/** Whether an authority lists the other permission with enough weight. */
function satisfies(db: Database, level: PermissionLevel, by: PermissionLevel): boolean {
  const { auth } = findPermission(db, level)!
  let weight = 0
  for (const { permission, weight: own } of auth.accounts)
    if (permission.actor === by.actor && permission.permission === by.permission) weight += own
  return weight >= auth.threshold
}

function textOf(level: PermissionLevel): { actor: string; permission: string } {
  return { actor: nameToString(level.actor), permission: nameToString(level.permission) }
}
