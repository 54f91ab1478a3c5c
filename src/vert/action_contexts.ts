import type { ABI, Name, Transaction } from '@wharfkit/antelope'
import type { ActionTrace } from '../engine/chain/base/trace.ts'
import type { Action } from '../engine/protocol/transaction.ts'
import { antelope } from './antelope.ts'
import type { ActionContext } from './action_context.ts'
import type { TransactionRun } from './machine/emulated_transaction.ts'
import { bigIntToName } from './numbers.ts'

interface Contract {
  name: Name
  abi?: ABI | undefined
}

/** The runs of a transaction as contexts; those of accounts that the test did not create are left out. */
export function actionContexts<A extends Contract>(
  run: TransactionRun,
  given: {
    transaction: () => Transaction
    decodedData: unknown
    account: (name: bigint) => A | undefined
  },
): ActionContext<A>[] {
  const contexts = new Map<ActionTrace, ActionContext<A>>()
  const decoded = new Map<Action, unknown>()
  for (const act of run.transaction.actions) decoded.set(act, given.decodedData)
  let actionOrdinal = -1
  for (const trace of run.runs) {
    const { act } = trace
    const receiver = given.account(trace.receiver)
    const firstReceiver = given.account(act.account)
    const isNotification = trace.receiver !== act.account
    if (!isNotification) actionOrdinal++
    if (receiver === undefined || firstReceiver === undefined) continue
    const creator = run.action_traces[trace.creator_action_ordinal - 1]
    const isInline = creator !== undefined && !isNotification
    if (!decoded.has(act)) decoded.set(act, decode(firstReceiver.abi, act))
    const context: ActionContext<A> = {
      sender: bigIntToName(isInline ? creator.receiver : 0n),
      actionOrdinal,
      executionOrder: contexts.size,
      firstReceiver,
      receiver,
      action: bigIntToName(act.name),
      data: act.data,
      returnValue: trace.return_value.length > 0 ? trace.return_value : undefined,
      authorization: isNotification ? [] : act.authorization.map(levelOf),
      actionsQueue: [],
      notificationsQueue: [],
      get transaction() {
        return given.transaction()
      },
      decodedData: decoded.get(act),
      isInline,
      isNotification,
    }
    const sender = creator && contexts.get(creator)
    if (isNotification) sender?.notificationsQueue.push(context)
    else sender?.actionsQueue.push(context)
    contexts.set(trace, context)
  }
  return [...contexts.values()]
}

function levelOf({ actor, permission }: { actor: bigint; permission: bigint }) {
  return antelope.PermissionLevel.from({
    actor: bigIntToName(actor),
    permission: bigIntToName(permission),
  })
}

/** The fields of an inline action; undefined where the ABI does not have it or its data do not fit. */
function decode(abi: ABI | undefined, { name, data }: Action): unknown {
  const type = abi?.getActionType(bigIntToName(name))
  if (abi === undefined || type === undefined) return undefined
  try {
    return antelope.Serializer.decode({ abi, type, data })
  } catch (error) {
    return { error }
  }
}
