/** Transactions as text for people. */
import type { ActionTrace, TransactionTrace } from '../../chain/base/trace.ts'
import type { AppliedTransaction } from '../../chain/chain_events.ts'
import type { ChainError } from '../../errors.ts'
import { toHex } from '../../protocol/hex.ts'
import { nameToString } from '../../protocol/name.ts'
import type { Action } from '../../protocol/transaction.ts'

/** The most of each that a text has. */
const ACTIONS = 5
const TREE_LINES = 50
const CHARACTERS = 300
/** An id is recognized by its beginning. */
const ID_DIGITS = 8

/**
 * A transaction in one line: its actions with the accounts that authorize them, CPU, NET, RAM and console. One that
 * failed has its error, and below it the tree of its actions with the place of the failure. All parts are bounded.
 */
export function transactionText({ trace, meta }: AppliedTransaction): string {
  const kind = meta.kind === 'scheduled' ? 'deferred transaction' : 'transaction'
  const name = `${kind} ${toHex(trace.id).slice(0, ID_DIGITS)}`
  const console = consoleText(trace)
  if (trace.except) {
    const head = `${name} failed: ${errorText(trace.except)}`
    return [head, ...treeOf(trace, meta.trx.actions), ...(console ? [console] : [])].join('\n')
  }
  const used = [
    `CPU ${trace.receipt?.cpu_usage_us ?? trace.elapsed} us`,
    `NET ${trace.net_usage} bytes`,
    ...ramTexts(trace),
  ]
  const parts = [actionsText(meta.trx.actions), used.join(', '), ...(console ? [console] : [])]
  return `${name} in block ${trace.block_num}: ${parts.join('; ')}`
}

function actionsText(actions: readonly Action[]): string {
  const texts = actions.slice(0, ACTIONS).map(actionText)
  if (actions.length > ACTIONS) texts.push(`${actions.length - ACTIONS} more actions`)
  return texts.join(', ')
}

/** `eosio.token::transfer by alice@active`. */
function actionText({ account, name, authorization }: Action): string {
  const who = authorization
    .slice(0, ACTIONS)
    .map(({ actor, permission }) => `${nameToString(actor)}@${nameToString(permission)}`)
  const by = who.length === 0 ? '' : ` by ${who.join(', ')}`
  return `${nameToString(account)}::${nameToString(name)}${by}`
}

/** `RAM alice +112`, for each account whose RAM changed. */
function ramTexts({ action_traces, account_ram_delta }: TransactionTrace): string[] {
  const sums = new Map<bigint, number>()
  const deltas = action_traces.flatMap(({ account_ram_deltas }) => account_ram_deltas)
  if (account_ram_delta) deltas.push(account_ram_delta)
  for (const { account, delta } of deltas) sums.set(account, (sums.get(account) ?? 0) + delta)
  return [...sums]
    .filter(([, delta]) => delta !== 0)
    .slice(0, ACTIONS)
    .map(([account, delta]) => `RAM ${nameToString(account)} ${delta > 0 ? '+' : ''}${delta}`)
}

/** What contracts printed, in quotes; empty if they printed nothing. */
function consoleText({ action_traces }: TransactionTrace): string {
  const bytes = action_traces.map(({ console }) => console).join('')
  if (bytes === '') return ''
  return `console ${JSON.stringify(shortened(Buffer.from(bytes, 'latin1').toString('utf8')))}`
}

function errorText({ errorName, details, message }: ChainError): string {
  return `${errorName}: ${shortened(details[0]?.message ?? message)}`
}

/** The actions below those that sent them. */
function treeOf(trace: TransactionTrace, actions: readonly Action[]): string[] {
  // Nothing was executed.
  if (trace.action_traces.length === 0) {
    return actions.slice(0, ACTIONS).map((action) => `  ${actionText(action)}`)
  }
  const children = new Map<number, ActionTrace[]>()
  for (const action of trace.action_traces) {
    const { creator_action_ordinal: creator } = action
    const others = children.get(creator)
    if (others) others.push(action)
    else children.set(creator, [action])
  }
  const lines: string[] = []
  const add = (ordinal: number, indent: string): void => {
    for (const action of children.get(ordinal) ?? []) {
      if (lines.length > TREE_LINES) return
      const text = lines.length === TREE_LINES ? 'more actions' : nodeText(action)
      lines.push(`${indent}${text}`)
      add(action.action_ordinal, `${indent}  `)
    }
  }
  add(0, '  ')
  return lines
}

function nodeText({ act, receiver, receipt, except }: ActionTrace): string {
  const text = receiver === act.account ? actionText(act) : `notified ${nameToString(receiver)}`
  if (except) return `${text}: FAILED, ${errorText(except)}`
  return receipt ? text : `${text}: not executed`
}

function shortened(text: string): string {
  return text.length > CHARACTERS ? `${text.slice(0, CHARACTERS)}...` : text
}
