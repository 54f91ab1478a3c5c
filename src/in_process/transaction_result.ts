import {
  ConversionBudget,
  STATUS_NAMES,
  abisOf,
  nameToString,
  returnValueToJson,
  slotToString,
  toHex,
  transactionTraceJson,
} from '../engine/index.ts'
import type {
  AbiResolver,
  EngineChain,
  Json,
  TransactionTrace,
  TransactionTraceJson,
} from '../engine/index.ts'
import { consoleOf } from './console.ts'

/** A change of the RAM that an account uses. */
export interface RamDelta {
  account: string
  /** Bytes; negative: it uses less. */
  delta: number
}

/** A transaction that succeeded. */
export class TransactionResult {
  /** Hexadecimal. */
  readonly id: string
  readonly block_num: number
  /** ISO 8601 in UTC, without a zone. */
  readonly block_time: string
  /** What all contracts printed, in the order of the actions. */
  readonly console: string
  /** What the first action returned, by its ABI; hexadecimal text if the ABI does not say. */
  readonly return_value: Json | undefined
  /** The time that the execution took; microseconds. */
  readonly elapsed_us: number
  /** The time that was billed; microseconds. */
  readonly cpu_usage_us: number
  /** Bytes. */
  readonly net_usage: number
  readonly status: string
  private readonly raw: TransactionTrace
  private readonly abiOf: AbiResolver

  /** @internal */
  constructor(chain: EngineChain, trace: TransactionTrace) {
    this.raw = trace
    this.abiOf = abisOfNow(chain, trace)
    this.id = toHex(trace.id)
    this.block_num = trace.block_num
    this.block_time = slotToString(trace.block_time)
    this.console = consoleOf(trace)
    this.elapsed_us = trace.elapsed
    this.cpu_usage_us = trace.receipt?.cpu_usage_us ?? 0
    this.net_usage = trace.net_usage
    this.status = STATUS_NAMES[trace.receipt!.status]
    this.return_value = this.returnValue()
  }

  /** Changes of RAM, summed by account, of all actions; in the order of the names' values. */
  get ram_deltas(): RamDelta[] {
    const sums = new Map<bigint, number>()
    for (const { account_ram_deltas } of this.raw.action_traces) {
      for (const { account, delta } of account_ram_deltas) {
        sums.set(account, (sums.get(account) ?? 0) + delta)
      }
    }
    return [...sums]
      .filter(([, delta]) => delta !== 0)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([account, delta]) => ({ account: nameToString(account), delta }))
  }

  /** The trace as the HTTP API answers it (`processed`). */
  get trace(): TransactionTraceJson {
    return transactionTraceJson(this.raw, {
      abiOf: this.abiOf,
      budget: new ConversionBudget(Infinity),
      now_us: 0,
    })
  }

  private returnValue(): Json | undefined {
    const first = this.raw.action_traces[0]
    if (first === undefined || first.return_value.length === 0) return undefined
    const options = { depth: 1, budget: new ConversionBudget(Infinity) }
    const value = returnValueToJson(first.act, first.return_value, this.abiOf, options)
    return value ?? toHex(first.return_value)
  }
}

/** The ABIs that the contracts of a trace have now, whatever is deployed later. */
function abisOfNow(chain: EngineChain, { action_traces }: TransactionTrace): AbiResolver {
  const abis = new Map<bigint, Uint8Array | undefined>()
  for (const { act } of action_traces) {
    if (!abis.has(act.account)) {
      abis.set(act.account, chain.db.account.find('by_name', act.account)?.abi)
    }
  }
  const cache = abisOf(chain)
  return (account) => {
    const abi = abis.get(account)
    return abi && cache.tryGet(abi)
  }
}
