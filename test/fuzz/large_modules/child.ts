/**
 * One large module in a process of its own: `child.ts SEED BYTES`. Prints what it took and gave, as
 * JSON; the parent judges (run.ts). Run with a low --wasm-tiering-budget, so that what would be
 * optimized is.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { ChainError } from '../../../src/engine/errors.ts'
import { sha256 } from '../../../src/engine/crypto/hash.ts'
import { chooseTier } from '../../../src/engine/vm/instrument/tier.ts'
import type { RunTier } from '../../../src/engine/vm/instrument/tier.ts'
import { LocalPreparer } from '../../../src/engine/vm/preparation/preparer.ts'
import { WasmRuntime } from '../../../src/engine/vm/runtime.ts'
import { validateCode } from '../../../src/engine/vm/validate.ts'
import { parseModule } from '../../../src/engine/vm/wasm/parse_module.ts'
import { APPLY_OPTIONS } from '../../../src/engine/vm/wasm/parse_options.ts'
import { DEFAULT_WASM_CONFIG } from '../../../src/engine/protocol/config.ts'
import { FakeContext } from '../../engine/vm/fake_context.ts'
import { Random } from '../random.ts'
import { largeModule } from './generate.ts'

/** What a child says. */
export interface Outcome {
  bytes: number
  tier: RunTier
  /** CPU of preparing and compiling, milliseconds; without the first run where it is interpreted. */
  compile_ms: number
  /** Memory above what the process had before, at its greatest, MiB. */
  peak_mib: number
  /** What each tier printed, or its error. */
  results: Partial<Record<RunTier, string>>
}

const RUNS = 30
/** How long the optimizing compiler has, at most, and how often its memory is looked at. */
const LOOKS = 20
const LOOK_MS = 100

const [seed, size] = process.argv.slice(2).map(Number)
const code = largeModule(new Random(seed!), size!)
validateCode(code, { config: DEFAULT_WASM_CONFIG, speculative: true }, () => true)
process.stdout.write(JSON.stringify(await examine()))

async function examine(): Promise<Outcome> {
  const first = runOf(new WasmRuntime(), smallModule())
  if (first.startsWith('error')) throw new Error(first)
  const before = memory('VmRSS')
  if (process.platform === 'linux') writeFileSync('/proc/self/clear_refs', '5')
  const start = process.cpuUsage()
  const tier = chooseTier(parseModule(code, APPLY_OPTIONS))
  const runtime = new WasmRuntime()
  const results: Outcome['results'] = {}
  // V8 compiles during the first run. The interpreter's size does not depend on the code, but its first run
  // does: with a low tiering budget, V8 asks again and again for the machine code that is being made.
  if (tier === 'interpreted') prepare()
  else results[tier] = runOf(runtime, code)
  const used = process.cpuUsage(start)
  results[tier] ??= runOf(runtime, code)
  for (let i = 0; i < RUNS; i++) runOf(runtime, code)
  for (let i = 0; i < LOOKS; i++) {
    await sleep(LOOK_MS)
    const again = runOf(runtime, code)
    if (again !== results[tier]) results[tier] = `${again}, at first not`
  }
  const peak_mib = memory('VmHWM') - before
  if (tier !== 'interpreted') {
    const preparer = new LocalPreparer(undefined, 'interpreted')
    results.interpreted = runOf(new WasmRuntime({ preparer }), code)
  }
  const compile_ms = (used.user + used.system) / 1000
  return { bytes: code.length, tier, compile_ms, peak_mib, results }
}

function runOf(runtime: WasmRuntime, code: Uint8Array): string {
  const ctx = new FakeContext('contract')
  try {
    runtime.apply(sha256(code), () => code, ctx)
    return ctx.console
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    return `error: ${error.message}`
  }
}

function prepare(): void {
  const task = { code_hash: sha256(code), getCode: () => code, movable_memory: false }
  new LocalPreparer().prepare({ ...task, max_call_depth: 250 })
}

function smallModule(): Uint8Array {
  return largeModule(new Random(1), 100)
}

function memory(field: 'VmRSS' | 'VmHWM'): number {
  if (process.platform !== 'linux') return 0
  const text = readFileSync('/proc/self/status', 'utf8')
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(text)![1]) / 1024
}
