import { nameToString } from '../../protocol/name.ts'
import { toHex } from '../../protocol/hex.ts'
import type { HostContext } from '../host_context.ts'
import { hostFunction } from '../host/host_function.ts'
import type { HostFunction } from '../host/host_function.ts'
import { HOST_FUNCTIONS } from '../host/table.ts'
import { LocalPreparer } from '../preparation/preparer.ts'
import type { CodePreparer } from '../preparation/preparer.ts'
import type { Preparation, PreparationTask } from '../preparation/prepared_code.ts'
import { WasmRuntime } from '../runtime.ts'
import { CallTree } from './call_tree.ts'
import { ENTER, LEAVE, countingModule } from './counting_module.ts'
import { functionNames } from './function_names.ts'
import type { FunctionNames } from './function_names.ts'

/** Runs contracts with counters, and keeps what they counted. */
export class ProfilingRuntime {
  readonly tree = new CallTree()
  /** Functions of each code that ran, by the account that ran it. */
  readonly functions = new Map<string, FunctionNames>()
  private readonly runtime: WasmRuntime
  private readonly names = new Map<string, FunctionNames>()
  private readonly onHostCall: (name: string) => void

  private readonly preparer: CountingPreparer
  private readonly now: () => number
  private names_us = 0

  /**
   * @param onHostCall called with the name of each host function that the running action calls
   * @param now microseconds
   */
  constructor(onHostCall: (name: string) => void, now: () => number) {
    this.onHostCall = onHostCall
    this.now = now
    this.preparer = new CountingPreparer(this.hostFunctions(), now)
    this.runtime = new WasmRuntime({ preparer: this.preparer })
  }

  /** The time that the preparation of codes has taken so far; microseconds. */
  get preparation_us(): number {
    return this.preparer.spent_us + this.names_us
  }

  /** As {@link WasmRuntime.apply}. */
  apply(code_hash: Uint8Array, getCode: () => Uint8Array, ctx: HostContext): void {
    const names = this.namesOf(code_hash, getCode)
    const contract = nameToString(ctx.receiver)
    this.functions.set(contract, names)
    this.tree.begin(contract, actionText(ctx), names)
    this.runtime.apply(code_hash, getCode, ctx)
  }

  private namesOf(code_hash: Uint8Array, getCode: () => Uint8Array): FunctionNames {
    const key = toHex(code_hash)
    const known = this.names.get(key)
    if (known !== undefined) return known
    const began = this.now()
    const names = functionNames(getCode())
    this.names_us += this.now() - began
    this.names.set(key, names)
    return names
  }

  private hostFunctions(): ReadonlyMap<string, HostFunction> {
    const functions = new Map<string, HostFunction>()
    for (const [name, f] of HOST_FUNCTIONS) functions.set(name, this.counted(name, f))
    const { tree } = this
    const enter = (index: number, counter: bigint): void => tree.enter(index, Number(counter))
    functions.set(
      ENTER,
      hostFunction('il', 'any', () => enter),
    )
    functions.set(
      LEAVE,
      hostFunction('l', 'any', () => (counter: bigint) => tree.leave(Number(counter))),
    )
    return functions
  }

  private counted(name: string, f: HostFunction): HostFunction {
    return {
      ...f,
      link: (vm) => {
        const linked = f.link(vm) as (...args: unknown[]) => number | bigint | void
        return (...args: unknown[]) => {
          this.onHostCall(name)
          return linked(...args)
        }
      },
    }
  }
}

/** `transfer`, or `transfer of eosio.token` for a notification. */
function actionText({ receiver, act }: HostContext): string {
  const name = nameToString(act.name)
  return act.account === receiver ? name : `${name} of ${nameToString(act.account)}`
}

/** Adds counters to codes before they are prepared. */
class CountingPreparer implements CodePreparer {
  readonly functions: ReadonlyMap<string, HostFunction>
  spent_us = 0
  private readonly preparer = new LocalPreparer()
  private readonly now: () => number

  constructor(functions: ReadonlyMap<string, HostFunction>, now: () => number) {
    this.functions = functions
    this.now = now
  }

  request(): void {
    // Codes are prepared when they run.
  }

  prepare(task: PreparationTask): Preparation {
    const began = this.now()
    try {
      return this.preparer.prepare({ ...task, getCode: () => countingModule(task.getCode()) })
    } finally {
      this.spent_us += this.now() - began
    }
  }
}
