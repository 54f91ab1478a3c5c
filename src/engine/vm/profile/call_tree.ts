import type { FunctionNames } from './function_names.ts'

/** A function that was called in one way: its callers are the nodes above it. */
export interface CallNode {
  /** The account whose code it is; empty at the root. */
  readonly contract: string
  readonly name: string
  /** Its index in the code; -1 for an action and for the root. */
  readonly index: number
  readonly children: Map<string, CallNode>
  calls: number
  /** Instructions of the function itself, without those of the functions that it calls. */
  instructions: number
}

function node(contract: string, name: string, index: number): CallNode {
  return { contract, name, index, children: new Map(), calls: 0, instructions: 0 }
}

/** Which functions called which, and how many instructions each executed. */
export class CallTree {
  readonly root = node('', '(root)', -1)
  private names: FunctionNames = new Map()
  /** From the action to the function that runs. */
  private stack: CallNode[] = []
  private counted = 0
  /** Instructions of all functions that ended or called others. */
  executed = 0

  /** An action begins; its counter is 0. */
  begin(contract: string, action: string, names: FunctionNames): void {
    this.names = names
    this.counted = 0
    const { children } = this.root
    const key = `${contract} ${action}`
    const first = children.get(key) ?? node(contract, action, -1)
    children.set(key, first)
    first.calls++
    this.stack = [first]
  }

  /** A function begins. */
  enter(index: number, counter: number): void {
    const caller = this.count(counter)
    const key = String(index)
    const name = this.names.get(index) ?? `function ${index}`
    const called = caller.children.get(key) ?? node(caller.contract, name, index)
    caller.children.set(key, called)
    called.calls++
    this.stack.push(called)
  }

  /** The function that began last ends. */
  leave(counter: number): void {
    this.count(counter)
    if (this.stack.length > 1) this.stack.pop()
  }

  private count(counter: number): CallNode {
    const running = this.stack.at(-1)!
    running.instructions += counter - this.counted
    this.executed += counter - this.counted
    this.counted = counter
    return running
  }
}
