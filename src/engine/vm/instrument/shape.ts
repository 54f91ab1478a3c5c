import { NO_RESULT, functionType } from '../wasm/module.ts'
import type { WasmModule } from '../wasm/module.ts'
import { NUMERIC_OPS, OP } from '../wasm/opcodes.ts'
import { afterDeadCode, afterImmediates, afterLeb, endsReachable, readLeb } from '../wasm/skip.ts'
import { isFloatCall } from './float_helpers.ts'

/**
 * The maximum memory that V8's compilers need for a body, in bytes. The numbers come from
 * measurements with functions of one kind of instruction; they are the maximum of V8 11.3, 12.4,
 * 13.6 and 14.6, rounded up. test/fuzz/large_modules compares the sums with the memory that V8
 * uses. Time is proportional to memory: a compiler fills about 300 MB a second.
 */
export interface BodyCost {
  /** Of the baseline compiler, while it is busy with the body: state at branches. */
  baseline_state: number
  /** Of its machine code, with what that grows in. */
  baseline_code: number
  /** Of the optimizing compiler: its graph. */
  optimizing: number
  /** Bytes of the body in the form that has the most, at most. */
  rewritten_bytes: number
  /** Targets of the largest br_table, without the default. */
  greatest_table: number
  /** Parameters and locals. */
  slots: number
}

const DIVISIONS = [...range(0x6d, 0x70), ...range(0x7f, 0x82)]
const FLOAT_CALLS = range(0, 255).filter(isFloatCall)

/** Bytes for each instruction, by opcode. */
const BASELINE = costs(30, [
  [[OP.nop], 0],
  [[OP.unreachable], 260],
  [[OP.block], 30],
  [[OP.loop], 700],
  [[OP.if], 380],
  [[OP.else], 100],
  [[OP.br, OP.br_if, OP.return], 100],
  [[OP.br_table], 200],
  [[OP.call], 280],
  [[OP.call_indirect], 1300],
  [[OP.memory_size, OP.memory_grow], 400],
  [range(OP.first_load, OP.last_store), 280],
  [DIVISIONS, 580],
  [FLOAT_CALLS, 320],
  [[OP.local_get, OP.local_set, OP.local_tee, OP.drop, OP.select], 20],
])

const OPTIMIZING = costs(450, [
  [[OP.nop], 20],
  [[OP.unreachable, OP.return], 1500],
  [[OP.block, OP.else, OP.end], 400],
  [[OP.loop], 50_000],
  [[OP.if], 2000],
  [[OP.br], 800],
  [[OP.br_if], 1500],
  [[OP.br_table], 2000],
  [[OP.call], 2000],
  [[OP.call_indirect], 7000],
  [[OP.memory_size, OP.memory_grow], 6500],
  [range(OP.first_load, OP.last_store), 1300],
  [DIVISIONS, 2600],
  [FLOAT_CALLS, 2800],
  [[OP.global_get, OP.global_set], 800],
  [[OP.local_get, OP.local_set, OP.local_tee, OP.drop, OP.end], 100],
  [[OP.i32_const, OP.i64_const, OP.f32_const, OP.f64_const], 150],
])

/** For each value that a branch has to keep: a local, or an operand. */
const BASELINE_SLOT = 28
const OPTIMIZING_SLOT = 26
/** For each local at each branch: V8 13 and later list all of them, changed or not. */
const OPTIMIZING_BRANCH_SLOT = 12
/** For each local that differs where branches meet. */
const PHI = 130
/** The same at the start of a loop: the loop may be unrolled. */
const LOOP_PHI = 1500
const BASELINE_TARGET = 100
const OPTIMIZING_TARGET = 500
const BASELINE_ARGUMENT = 10
const OPTIMIZING_ARGUMENT = 40

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i)
}

function costs(usual: number, others: [number[], number][]): Uint32Array {
  const table = new Uint32Array(256).fill(usual)
  for (const [ops, cost] of others) for (const op of ops) table[op] = cost
  return table
}

/** The number of operands that an instruction adds, if its opcode determines it. */
const HEIGHTS = heights()

function heights(): Int8Array {
  const table = new Int8Array(256)
  NUMERIC_OPS.forEach((numeric, op) => {
    if (numeric !== undefined) table[op] = 1 - numeric.arity
  })
  for (let op: number = OP.first_store; op <= OP.last_store; op++) table[op] = -2
  for (const op of [OP.drop, OP.local_set, OP.global_set, OP.br_if, OP.if]) table[op] = -1
  for (const op of [OP.local_get, OP.global_get, OP.memory_size]) table[op] = 1
  for (let op: number = OP.i32_const; op <= OP.f64_const; op++) table[op] = 1
  table[OP.select] = -2
  return table
}

/** An open block of a body. */
export interface Block {
  op: number
  height: number
  has_result: boolean
  /** Assignments to locals before it. */
  sets: number
}

/** Bytes that the rewriting adds to an instruction, at most: depth counts, checked accesses, ticks. */
const ADDED = added()
const ADDED_TO_BODY = 4096

function added(): Uint8Array {
  // Instructions that some form replaces by a call.
  const table = Uint8Array.from({ length: 256 }, (_, op) =>
    isFloatCall(op) || (op >= OP.first_load && op <= OP.last_store) ? 8 : 0,
  )
  table[OP.memory_size] = table[OP.memory_grow] = 8
  table[OP.loop] = 40
  table[OP.call] = 64
  table[OP.call_indirect] = 96
  return table
}

/**
 * Estimates one validated body; unreachable code costs nothing.
 * @param open objects for the open blocks, which the caller may use again for the next body
 */
export function bodyCost(m: WasmModule, index: number, open: Block[] = []): BodyCost {
  const { code } = m
  const { start, end, locals } = m.bodies[index]!
  const type = m.types[m.functions[index]!]!
  let slots = type.params.length
  for (const { count } of locals) slots += count
  let baseline_code = 500
  let baseline_state = slots * BASELINE_SLOT
  let optimizing = 20_000 + slots * OPTIMIZING_SLOT
  let added = ADDED_TO_BODY
  let greatest_table = 0
  let sets = 0
  let height = 0
  let nesting = 0
  openBlock(open, nesting++, OP.block, 0, false, 0)
  let pos = start
  while (pos < end) {
    const op = code[pos]!
    const at = pos + 1
    baseline_code += BASELINE[op]!
    optimizing += OPTIMIZING[op]!
    height += HEIGHTS[op]!
    added += ADDED[op]!
    pos = afterImmediates(code, op, at)
    switch (op) {
      case OP.local_set:
      case OP.local_tee:
        sets += 1
        break
      case OP.block:
      case OP.loop:
      case OP.if: {
        const kept = slots + height
        baseline_state += kept * BASELINE_SLOT
        optimizing += kept * OPTIMIZING_SLOT
        const has_result = code[at] !== NO_RESULT && code[at] !== 0
        openBlock(open, nesting++, op, height, has_result, sets)
        break
      }
      case OP.else:
        height = open[nesting - 1]!.height
        baseline_state += (slots + height) * BASELINE_SLOT
        break
      case OP.end: {
        const block = open[--nesting]!
        height = block.height + (block.has_result ? 1 : 0)
        const changed = Math.min(slots, sets - block.sets)
        optimizing += changed * (block.op === OP.loop ? LOOP_PHI : PHI)
        break
      }
      case OP.br:
      case OP.br_if: {
        const block = open[nesting - 1 - readLeb(code, at)]!
        optimizing += slots * OPTIMIZING_BRANCH_SLOT
        optimizing += PHI * Math.min(slots, sets - block.sets)
        break
      }
      case OP.br_table: {
        height -= 1
        const count = readLeb(code, at)
        greatest_table = Math.max(greatest_table, count)
        baseline_code += count * BASELINE_TARGET
        optimizing += count * OPTIMIZING_TARGET + (count + 1) * slots * OPTIMIZING_BRANCH_SLOT
        for (let label = afterLeb(code, at); label < pos; label = afterLeb(code, label)) {
          const block = open[nesting - 1 - readLeb(code, label)]!
          optimizing += PHI * Math.min(slots, sets - block.sets)
        }
        break
      }
      case OP.call:
      case OP.call_indirect: {
        const number = readLeb(code, at)
        const { params, result } = op === OP.call ? functionType(m, number)! : m.types[number]!
        if (op === OP.call_indirect) height -= 1
        height += (result === NO_RESULT ? 0 : 1) - params.length
        baseline_code += params.length * BASELINE_ARGUMENT
        optimizing += params.length * OPTIMIZING_ARGUMENT
        break
      }
    }
    if (endsReachable(op)) pos = afterDeadCode(code, pos)
  }
  return {
    baseline_state,
    baseline_code,
    optimizing,
    rewritten_bytes: end - start + added,
    greatest_table,
    slots,
  }
}

function openBlock(
  open: Block[],
  at: number,
  op: number,
  height: number,
  has_result: boolean,
  sets: number,
): void {
  const block = open[at]
  if (block === undefined) {
    open.push({ op, height, has_result, sets })
    return
  }
  block.op = op
  block.height = height
  block.has_result = has_result
  block.sets = sets
}
