import { PackedTransaction } from '@wharfkit/antelope'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../support/http.ts'
import { WharfkitChain } from '../support/wharfkit_chain.ts'

const PAUSE_MS = 20

/** Who comes when all connections are taken is sent away at once, whoever it is. */
export const isRefusal = (failure: string): boolean =>
  /socket hang up|other side closed|ECONNRESET|EPIPE/.test(failure)

/** A wallet: looks at the chain, sends a transfer, looks at its balance, again and again. */
export class NormalClient {
  /** Milliseconds of each answer, by what was asked. */
  readonly times: Record<'read' | 'transfer', number[]> = { read: [], transfer: [] }
  /** Answers that it should not have got. */
  readonly failures: string[] = []
  private readonly chain: WharfkitChain
  private stopped = false
  private memo = 0

  constructor(chain: WharfkitChain) {
    this.chain = chain
  }

  async run(): Promise<void> {
    while (!this.stopped) {
      await this.attempt(() => this.ask('read', 'get_info', {}))
      await this.attempt(() => this.transfer())
      const balance = { code: 'eosio.token', account: 'alice', symbol: 'SYS' }
      await this.attempt(() => this.ask('read', 'get_currency_balance', balance))
      await sleep(PAUSE_MS)
    }
  }

  stop(): void {
    this.stopped = true
  }

  /** How often it got what it asked for. */
  get answered(): number {
    return this.times.read.length + this.times.transfer.length
  }

  /** A step of which one request was refused is a failure, whichever request it was. */
  private async attempt(step: () => Promise<void>): Promise<void> {
    try {
      await step()
    } catch (error) {
      // fetch says why in the cause alone.
      this.failures.push(String((error as Error).cause ?? error))
    }
  }

  private async transfer(): Promise<void> {
    const memo = `${++this.memo}`
    const data = { from: 'alice', to: 'bob', quantity: '0.0001 SYS', memo }
    const action = await this.chain.action('eosio.token', 'transfer', 'alice', data)
    const transaction = PackedTransaction.fromSigned(await this.chain.sign([action]), 0)
    await this.ask('transfer', 'send_transaction2', { transaction, return_failure_trace: false })
  }

  private async ask(what: 'read' | 'transfer', operation: string, body: object): Promise<void> {
    const begin = performance.now()
    const { status, text } = await ask(this.chain.url, `/v1/chain/${operation}`, { body })
    if (status >= 300) throw new Error(`${operation}: ${text.slice(0, 400)}`)
    this.times[what].push(performance.now() - begin)
  }
}
