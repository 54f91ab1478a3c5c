/**
 * The start and short reads with questions that all differ, beside a bare node:http server and the reference in the
 * same run: `[NODEOS=path] node --import tsx bench/table.ts [seconds]` after `npm run build`. Figures of other runs
 * cannot be compared; the ratios can. Linux and wrk are needed.
 */
import { BareServer } from './support/bare_server.ts'
import { calibrationText } from './support/calibration.ts'
import { coldStart } from './cold_start.ts'
import { machineText } from './support/machine.ts'
import { prepareForReads, nodeForReads, readBench, type ReadResult } from './reads.ts'
import { residentMib } from './support/process_use.ts'
import { OPERATIONS, questions } from './support/questions.ts'
import { NODEOS, ReferenceProcess } from './support/reference_process.ts'
import { wrkRequest } from './support/wrk.ts'

const seconds = Number(process.argv[2] ?? 3)

console.log(machineText())
console.log(calibrationText())
const reference = NODEOS === undefined ? undefined : await ReferenceProcess.start(NODEOS)
try {
  const of_reference = reference ? `, the reference ${reference.start_s.toFixed(2)} s` : ''
  const start = `${(await coldStart()).toFixed(2)} s${of_reference}`
  console.log(`start of a new chain to the first get_info: ${start}`)
  if (reference) await prepareForReads(reference)
  const node = await nodeForReads()
  try {
    const memory = [node, ...(reference ? [reference] : [])].map(({ pid }) => residentMib(pid))
    console.log(`memory before the reads, MiB: ${memory.map((mib) => mib.toFixed(0)).join(', ')}`)
    // HTTP threads, which the node starts with many reads, are there before it is measured.
    await readBench(node, 'get_account', 1)
    for (const operation of OPERATIONS) {
      const own = await readBench(node, operation, seconds)
      const bare = await bareRate(node.url, operation)
      console.log(
        `${operation.padEnd(22)} ${line(own)}, ${ratio(own.per_second, bare)} of a bare server`,
      )
      if (!reference) continue
      const other = await readBench(reference, operation, seconds)
      const beside = ratio(own.per_second, other.per_second)
      console.log(`${' the reference'.padEnd(22)} ${line(other)}, ${beside} times as many here`)
    }
  } finally {
    await node.stop()
  }
} finally {
  await reference?.stop()
}
console.log(calibrationText())

function line({ per_second, cpu_us }: ReadResult): string {
  return `${Math.round(per_second)} a second, ${cpu_us.toFixed(0)} us of CPU each`
}

function ratio(a: number, b: number): string {
  return (a / b).toFixed(2)
}

/** A bare node:http server that gives the same answer. */
async function bareRate(url: string, operation: string): Promise<number> {
  const [body = ''] = questions(operation).split('\n')
  const answer = await fetch(`${url}/v1/chain/${operation}`, { method: 'POST', body })
  const bare = await BareServer.start(await answer.text())
  try {
    return (await wrkRequest(bare.url, body, seconds)).requests_per_second
  } finally {
    await bare.stop()
  }
}
