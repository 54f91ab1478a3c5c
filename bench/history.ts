/**
 * What state history (all logs) and the trace API cost users: distinct signed transfers through send_transaction2 in new
 * nodes with and without them, in turn: `[NODEOS=path] node --import tsx bench/history.ts [rounds] [seconds]` after
 * `npm run build`, with NODEOS the same of the reference. Linux and wrk are needed. The CPU of blocks is not a limit. Prints
 * the best of the rounds, because other work on the machine only adds, and the ratio of each round.
 */
import { freePort } from '../test/support/free_port.ts'
import { calibrationText } from './support/calibration.ts'
import { machineText } from './support/machine.ts'
import { NODEOS, ReferenceProcess } from './support/reference_process.ts'
import { startOwn, transfersBench, type Start, type TransfersResult } from './transfers.ts'

const [rounds = '5', seconds = '5'] = process.argv.slice(2)
const MAX_BLOCK_CPU_USAGE = 2_000_000

const HISTORY = ['--trace-history', '--chain-state-history', '--finality-data-history']

async function historyOptions(): Promise<string[]> {
  const endpoint = ['--state-history-endpoint', `127.0.0.1:${await freePort()}`]
  return [...HISTORY, ...endpoint, '--trace-no-abis']
}

const startOwnWithHistory: Start = async (genesis) =>
  startOwn(undefined, await historyOptions())(genesis)

const startReference: Start = (genesis) => ReferenceProcess.start(NODEOS!, genesis)

const startReferenceWithHistory: Start = async (genesis) => {
  const plugins = ['state_history_plugin', 'trace_api_plugin']
  const named = plugins.flatMap((name) => ['--plugin', `eosio::${name}`])
  return ReferenceProcess.start(NODEOS!, [...genesis, ...named, ...(await historyOptions())])
}

const FIGURES = [
  ['transfers a second', ({ per_second }) => per_second, Math.max],
  ['us of CPU, all threads', ({ cpu_us }) => cpu_us, Math.min],
  ['us of CPU, busiest thread', ({ busiest_cpu_us }) => busiest_cpu_us, Math.min],
] as const satisfies [string, (result: TransfersResult) => number, typeof Math.max][]

/** Measures both in turn; each is the first one as often as the other. */
async function compare(name: string, without: Start, with_history: Start): Promise<void> {
  const results: TransfersResult[][] = [[], []]
  for (let round = 0; round < Number(rounds); round++) {
    for (let i = 0; i < 2; i++) {
      const which = (round + i) % 2
      const start = which === 0 ? without : with_history
      results[which]!.push(...(await transfersBench(Number(seconds), MAX_BLOCK_CPU_USAGE, start)))
    }
  }
  for (const [figure, of, best] of FIGURES) {
    const [off, on] = results.map((list) => list.map(of)) as [number[], number[]]
    const [best_off, best_on] = [best(...off), best(...on)]
    const ratios = on.map((value, i) => (value / off[i]!).toFixed(2)).join(' ')
    console.log(
      `${name}: ${figure}: ${best_off.toFixed(0)} without, ${best_on.toFixed(0)} with history, ` +
        `ratio ${(best_on / best_off).toFixed(2)} (${ratios})`,
    )
  }
}

console.log(machineText())
console.log(calibrationText())
await compare('pronghorn', startOwn(), startOwnWithHistory)
if (NODEOS !== undefined) await compare('nodeos', startReference, startReferenceWithHistory)
