/**
 * What a node bills for setting a code and for its first run: `node --import tsx bench/billed.ts [SECONDS]`,
 * after `npm run build`. Each contract has a new node of its own, which has run for so many seconds (5).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Action, PackedTransaction } from '@wharfkit/antelope'
import { WharfkitChain } from '../test/support/wharfkit_chain.ts'
import { CONTRACTS } from './support/contracts.ts'
import { NodeProcess } from './support/node_process.ts'

interface Processed {
  processed: { elapsed: number; receipt: { cpu_usage_us: number } | null }
}

/** @returns microseconds: setcode, the first run, the second run, the tenth run */
async function billed(code: Uint8Array, seconds: number): Promise<number[]> {
  const node = await NodeProcess.start()
  try {
    const chain = new WharfkitChain(node.url)
    await chain.createAccounts('contract')
    await sleep(seconds * 1000)
    const send = async (action: Action): Promise<number> => {
      const transaction = await chain.sign([action])
      const { processed } = await node.post<Processed>('/v1/chain/send_transaction2', {
        transaction: PackedTransaction.fromSigned(transaction),
        return_failure_trace: true,
      })
      return processed.receipt?.cpu_usage_us ?? processed.elapsed
    }
    const set = await chain.action('eosio', 'setcode', 'contract', {
      account: 'contract',
      vmtype: 0,
      vmversion: 0,
      code: Buffer.from(code).toString('hex'),
    })
    const results = [await send(set)]
    for (let run = 0; run < 10; run++) {
      const authorization = [{ actor: 'contract', permission: 'active' }]
      const data = Buffer.from([run]).toString('hex')
      results.push(
        await send(Action.from({ account: 'contract', name: 'run', authorization, data })),
      )
    }
    return [results[0]!, results[1]!, results[2]!, results[10]!]
  } finally {
    await node.stop()
  }
}

const seconds = Number(process.argv[2] ?? 5)

console.log(
  `  ms that a node bills which has run for ${seconds} s; failed runs by the time they took`,
)
console.log('                                 setcode  first run     second      tenth')
for (const [name, code] of CONTRACTS) {
  const figures = (await billed(code, seconds)).map((us) => (us / 1000).toFixed(1).padStart(11))
  console.log(`  ${name.padEnd(27)}${figures.join('')}`)
}
