/**
 * Short reads with questions that all differ: `node --import tsx bench/reads.ts [seconds] [operation...]`.
 * HTTP_THREADS=0,1,2 asks nodes with so many HTTP threads in turn; the default is the node's own.
 * Beside the rate stands the CPU time of the node per request, which other work on the machine disturbs less.
 */
import { writeFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isMain } from './support/main.ts'
import { NodeProcess } from './support/node_process.ts'
import { cpuSeconds } from './support/process_use.ts'
import { LAST_BLOCK, OPERATIONS, questions } from './support/questions.ts'
import { TokenChain } from './support/token_chain.ts'
import { wrkQuestions } from './support/wrk.ts'

export interface ReadResult {
  operation: string
  per_second: number
  /** CPU of the node, all threads, for one request. */
  cpu_us: number
}

/** A node with the accounts and blocks that the questions ask for.
 *  @param http_threads default: that of the node */
export async function nodeForReads(http_threads?: string): Promise<NodeProcess> {
  const threads = http_threads === undefined ? [] : ['--http-threads', http_threads]
  const node = await NodeProcess.start(threads)
  try {
    await prepareForReads(node)
    return node
  } catch (error) {
    await node.stop()
    throw error
  }
}

/** Makes the accounts, and waits for the blocks. */
export async function prepareForReads(node: Pick<NodeProcess, 'post'>): Promise<void> {
  const chain = new TokenChain(node)
  await chain.prepare()
  await chain.untilBlock(LAST_BLOCK)
}

/** Asks one operation for some seconds.
 *  @param asked bodies of requests, one a line */
export async function readBench(
  { url, pid }: Pick<NodeProcess, 'url' | 'pid'>,
  operation: string,
  seconds: number,
  asked = questions(operation),
): Promise<ReadResult> {
  const file = join(tmpdir(), `pronghorn-questions-${process.pid}`)
  writeFileSync(file, asked)
  try {
    const before = cpuSeconds(pid)
    const result = await wrkQuestions(`${url}/v1/chain/${operation}`, file, seconds)
    const cpu = cpuSeconds(pid) - before
    if (result.failures > 0) throw new Error(`${operation}: ${result.failures} failures`)
    return {
      operation,
      per_second: result.requests_per_second,
      cpu_us: (cpu * 1e6) / result.answered,
    }
  } finally {
    rmSync(file)
  }
}

if (isMain(import.meta.url)) {
  const [seconds = '3', ...operations] = process.argv.slice(2)
  const nodes = new Map<string | undefined, NodeProcess>()
  try {
    for (const threads of process.env.HTTP_THREADS?.split(',') ?? [undefined]) {
      const node = await nodeForReads(threads)
      nodes.set(threads, node)
      // Those that the node starts with many reads are there before it is measured.
      await readBench(node, 'get_account', 1)
    }
    for (const operation of operations.length > 0 ? operations : OPERATIONS) {
      for (const [threads, node] of nodes) {
        const { per_second, cpu_us } = await readBench(node, operation, Number(seconds))
        const rate = Math.round(per_second).toLocaleString('en').padStart(8)
        const what = `${operation.padEnd(22)} ${threads ?? 'default'} HTTP threads`
        console.log(`${what} ${rate} a second, ${cpu_us.toFixed(1)} us of CPU each`)
      }
    }
  } finally {
    for (const node of nodes.values()) await node.stop()
  }
}
