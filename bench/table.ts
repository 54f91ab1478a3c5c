/**
 * The start and short reads with questions that all differ, beside a bare node:http server of the same run:
 * `node --import tsx bench/table.ts [seconds]` after `npm run build`. Figures of other runs cannot be compared;
 * the ratios can. Linux and wrk are needed.
 */
import { BareServer } from './support/bare_server.ts'
import { coldStart } from './cold_start.ts'
import { machineText } from './support/machine.ts'
import { nodeForReads, readBench } from './reads.ts'
import { OPERATIONS, questions } from './support/questions.ts'
import { wrkRequest } from './support/wrk.ts'

const seconds = Number(process.argv[2] ?? 3)

console.log(machineText())
console.log(`start of a new chain to the first get_info: ${(await coldStart()).toFixed(2)} s`)
const node = await nodeForReads()
try {
  for (const operation of OPERATIONS) {
    const [body = ''] = questions(operation).split('\n')
    const answer = await fetch(`${node.url}/v1/chain/${operation}`, { method: 'POST', body })
    const bare = await BareServer.start(await answer.text())
    try {
      const { per_second, cpu_us } = await readBench(node, operation, seconds)
      const beside = await wrkRequest(bare.url, body, seconds)
      const ratio = (per_second / beside.requests_per_second).toFixed(2)
      const rates = `${Math.round(per_second)} of ${Math.round(beside.requests_per_second)} a second`
      console.log(
        `${operation.padEnd(22)} ${ratio} (${rates}), ${cpu_us.toFixed(0)} us of CPU each`,
      )
    } finally {
      await bare.stop()
    }
  }
} finally {
  await node.stop()
}
