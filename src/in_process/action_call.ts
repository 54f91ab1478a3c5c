import type { Action } from '../engine/index.ts'
import { permissionsFromText } from './permission.ts'
import type { PermissionText } from './permission.ts'
import type { TransactionResult } from './transaction_result.ts'

/** Sends actions as one transaction. */
export type Transact = (calls: readonly ActionCall[]) => TransactionResult

/** An action that is ready to be sent. */
export class ActionCall {
  /** @internal The action as it is sent. */
  readonly action: Action
  private readonly transact: Transact

  /** @internal */
  constructor(action: Action, transact: Transact) {
    this.action = action
    this.transact = transact
  }

  /** The same action with this authorization, for {@link Chain.transact}. */
  as(authorization: PermissionText | readonly PermissionText[]): ActionCall {
    const action = { ...this.action, authorization: permissionsFromText(authorization) }
    return new ActionCall(action, this.transact)
  }

  /**
   * Sends the action as a transaction of its own.
   * @param authorization who acts: `alice@active`, or several; default: what {@link as} said, else
   *   the contract itself
   * @throws TransactionError the transaction failed; nothing has changed
   */
  send(authorization?: PermissionText | readonly PermissionText[]): TransactionResult {
    return this.transact([authorization === undefined ? this : this.as(authorization)])
  }
}
