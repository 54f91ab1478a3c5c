/**
 * Runs every benchmark and prints what docs/performance.md records: `make bench`, or
 * `node --import tsx bench/index.ts [--quick]` after `npm run build`.
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { coldStart } from './cold_start.ts'
import { httpBench } from './http.ts'
import { machineText } from './support/machine.ts'
import { hasWrk } from './support/wrk.ts'

const quick = process.argv.includes('--quick')

/** Benchmarks that print their own lines, each in a process of its own. */
function script(name: string, ...args: string[]): void {
  const file = fileURLToPath(new URL(name, import.meta.url))
  execFileSync(process.execPath, ['--import', 'tsx', file, ...args], { stdio: 'inherit' })
}

console.log(machineText())

console.log('\nCold start to the first answered get_info')
const seconds = await coldStart()
console.log(`  ${seconds.toFixed(2)} s (aim: 1 s or less)`)

console.log('\nEngine alone, token transfers, keys recovered before')
script('execution.ts', quick ? '10000' : '50000')

console.log('\nEvents of the chain, with and without subscribers')
script('events.ts', quick ? '20' : '60')

console.log('\nDevelopment chains: blocks that are mined, and checkpoints')
script('mining.ts', quick ? '2000' : '10000')

console.log('\nContracts and host functions')
script('vm.ts')
script('host_functions.ts')

console.log('\nSetting and preparing codes')
script('preparation.ts')
script('billed.ts')

console.log('\nReplay of block logs')
script('replay.ts', quick ? '20' : '100')

console.log('\nPeers: a chain from a peer, transfers through a relay; a new block to a peer')
script('network.ts', quick ? '20' : '2000')
script('acceptance.ts', quick ? '20' : '100')

console.log('\nSavanna: votes, certificates, blocks')
script('finality.ts')

console.log('\nState: memory and speed of tables, start-up from the store')
script('state.ts', quick ? '100000' : '1000000')

console.log('\nSnapshots while blocks go on')
script('snapshot.ts', quick ? '100000' : '1000000')

console.log('\nThrough HTTP (wrk -t1 -c16 on the same machine)')
if (!hasWrk()) {
  console.log('  wrk is not installed: skipped')
} else {
  const { reads, transfers_per_second, transfers } = await httpBench(quick ? 3 : 10)
  for (const { operation, per_second, bare_per_second } of reads) {
    const ratio = per_second / bare_per_second
    const rates = `${rate(per_second)} of ${rate(bare_per_second)} a second`
    console.log(
      `  ${operation.padEnd(32)} ${rates}, ${ratio.toFixed(2)} of a bare node:http server`,
    )
  }
  console.log(
    `  ${'transfers'.padEnd(32)} ${rate(transfers_per_second)} a second (${transfers} sent)`,
  )

  console.log('\nGrowth of reads and transfers with the state')
  script('growth.ts', ...(quick ? ['1', '1000/100', '10000/1000'] : ['3']))
}

function rate(value: number): string {
  return Math.round(value).toLocaleString('en').padStart(7)
}
