import { isBaselineKept } from '../baseline_check.ts'
import { compileModule } from '../compile_module.ts'
import { CallGraph } from '../instrument/call_graph.ts'
import { instrument } from '../instrument/instrument.ts'
import type { Form } from '../instrument/layout.ts'
import { scanBody } from '../instrument/scan_body.ts'
import { chooseTier } from '../instrument/tier.ts'
import type { RunTier } from '../instrument/tier.ts'
import { interpreterModule } from '../interpret/interpreter_module.ts'
import { typedImports } from '../link_imports.ts'
import { PAGE_BYTES } from './code_facts.ts'
import type { CodeFacts } from './code_facts.ts'
import { exportedFunction, functionType } from '../wasm/module.ts'
import type { WasmModule } from '../wasm/module.ts'
import { WasmParseError } from '../wasm/parse_error.ts'
import { parseModule } from '../wasm/parse_module.ts'
import { APPLY_OPTIONS } from '../wasm/parse_options.ts'
import type { CompiledModule } from '../web_assembly.ts'
import { webAssembly } from '../web_assembly.ts'

/**
 * Version of prepared code. Increase it whenever the bytes that `instrument` or `interpreterModule`
 * writes, the limits of the tiers, or the fields below change, so that results of older versions
 * are not used.
 */
export const PREPARATION_VERSION = 4

/** The text of a wasm_execution_error and its argument. */
export interface PreparationRefusal {
  format: string
  data: Record<string, string>
}

/** A code in one form, before machine code is made of it. */
export interface PreparedCode {
  facts: CodeFacts
  form: Form
  /** The instrumented module, or the interpreter with the code. */
  bytes: Uint8Array
  tier: RunTier
}

/** A request for preparation. */
export interface PreparationTask {
  /** Of the code; 32 bytes. */
  code_hash: Uint8Array
  /** Reads the code, which is not always needed. */
  getCode: () => Uint8Array
  /** Calls are counted where the code could reach it. */
  max_call_depth: number
  movable_memory: boolean
}

/** Prepared code that can be instantiated, or the reason why it cannot. */
export type Preparation =
  | {
      facts: CodeFacts
      form: Form
      /** Bytes of the instrumented module. */
      size: number
      module: CompiledModule | undefined
      /** The reason why there is no module. */
      refused: PreparationRefusal | undefined
    }
  | { facts: undefined; refused: PreparationRefusal }

/** Whether calls must be counted. */
export function countsDepth(facts: CodeFacts, max_call_depth: number): boolean {
  return facts.call_depth >= max_call_depth
}

/**
 * Parses and instruments a code. Refusals are the reference's for code that cannot be applied.
 * @param forced_tier the tier, whatever the code is; by default the fastest that is safe
 */
export function prepareCode(
  task: PreparationTask,
  forced_tier?: RunTier,
): PreparedCode | PreparationRefusal {
  let m: WasmModule
  try {
    m = parseModule(task.getCode(), APPLY_OPTIONS)
  } catch (error) {
    if (!(error instanceof WasmParseError)) throw error
    return { format: 'Error building eos-vm interp: ${e}', data: { e: error.kind } }
  }
  const apply = exportedFunction(m, 'apply')
  const type = apply === undefined ? undefined : functionType(m, apply)
  if (apply === undefined || type?.params.join() !== '126,126,126') {
    return { format: 'eos-vm system failure: ${d}', data: { d: 'unexpected argument type' } }
  }
  const tier = forced_tier ?? safeTier(m)
  const float_ops = new Set<number>()
  const scans = m.bodies.map((_, i) => scanBody(m, i, float_ops))
  const roots = m.start === undefined ? [apply] : [apply, m.start]
  const facts: CodeFacts = {
    imports: typedImports(m),
    memory: m.memory,
    ...memoryImage(m),
    start_error: m.error,
    call_depth: new CallGraph(m, scans).greatestDepth(roots),
    interpreted: tier === 'interpreted',
  }
  const form: Form = {
    count_depth: countsDepth(facts, task.max_call_depth),
    movable_memory: task.movable_memory && m.memory !== undefined,
  }
  const bytes = facts.interpreted
    ? interpreterModule(m, float_ops)
    : instrument(m, scans, float_ops, form)
  return { facts, form, bytes, tier }
}

/** If this version of V8 cannot be kept from optimizing a module, the interpreter runs it. */
function safeTier(m: WasmModule): RunTier {
  const tier = chooseTier(m)
  return tier === 'baseline' && !isBaselineKept() ? 'interpreted' : tier
}

/** Whether the prepared code can run here: another version of V8 may have made it. */
export function isUsable({ tier }: PreparedCode): boolean {
  return tier !== 'baseline' || isBaselineKept()
}

/** Makes machine code of a prepared one. */
export function compilePrepared({ facts, form, bytes, tier }: PreparedCode): Preparation {
  const size = bytes.length
  try {
    // The interpreter itself is safe to optimize.
    const module = compileModule(bytes, tier === 'interpreted' ? 'optimizing' : tier)
    return { facts, form, size, module, refused: undefined }
  } catch (error) {
    if (!(error instanceof webAssembly.CompileError)) throw error
    // A limit of the engine below that the chain's limits do not imply.
    const refused = { format: 'Error building wasm: ${e}', data: { e: error.message } }
    return { facts, form, size, module: undefined, refused }
  }
}

function memoryImage({ memory, data }: WasmModule): Pick<CodeFacts, 'image' | 'data_out_of_range'> {
  const memory_bytes = (memory?.initial ?? 0) * PAGE_BYTES
  let length = 0
  for (const { offset, bytes } of data) length = Math.max(length, offset + bytes.length)
  if (length > memory_bytes) return { image: new Uint8Array(0), data_out_of_range: true }
  const image = new Uint8Array(length)
  for (const segment of data) image.set(segment.bytes, segment.offset)
  return { image, data_out_of_range: false }
}
