import { NO_RESULT } from './module.ts'
import { sizeOfType } from './opcodes.ts'
import { parseCheck } from './parse_error.ts'

/** An operand of any type, after code that is never reached. */
export const ANY = 0x82
const UNREACHABLE = 0x80
const SCOPE = 0x81

/** The operand types of one body (eos-vm: parser.hpp operand_stack_type_tracker). */
export class OperandStack {
  /** Types and marks; the first `depth` of them count. */
  state = new Uint8Array(1024)
  depth = 0
  /** Of locals and operands. */
  bytes = 0
  /** Above 0: operands are not counted. */
  unreachable_depth = 0
  readonly limit: number

  constructor(limit: number) {
    this.limit = limit
  }

  /** Begins a body whose locals take `bytes`. */
  begin(bytes: number): void {
    this.bytes = bytes
    this.unreachable_depth = 0
    this.depth = 0
    this.add(SCOPE)
  }

  private add(type: number): void {
    if (this.depth === this.state.length) {
      const state = new Uint8Array(this.state.length * 2)
      state.set(this.state)
      this.state = state
    }
    this.state[this.depth++] = type
  }

  /**
   * Pushes an operand of a type.
   * @throws WasmParseError locals and operands take more bytes than the limit
   */
  push(type: number): void {
    this.add(type)
    if (this.unreachable_depth === 0) {
      this.bytes += sizeOfType(type)
      parseCheck(this.bytes <= this.limit, 'local variable limit exceeded')
    }
  }

  /**
   * Pops an operand of this type; nothing for NO_RESULT.
   * @throws WasmParseError there is none, or it has another type
   */
  pop(expected: number): void {
    if (expected === NO_RESULT) return
    parseCheck(this.depth !== 0, 'unexpected pop')
    const top = this.state[this.depth - 1]!
    if (top === UNREACHABLE) return
    parseCheck(top === expected || top === ANY, 'wrong type')
    this.forget(expected)
    this.depth -= 1
  }

  /**
   * Pops an operand. Returns its type, or {@link ANY} in code that is never reached.
   * @throws WasmParseError there is none in the scope
   */
  popAny(): number {
    parseCheck(this.depth !== 0, 'unexpected pop')
    const top = this.state[this.depth - 1]!
    parseCheck(top !== SCOPE, 'unexpected pop')
    if (top === UNREACHABLE) return ANY
    this.forget(top)
    this.depth -= 1
    return top
  }

  private forget(type: number): void {
    if (this.unreachable_depth === 0) this.bytes -= sizeOfType(type)
  }

  /**
   * Checks that the last operand has this type.
   * @throws WasmParseError there is none, or it has another type
   */
  top(expected: number): void {
    this.pop(expected)
    this.push(expected)
  }

  /** The operands that vanish here stay counted, as in the reference. */
  startUnreachable(): void {
    while (this.depth !== 0 && this.state[this.depth - 1] !== SCOPE) this.depth -= 1
    this.unreachable_depth += 1
    this.add(UNREACHABLE)
  }

  /** Begins a scope. */
  pushScope(): void {
    this.add(SCOPE)
  }

  /**
   * Ends the innermost scope, whose result stays on the stack.
   * @param expected the type of the result
   * @throws WasmParseError the operands are not those that the scope must leave
   */
  popScope(expected: number = NO_RESULT): void {
    this.pop(expected)
    parseCheck(this.depth !== 0, 'unexpected end')
    if (this.state[this.depth - 1] === UNREACHABLE) {
      this.unreachable_depth -= 1
      this.depth -= 1
    }
    parseCheck(this.depth !== 0 && this.state[this.depth - 1] === SCOPE, 'unexpected end')
    this.depth -= 1
    if (expected !== NO_RESULT) this.push(expected)
  }
}
