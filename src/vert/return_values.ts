import type { ABI, Name } from '@wharfkit/antelope'
import type { ActionContext } from './action_context.ts'
import { antelope } from './antelope.ts'

/** What an action returned. */
export interface ReturnValue {
  action: Name
  receiver: Name
  firstReceiver: Name
  /** A value of the library of types. */
  returnValue: unknown
  actionOrdinal: number
  executionOrder: number
}

interface Contract {
  name: Name
  abi?: ABI | undefined
}

/**
 * The return values of a transaction, without those that are nothing: false and empty texts.
 * @throws Error if the ABI has no type for a value
 */
export function returnValues<A extends Contract>(
  contexts: readonly ActionContext<A>[],
): ReturnValue[] {
  return contexts
    .map((context) => ({
      action: context.action,
      receiver: context.receiver.name,
      firstReceiver: context.firstReceiver.name,
      returnValue: decode(context),
      actionOrdinal: context.actionOrdinal,
      executionOrder: context.executionOrder,
    }))
    .filter(({ returnValue }) => Boolean(returnValue))
}

function decode<A extends Contract>({ returnValue, receiver, action }: ActionContext<A>): unknown {
  if (returnValue === undefined) return null
  const results = receiver.abi?.action_results ?? []
  const found = results.find(({ name }) => String(name) === String(action))
  if (found === undefined)
    throw new Error(`No result type found for action ${action} in contract ${receiver.name}`)
  const { abi } = receiver
  return antelope.Serializer.decode({ abi: abi!, type: found.result_type, data: returnValue })
}
