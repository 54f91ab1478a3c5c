/**
 * One large module in a process of its own: `child.ts SEED BYTES`. Prints what it took and gave, as
 * JSON; the parent judges (run.ts). Run with a low --wasm-tiering-budget, so that what would be
 * optimized is.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { ChainError } from '../../../src/engine/errors.ts'
import { CompiledCode } from '../../../src/engine/vm/compiled_code.ts'
import type { RunTier } from '../../../src/engine/vm/instrument/tier.ts'
import { validateCode } from '../../../src/engine/vm/validate.ts'
import { DEFAULT_WASM_CONFIG } from '../../../src/engine/protocol/config.ts'
import { FakeContext } from '../../engine/vm/fake_context.ts'
import { Random } from '../random.ts'
import { largeModule } from './generate.ts'

/** What a child says. */
export interface Outcome {
  bytes: number
  tier: RunTier
  /** CPU of preparing and compiling, milliseconds. */
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
validateCode(code, DEFAULT_WASM_CONFIG, () => true, true)
process.stdout.write(JSON.stringify(await examine()))

async function examine(): Promise<Outcome> {
  const first = runOf(new CompiledCode(smallModule()))
  if (first.startsWith('error')) throw new Error(first)
  const before = memory('VmRSS')
  if (process.platform === 'linux') writeFileSync('/proc/self/clear_refs', '5')
  const start = process.cpuUsage()
  const compiled = new CompiledCode(code)
  const results: Outcome['results'] = { [compiled.tier]: runOf(compiled) }
  const used = process.cpuUsage(start)
  for (let i = 0; i < RUNS; i++) runOf(compiled)
  for (let i = 0; i < LOOKS; i++) {
    await sleep(LOOK_MS)
    const again = runOf(compiled)
    if (again !== results[compiled.tier]) results[compiled.tier] = `${again}, at first not`
  }
  const peak_mib = memory('VmHWM') - before
  if (compiled.tier !== 'interpreted') {
    results.interpreted = runOf(new CompiledCode(code, 'interpreted'))
  }
  return {
    bytes: code.length,
    tier: compiled.tier,
    compile_ms: (used.user + used.system) / 1000,
    peak_mib,
    results,
  }
}

function runOf(compiled: CompiledCode): string {
  const ctx = new FakeContext('contract')
  try {
    compiled.run(ctx)
    return ctx.console
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    return `error: ${error.message}`
  }
}

function smallModule(): Uint8Array {
  return largeModule(new Random(1), 100)
}

function memory(field: 'VmRSS' | 'VmHWM'): number {
  if (process.platform !== 'linux') return 0
  const text = readFileSync('/proc/self/status', 'utf8')
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(text)![1]) / 1024
}
