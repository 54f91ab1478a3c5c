/**
 * How reads and transfers grow with the state: `[NODEOS=path] node --import tsx bench/growth.ts [seconds]
 * [ROWS/ACCOUNTS...]` after `npm run build`, with NODEOS beside the reference on the same snapshots. Ratios are to the
 * first size of the same run. Questions all differ and are spread over all rows and accounts. Linux and wrk are needed.
 * 10000000/100000 needs 5 GB of memory and of the disk.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readBench } from './reads.ts'
import { calibrationText } from './support/calibration.ts'
import { GROWTH_READS, growthQuestions } from './support/growth_questions.ts'
import { writeGrowthTransfers, type GrowthChain, type GrowthSize } from './support/growth_state.ts'
import { machineText } from './support/machine.ts'
import { cpuSeconds, residentMib } from './support/process_use.ts'
import { NODEOS, ReferenceProcess } from './support/reference_process.ts'
import { sendTransfers, startOwn, type Start } from './transfers.ts'

const [seconds_text = '3', ...size_texts] = process.argv.slice(2)
const seconds = Number(seconds_text)
const DEFAULT_SIZES = ['10000/1000', '1000000/1000', '10000/100000', '1000000/100000']

/** More than a node answers and takes in a second. */
const QUESTIONS_PER_SECOND = 60_000
const TRANSFERS_PER_SECOND = 9000

/** What each load gets before it is measured, while threads start and V8 compiles. */
const WARM_UP_S = 2

/** A new node warms up by itself, and makes its first blocks. */
const SETTLED_MS = 8000

const STATE_PROGRAM = fileURLToPath(new URL('support/growth_state.ts', import.meta.url))

/** Figures of one node on one size by what they are of; of all, less is better. */
type Figures = Map<string, { value: number; text: string }>

const PROGRAMS: readonly [name: string, start: Start][] = [
  ['pronghorn', startOwn()],
  ...(NODEOS === undefined ? [] : ([['nodeos', startReference]] as [string, Start][])),
]

function startReference(args: readonly string[]): Promise<ReferenceProcess> {
  return ReferenceProcess.start(NODEOS!, [...args, '--chain-state-db-size-mb', '16384'])
}

function sizeOf(text: string): GrowthSize {
  const [rows = 0, accounts = 0] = text.split('/').map(Number)
  if (!(rows > 0 && accounts > 1)) throw new Error(`${text} is not ROWS/ACCOUNTS`)
  return { rows, accounts }
}

/** In a process of its own, so that the memory of the chain is free when the nodes are measured. */
function makeSnapshot({ rows, accounts }: GrowthSize, path: string): GrowthChain {
  const args = ['--import', 'tsx', STATE_PROGRAM, String(rows), String(accounts), path]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as GrowthChain
}

async function measureSize(size: GrowthSize): Promise<Figures[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pronghorn-growth-'))
  try {
    const snapshot = join(folder, 'snapshot.bin')
    const chain = makeSnapshot(size, snapshot)
    console.log(`  a snapshot of ${(statSync(snapshot).size / 1e6).toFixed(0)} MB`)
    const counts = [WARM_UP_S, seconds].map((s) => Math.ceil(s * TRANSFERS_PER_SECOND))
    const transfers = writeGrowthTransfers(folder, size, chain, counts)
    const all: Figures[] = []
    for (const [name, start] of PROGRAMS) {
      const figures = await measureNode(start, size, snapshot, transfers)
      for (const [what, { text }] of figures) console.log(`  ${name.padEnd(9)} ${what}: ${text}`)
      all.push(figures)
    }
    return all
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function measureNode(
  start: Start,
  size: GrowthSize,
  snapshot: string,
  transfers: string[],
): Promise<Figures> {
  const figures: Figures = new Map()
  const begin = performance.now()
  const node = await start(['--snapshot', snapshot])
  try {
    const elapsed = ((performance.now() - begin) / 1000).toFixed(2)
    const cpu = cpuSeconds(node.pid)
    figures.set('start', { value: cpu, text: `${elapsed} s, ${cpu.toFixed(2)} s of CPU` })
    await new Promise((resolve) => setTimeout(resolve, SETTLED_MS))
    const mib = residentMib(node.pid)
    figures.set('memory', { value: mib, text: `${mib.toFixed(0)} MiB` })
    for (const name of GROWTH_READS) {
      const { operation, lines } = growthQuestions(name, size, seconds * QUESTIONS_PER_SECOND)
      await readBench(node, operation, WARM_UP_S, lines)
      figures.set(name, figure(await readBench(node, operation, seconds, lines)))
    }
    const [warm_up, measured] = transfers
    await sendTransfers(node, warm_up!, WARM_UP_S)
    figures.set('transfers', figure(await sendTransfers(node, measured!, seconds)))
    const after = residentMib(node.pid)
    figures.set('memory after all', { value: after, text: `${after.toFixed(0)} MiB` })
    return figures
  } finally {
    await node.stop()
  }
}

function figure({ per_second, cpu_us }: { per_second: number; cpu_us: number }) {
  const text = `${Math.round(per_second)} a second, ${cpu_us.toFixed(0)} us of CPU each`
  return { value: cpu_us, text }
}

console.log(machineText())
console.log(calibrationText())
const names = size_texts.length > 0 ? size_texts : DEFAULT_SIZES
const results: Figures[][] = []
for (const name of names) {
  console.log(`${name} rows/accounts:`)
  results.push(await measureSize(sizeOf(name)))
}
console.log(
  `ratios of CPU and memory to ${names[0]}, ${PROGRAMS.map(([name]) => name).join(' / ')}`,
)
for (const what of results[0]![0]!.keys()) {
  const cells = results.slice(1).map((of_programs, i) => {
    const ratios = of_programs.map(
      (figures, program) => figures.get(what)!.value / results[0]![program]!.get(what)!.value,
    )
    return `${names[i + 1]}: ${ratios.map((ratio) => ratio.toFixed(2)).join(' / ')}`
  })
  console.log(`  ${what.padEnd(30)} ${cells.join('   ')}`)
}
console.log(calibrationText())
