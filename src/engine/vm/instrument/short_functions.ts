import { functionType } from '../wasm/module.ts'
import type { WasmModule } from '../wasm/module.ts'
import { OP, isInstruction } from '../wasm/opcodes.ts'
import { afterImmediates, afterLeb, readLeb } from '../wasm/skip.ts'
import { isFloatCall } from './float_helpers.ts'

const UNKNOWN = 0
const NONE = -1

/** V8's compilers need more for these than for a call, which {@link bodyCost} counts. */
const DIVISIONS = [0x6d, 0x6e, 0x6f, 0x70, 0x7f, 0x80, 0x81, 0x82]

/** Instructions that work on operands alone. */
const IS_PLAIN = Uint8Array.from({ length: 256 }, (_, op) => {
  if (op === OP.memory_size || op === OP.memory_grow) return 0
  if (!isInstruction(op) || isFloatCall(op) || DIVISIONS.includes(op)) return 0
  return op === OP.drop || op === OP.select || op >= OP.global_get ? 1 : 0
})

/**
 * The functions of a module that do at most one thing: they take all parameters in order, and then have one instruction, or
 * none. Such an instruction can stand for a call of the function where calls are not counted. A called function
 * that the processor's cache does not have takes longer than that.
 */
export class ShortFunctions {
  private readonly m: WasmModule
  /** By the function's own index: the position of the instruction. */
  private readonly starts: Int32Array

  constructor(m: WasmModule) {
    this.m = m
    this.starts = new Int32Array(m.bodies.length)
  }

  /**
   * The position of the instruction of an own function, which is that of its `end` if it has none; -1 if the function
   * does more.
   * @param index of the function, without imports
   */
  instructionOf(index: number): number {
    const known = this.starts[index] as number
    if (known !== UNKNOWN) return known
    return (this.starts[index] = this.find(index))
  }

  private find(index: number): number {
    const { code, bodies, imports } = this.m
    const { start, end, locals } = bodies[index]!
    const { params } = functionType(this.m, imports.length + index)!
    // Parameters take two bytes each at least.
    if (locals.length > 0 || end - start < 2 * params.length) return NONE
    let pos = start
    for (let i = 0; i < params.length; i++) {
      if (code[pos] !== OP.local_get || readLeb(code, pos + 1) !== i) return NONE
      pos = afterLeb(code, pos + 1)
    }
    if (pos === end - 1) return pos
    const op = code[pos]!
    return IS_PLAIN[op] === 1 && afterImmediates(code, op, pos + 1) === end - 1 ? pos : NONE
  }
}
