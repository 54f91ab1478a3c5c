import { Failure } from './failure.ts'
import { describeFailure, interpret } from './interpreter.ts'
import type { Outcome } from './interpreter.ts'
import { Machine } from './machine.ts'
import { nameText } from './printing.ts'
import type { NaiveState } from './state.ts'

export interface NaiveAction {
  account: bigint
  authorizers: readonly bigint[]
  data: Uint8Array
}

/** What one action did on one receiver. */
export interface NaiveTrace {
  ordinal: number
  creator: number
  closest: number
  receiver: bigint
  account: bigint
  console: string
  return_value: string
  ram: Outcome['ram']
  /** Global, of the receiver, and of each authorizer; undefined if it did not end well. */
  sequences: bigint[] | undefined
}

/** The last sequence numbers that were used. */
export interface Sequences {
  global: bigint
  received: Map<bigint, bigint>
  authorized: Map<bigint, bigint>
}

/** The contract has the probe's code, the other too, and the signer none. */
export interface Cast {
  contract: bigint
  signer: bigint
  other: bigint
}

const MAX_DEPTH = 4
const RUN = 'run'

/** One transaction: its action, what it notifies, and what it sends, in the order of the chain. */
export class NaiveTransaction {
  readonly traces: NaiveTrace[] = []
  private readonly actions: NaiveAction[] = []
  private readonly state: NaiveState
  private readonly before_features: boolean
  private readonly sequences: Sequences
  private readonly cast: Cast

  constructor(state: NaiveState, before_features: boolean, sequences: Sequences, cast: Cast) {
    this.state = state
    this.before_features = before_features
    this.sequences = sequences
    this.cast = cast
  }

  /** Answers the error that ended it, if one did. */
  run(action: NaiveAction): string | undefined {
    try {
      this.execute(this.schedule(action, action.account, 0, 0), 0)
      return undefined
    } catch (thrown) {
      if (thrown instanceof Failure) return describeFailure(thrown)
      throw thrown
    }
  }

  /** Takes the next place in the order of the traces. */
  private schedule(
    action: NaiveAction,
    receiver: bigint,
    creator: number,
    closest: number,
  ): NaiveTrace {
    const trace: NaiveTrace = {
      ordinal: this.traces.length + 1,
      creator,
      closest,
      receiver,
      account: action.account,
      console: '',
      return_value: '',
      ram: [],
      sequences: undefined,
    }
    this.traces.push(trace)
    this.actions.push(action)
    return trace
  }

  /** First the account's own contract, then all that it notifies, then what they all sent. */
  private execute(first: NaiveTrace, depth: number): void {
    const action = this.actions[first.ordinal - 1]!
    const recipients = [first]
    const sent: NaiveTrace[] = []
    for (let i = 0; i < recipients.length; i++) {
      const trace = recipients[i]!
      const later = {
        notify: (account: bigint): void => {
          if (!Object.values(this.cast).includes(account)) {
            throw new Failure('action_validate_exception', 'recipient account does not exist')
          }
          if (recipients.some(({ receiver }) => receiver === account)) return
          recipients.push(this.schedule(action, account, trace.ordinal, first.ordinal))
        },
        send: (packed: Uint8Array): void => {
          const inline = this.readInline(packed, trace)
          sent.push(this.schedule(inline, inline.account, trace.ordinal, first.ordinal))
        },
      }
      this.executeOne(trace, action, later)
    }
    if (sent.length > 0 && depth >= MAX_DEPTH) {
      const text = 'max inline action depth per transaction reached'
      throw new Failure('transaction_exception', text)
    }
    for (const trace of sent) this.execute(trace, depth + 1)
  }

  private executeOne(
    trace: NaiveTrace,
    action: NaiveAction,
    later: { notify: (account: bigint) => void; send: (packed: Uint8Array) => void },
  ): void {
    const { contract, other } = this.cast
    if (trace.receiver === contract || trace.receiver === other) {
      if (trace.receiver !== action.account) {
        trace.console = `notified ${nameText(action.account)}::${RUN};`
      } else this.interpretData(trace, action, later)
    }
    const next = (map: Map<bigint, bigint>, account: bigint): bigint => {
      const sequence = map.get(account)! + 1n
      map.set(account, sequence)
      return sequence
    }
    const { sequences } = this
    trace.sequences = [
      ++sequences.global,
      next(sequences.received, trace.receiver),
      ...inOrder(action.authorizers).map((account) => next(sequences.authorized, account)),
    ]
  }

  private interpretData(
    trace: NaiveTrace,
    { data, authorizers }: NaiveAction,
    later: { notify: (account: bigint) => void; send: (packed: Uint8Array) => void },
  ): void {
    const outcome = interpret(programOf(data), this.state, {
      receiver: trace.receiver,
      authorizers,
      accounts: Object.values(this.cast),
      action_data_size: data.length,
      before_features: this.before_features,
      ...later,
    })
    const { error, console, return_value, ram } = outcome
    Object.assign(trace, { console, ram })
    if (error) {
      const [error_name, ...message] = error.split(': ')
      throw new Failure(error_name!, message.join(': '))
    }
    trace.return_value = return_value
  }

  /** Account, name, authorization, data. An account may send what it authorizes itself. */
  private readInline(packed: Uint8Array, sender: NaiveTrace): NaiveAction {
    const m = new Machine(packed)
    const account = m.u64()
    m.u64()
    const authorizers: bigint[] = []
    for (let i = m.u8(); i > 0; i--) {
      authorizers.push(m.u64())
      m.u64()
    }
    const rest = packed.subarray(17 + 16 * authorizers.length)
    const foreign = authorizers.find((actor) => actor !== sender.receiver)
    if (foreign !== undefined) this.refuseForeign(foreign, account, sender)
    return { account, authorizers, data: rest.subarray(rest[0]! < 128 ? 1 : 2) }
  }

  /** Before RESTRICT_ACTION_TO_SELF an action to oneself could carry the authority of one's own. */
  private refuseForeign(foreign: bigint, account: bigint, sender: NaiveTrace): void {
    const { authorizers } = this.actions[sender.ordinal - 1]!
    if (this.before_features && account === sender.receiver) {
      if (authorizers.includes(foreign)) return
      const text = 'Authorization failure with inline action sent to self'
      throw new Failure('subjective_block_production_exception', text)
    }
    throw new Failure('unsatisfied_authorization', unsatisfied(foreign, sender.receiver))
  }
}

function unsatisfied(actor: bigint, sender: bigint): string {
  const level = (account: bigint, permission: string): string =>
    JSON.stringify({ actor: nameText(account), permission })
  return (
    `transaction declares authority '${level(actor, 'active')}', but does not have signatures for ` +
    `it under a provided delay of 0 ms, provided permissions [${level(sender, 'eosio.code')}], ` +
    'provided keys [], and a delay max limit of 3888000000 ms'
  )
}

/** Receipts list authorizers in the order of accounts. */
const inOrder = (accounts: readonly bigint[]): bigint[] =>
  [...accounts].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))

/** Without the length before it. */
function programOf(data: Uint8Array): Uint8Array {
  let at = 0
  while (data[at]! >= 128) at++
  return data.subarray(at + 1)
}
