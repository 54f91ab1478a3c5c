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
  /** The first `size` of them count. */
  types = new Uint8Array(1024)
  size = 0
  /** Operands below this belong to outer scopes. */
  outer_size = 0
  /** The first `depth` of them are open; the objects are used again. */
  private readonly scopes: Scope[] = []
  private open = 0

  /** Begins a body of a function with this result. */
  begin(result: number): void {
    this.size = 0
    this.open = 0
    this.enter(false, result, result)
  }

  /** Scopes that are not ended; the function is the first. */
  get depth(): number {
    return this.open
  }

  /**
   * Begins a scope inside of the innermost one.
   * @param branch_argument the type that a branch to it carries
   */
  enter(is_if: boolean, branch_argument: number, result: number): void {
    const outer_size = this.size
    const scope = this.scopes[this.open]
    if (scope === undefined) {
      this.scopes.push({ is_if, outer_size, branch_argument, result, reachable: true })
    } else {
      scope.is_if = is_if
      scope.outer_size = outer_size
      scope.branch_argument = branch_argument
      scope.result = result
      scope.reachable = true
    }
    this.open += 1
    this.outer_size = outer_size
  }

  /**
   * Ends the innermost scope, or its first part before `else`.
   * @throws WasmParseError
   */
  leave(is_else: boolean): void {
    const scope = this.innermost('control stack empty')
    if (this.size > scope.outer_size) {
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
    this.open -= 1
    if (this.open === 0) return
    this.outer_size = this.scopes[this.open - 1]!.outer_size
    this.pushTyped(scope.result)
  }

  /**
   * The code up to the end of the scope is never reached. Its operands are dropped.
   * @throws WasmParseError no scope is open
   */
  enterUnreachable(): void {
    const scope = this.innermost('invalid control stack depth')
    this.size = scope.outer_size
    scope.reachable = false
  }

  /**
   * The type that a branch to that depth carries.
   * @throws WasmParseError there is no such depth
   */
  target(depth: number): number {
    if (depth >= this.open) malformed('invalid index: depth>=controlStack.size()')
    return this.scopes[this.open - 1 - depth]!.branch_argument
  }

  /** Pushes an operand of a type. */
  push(type: number): void {
    if (this.size === this.types.length) {
      const types = new Uint8Array(this.types.length * 2)
      types.set(this.types)
      this.types = types
    }
    this.types[this.size++] = type
  }

  /** Pushes a value of a result's type, if there is one. */
  pushTyped(result: number): void {
    if (result !== NONE) this.push(result)
  }

  /**
   * Pops an operand of this type.
   * @throws WasmParseError there is none in the scope, or it has another type
   */
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

  /**
   * Pops an operand. Returns its type, or 0 (any) in code that is never reached.
   * @throws WasmParseError there is none in the scope
   */
  popAny(): number {
    const scope = this.innermost('control stack empty')
    if (this.size > scope.outer_size) return this.types[--this.size]!
    if (scope.reachable) malformed('invalid stack access')
    return ANY
  }

  /**
   * Applies `select`: pops a condition and two operands of one type, and pushes one.
   * @throws WasmParseError an operand is missing or has another type
   */
  select(): void {
    const condition = this.popAny()
    const on_false = this.popAny()
    const on_true = this.popAny()
    checkSame(I32, condition)
    checkSame(on_false, on_true)
    this.push(on_false)
  }

  private innermost(otherwise: string): Scope {
    if (this.open === 0) malformed(otherwise)
    return this.scopes[this.open - 1]!
  }
}

function checkSame(expected: number, actual: number): void {
  if (expected !== actual && expected !== ANY && actual !== ANY) malformed('type mismatch')
}
