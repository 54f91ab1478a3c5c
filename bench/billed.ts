/**
 * What a node bills for setting a code and for its first run:
 * `[NODEOS=path] node --import tsx bench/billed.ts [SECONDS] [NAME]`, after `npm run build`, with NODEOS beside the
 * reference. Each contract has two new nodes of its own. On the first, all transactions come so many
 * seconds (5) after the start. On the second, another contract is set and run as soon as the node is ready, so
 * before its warm-up, and the contract comes so many seconds later.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Action, PackedTransaction } from '@wharfkit/antelope'
import { WharfkitChain } from '../test/support/wharfkit_chain.ts'
import { CONTRACTS } from './support/contracts.ts'
import { NodeProcess } from './support/node_process.ts'
import { NODEOS, ReferenceProcess } from './support/reference_process.ts'

interface Processed {
  processed: { elapsed: number; receipt: { cpu_usage_us: number } | null }
}

/** A node that runs, of this project or of the reference. */
type RunningNode = Pick<NodeProcess, 'url' | 'post' | 'stop'>

/** The transactions of one contract on one node. */
class Contract {
  private readonly node: RunningNode
  private readonly chain: WharfkitChain
  private readonly account: string

  constructor(node: RunningNode, chain: WharfkitChain, account: string) {
    this.node = node
    this.chain = chain
    this.account = account
  }

  /** @returns microseconds */
  private async send(action: Action): Promise<number> {
    const transaction = await this.chain.sign([action])
    const { processed } = await this.node.post<Processed>('/v1/chain/send_transaction2', {
      transaction: PackedTransaction.fromSigned(transaction),
      return_failure_trace: true,
    })
    return processed.receipt?.cpu_usage_us ?? processed.elapsed
  }

  async set(code: Uint8Array): Promise<number> {
    const { account } = this
    const action = { account, vmtype: 0, vmversion: 0, code: Buffer.from(code).toString('hex') }
    return this.send(await this.chain.action('eosio', 'setcode', account, action))
  }

  run(number: number): Promise<number> {
    const { account } = this
    const authorization = [{ actor: account, permission: 'active' }]
    const data = Buffer.from([number]).toString('hex')
    return this.send(Action.from({ account, name: 'run', authorization, data }))
  }
}

/** @returns microseconds: setcode, the first run, the second run, the tenth run */
async function billed(
  start: () => Promise<RunningNode>,
  code: Uint8Array,
  seconds: number,
  early: boolean,
): Promise<number[]> {
  const node = await start()
  try {
    const chain = new WharfkitChain(node.url)
    await chain.createAccounts('contract', 'earlier')
    if (early) {
      const earlier = new Contract(node, chain, 'earlier')
      await earlier.set(EARLIER_CODE)
      for (let run = 0; run < 3; run++) await earlier.run(run)
    }
    await sleep(seconds * 1000)
    const contract = new Contract(node, chain, 'contract')
    const results = [await contract.set(code)]
    for (let run = 0; run < 10; run++) results.push(await contract.run(run))
    return [results[0]!, results[1]!, results[2]!, results[10]!]
  } finally {
    await node.stop()
  }
}

/** The contract that a chain's first transactions set. */
const EARLIER_CODE = CONTRACTS.find(([name]) => name === 'probe')![1]

/** Who bills: nothing for this node, `ref` for the reference. */
const STARTS: [string, () => Promise<RunningNode>][] = [['', () => NodeProcess.start()]]
if (NODEOS !== undefined) STARTS.push(['ref', () => ReferenceProcess.start(NODEOS!)])

const seconds = Number(process.argv[2] ?? 5)
const wanted = process.argv[3] ?? ''

console.log(
  `  ms that a node bills which has run for ${seconds} s; failed runs by the time they took`,
)
console.log('                                          setcode  first run     second      tenth')
for (const [name, code] of CONTRACTS) {
  if (!name.includes(wanted)) continue
  for (const early of [false, true]) {
    for (const [whose, start] of STARTS) {
      const figures = await billed(start, code, seconds, early)
      const texts = figures.map((us) => (us / 1000).toFixed(1).padStart(11))
      const what = `${name.padEnd(27)}${early ? 'early' : ''.padEnd(5)} ${whose.padEnd(3)}`
      console.log(`  ${what}${texts.join('')}`)
    }
  }
}
