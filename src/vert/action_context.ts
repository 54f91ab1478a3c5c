import type { Name, PermissionLevel, Transaction } from '@wharfkit/antelope'

/** One run of a contract in the last transaction (`VM.Context` of VeRT). */
export interface ActionContext<A> {
  /** The account whose contract sent the action; the empty name if no contract did. */
  sender: Name
  /** From 0, in the order of execution; notifications have the number of their action. */
  actionOrdinal: number
  /** From 0, of all runs. */
  executionOrder: number
  /** The account of the action. */
  firstReceiver: A
  /** The account whose contract ran. */
  receiver: A
  action: Name
  data: Uint8Array
  /** Undefined if the contract returned nothing. */
  returnValue: Uint8Array | undefined
  /** Empty for notifications. */
  authorization: PermissionLevel[]
  /** The actions that this run sent and that have run. */
  actionsQueue: ActionContext<A>[]
  /** The notifications that this run sent and that have run. */
  notificationsQueue: ActionContext<A>[]
  transaction: Transaction
  /** The fields of the action. */
  decodedData: unknown
  isInline: boolean
  isNotification: boolean
}

/** A run as the execution traces show it. */
export interface ExecutionTrace {
  contract: Name
  action: Name
  isInline: boolean
  isNotification: boolean
  firstReceiver: Name
  sender: Name
  authorization: PermissionLevel[]
  data: unknown
  actionOrder: number
  executionOrder: number
}

/** The execution trace of a run. */
export function contextToExecutionTrace<A extends { name: Name }>(
  context: ActionContext<A>,
): ExecutionTrace {
  const { receiver, action, isInline, isNotification, firstReceiver, sender } = context
  return {
    contract: receiver.name,
    action,
    isInline,
    isNotification,
    firstReceiver: firstReceiver.name,
    sender,
    authorization: context.authorization,
    data: context.decodedData,
    actionOrder: context.actionOrdinal,
    executionOrder: context.executionOrder,
  }
}
