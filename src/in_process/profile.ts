import { writeFileSync } from 'node:fs'
import { ProfilingRuntime, nameToString } from '../engine/index.ts'
import type { CallNode, EngineChain, HostContext, TransactionTrace } from '../engine/index.ts'
import { machineTime } from './block_maker.ts'
import type { ChainRuntime } from './chain_runtime.ts'
import { cpuProfile } from './profile_file.ts'
import { textTable } from './text_table.ts'
import type { RamDelta } from './transaction_result.ts'

/** What an action cost: the sum of all times that a receiver ran it. */
export interface ActionCost {
  /** The account whose code ran. */
  receiver: string
  /** The account of the action; another than the receiver for a notification. */
  contract: string
  action: string
  calls: number
  /** Microseconds; with the counters, which take a part of it. */
  cpu_us: number
  /** WebAssembly instructions. */
  instructions: number
  /** Bytes by the account that pays; accounts without a change are absent. */
  ram_deltas: RamDelta[]
  /** Calls of host functions by name, the most frequent first. */
  host_calls: Record<string, number>
}

/** What a function of a contract cost. A function that was never called has zeros: tests do not cover it. */
export interface FunctionCost {
  contract: string
  /** Of the name section of the code, else of its exports, else its number. */
  function: string
  calls: number
  /** Instructions of the function itself. */
  self: number
  /** The same with those of the functions that it called. */
  total: number
}

/** Sums of an action. */
interface Sums {
  calls: number
  cpu_us: number
  instructions: number
  ram: Map<bigint, number>
  host_calls: Map<string, number>
}

/** What contracts cost, from the call of {@link Chain.profile} to {@link Profile.stop}. */
export class Profile {
  private readonly runtime: ProfilingRuntime
  private readonly owner: ChainRuntime
  private readonly unsubscribe: () => void
  /** By receiver, contract and action. */
  private readonly sums = new Map<string, Sums>()
  private running: Sums | undefined

  /** @internal */
  constructor(chain: EngineChain, owner: ChainRuntime) {
    this.owner = owner
    this.runtime = new ProfilingRuntime((name) => this.hostCalled(name), machineTime)
    owner.profiled = (hash, getCode, ctx) => this.apply(hash, getCode, ctx)
    this.unsubscribe = chain.events.on('transactionApplied', ({ trace }) => this.applied(trace))
  }

  /** Ends it: contracts run at full speed again, and the results do not change any more. */
  stop(): void {
    this.unsubscribe()
    this.owner.profiled = undefined
  }

  /** Costs by action, the most instructions first. */
  get actions(): ActionCost[] {
    const costs = [...this.sums].map(([key, sums]) => {
      const [receiver = '', contract = '', action = ''] = key.split(' ')
      const { calls, cpu_us, instructions } = sums
      return {
        ...{ receiver, contract, action, calls, cpu_us, instructions },
        ram_deltas: [...sums.ram]
          .filter(([, delta]) => delta !== 0)
          .map(([account, delta]) => ({ account: nameToString(account), delta })),
        host_calls: Object.fromEntries([...sums.host_calls].sort(([, a], [, b]) => b - a)),
      }
    })
    return costs.sort((a, b) => b.instructions - a.instructions)
  }

  /** Costs by function of the contracts that ran, the most instructions of its own first. */
  get functions(): FunctionCost[] {
    const costs: FunctionCost[] = []
    for (const [contract, names] of this.runtime.functions) {
      const nodes = [...this.runtime.tree.root.children.values()].filter(
        (first) => first.contract === contract,
      )
      for (const [index, name] of names) {
        const cost = { contract, function: name, calls: 0, self: 0, total: 0 }
        for (const first of nodes) addCost(cost, index, first, false)
        costs.push(cost)
      }
    }
    return costs.sort((a, b) => b.self - a.self)
  }

  /** Both as text for people. */
  get table(): string {
    const actions = this.actions.map((cost) => [
      `${cost.receiver}: ${cost.action}${cost.contract === cost.receiver ? '' : ` of ${cost.contract}`}`,
      ...[cost.calls, cost.instructions, cost.cpu_us].map(String),
      cost.ram_deltas.map(({ account, delta }) => `${account} ${delta}`).join(', '),
      Object.entries(cost.host_calls)
        .map(([name, calls]) => `${name} ${calls}`)
        .join(', '),
    ])
    const functions = this.functions
      .filter(({ calls }) => calls > 0)
      .map((cost) => [
        cost.contract,
        cost.function,
        ...[cost.calls, cost.self, cost.total].map(String),
      ])
    return [
      textTable(['action', 'calls', 'instructions', 'cpu us', 'ram bytes', 'host calls'], actions),
      textTable(['contract', 'function', 'calls', 'self', 'total'], functions),
    ].join('\n')
  }

  /**
   * Writes the calls as a CPU profile, in which an instruction counts as a microsecond: speedscope and the
   * developer tools of Chrome open it.
   * @param path ends with `.cpuprofile`, so that they know what it is
   */
  write(path: string): void {
    writeFileSync(path, JSON.stringify(cpuProfile(this.runtime.tree.root)))
  }

  private apply(hash: Uint8Array, getCode: () => Uint8Array, ctx: HostContext): void {
    const { receiver, act } = ctx
    const { tree } = this.runtime
    const before = tree.executed
    const prepared = this.runtime.preparation_us
    const sums = this.sumsOf(receiver, act.account, act.name)
    this.running = sums
    try {
      this.runtime.apply(hash, getCode, ctx)
    } finally {
      this.running = undefined
      sums.instructions += tree.executed - before
      // The time of the action, which is added later, includes it.
      sums.cpu_us -= Math.round(this.runtime.preparation_us - prepared)
    }
  }

  private hostCalled(name: string): void {
    const { host_calls } = this.running!
    host_calls.set(name, (host_calls.get(name) ?? 0) + 1)
  }

  private applied({ action_traces }: TransactionTrace): void {
    for (const { receiver, act, elapsed, account_ram_deltas, receipt, except } of action_traces) {
      if (receipt === undefined && except === undefined) continue
      const sums = this.sumsOf(receiver, act.account, act.name)
      sums.calls += 1
      sums.cpu_us += elapsed
      for (const { account, delta } of account_ram_deltas) {
        sums.ram.set(account, (sums.ram.get(account) ?? 0) + delta)
      }
    }
  }

  private sumsOf(...names: [receiver: bigint, contract: bigint, action: bigint]): Sums {
    const key = names.map(nameToString).join(' ')
    let sums = this.sums.get(key)
    if (sums === undefined) {
      sums = { calls: 0, cpu_us: 0, instructions: 0, ram: new Map(), host_calls: new Map() }
      this.sums.set(key, sums)
    }
    return sums
  }
}

/**
 * Adds the costs of a function below a node.
 * @param counted the function itself is above the node, so its total has this part already
 */
function addCost(cost: FunctionCost, index: number, at: CallNode, counted: boolean): void {
  const is_it = at.index === index
  if (is_it) {
    cost.calls += at.calls
    cost.self += at.instructions
    if (!counted) cost.total += totalOf(at)
  }
  for (const child of at.children.values()) addCost(cost, index, child, counted || is_it)
}

function totalOf(at: CallNode): number {
  let total = at.instructions
  for (const child of at.children.values()) total += totalOf(child)
  return total
}
