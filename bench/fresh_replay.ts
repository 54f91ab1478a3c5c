/**
 * Replays a block log with the program, each time in a new process and a new folder, from its start to its end:
 *
 *     [PROGRAMS=path,path] [NODEOS=path] node --import tsx bench/fresh_replay.ts LOG [runs]
 *
 * after `npm run build`. The log may be compressed (.gz). Programs (bin/pronghorn.js of several builds, and the
 * reference) run in turn, so their figures can be compared on a machine with other work. CPU is that of all threads,
 * user and system; the lowest of all runs counts.
 */
import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { BlockLog } from '../src/engine/store/block_log.ts'
import { calibrationText } from './support/calibration.ts'
import { isMain } from './support/main.ts'
import { machineText } from './support/machine.ts'
import { NODEOS } from './support/reference_process.ts'

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
    const file = join(folder, 'blocks.log')
    const bytes = readFileSync(log)
    writeFileSync(file, log.endsWith('.gz') ? gunzipSync(bytes) : bytes)
    const opened = BlockLog.open(folder)
    // The index, without which the reference does not start.
    opened.mend()
    const last = opened.head_block_num
    opened.close()
    const results: FreshReplay[] = KINDS.flatMap(({ name: kind }) =>
      programs.map((program) => ({ program, kind, cpu_s: Infinity, wall_s: Infinity })),
    )
    for (let run = 0; run < runs; run++) {
      for (const result of results) {
        const { args } = KINDS.find(({ name }) => name === result.kind)!
        const data_dir = join(folder, 'data')
        const command = result.program === NODEOS ? referenceCommand : ownCommand
        const { cpu_s, wall_s } = await replay(
          [...command(result.program, data_dir, file), '--terminate-at-block', `${last}`, ...args],
          last,
        )
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

function ownCommand(program: string, data_dir: string, file: string): string[] {
  const address = ['--http-server-address', '127.0.0.1:0', '--p2p-listen-endpoint', '']
  return [process.execPath, program, '--data-dir', data_dir, '--replay', file, ...address]
}

function referenceCommand(program: string, data_dir: string, file: string): string[] {
  mkdirSync(join(data_dir, 'blocks'), { recursive: true })
  for (const name of ['blocks.log', 'blocks.index']) {
    copyFileSync(join(dirname(file), name), join(data_dir, 'blocks', name))
  }
  const folders = ['--data-dir', data_dir, '--config-dir', data_dir]
  return [program, ...folders, '--replay-blockchain', '--plugin', 'eosio::chain_plugin']
}

/** The last words of this node and of the reference on a replay that reached its end. */
const reached = (block_num: number): RegExp =>
  new RegExp(`stopped at block ${block_num}\\b|Block ${block_num} reached configured maximum block`)

/** The node ends by itself when it has the last block. */
async function replay(
  command: readonly string[],
  last: number,
): Promise<{ cpu_s: number; wall_s: number }> {
  // The shell's measure is of the process that it waited for, all threads; it prints it behind all else.
  const timed = ['-c', 'TIMEFORMAT="cpu %U %S"; time "$@"', 'bash', ...command]
  const begin = performance.now()
  const child = spawn('bash', timed, { stdio: ['ignore', 'ignore', 'pipe'] })
  let text = ''
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  const wall_s = (performance.now() - begin) / 1000
  const found = /cpu ([\d.]+) ([\d.]+)/.exec(text)
  if (code !== 0 || !reached(last).test(text) || !found) {
    throw new Error(`it did not reach block ${last}: ${command.join(' ')}: ${text}`)
  }
  return { cpu_s: Number(found[1]) + Number(found[2]), wall_s }
}

if (isMain(import.meta.url)) {
  const [log, runs = '5'] = process.argv.slice(2)
  if (log === undefined) throw new Error('usage: bench/fresh_replay.ts LOG [runs]')
  console.log(machineText())
  console.log(calibrationText())
  const programs = process.env.PROGRAMS?.split(',') ?? [OWN]
  if (NODEOS !== undefined) programs.push(NODEOS)
  const results = await freshReplays(log, Number(runs), programs)
  for (const { program, kind, cpu_s, wall_s } of results) {
    const figures = `${cpu_s.toFixed(2)} s of CPU, ${wall_s.toFixed(2)} s`
    console.log(`${kind.padEnd(28)} ${figures}${programs.length > 1 ? `  ${program}` : ''}`)
  }
  console.log(calibrationText())
}
