import { ConversionBudget, transactionFromRequest } from '../engine/index.ts'
import type { Action, EngineChain } from '../engine/index.ts'
import { ActionCall } from './action_call.ts'
import { permissionFromText } from './permission.ts'
import type { PermissionText } from './permission.ts'
import { plainValue } from './plain_value.ts'

/** An action as the HTTP API takes it; `data` is an object by the ABI of the contract, or hexadecimal text. */
export interface RawAction {
  account: string
  name: string
  authorization: readonly (PermissionText | { actor: string; permission: string })[]
  data: unknown
}

/** The actions of a transaction. */
export interface RawTransaction {
  actions: readonly (RawAction | ActionCall)[]
  context_free_actions?: readonly (RawAction | ActionCall)[]
}

/** @internal The actions as the engine takes them. */
export interface TransactionActions {
  actions: Action[]
  context_free_actions: Action[]
}

/**
 * @internal Reads the actions of a transaction.
 * @throws ChainError an action cannot be read
 */
export function actionsOf(
  chain: EngineChain,
  what: RawTransaction | RawTransaction['actions'],
): TransactionActions {
  const { actions, context_free_actions = [] } = isList(what) ? { actions: what } : what
  return {
    actions: readActions(chain, actions),
    context_free_actions: readActions(chain, context_free_actions),
  }
}

function isList(
  what: RawTransaction | RawTransaction['actions'],
): what is RawTransaction['actions'] {
  return Array.isArray(what)
}

function readActions(chain: EngineChain, list: RawTransaction['actions']): Action[] {
  return list.map((item) => (item instanceof ActionCall ? item.action : readAction(chain, item)))
}

function readAction(chain: EngineChain, { authorization, data, ...names }: RawAction): Action {
  const levels = authorization.filter((item) => typeof item !== 'string')
  const request = { ...names, authorization: levels, data: plainValue(data) }
  const options = { budget: new ConversionBudget(Infinity) }
  const { actions } = transactionFromRequest(chain, { actions: [request] }, options)
  const action = actions[0]!
  // In the order that was given.
  let next = 0
  return {
    ...action,
    authorization: authorization.map((item) =>
      typeof item === 'string' ? permissionFromText(item) : action.authorization[next++]!,
    ),
  }
}
