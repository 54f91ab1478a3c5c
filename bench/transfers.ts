/**
 * Distinct signed transfers through send_transaction2 in a new node, where the CPU of blocks is not a limit
 * (`max_block_cpu_usage` 2,000,000), and with the usual limit of 200,000; then the same once more on the same node,
 * "later", when V8 has compiled what transfers need:
 * `[NODEOS=path] node --import tsx bench/transfers.ts [seconds] [block CPU...]` after `npm run build`, with NODEOS beside
 * the reference. Linux and wrk are needed.
 * wrk uses a part of a core, so a machine of few cores shows less than others. HTTP_THREADS=0,1 measures nodes with
 * so many HTTP threads in turn; the default is the node's own.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultGenesis, genesisToJson } from '../src/engine/protocol/genesis.ts'
import { DEVELOPMENT_PRIVATE_KEY, DEVELOPMENT_PUBLIC_KEY } from '../src/node/development.ts'
import { calibrationText } from './support/calibration.ts'
import { isMain } from './support/main.ts'
import { machineText } from './support/machine.ts'
import { NodeProcess } from './support/node_process.ts'
import { cpuSeconds, threadSeconds } from './support/process_use.ts'
import { NODEOS, ReferenceProcess } from './support/reference_process.ts'
import { TokenChain } from './support/token_chain.ts'
import { wrkLines, wrkRequest } from './support/wrk.ts'

/** More than a node takes in a second. */
const PER_SECOND = 9000

export interface TransfersResult {
  per_second: number
  /** CPU of the node, all threads, for one transfer. */
  cpu_us: number
  /** CPU of the busiest thread: with few HTTP threads that of the chain. */
  busiest_cpu_us: number
}

/** The first seconds of load on a new node, and as many seconds after them. */
const PERIODS = ['new', 'later'] as const

/** A node that runs, of this project or of the reference. */
type RunningNode = Pick<NodeProcess, 'url' | 'pid' | 'post' | 'stop'>

/** Starts a node that produces for eosio on a new chain. */
export type Start = (genesis: readonly string[]) => Promise<RunningNode>

/** @param http_threads default: that of the node
 *  @param more further options */
export const startOwn =
  (http_threads?: string, more: readonly string[] = []): Start =>
  (genesis) =>
    NodeProcess.start([
      ...['--p2p-listen-endpoint', '', ...genesis, '--producer-name', 'eosio'],
      ...['--enable-stale-production'],
      ...['--signature-provider', `${DEVELOPMENT_PUBLIC_KEY}=KEY:${DEVELOPMENT_PRIVATE_KEY}`],
      ...(http_threads === undefined ? [] : ['--http-threads', http_threads]),
      ...more,
    ])

/** Measures a new node for some seconds, several times one after the other.
 *  @param max_block_cpu_usage microseconds, of the chain's genesis */
export async function transfersBench(
  seconds: number,
  max_block_cpu_usage: number,
  start: Start = startOwn(),
  times = 1,
): Promise<TransfersResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pronghorn-transfers-'))
  try {
    const genesis = defaultGenesis()
    Object.assign(genesis.initial_configuration, {
      max_block_cpu_usage,
      max_transaction_cpu_usage: Math.min(max_block_cpu_usage * 0.75, 150_000),
    })
    const genesis_file = join(folder, 'genesis.json')
    writeFileSync(genesis_file, JSON.stringify(genesisToJson(genesis)))
    const node = await start(['--genesis-json', genesis_file, '--genesis-timestamp', 'now'])
    try {
      const chain = new TokenChain(node)
      await chain.untilBlock(3)
      await chain.prepare()
      const count = seconds * PER_SECOND
      const files = Array.from({ length: times }, (_, i) => join(folder, `transfers${i}.jsonl`))
      for (const [i, file] of files.entries()) await chain.writeTransfers(file, count, i * count)
      // HTTP threads, which the node starts with many requests, are there before it is measured.
      await wrkRequest(`${node.url}/v1/chain/get_info`, '{}', 1)
      const results: TransfersResult[] = []
      for (const file of files) results.push(await sendTransfers(node, file, seconds))
      return results
    } finally {
      await node.stop()
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Sends the transfers of a file once. */
export async function sendTransfers(
  node: Pick<RunningNode, 'url' | 'pid'>,
  file: string,
  seconds: number,
): Promise<TransfersResult> {
  const before = cpuSeconds(node.pid)
  const threads_before = threadSeconds(node.pid)
  const sent = await wrkLines(`${node.url}/v1/chain/send_transaction2`, file, seconds)
  if (sent.failures > 0) throw new Error(`${sent.failures} transfers were refused`)
  const cpu = cpuSeconds(node.pid) - before
  const threads = [...threadSeconds(node.pid)]
  const busiest = Math.max(...threads.map(([id, s]) => s - (threads_before.get(id) ?? 0)))
  return {
    per_second: sent.requests_per_second,
    cpu_us: (cpu * 1e6) / sent.answered,
    busiest_cpu_us: (busiest * 1e6) / sent.answered,
  }
}

function text({ per_second, cpu_us, busiest_cpu_us }: TransfersResult): string {
  const rate = `${Math.round(per_second)} transfers a second, ${cpu_us.toFixed(0)} us of CPU each`
  return `${rate}, ${busiest_cpu_us.toFixed(0)} of it on the busiest thread`
}

if (isMain(import.meta.url)) {
  const [seconds = '8', ...limits] = process.argv.slice(2)
  console.log(machineText())
  console.log(calibrationText())
  for (const limit of limits.length > 0 ? limits.map(Number) : [2_000_000, 200_000]) {
    let own: TransfersResult[] = []
    for (const threads of process.env.HTTP_THREADS?.split(',') ?? [undefined]) {
      own = await transfersBench(Number(seconds), limit, startOwn(threads), PERIODS.length)
      const with_threads = threads === undefined ? '' : `, ${threads} HTTP threads`
      console.log(`max_block_cpu_usage ${limit}${with_threads}:`)
      for (const [i, result] of own.entries()) console.log(`  ${PERIODS[i]}: ${text(result)}`)
    }
    if (NODEOS === undefined) continue
    const start: Start = (genesis) => ReferenceProcess.start(NODEOS!, genesis)
    const others = await transfersBench(Number(seconds), limit, start, PERIODS.length)
    for (const [i, other] of others.entries()) {
      const beside = (own[i]!.per_second / other.per_second).toFixed(2)
      console.log(`  the reference, ${PERIODS[i]}: ${text(other)}; ${beside} times as many here`)
    }
  }
  console.log(calibrationText())
}
