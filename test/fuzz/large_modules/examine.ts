import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Outcome } from './child.ts'
import { Random } from '../random.ts'
import { FROM_SOURCES } from '../../support/from_sources.ts'

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url))

const MAX_PEAK_MIB = 256
/** CPU of preparing, compiling and the first run: a constant, and so much for each byte. */
const MAX_MS = 1500
const MAX_MS_A_KILOBYTE = 3
const TIMEOUT_MS = 300_000
const SIZES = [3_000, 20_000, 100_000, 300_000, 500_000]

/** Examines the module of this seed in a child process; answers what is wrong, or the outcome. */
export function examine(
  seed: number,
  size = SIZES[new Random(seed).below(SIZES.length)]!,
): { fault: string | undefined; outcome?: Outcome } {
  const flags = ['--wasm-tiering-budget=1000', '--stack-size=3900', ...FROM_SOURCES]
  const child = spawnSync(process.execPath, [...flags, CHILD, String(seed), String(size)], {
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  if (child.status !== 0) {
    return { fault: `ends with ${child.status ?? child.signal}: ${child.stderr.slice(-2000)}` }
  }
  const outcome = JSON.parse(child.stdout) as Outcome
  return { fault: faultOf(outcome), outcome }
}

function faultOf({ bytes, compile_ms, peak_mib, results }: Outcome): string | undefined {
  const given = new Set(Object.values(results))
  if (given.size !== 1) return `results differ: ${JSON.stringify(results)}`
  if (peak_mib > MAX_PEAK_MIB) return `${peak_mib} MiB`
  const most = MAX_MS + (bytes / 1000) * MAX_MS_A_KILOBYTE
  return compile_ms > most ? `${compile_ms} ms for ${bytes} bytes` : undefined
}
