/**
 * What setting and first running a code costs: `node --import tsx bench/preparation.ts`, after
 * `npm run build`. Each figure is of a process of its own that runs the compiled program, so it is
 * cold, as a node is that was just started; `plain V8` compiles and instantiates the contract as it
 * is in the same process. CPU time of the process where the wall clock would show what else runs.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CODE_SHAPES } from '../test/support/code_shapes.ts'
import { CONTRACTS } from './support/contracts.ts'

/** What `preparation_process.mjs` prints; milliseconds of CPU. */
interface Figures {
  bytes: number
  setcode_genesis: number
  setcode: number
  setcode_warm: number
  prepare: number
  prepare_warm: number
  from_disk: number
  first_run: number
  plain: number
  sha256: number
  refused: string
}

const PROCESS = fileURLToPath(new URL('support/preparation_process.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'pronghorn-bench-codes-'))

function measure(code: Uint8Array, when: 'cold' | 'started'): Figures {
  const path = join(folder, 'code.wasm')
  writeFileSync(path, code)
  const out = execFileSync(process.execPath, [PROCESS, path, join(folder, 'cache'), when])
  return JSON.parse(out.toString()) as Figures
}

const ms = (value: number): string => value.toFixed(1).padStart(8)
const ns = (value: number, bytes: number): string => ((value * 1e6) / bytes).toFixed(0).padStart(7)

try {
  console.log(
    '  ms of CPU: setcode in a new process, in a node that was just started, there by the',
  )
  console.log(
    '  rules before CONFIGURABLE_WASM_LIMITS2, and the least of twenty; preparation without V8',
  )
  console.log(
    '  in a new process, the least of twenty, and from disk; the first instance; plain V8',
  )
  console.log(
    `  ${''.padEnd(26)}   bytes setcode (start)   (old)  (warm) prepare  (warm) (disk) first run plain V8`,
  )
  for (const [name, code] of CONTRACTS) {
    const f = measure(code, 'cold')
    const started = measure(code, 'started')
    const setcodes = [f.setcode, started.setcode, started.setcode_genesis, f.setcode_warm]
    const all = [...setcodes, f.prepare, f.prepare_warm]
    const rest = [f.from_disk, f.first_run, f.plain]
    const text = [...all, ...rest].map(ms).join('')
    console.log(`  ${name.padEnd(26)} ${String(f.bytes).padStart(7)}${text} ${f.refused}`)
  }
  console.log('  shapes: ns a byte of setcode and preparation without V8, warm; ratio to SHA-256')
  for (const [name, make] of Object.entries(CODE_SHAPES)) {
    const f = measure(make(), 'cold')
    const ratio = ((f.setcode_warm + f.prepare_warm) / f.sha256).toFixed(0)
    const rates = `${ns(f.setcode_warm, f.bytes)}${ns(f.prepare_warm, f.bytes)}`
    console.log(
      `  ${name.padEnd(26)} ${String(f.bytes).padStart(7)}${rates} x${ratio} ${f.refused}`,
    )
  }
} finally {
  rmSync(folder, { recursive: true })
}
