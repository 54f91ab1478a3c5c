import type { Tier } from '../compile_module.ts'
import type { WasmModule } from '../wasm/module.ts'
import { bodyCost } from './shape.ts'
import type { Block, BodyCost } from './shape.ts'

/** The way in which a code runs: compiled, or by the interpreter. */
export type RunTier = Tier | 'interpreted'

/** Memory that the baseline compiler may take for a module, bytes. */
const MAX_BASELINE = 96 * 1024 * 1024
/** Memory that the optimizing compiler may take for a function; it may be busy with some at once. */
const MAX_OPTIMIZING = 40 * 1024 * 1024

/**
 * Limits of V8 that the chain's limits do not imply, below the lowest of the versions that are run
 * on (v8: src/wasm/wasm-limits.h). The rewriting adds a few of each.
 */
const V8_LIMITS = {
  types: 900_000,
  functions: 900_000,
  imports: 90_000,
  globals: 900_000,
  parameters: 1000,
  locals: 49_000,
  body_bytes: 7_000_000,
  branch_targets: 65_000,
  module_bytes: 500_000_000,
}

/**
 * The fastest tier in which no compiler uses more memory than permitted. Code that the baseline
 * compiler cannot compile in bounded memory, or V8 not at all, is interpreted.
 */
export function chooseTier(m: WasmModule): RunTier {
  if (!isWithinLimits(m)) return 'interpreted'
  let code = 0
  let state = 0
  let optimizing = 0
  const open: Block[] = []
  for (let i = 0; i < m.bodies.length; i++) {
    const cost = bodyCost(m, i, open)
    if (!isBodyWithinLimits(cost)) return 'interpreted'
    code += cost.baseline_code
    state = Math.max(state, cost.baseline_state)
    if (code + state > MAX_BASELINE) return 'interpreted'
    optimizing = Math.max(optimizing, cost.optimizing)
  }
  return optimizing > MAX_OPTIMIZING ? 'baseline' : 'optimizing'
}

function isWithinLimits(m: WasmModule): boolean {
  return (
    m.types.length <= V8_LIMITS.types &&
    m.types.every(({ params }) => params.length <= V8_LIMITS.parameters) &&
    m.functions.length <= V8_LIMITS.functions &&
    m.imports.length <= V8_LIMITS.imports &&
    m.globals.length <= V8_LIMITS.globals &&
    m.code.length <= V8_LIMITS.module_bytes
  )
}

function isBodyWithinLimits({ slots, greatest_table, rewritten_bytes }: BodyCost): boolean {
  return (
    slots <= V8_LIMITS.locals &&
    greatest_table <= V8_LIMITS.branch_targets &&
    rewritten_bytes <= V8_LIMITS.body_bytes
  )
}
