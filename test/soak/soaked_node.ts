import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Program } from '../fuzz/program.ts'
import { FROM_SOURCES } from '../support/from_sources.ts'
import { ask } from '../support/http.ts'
import { NodeProcess, temporaryFolder, type Ending } from '../support/node_process.ts'
import { WharfkitChain } from '../support/wharfkit_chain.ts'
import type { Tally } from './attack.ts'
import type { AttackOrder, AttackReport } from './attack_process.ts'
import { SETTERS } from './attacks/dear_code.ts'
import { growingMemory, GROWER } from './attacks/growing_memory.ts'
import { TOO_MANY_CONNECTIONS } from './attacks/sockets.ts'
import { NormalClient } from './normal_client.ts'

/** A program of the probe has a limit of its own. */
const ROWS_OF_A_TRANSACTION = 50
const CONNECTIONS = TOO_MANY_CONNECTIONS / 2
/** A busy machine may take its time to fill the chain; attackers get this much. */
const MAX_TRANSACTION_MS = 100
const ATTACKER = fileURLToPath(new URL('attack_process.ts', import.meta.url))

/** What one attack, or several together, came to. */
export interface AttackResult {
  rounds: Record<string, number>
  tallies: Record<string, Tally['kinds']>
}

/** A node that stands open, what it needs to be attacked, and its normal client. */
export class SoakedNode {
  readonly node: NodeProcess
  readonly client: NormalClient
  private readonly working: Promise<void>
  private readonly removeFolder: () => void

  private constructor(node: NodeProcess, chain: WharfkitChain, removeFolder: () => void) {
    this.node = node
    this.removeFolder = removeFolder
    this.client = new NormalClient(chain)
    this.working = this.client.run()
  }

  /** @param rows of the table that attackers read */
  static async start(rows: number, options: readonly string[] = []): Promise<SoakedNode> {
    const folder = temporaryFolder()
    const limits = ['--http-max-connections', `${CONNECTIONS}`, '--http-request-timeout-ms', '2000']
    // As users run it, the warm-up included.
    const argv = [...limits, '--warm-up=true', ...options]
    const node = await NodeProcess.start(folder.path, argv)
    const chain = new WharfkitChain(node.url)
    try {
      await fillChain(chain, rows)
      const runtime = { max_transaction_time: MAX_TRANSACTION_MS }
      await ask(node.url, '/v1/producer/update_runtime_options', { body: runtime })
    } catch (error) {
      await node.kill()
      throw error
    }
    return new SoakedNode(node, chain, folder.remove)
  }

  /**
   * Attacks until `enough` says so.
   * @param enough is asked after each round with the rounds of each attack
   */
  async attack(
    names: readonly string[],
    seed: number,
    enough: (rounds: Record<string, number>) => boolean | Promise<boolean>,
  ): Promise<AttackResult> {
    const { hostname, port } = new URL(this.node.url)
    const target = { url: this.node.url, host: hostname, port: Number(port) }
    const order: AttackOrder = { target, names, seed }
    const attacker = fork(ATTACKER, [JSON.stringify(order)], { execArgv: FROM_SOURCES })
    const rounds: Record<string, number> = Object.fromEntries(names.map((name) => [name, 0]))
    let asked_to_stop = false
    return new Promise((resolve, reject) => {
      attacker.on('exit', (code) => code && reject(new Error(`the attacker ended with ${code}`)))
      attacker.on('message', (report: AttackReport) => {
        if ('tallies' in report) return resolve({ rounds, tallies: report.tallies })
        rounds[report.round]! += 1
        Promise.resolve(enough(rounds)).then((is) => {
          if (!is || asked_to_stop) return
          asked_to_stop = true
          attacker.send('stop')
        }, reject)
      })
    })
  }

  async info(): Promise<{ head_block_num: number; head_block_time: string }> {
    const { body } = await this.node.chain('get_info')
    return body as { head_block_num: number; head_block_time: string }
  }

  /** Slots without a block between two blocks. */
  async missedSlots(first: number, last: number): Promise<number> {
    const time = async (block_num: number): Promise<number> => {
      const { body } = await this.node.chain('get_block_info', { block_num })
      return Date.parse(`${(body as { timestamp: string }).timestamp}Z`)
    }
    return ((await time(last)) - (await time(first))) / 500 - (last - first)
  }

  /** MiB that the process holds, where the system tells it. */
  memory(): number | undefined {
    if (process.platform !== 'linux') return undefined
    const status = readFileSync(`/proc/${this.node.child.pid}/status`, 'utf8')
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024)
  }

  /** What the node says of its own health: a status of 200 means well. */
  async health(): Promise<number> {
    return (await ask(this.node.url, '/v1/node/get_health')).status
  }

  async stop(): Promise<Ending> {
    this.client.stop()
    await this.working
    const ending = await this.node.stop()
    this.removeFolder()
    return ending
  }
}

/** Tokens of alice, rows of a table, and accounts of attackers. */
async function fillChain(chain: WharfkitChain, rows: number): Promise<void> {
  await chain.createToken('1000000.0000', '1000000.0000')
  await chain.createAccounts('probe', 'mallory', 'oscar')
  await chain.deploy('probe', 'probe')
  await chain.createAccounts(GROWER, ...SETTERS)
  await chain.setCode(GROWER, growingMemory())
  for (let row = 0; row < rows; row += ROWS_OF_A_TRANSACTION) {
    const program = Buffer.from(storeRows(row).done()).toString('hex')
    await chain.act('probe', 'run', 'probe', { program })
  }
}

function storeRows(from: number): Program {
  const program = new Program()
  const data = new Uint8Array(64).fill(7)
  for (let i = from; i < from + ROWS_OF_A_TRANSACTION; i++) {
    program.u8(80).name('soak').name('points').name('probe').u64(BigInt(i)).bytes(data).u8(0)
  }
  return program
}
