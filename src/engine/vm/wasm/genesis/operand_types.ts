import { malformed } from './input.ts'
import { I32, NONE } from './module.ts'

/** Fits every type: what instructions that are never reached find. */
const ANY = 0

interface Scope {
  is_if: boolean
  outer_size: number
  branch_argument: number
  result: number
  reachable: boolean
}

/** Types of operands and scopes of one body. spring: IR/Validate.cpp FunctionValidationContext */
export class OperandTypes {
  private readonly types: number[] = []
  private readonly scopes: Scope[] = []

  constructor(result: number) {
    this.enter(false, result, result)
  }

  /** Scopes that are not ended; the function is the first. */
  get depth(): number {
    return this.scopes.length
  }

  enter(is_if: boolean, branch_argument: number, result: number): void {
    const outer_size = this.types.length
    this.scopes.push({ is_if, outer_size, branch_argument, result, reachable: true })
  }

  /** Ends the innermost scope, or its first part where `else` begins. */
  leave(is_else: boolean): void {
    const scope = this.innermost('control stack empty')
    if (this.types.length > scope.outer_size) {
      malformed(
        'stack was not empty at end of control structure: ' +
          'stack.size() > controlStack.back().outerStackSize',
      )
    }
    if (is_else && scope.is_if) {
      scope.is_if = false
      scope.reachable = true
      return
    }
    if (is_else) malformed('else only allowed in if context: isElse')
    if (scope.is_if && scope.result !== NONE) malformed('else-less if may not yield a result')
    this.scopes.pop()
    if (this.scopes.length > 0) this.pushTyped(scope.result)
  }

  enterUnreachable(): void {
    const scope = this.innermost('invalid control stack depth')
    this.types.length = scope.outer_size
    scope.reachable = false
  }

  /** The type that a branch to that depth carries. */
  target(depth: number): number {
    const scope = this.scopes[this.scopes.length - 1 - depth]
    if (scope === undefined) malformed('invalid index: depth>=controlStack.size()')
    return scope.branch_argument
  }

  push(type: number): void {
    this.types.push(type)
  }

  /** Pushes a value of a result's type, if there is one. */
  pushTyped(result: number): void {
    if (result !== NONE) this.types.push(result)
  }

  pop(expected: number): void {
    checkSame(expected, this.popAny())
  }

  /** Pops a value of a result's type, if there is one. */
  popTyped(result: number): void {
    if (result !== NONE) this.pop(result)
  }

  /** Pops what the innermost scope yields. */
  popResult(): void {
    this.popTyped(this.innermost('control stack empty').result)
  }

  popAny(): number {
    const scope = this.innermost('control stack empty')
    if (this.types.length > scope.outer_size) return this.types.pop()!
    if (scope.reachable) malformed('invalid stack access')
    return ANY
  }

  select(): void {
    const condition = this.popAny()
    const on_false = this.popAny()
    const on_true = this.popAny()
    checkSame(I32, condition)
    checkSame(on_false, on_true)
    this.types.push(on_false)
  }

  private innermost(otherwise: string): Scope {
    const scope = this.scopes[this.scopes.length - 1]
    if (scope === undefined) malformed(otherwise)
    return scope
  }
}

function checkSame(expected: number, actual: number): void {
  if (expected !== actual && expected !== ANY && actual !== ANY) malformed('type mismatch')
}
