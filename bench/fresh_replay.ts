/**
 * Replays a block log with the program, each time in a new process and a new folder, from its start to its end:
 *
 *     [PROGRAMS=path,path] node --import tsx bench/fresh_replay.ts LOG [runs]
 *
 * after `npm run build`. The log may be compressed (.gz). Programs (bin/pronghorn.js of several builds) run in turn,
 * so their figures can be compared on a machine with other work. CPU is that of all threads, user and system; the
 * lowest of all runs counts.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { BlockLog } from '../src/engine/store/block_log.ts'
import { calibrationText } from './support/calibration.ts'
import { isMain } from './support/main.ts'
import { machineText } from './support/machine.ts'

const OWN = fileURLToPath(new URL('../bin/pronghorn.js', import.meta.url))
const KINDS = [
  { name: 'the log is trusted', args: [] },
  { name: 'every signature is checked', args: ['--force-all-checks'] },
]

export interface FreshReplay {
  program: string
  /** What is checked. */
  kind: string
  /** Seconds; the lowest of all runs. */
  cpu_s: number
  wall_s: number
}

/** Replays the log `runs` times with each program, in turn. @param log of the reference or of this node */
export async function freshReplays(
  log: string,
  runs: number,
  programs: readonly string[] = [OWN],
): Promise<FreshReplay[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pronghorn-fresh-replay-'))
  try {
    const file = log.endsWith('.gz') ? join(folder, 'blocks.log') : log
    if (file !== log) writeFileSync(file, gunzipSync(readFileSync(log)))
    const opened = BlockLog.openReadOnly(file)
    const last = opened.head_block_num
    opened.close()
    const results: FreshReplay[] = KINDS.flatMap(({ name: kind }) =>
      programs.map((program) => ({ program, kind, cpu_s: Infinity, wall_s: Infinity })),
    )
    for (let run = 0; run < runs; run++) {
      for (const result of results) {
        const { args } = KINDS.find(({ name }) => name === result.kind)!
        const data_dir = join(folder, 'data')
        const { cpu_s, wall_s } = await replay(result.program, file, last, [
          ...['--data-dir', data_dir, '--http-server-address', '127.0.0.1:0'],
          ...['--p2p-listen-endpoint', ''],
          ...args,
        ])
        rmSync(data_dir, { recursive: true })
        result.cpu_s = Math.min(result.cpu_s, cpu_s)
        result.wall_s = Math.min(result.wall_s, wall_s)
      }
    }
    return results
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The node ends by itself when it has the last block. */
async function replay(
  program: string,
  file: string,
  last: number,
  args: readonly string[],
): Promise<{ cpu_s: number; wall_s: number }> {
  const own = [program, '--replay', file, '--terminate-at-block', String(last), ...args]
  // The shell's measure is of the process that it waited for, all threads; it prints it behind all else.
  const timed = ['-c', 'TIMEFORMAT="cpu %U %S"; time "$@"', 'bash', process.execPath, ...own]
  const begin = performance.now()
  const child = spawn('bash', timed, { stdio: ['ignore', 'ignore', 'pipe'] })
  let text = ''
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  const wall_s = (performance.now() - begin) / 1000
  const found = /cpu ([\d.]+) ([\d.]+)/.exec(text)
  if (code !== 0 || !text.includes(`stopped at block ${last}`) || !found) {
    throw new Error(`${program} did not replay ${file}: ${text}`)
  }
  return { cpu_s: Number(found[1]) + Number(found[2]), wall_s }
}

if (isMain(import.meta.url)) {
  const [log, runs = '5'] = process.argv.slice(2)
  if (log === undefined) throw new Error('usage: bench/fresh_replay.ts LOG [runs]')
  console.log(machineText())
  console.log(calibrationText())
  const results = await freshReplays(log, Number(runs), process.env.PROGRAMS?.split(','))
  for (const { program, kind, cpu_s, wall_s } of results) {
    const figures = `${cpu_s.toFixed(2)} s of CPU, ${wall_s.toFixed(2)} s`
    console.log(`${kind.padEnd(28)} ${figures}${process.env.PROGRAMS ? `  ${program}` : ''}`)
  }
  console.log(calibrationText())
}
